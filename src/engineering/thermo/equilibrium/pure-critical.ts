import { EngineError } from '../errors.ts';
import { createResidual, type EquationOfState } from '../model.ts';

export interface CriticalState {
  /** Temperature [K], pressure [Pa], molar density [mol/m3]. */
  readonly T: number;
  readonly p: number;
  readonly rho: number;
}

const ALGORITHM = 'critical point of a pure fluid';
const MAX_ITERATIONS = 60;
/** Relative step of the density difference: (dp/drho)_T is analytic, its slope is not. */
const H = 1e-4;

/**
 * Critical point of one component of a model: (dp/drho)_T = (d2p/drho2)_T = 0, by Newton in ln T and ln rho from the critical constants of
 * the component table. Cubic equations meet those constants exactly, reference equations nearly. `x` is the unit vector of
 * component `i`. Throws 'not-converged'.
 */
export function pureCritical(eos: EquationOfState, x: Float64Array, i: number): CriticalState {
  const own = eos.saturationLine?.critical;
  if (own !== undefined) return own;
  const c = eos.components[i]!;
  const state = createResidual();
  const slope = (T: number, rho: number) => {
    eos.residual(T, rho, x, state);
    return state.dpdrho / (eos.gasConstant * c.Tc);
  };
  const curvature = (T: number, rho: number) => (slope(T, rho * (1 + H)) - slope(T, rho * (1 - H))) / (2 * H);
  let T = c.Tc;
  let rho = c.pc / (0.31 * eos.gasConstant * c.Tc);
  let size = Number.POSITIVE_INFINITY;
  for (let k = 0; k < MAX_ITERATIONS; k++) {
    const f = slope(T, rho);
    const g = curvature(T, rho);
    const fT = (slope(T * (1 + 1e-5), rho) - slope(T * (1 - 1e-5), rho)) / 2e-5;
    const gT = (curvature(T * (1 + 1e-5), rho) - curvature(T * (1 - 1e-5), rho)) / 2e-5;
    const gR = (slope(T, rho * (1 + H)) - 2 * f + slope(T, rho * (1 - H))) / (H * H);
    // slope changes with ln rho by g itself
    const det = fT * gR - g * gT;
    let dT = -(f * gR - g * g) / det;
    let dR = -(fT * g - gT * f) / det;
    const last = size;
    size = Math.max(Math.abs(dT), Math.abs(dR));
    if (!Number.isFinite(size)) break;
    // The finite differences leave a noise of about 1e-9: stop when steps no longer shrink.
    if (size < 1e-12 || (size < 1e-7 && size >= 0.5 * last)) {
      eos.residual(T, rho, x, state);
      return { T, p: state.p, rho };
    }
    const length = Math.min(1, 0.05 / Math.abs(dT), 0.15 / Math.abs(dR));
    dT *= length;
    dR *= length;
    T *= Math.exp(dT);
    rho *= Math.exp(dR);
  }
  throw new EngineError({ kind: 'not-converged', algorithm: ALGORITHM, iterations: MAX_ITERATIONS, residual: size });
}
