/**
 * How the fugacities of a fluid in phase equilibrium answer to its mole numbers: H_ij = d ln f_i/d n_j at T, p, with the phases free to exchange matter.
 *
 * Each phase alone has H_k = (diag(1/x) - 1 + n_t d lnPhi/dn)/n_k, symmetric, positive semidefinite where the phase is stable, and zero along its own
 * composition (Gibbs-Duhem). Phases in equilibrium share a change so that all d ln f are equal, so their inverses add: two phases give the parallel sum
 * H_1 (H_1 + H_2)^-1 H_2 (W. N. Anderson, R. J. Duffin, J. Math. Anal. Appl. 26 (1969) 576), more phases by repetition.
 */
import { createLnPhiDerivatives, type EquationOfState } from '../model.ts';
import { luFactor, luSolve } from './linear-solve.ts';
import type { PhaseSplit } from './phase-split.ts';

/** Mole fraction below which a trace counts as this much: its stiffness is then beyond every other. */
const TRACE = 1e-30;
/** Share of the moles below which a phase holds nothing that could be exchanged. */
const NOTHING = 1e-12;
/** Added to the unit diagonal of the scaled sum of two phases, which two nearly equal phases leave singular. */
const RIDGE = 1e-14;

/**
 * H [1/mol] of `amount` moles of the fluid over the components `active` (indices into the model), row-major, in that order. The phases must be in
 * equilibrium; a phase without matter is left out.
 */
export function fluidResponse(
  eos: EquationOfState,
  split: PhaseSplit,
  amount: number,
  active: readonly number[],
): Float64Array {
  const m = active.length;
  const scale = Float64Array.from(active, (i) => Math.sqrt(amount * split.z[i]!));
  const derivatives = createLnPhiDerivatives(eos.n);
  let sum: Float64Array | undefined;
  for (const { x, fraction } of split.phases) {
    if (!(fraction > NOTHING)) continue;
    eos.lnPhiDerivatives(split.T, split.p, x, 'stable', derivatives);
    const own = new Float64Array(m * m);
    for (let a = 0; a < m; a++)
      for (let b = 0; b < m; b++) {
        const i = active[a]!;
        const j = active[b]!;
        const ideal = i === j ? 1 / Math.max(x[i]!, TRACE) : 0;
        own[a * m + b] = (scale[a]! * scale[b]! * (ideal - 1 + derivatives.dn[i * eos.n + j]!)) / (amount * fraction);
      }
    sum = sum === undefined ? own : parallelSum(sum, own, m);
  }
  const response = sum ?? new Float64Array(m * m);
  for (let a = 0; a < m; a++)
    for (let b = 0; b < m; b++) response[a * m + b] = response[a * m + b]! / (scale[a]! * scale[b]!);
  return response;
}

function parallelSum(p: Float64Array, q: Float64Array, m: number): Float64Array {
  // Scaled to a unit diagonal: a component that is a trace in one phase spans many orders of magnitude.
  const unit = Float64Array.from({ length: m }, (_, a) => 1 / Math.sqrt(p[a * m + a]! + q[a * m + a]!));
  const both = new Float64Array(m * m);
  for (let a = 0; a < m; a++)
    for (let b = 0; b < m; b++)
      both[a * m + b] = (p[a * m + b]! + q[a * m + b]!) * unit[a]! * unit[b]! + (a === b ? RIDGE : 0);
  const rows = new Int32Array(m);
  const out = new Float64Array(m * m);
  if (!luFactor(both, m, rows)) return p;
  const column = new Float64Array(m);
  for (let b = 0; b < m; b++) {
    for (let a = 0; a < m; a++) column[a] = q[a * m + b]! * unit[a]!;
    luSolve(both, m, rows, column);
    for (let a = 0; a < m; a++) {
      let value = 0;
      for (let c = 0; c < m; c++) value += p[a * m + c]! * unit[c]! * column[c]!;
      out[a * m + b] = value;
    }
  }
  // Rounding can leave what should be 0 slightly negative, or larger off the diagonal than a semidefinite matrix allows.
  for (let a = 0; a < m; a++) out[a * m + a] = Math.max(0, out[a * m + a]!);
  for (let a = 0; a < m; a++)
    for (let b = 0; b < a; b++) {
      const most = Math.sqrt(out[a * m + a]! * out[b * m + b]!);
      const mean = Math.max(-most, Math.min(most, 0.5 * (out[a * m + b]! + out[b * m + a]!)));
      out[a * m + b] = mean;
      out[b * m + a] = mean;
    }
  return out;
}
