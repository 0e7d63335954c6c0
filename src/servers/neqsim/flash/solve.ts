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
        return met(result, unshifted - v, v, [
          'The volume is that of the equation of state: densities in the answer carry the volume translation, the volume does not.',
        ]);
      }
      case 'dewPointT':
      case 'bubblePointT':
        return saturation(fluid, type === 'dewPointT' ? 'dew' : 'bubble', { p }, gaveT ? T : undefined);
      case 'dewPointP':
      case 'bubblePointP':
        return saturation(fluid, type === 'dewPointP' ? 'dew' : 'bubble', { T }, request.gaveP ? p : undefined);
      case 'hydrateTP':
        return { ...plain(flashTP(fluid, T, p)), hydrate: hydrateAt(fluid, T, p) };
    }
  } catch (error) {
    throw asToolError(error);
  }
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

type Given = { readonly T: number } | { readonly p: number };

/** A start value this near (ratio) to the ordinary point asks for that point. */
const SAME_POINT = 1.03;

/**
 * A saturation point. A fluid can have two of a kind at one temperature or pressure (retrograde condensation): then the one next to the
 * caller's start value is given, without start value the ordinary one, and both are named in a warning. The second one is looked for, which
 * costs a scan, only where the start value lies on its side.
 */
function saturation(fluid: Fluid, kind: 'dew' | 'bubble', at: Given, start: number | undefined): Solved {
  const unknown = (point: SaturationPoint) => ('T' in at ? point.p : point.T);
  const ordinary = kind === 'dew' ? dewPoint(fluid, at) : bubblePoint(fluid, at);
  const assumptions = ['The incipient phase is reported with amount 0.'];
  const result = properties(fluid, ordinary);
  if (start === undefined || !beyond(kind, at, start / unknown(ordinary))) return { result, warnings: [], assumptions };
  const second = retrograde(fluid, kind, at);
  if (second === undefined) return { result, warnings: [], assumptions };
  const distance = (point: SaturationPoint) => Math.abs(Math.log(start / unknown(point)));
  const first = distance(ordinary) <= distance(second.point);
  const text = (point: SaturationPoint) =>
    'T' in at ? `${toBara(point.p).toPrecision(5)} bara` : `${point.T.toFixed(2)} K`;
  const message = `This fluid has ${kind} points at ${text(ordinary)} and at ${text(second.point)}: ${text(first ? ordinary : second.point)}, the one next to the start value, is given.`;
  return {
    result: first ? result : second.result,
    warnings: [{ code: 'MULTIPLE_SOLUTIONS', severity: 'WARNING', message }],
    assumptions,
  };
}

/** Retrograde dew points lie at higher pressure or lower temperature than the ordinary one, bubble points at higher temperature. */
function beyond(kind: 'dew' | 'bubble', at: Given, ratio: number): boolean {
  if (kind === 'bubble') return !('T' in at) && ratio > SAME_POINT;
  return 'T' in at ? ratio > SAME_POINT : ratio < 1 / SAME_POINT;
}

function retrograde(
  fluid: Fluid,
  kind: 'dew' | 'bubble',
  at: Given,
): { point: SaturationPoint; result: FlashResult } | undefined {
  try {
    const options = { retrograde: true };
    const point = kind === 'dew' ? dewPoint(fluid, at, options) : bubblePoint(fluid, at, options);
    const result = properties(fluid, point);
    // Two liquids can also part on cooling; that is no dew point.
    return result.phases.some((phase) => phase.name === 'gas') ? { point, result } : undefined;
  } catch (error) {
    if (isEngineError(error)) return undefined;
    throw error;
  }
}
