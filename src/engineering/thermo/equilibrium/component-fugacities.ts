/** Fugacities in a fluid whose phases are in equilibrium. */
import type { PhaseSplit } from './phase-split.ts';

/**
 * f_i = x_i phi_i p [Pa] into `out`, each from the phase where the mole fraction of i is largest, since rounding disturbs traces most. Absent
 * components get 0.
 */
export function componentFugacities(split: PhaseSplit, out: Float64Array): void {
  for (let i = 0; i < out.length; i++) {
    let most = split.phases[0]!;
    for (const phase of split.phases) if (phase.x[i]! > most.x[i]!) most = phase;
    out[i] = most.x[i]! > 0 ? most.x[i]! * Math.exp(most.lnPhi[i]!) * split.p : 0;
  }
}
