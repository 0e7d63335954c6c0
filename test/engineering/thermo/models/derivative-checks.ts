import { createHelmholtzState, type HelmholtzModel } from '../../../../src/engineering/thermo/model.ts';

/** Largest scaled difference between the analytic derivatives of `model` and central differences, and where it was found. */
export interface DerivativeError {
  error: number;
  where: string;
}

/**
 * Compares a_rho, a_rhorho, a_T, a_TT, a_Trho, mu, mu_T, mu_rho and mu_n with central differences of n a and of mu, with
 * mole numbers varied at constant T, V. Differences are measured against the size of the quantity plus `floor`.
 */
export function derivativeError(model: HelmholtzModel, T: number, rho: number, x: Float64Array): DerivativeError {
  const n = model.n;
  const at = createHelmholtzState(n);
  const up = createHelmholtzState(n);
  const down = createHelmholtzState(n);
  const worst: DerivativeError = { error: 0, where: 'nothing' };
  const compare = (where: string, analytic: number, numeric: number, scale: number) => {
    const error = Math.abs(analytic - numeric) / (Math.abs(analytic) + Math.abs(numeric) + scale);
    if (!(error <= worst.error)) {
      worst.error = error;
      worst.where = `${where}: analytic ${analytic}, differences ${numeric}`;
    }
  };
  model.evaluate(T, rho, x, 2, at);
  const dT = 1e-5 * T;
  model.evaluate(T + dT, rho, x, 2, up);
  model.evaluate(T - dT, rho, x, 2, down);
  const size = Math.abs(at.a) + 1e-3;
  compare('a_T', at.a_T, (up.a - down.a) / (2 * dT), size / T);
  compare('a_TT', at.a_TT, (up.a_T - down.a_T) / (2 * dT), size / T / T);
  compare('a_Trho', at.a_Trho, (up.a_rho - down.a_rho) / (2 * dT), size / T / rho);
  for (let i = 0; i < n; i++)
    compare(`mu_T[${i}]`, at.mu_T[i]!, (up.mu[i]! - down.mu[i]!) / (2 * dT), (size + Math.abs(at.mu[i]!)) / T);
  const dRho = 1e-5 * rho;
  model.evaluate(T, rho + dRho, x, 2, up);
  model.evaluate(T, rho - dRho, x, 2, down);
  compare('a_rho', at.a_rho, (up.a - down.a) / (2 * dRho), size / rho);
  compare('a_rhorho', at.a_rhorho, (up.a_rho - down.a_rho) / (2 * dRho), size / rho / rho);
  for (let i = 0; i < n; i++)
    compare(`mu_rho[${i}]`, at.mu_rho[i]!, (up.mu[i]! - down.mu[i]!) / (2 * dRho), (size + Math.abs(at.mu[i]!)) / rho);
  const y = new Float64Array(n);
  for (let j = 0; j < n; j++) {
    const h = Math.min(1e-5, x[j]! / 100);
    if (h === 0) continue;
    const total = (sign: number, state: typeof up) => {
      const nt = 1 + sign * h;
      for (let i = 0; i < n; i++) y[i] = (x[i]! + (i === j ? sign * h : 0)) / nt;
      model.evaluate(T, rho * nt, y, 1, state);
      return nt * state.a;
    };
    const upper = total(1, up);
    const lower = total(-1, down);
    compare(`mu[${j}]`, at.mu[j]!, (upper - lower) / (2 * h), size);
    for (let i = 0; i < n; i++) {
      const numeric = (up.mu[i]! - down.mu[i]!) / (2 * h);
      compare(`mu_n[${i},${j}]`, at.mu_n[i * n + j]!, numeric, size + Math.abs(at.mu[i]!));
    }
  }
  return worst;
}

/** Largest relative violation of Euler's theorem: sum x_i mu_i = a + rho a_rho, and of sum_j x_j mu_n_ij = rho mu_rho_i. */
export function eulerError(model: HelmholtzModel, T: number, rho: number, x: Float64Array): number {
  const n = model.n;
  const s = createHelmholtzState(n);
  model.evaluate(T, rho, x, 2, s);
  let sum = 0;
  let size = Math.abs(s.a) + Math.abs(rho * s.a_rho) + 1e-12;
  for (let i = 0; i < n; i++) {
    sum += x[i]! * s.mu[i]!;
    size += x[i]! * Math.abs(s.mu[i]!);
  }
  let worst = Math.abs(sum - s.a - rho * s.a_rho) / size;
  for (let i = 0; i < n; i++) {
    let row = 0;
    let rowSize = Math.abs(rho * s.mu_rho[i]!) + 1e-12;
    for (let j = 0; j < n; j++) {
      row += x[j]! * s.mu_n[i * n + j]!;
      rowSize += x[j]! * Math.abs(s.mu_n[i * n + j]!);
      worst = Math.max(worst, Math.abs(s.mu_n[i * n + j]! - s.mu_n[j * n + i]!) / (1 + Math.abs(s.mu_n[i * n + j]!)));
    }
    worst = Math.max(worst, Math.abs(row - rho * s.mu_rho[i]!) / rowSize);
  }
  return worst;
}
