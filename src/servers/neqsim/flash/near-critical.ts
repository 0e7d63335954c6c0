import {
  createFluid,
  criticalPoint,
  type FlashResult,
  type Fluid,
  isEngineError,
  type ModelId,
  phaseEnvelope,
  type TemperaturePressure,
} from '../../../engineering/thermo/index.ts';
import type { Warning } from '../../../kit/index.ts';
import { toBara } from '../units.ts';

/** NEAR_CRITICAL: T and p both within 10 % of a critical point of the mixture. */
const SHARE = 0.1;
/** Models whose own envelope is as cheap as that; for the others SRK stands in, whose critical points differ by a few per cent. */
const OWN: readonly ModelId[] = ['SRK', 'PR'];
const POLAR = new Set(['water', 'seawater', 'glycol', 'alcohol', 'amine', 'acid', 'ion', 'salt']);

export function nearCritical(fluid: Fluid, result: FlashResult): Warning[] {
  if (farFromCritical(fluid, result)) return [];
  const { T, p } = result;
  const near = criticalPointsOf(fluid).find((c) => Math.abs(T / c.T - 1) <= SHARE && Math.abs(p / c.p - 1) <= SHARE);
  if (near === undefined) return [];
  const by = OWN.includes(fluid.eos.id) || isPure(fluid) ? '' : ', estimated with SRK';
  return [
    {
      code: 'NEAR_CRITICAL',
      severity: 'CAUTION',
      message: `The state is within 10 % of the critical point of the mixture (${near.T.toFixed(2)} K, ${toBara(near.p).toPrecision(4)} bara${by}): densities and heat capacities change steeply there.`,
    },
  ];
}

const known = new WeakMap<Fluid, readonly TemperaturePressure[]>();

function criticalPointsOf(fluid: Fluid): readonly TemperaturePressure[] {
  let points = known.get(fluid);
  if (points === undefined) {
    points = trace(fluid);
    known.set(fluid, points);
  }
  return points;
}

function trace(fluid: Fluid): readonly TemperaturePressure[] {
  if (isPure(fluid)) return attempt(() => [criticalPoint(fluid)]) ?? [];
  const dry = dryCubic(fluid);
  // No critical pressure of a mixture is below the lowest of its components, so the ends of the curves need not be followed.
  let leastPressure = Number.POSITIVE_INFINITY;
  for (const [i, { pc }] of dry.components.entries()) if (dry.z[i]! > 0) leastPressure = Math.min(leastPressure, pc);
  const from = (minPressure: number) =>
    attempt(() => phaseEnvelope(dry, { stability: false, coarse: true, minPressure }).criticalPoints);
  return from(START * leastPressure) ?? from(LOWEST_START) ?? [];
}

/** Share of the lowest critical pressure at which the curves begin, and the pressure [Pa] to begin at when none does there. */
const START = 0.5;
const LOWEST_START = 1e5;

/** undefined for what cannot be traced: it says nothing about the state. */
function attempt<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch (error) {
    if (isEngineError(error)) return undefined;
    throw error;
  }
}

const isPure = ({ z }: Fluid): boolean => z.reduce((count, zi) => count + (zi > 0 ? 1 : 0), 0) === 1;

/** The hydrocarbon side: water and its like leave by phases of their own and only bend the dew curve. */
function dryCubic(fluid: Fluid): Fluid {
  const present = fluid.components.map((component, i) => ({ component, amount: fluid.z[i]! }));
  const dry = present.filter(({ component, amount }) => amount > 0 && !POLAR.has(component.type));
  if (dry.length === 0 || (dry.length === present.length && OWN.includes(fluid.eos.id))) return fluid;
  return createFluid({
    components: Object.fromEntries(dry.map(({ component, amount }) => [component.name, amount])),
    model: OWN.includes(fluid.eos.id) ? fluid.eos.id : 'SRK',
  });
}

/**
 * A cheap look that spares most states the tracing. The mixture's critical temperature is estimated by weighting with the critical volumes
 * (C. C. Li, Can. J. Chem. Eng. 49 (1971) 709, a few per cent for hydrocarbons) and a wide margin is kept; the critical pressure of a mixture is not
 * below the lowest of its components.
 */
const COLDEST = 0.7;
const HOTTEST = 1.4;

function farFromCritical(fluid: Fluid, { T, p, phases }: FlashResult): boolean {
  const { components, z } = fluid;
  const pure = isPure(fluid);
  if (!pure && phases.some((phase) => phase.name.startsWith('aqueous'))) return true;
  let volume = 0;
  let weighted = 0;
  let leastPressure = Number.POSITIVE_INFINITY;
  let count = 0;
  for (const [i, component] of components.entries()) {
    if (!(z[i]! > 0) || (!pure && POLAR.has(component.type))) continue;
    // Without a critical volume: Zc = 0.27.
    const vc = Number.isNaN(component.vc) ? (0.27 * 8.314 * component.Tc) / component.pc : component.vc;
    volume += z[i]! * vc;
    weighted += z[i]! * vc * component.Tc;
    leastPressure = Math.min(leastPressure, component.pc);
    count++;
  }
  if (count === 0) return true;
  const Tc = weighted / volume;
  return T < COLDEST * Tc || T > HOTTEST * Tc || p < (1 - SHARE) * leastPressure;
}
