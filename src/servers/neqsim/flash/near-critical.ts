import { type FlashResult, type Fluid, isEngineError, phaseEnvelope } from '../../../engineering/thermo/index.ts';
import type { Warning } from '../../../kit/index.ts';
import { toBara } from '../units.ts';

/** NEAR_CRITICAL: T and p both within 10 % of a critical point of this mixture, computed with its own model. */
const SHARE = 0.1;

export function nearCritical(fluid: Fluid, result: FlashResult): Warning[] {
  if (farFromCritical(result)) return [];
  const { T, p } = result;
  try {
    const { criticalPoints } = phaseEnvelope(fluid, { stability: false });
    const near = criticalPoints.find((c) => Math.abs(T / c.T - 1) <= SHARE && Math.abs(p / c.p - 1) <= SHARE);
    return near === undefined
      ? []
      : [
          {
            code: 'NEAR_CRITICAL',
            severity: 'CAUTION',
            message: `The state is within 10 % of the critical point of the mixture (${near.T.toFixed(2)} K, ${toBara(near.p).toPrecision(4)} bara): densities and heat capacities change steeply there.`,
          },
        ];
  } catch (error) {
    // A critical point that cannot be traced says nothing about the state.
    if (isEngineError(error)) return [];
    throw error;
  }
}

/**
 * Corresponding states bound what is possible within 10 % of a critical point: at 1.1 Tc and 0.9 pc a gas has Z near 0.7, at 0.9 Tc and 1.1 pc
 * a liquid has Z near 0.2, and at 0.9 Tc coexisting phases differ in density by less than a factor of 25. The limits leave room beyond.
 */
function farFromCritical({ phases }: FlashResult): boolean {
  if (phases.some((phase) => phase.name.startsWith('aqueous'))) return true;
  const densities = phases.map((phase) => phase.rho * phase.molarMass);
  if (Math.max(...densities) > 60 * Math.min(...densities)) return true;
  return phases.length === 1 && (phases[0]!.Z > 0.9 || phases[0]!.Z < 0.03);
}
