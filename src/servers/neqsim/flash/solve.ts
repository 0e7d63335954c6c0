import {
  bubblePoint,
  dewPoint,
  type FlashResult,
  type Fluid,
  flashPH,
  flashPS,
  flashTP,
  flashTV,
  isEngineError,
  properties,
  type SaturationPoint,
  type SolidState,
  saturationPoints,
} from '../../../engineering/thermo/index.ts';
import { ToolError, type Warning } from '../../../kit/index.ts';
import { asToolError } from '../engine-errors.ts';
import { type SpecificationName, toBara, toMolar } from '../units.ts';
import { type HydrateAnswer, hydrateAt } from './hydrate.ts';
import type { FlashRequest } from './request.ts';

/** What a flash type gives beside the state itself. */
export interface Solved {
  readonly result: FlashResult;
  readonly warnings: readonly Warning[];
  readonly assumptions: readonly string[];
  readonly hydrate?: HydrateAnswer;
  /** Hydrate and ice beside the fluid phases of `result`; fractions of both add up to 1. */
  readonly solids?: readonly SolidState[];
  /** Largest relative error of the enthalpy, entropy or volume asked for. */
  readonly specificationError?: number;
}

/** Runs the flash asked for. Throws MISSING_SPEC and FLASH_ERROR. */
export function solveFlash(fluid: Fluid, request: FlashRequest): Solved {
  const { type, T, p, gaveT } = request;
  const molar = (name: SpecificationName): number => {
    const given = request.specifications[name];
    if (given === undefined) {
      throw new ToolError('MISSING_SPEC', {
        message: `A ${type} flash needs ${name}.`,
        remediation: `Give ${name} as a number (${DEFAULT_UNIT[name]}) or as {value, unit}.`,
        details: { field: name },
      });
    }
    return toMolar(name, given, { molarMass: fluid.calculator.molarMass(fluid.z), amount: fluid.amount });
  };
  const start = gaveT ? { T } : undefined;
  try {
    switch (type) {
      case 'TP':
        return plain(flashTP(fluid, T, p));
      case 'PH': {
        const h = molar('enthalpy');
        const result = flashPH(fluid, p, h, start);
        return met(result, result.overall.enthalpy - h, Math.abs(h) + 1e3);
      }
      case 'PS': {
        const s = molar('entropy');
        const result = flashPS(fluid, p, s, start);
        return met(result, result.overall.entropy - s, Math.abs(s) + 10);
      }
      case 'TV': {
        const v = molar('volume');
        if (!(v > 0)) throw new ToolError('FLASH_ERROR', { message: 'The volume must be above 0.' });
        const result = flashTV(fluid, T, v, request.gaveP ? { p } : undefined);
        const unshifted = result.phases.reduce((sum, phase) => sum + phase.fraction / phase.rho, 0);
        const state = met(result, unshifted - v, v, [
          'The volume is that of the equation of state: densities in the answer carry the volume translation, the volume does not.',
        ]);
        return { ...state, warnings: translated(result, v) };
      }
      case 'dewPointT':
      case 'bubblePointT':
        return saturation(fluid, type === 'dewPointT' ? 'dew' : 'bubble', { p }, gaveT ? T : undefined);
      case 'dewPointP':
      case 'bubblePointP':
        return saturation(fluid, type === 'dewPointP' ? 'dew' : 'bubble', { T }, request.gaveP ? p : undefined);
      case 'hydrateTP':
        return hydrateTP(fluid, T, p);
    }
  } catch (error) {
    throw asToolError(error);
  }
}

function hydrateTP(fluid: Fluid, T: number, p: number): Solved {
  const { result, solids, hydrate } = hydrateAt(fluid, T, p);
  return { result, solids, hydrate, warnings: hydrate.warnings, assumptions: hydrate.assumptions };
}

const DEFAULT_UNIT: Readonly<Record<SpecificationName, string>> = {
  enthalpy: 'J/mol',
  entropy: 'J/molK',
  volume: 'm3/mol',
};

const plain = (result: FlashResult): Solved => ({ result, warnings: [], assumptions: [] });

const met = (result: FlashResult, off: number, scale: number, assumptions: readonly string[] = []): Solved => ({
  result,
  warnings: [],
  assumptions,
  specificationError: Math.abs(off) / scale,
});

/** A volume taken from a reported density is another one than that of the equation of state. */
function translated({ overall }: FlashResult, v: number): Warning[] {
  const share = v / overall.molarVolume - 1;
  if (Math.abs(share) < 0.01) return [];
  return [
    {
      code: 'VOLUME_NOT_TRANSLATED',
      severity: 'CAUTION',
      message: `The volume given is taken as that of the equation of state; the density reported carries the volume translation and stands for a volume ${Math.abs(100 * share).toFixed(1)} % ${share > 0 ? 'smaller' : 'larger'}. A volume made from a reported density gives another state.`,
    },
  ];
}

type Given = { readonly T: number } | { readonly p: number };

/** Two points closer than this (ratio) are one. */
const SAME_POINT = 1 + 1e-6;

/**
 * A saturation point. A fluid can have several of a kind at one temperature or pressure (retrograde condensation): then the one next to the
 * caller's start value is given, without start value the ordinary one, and a warning names them all. The others are looked for in every
 * call: one answer where there are two is a trap.
 */
function saturation(fluid: Fluid, kind: 'dew' | 'bubble', at: Given, start: number | undefined): Solved {
  const unknown = (point: SaturationPoint) => ('T' in at ? point.p : point.T);
  const distance = (point: SaturationPoint, from: number) => Math.abs(Math.log(unknown(point) / from));
  const ordinary = kind === 'dew' ? dewPoint(fluid, at) : bubblePoint(fluid, at);
  const points = [{ point: ordinary, result: properties(fluid, ordinary) }];
  for (const point of furtherPoints(fluid, at)) {
    if (point.kind !== kind || points.some((other) => distance(point, unknown(other.point)) < Math.log(SAME_POINT)))
      continue;
    const result = properties(fluid, point);
    // Two liquids can also part on cooling; that is no dew point.
    if (result.phases.some((phase) => phase.name === 'gas')) points.push({ point, result });
  }
  let chosen = points[0]!;
  if (start !== undefined)
    for (const other of points) if (distance(other.point, start) < distance(chosen.point, start)) chosen = other;
  const assumptions = ['The incipient phase is reported with amount 0.'];
  if (points.length === 1) return { result: chosen.result, warnings: twoLiquids(chosen.result, kind), assumptions };
  const text = ({ point }: { point: SaturationPoint }) =>
    'T' in at ? `${toBara(point.p).toPrecision(5)} bara` : `${point.T.toFixed(2)} K`;
  const all = points.sort((a, b) => unknown(a.point) - unknown(b.point)).map(text);
  const why = start === undefined ? 'the ordinary one' : 'the one next to the start value';
  const message = `This fluid has ${kind} points at ${all.slice(0, -1).join(', ')} and ${all.at(-1)}: ${text(chosen)}, ${why}, is given. A ${'T' in at ? 'pressure' : 'temperature'} near another one, given as start value, asks for that one.`;
  return {
    result: chosen.result,
    warnings: [{ code: 'MULTIPLE_SOLUTIONS', severity: 'WARNING', message }],
    assumptions,
  };
}

function twoLiquids({ phases }: FlashResult, kind: 'dew' | 'bubble'): Warning[] {
  if (phases.some(({ name }) => name.startsWith('gas'))) return [];
  return [
    {
      code: 'TWO_PHASE_UNCERTAINTY',
      severity: 'CAUTION',
      message: `At this ${kind} point two liquids part; no vapour is in equilibrium. A start value near the boiling point asks for that one, where there is one.`,
    },
  ];
}

/** A scan that fails leaves the point already found. */
function furtherPoints(fluid: Fluid, at: Given): readonly SaturationPoint[] {
  try {
    return saturationPoints(fluid, at);
  } catch (error) {
    if (isEngineError(error)) return [];
    throw error;
  }
}
