import {
  bubblePoint,
  dewPoint,
  type FlashResult,
  type Fluid,
  flashPH,
  flashPS,
  flashTP,
  flashTV,
  properties,
  type SaturationOptions,
  type SaturationPoint,
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

/**
 * A saturation point. Where the fluid has several of the kind (retrograde condensation), the one next to the caller's start value, else the
 * ordinary one; the others are named in a warning, since the two ends of a dew curve are far apart.
 */
function saturation(fluid: Fluid, kind: 'dew' | 'bubble', at: Given, start: number | undefined): Solved {
  const find = (options?: SaturationOptions) =>
    kind === 'dew' ? dewPoint(fluid, at, options) : bubblePoint(fluid, at, options);
  const unknown = (point: SaturationPoint) => ('T' in at ? point.p : point.T);
  const distance = (point: SaturationPoint) => Math.abs(Math.log(unknown(point) / (start ?? 1)));
  const pure = fluid.z.filter((z) => z > 0).length === 1;
  const all = pure ? [] : saturationPoints(fluid, at).filter((point) => point.kind === kind);
  const chosen = all.length > 1 && start !== undefined ? nearest(all, distance) : find();
  const others = all.filter((point) => Math.abs(unknown(point) / unknown(chosen) - 1) > 1e-6);
  const text = (point: SaturationPoint) =>
    'T' in at ? `${toBara(point.p).toPrecision(5)} bara` : `${point.T.toFixed(2)} K`;
  const warnings: Warning[] =
    others.length === 0
      ? []
      : [
          {
            code: 'MULTIPLE_SOLUTIONS',
            severity: 'WARNING',
            message: `This fluid has ${all.length} ${kind} points there: ${text(chosen)} is given, ${others.map(text).join(' and ')} too. Give a start value near the one you want.`,
          },
        ];
  return {
    result: properties(fluid, chosen),
    warnings,
    assumptions: ['The incipient phase is reported with amount 0.'],
  };
}

function nearest(points: readonly SaturationPoint[], distance: (point: SaturationPoint) => number): SaturationPoint {
  return points.reduce((best, point) => (distance(point) < distance(best) ? point : best));
}
