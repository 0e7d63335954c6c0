import type { FlashResult, Fluid } from '../../engineering/thermo/index.ts';
import type { Warning } from '../../kit/index.ts';
import { toBara } from './units.ts';

/** Below this distance to another phase (tangent plane distance, RT per mole) the phase count is not sure. */
const UNSURE_MARGIN = 1e-4;
const WATER_LIKE = new Set(['water', 'glycol', 'alcohol', 'amine']);

/** The contract's warnings, each raised from a condition of this very result. */
export function flashWarnings(fluid: Fluid, result: FlashResult, given: Readonly<Record<string, number>>): Warning[] {
  const out: Warning[] = [];
  const sum = Object.values(given).reduce((total, amount) => total + amount, 0);
  if (Math.abs(sum - 1) > 1e-6) {
    out.push({
      code: 'COMPOSITION_NORMALIZED',
      severity: 'INFO',
      message: `The amounts sum to ${Number(sum.toPrecision(8))} and were normalised to 1.`,
    });
  }
  const { validity, missingPairs, components } = fluid.eos;
  if (result.T < validity.minT || result.T > validity.maxT || result.p < validity.minP || result.p > validity.maxP) {
    out.push({
      code: 'EXTRAPOLATION',
      severity: 'WARNING',
      message: `${result.T.toFixed(1)} K and ${toBara(result.p).toPrecision(4)} bara lie outside the range of ${fluid.eos.id}: ${validity.minT} to ${validity.maxT} K, ${toBara(validity.minP)} to ${toBara(validity.maxP)} bara.`,
    });
  }
  const present = (index: number) => fluid.z[index]! > 0;
  const polar = components.filter((component, index) => present(index) && WATER_LIKE.has(component.type));
  if (polar.length > 0 && (fluid.eos.id === 'SRK' || fluid.eos.id === 'PR')) {
    out.push({
      code: 'MODEL_LIMITATION',
      severity: 'INFO',
      message: `${fluid.eos.id} describes hydrogen bonding of ${polar.map((component) => component.publicName).join(', ')} poorly: mutual solubilities may be far off.`,
    });
  }
  const missing = missingPairs.filter(({ i, j }) => i < j && present(i) && present(j));
  if (missing.length > 0) {
    const names = missing.slice(0, 5).map(({ i, j }) => `${components[i]!.publicName}/${components[j]!.publicName}`);
    out.push({
      code: 'MISSING_REFERENCE_DATA',
      severity: 'WARNING',
      message: `No interaction parameter for ${names.join(', ')}${missing.length > 5 ? ` and ${missing.length - 5} more pairs` : ''}; 0 was used.`,
    });
  }
  const { stabilityMargin } = result.convergence;
  if (stabilityMargin >= 0 && stabilityMargin < UNSURE_MARGIN) {
    out.push({
      code: 'TWO_PHASE_UNCERTAINTY',
      severity: 'CAUTION',
      message: `The state lies at a phase boundary: another phase is ${stabilityMargin.toExponential(1)} RT from forming.`,
    });
  } else if (result.phases.length > 1 && result.phases.some((phase) => phase.fraction < 1e-3)) {
    out.push({
      code: 'TWO_PHASE_UNCERTAINTY',
      severity: 'CAUTION',
      message: 'The state lies at a phase boundary: one phase is below 0.1 % of the moles.',
    });
  }
  return out;
}
