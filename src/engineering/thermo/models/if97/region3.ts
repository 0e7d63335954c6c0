import { EngineError } from '../../errors.ts';
import { IF97, R_STEAM, RHOC, TC } from './if97-data.ts';
import type { SteamState } from './steam-state.ts';

/**
 * Region 3 (623.15 K to the boundary 2/3, p <= 100 MPa): specific Helmholtz energy f/(RT) = phi(delta, tau),
 * delta = rho/322, tau = 647.096 K/T, IAPWS R7-97(2012) equation 28.
 */
export function region3State(T: number, rho: number): SteamState {
  const delta = rho / RHOC;
  const tau = TC / T;
  const lnDelta = Math.log(delta);
  const lnTau = Math.log(tau);
  const terms = IF97.region3.terms;
  const n1 = terms[0]!.n;
  let phi = n1 * lnDelta;
  let d = n1;
  let dd = -n1;
  let t = 0;
  let tt = 0;
  let dt = 0;
  for (let k = 1; k < terms.length; k++) {
    const { I, J, n } = terms[k]!;
    const term = n * Math.exp(I * lnDelta + J * lnTau);
    phi += term;
    d += I * term;
    dd += I * (I - 1) * term;
    t += J * term;
    tt += J * (J - 1) * term;
    dt += I * J * term;
  }
  const RT = R_STEAM * T;
  const p = rho * RT * d;
  const dpdrho = RT * (2 * d + dd);
  const dpdT = rho * R_STEAM * (d - dt);
  const cv = -R_STEAM * tt;
  const cp = cv + (T * dpdT * dpdT) / (rho * rho * dpdrho);
  const u = RT * t;
  const h = u + p / rho;
  const s = R_STEAM * (t - phi);
  return {
    region: 3,
    T,
    p,
    rho,
    v: 1 / rho,
    u,
    h,
    s,
    g: h - T * s,
    cv,
    cp,
    w: Math.sqrt((dpdrho * cp) / cv),
    jouleThomson: ((T * dpdT) / (rho * dpdrho) - 1) / (rho * cp),
    drhodp: 1 / dpdrho,
    dpdT,
  };
}

/** Densities [kg/m3] beyond every state of region 3. */
const RHO_LOW = 60;
const RHO_HIGH = 800;

/**
 * Density [kg/m3] in region 3 at T, p. Below Tc the two phases lie on either side of the critical density, and between
 * each and the critical density there is one unstable stretch at most: the search keeps a bracket in which an unstable
 * point counts as lying beyond the root, takes Newton steps inside it and halves it otherwise.
 * @throws EngineError 'not-converged' when the phase asked for does not exist at T, p
 */
export function region3Density(T: number, p: number, phase: 'liquid' | 'vapour'): number {
  let lo = T < TC && phase === 'liquid' ? RHOC : RHO_LOW;
  let hi = T < TC && phase === 'vapour' ? RHOC : RHO_HIGH;
  let rho = T >= TC ? RHOC : phase === 'liquid' ? 600 : 120;
  for (let i = 0; i < 200; i++) {
    const state = region3State(T, rho);
    const stable = state.drhodp > 0;
    if (!stable ? phase === 'vapour' : state.p > p) hi = rho;
    else lo = rho;
    const next = rho + (p - state.p) * state.drhodp;
    if (stable && Math.abs(next - rho) <= 1e-13 * rho) return next;
    if (hi - lo <= 1e-14 * hi) {
      if (stable && Math.abs(state.p - p) <= 1e-9 * p) return rho;
      break;
    }
    rho = stable && next > lo && next < hi ? next : 0.5 * (lo + hi);
  }
  throw new EngineError({
    kind: 'not-converged',
    algorithm: `IAPWS-IF97 region 3 ${phase} density`,
    iterations: 200,
    residual: hi - lo,
  });
}
