/**
 * Turns a HelmholtzModel, a(T, rho, x) = A_res/(n R T), into an EquationOfState.
 *
 * It guarantees: densities are mechanically stable roots (dp/drho > 0) on the branch asked for; a branch that does not
 * exist at T, p gives the other root; NaN only when neither exists. It leaves to the model: the derivatives, and a
 * maxDensity whose pressure exceeds every p of use.
 *
 * With p = rho R T (1 + rho a_rho) and mu_i = d(n a)/dn_i at T, V (Michelsen and Mollerup, Thermodynamic Models, 2nd ed.,
 * chapter 2):
 *   ln phi_i          = mu_i - ln Z
 *   d ln phi_i / dp   = (1 + rho mu_rho_i) / (rho p_rho) - 1/p
 *   d ln phi_i / dT   = mu_T_i + 1/T - (1 + rho mu_rho_i) p_T / (rho p_rho)
 *   n d ln phi_i/dn_j = 1 + mu_n_ij - R T (1 + rho mu_rho_i)(1 + rho mu_rho_j) / p_rho
 */
import {
  type Branch,
  createHelmholtzState,
  type EquationOfState,
  type HelmholtzModel,
  type HelmholtzState,
  type LnPhiDerivatives,
  type Residual,
} from '../model.ts';

const MAX_ITERATIONS = 200;
/** Relative Newton step after which the quadratic convergence has reached rounding. */
const LAST_STEP = 1e-9;
/** Allowance for curvature of the wrong sign where a tangent bounds the pressure up to a spinodal. */
const TANGENT_MARGIN = 2;
/** Fraction of maxDensity where the liquid search begins; all vapour branches end well below LIQUID_FLOOR. */
const LIQUID_START = 0.75;
const LIQUID_FLOOR = 0.4;

export function fromHelmholtz(model: HelmholtzModel): EquationOfState {
  return new HelmholtzAdaptor(model);
}

class HelmholtzAdaptor implements EquationOfState {
  readonly id;
  readonly n;
  readonly components;
  readonly validity;
  readonly gasConstant;
  readonly missingPairs;
  readonly saturationLine;
  readonly idealGas;
  private readonly model: HelmholtzModel;
  private readonly state: HelmholtzState;
  /** Last liquid density: the next search begins just above it. */
  private lastLiquid = Number.NaN;

  constructor(model: HelmholtzModel) {
    this.model = model;
    this.id = model.id;
    this.n = model.n;
    this.components = model.components;
    this.validity = model.validity;
    this.gasConstant = model.gasConstant;
    this.missingPairs = model.missingPairs ?? [];
    this.saturationLine = model.saturationLine;
    this.idealGas = model.idealGas;
    this.state = createHelmholtzState(model.n);
  }

  density(T: number, p: number, x: Float64Array, branch: Branch): number {
    if (!(T > 0) || !(p > 0)) return Number.NaN;
    if (branch === 'vapour') {
      const vapour = this.vapourRoot(T, p, x);
      return Number.isNaN(vapour) ? this.liquidRoot(T, p, x) : vapour;
    }
    const liquid = this.liquidRoot(T, p, x);
    if (branch === 'liquid') return Number.isNaN(liquid) ? this.vapourRoot(T, p, x) : liquid;
    const vapour = this.vapourRoot(T, p, x);
    if (Number.isNaN(vapour) || Math.abs(vapour - liquid) <= 1e-9 * liquid) return liquid;
    if (Number.isNaN(liquid)) return vapour;
    return this.gibbs(T, p, x, vapour) < this.gibbs(T, p, x, liquid) ? vapour : liquid;
  }

  /** Residual Gibbs energy over RT at T, p: a + Z - 1 - ln Z. */
  private gibbs(T: number, p: number, x: Float64Array, rho: number): number {
    this.model.evaluate(T, rho, x, 0, this.state);
    const z = p / (rho * this.gasConstant * T);
    return this.state.a + z - 1 - Math.log(z);
  }

  /**
   * Lowest root. p(rho) is concave from zero density to the vapour spinodal, so Newton from the ideal-gas density climbs
   * without overshooting; a step that leaves the bracket or meets dp/drho <= 0 is replaced by bisection.
   */
  private vapourRoot(T: number, p: number, x: Float64Array): number {
    const max = this.model.maxDensity(T, x);
    return this.root(T, p, x, Math.min(p / (this.gasConstant * T), LIQUID_FLOOR * max), max, 'vapour');
  }

  /** Highest root. p(rho) is convex above the liquid spinodal, so Newton from the dense side descends without overshooting. */
  private liquidRoot(T: number, p: number, x: Float64Array): number {
    const max = this.model.maxDensity(T, x);
    const warm = this.lastLiquid * 1.02;
    const start = warm > LIQUID_FLOOR * max && warm < max ? warm : LIQUID_START * max;
    const rho = this.root(T, p, x, start, max, 'liquid');
    if (rho > LIQUID_FLOOR * max) this.lastLiquid = rho;
    return rho;
  }

  private root(T: number, p: number, x: Float64Array, start: number, max: number, side: 'vapour' | 'liquid'): number {
    const { model, state } = this;
    const rt = this.gasConstant * T;
    let lo = 0;
    let hi = max;
    let rho = start;
    // Newest point on the branch looked for, short of the root; and whether the far end of the bracket is unstable.
    let edgePressure = side === 'vapour' ? 0 : Number.NaN;
    let edgeSlope = rt;
    let spinodal = false;
    for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
      model.evaluate(T, rho, x, 0, state);
      const pressure = rho * rt * (1 + rho * state.a_rho);
      const slope = rt * (1 + 2 * rho * state.a_rho + rho * rho * state.a_rhorho);
      // The unstable stretch lies above the vapour root and below the liquid root.
      const above = slope > 0 ? pressure > p : slope <= 0 ? side === 'vapour' : true;
      if (above) hi = rho;
      else lo = rho;
      if (slope <= 0) spinodal = true;
      else if (above === (side === 'liquid')) {
        edgePressure = pressure;
        edgeSlope = slope;
      } else spinodal = false;
      // No root when the tangent at the edge cannot reach p before the unstable stretch.
      if (spinodal) {
        const reach = TANGENT_MARGIN * edgeSlope * (hi - lo);
        if (side === 'vapour' ? edgePressure + reach < p : edgePressure - reach > p) return Number.NaN;
      }
      let next = slope > 0 ? rho + (p - pressure) / slope : Number.NaN;
      if (slope > 0 && Math.abs(next - rho) <= LAST_STEP * rho) return next;
      if (!(next > lo && next < hi)) {
        if (slope > 0 && Math.abs(pressure - p) <= 1e-12 * Math.max(p, rho * slope)) return rho;
        next = 0.5 * (lo + hi);
      }
      if (hi - lo <= 1e-15 * hi) break;
      rho = next;
    }
    // Rounding in the pressure of a stiff liquid can keep the last step above the tolerance: accept a closed bracket.
    model.evaluate(T, rho, x, 0, state);
    const pressure = rho * rt * (1 + rho * state.a_rho);
    const slope = rt * (1 + 2 * rho * state.a_rho + rho * rho * state.a_rhorho);
    return slope > 0 && Math.abs(pressure - p) <= 1e-9 * Math.max(p, rho * slope) ? rho : Number.NaN;
  }

  lnPhi(T: number, p: number, x: Float64Array, branch: Branch, lnPhi: Float64Array): number {
    const rho = this.density(T, p, x, branch);
    if (Number.isNaN(rho)) return fill(lnPhi);
    const { state, n } = this;
    this.model.evaluate(T, rho, x, 1, state);
    const lnZ = Math.log(p / (rho * this.gasConstant * T));
    for (let i = 0; i < n; i++) lnPhi[i] = state.mu[i]! - lnZ;
    return rho;
  }

  lnPhiDerivatives(T: number, p: number, x: Float64Array, branch: Branch, out: LnPhiDerivatives): number {
    const rho = this.density(T, p, x, branch);
    if (Number.isNaN(rho)) return fill(out.lnPhi);
    const { state: s, n } = this;
    this.model.evaluate(T, rho, x, 2, s);
    const rt = this.gasConstant * T;
    const lnZ = Math.log(p / (rho * rt));
    const pRho = rt * (1 + 2 * rho * s.a_rho + rho * rho * s.a_rhorho);
    const pT = rho * this.gasConstant * (1 + rho * s.a_rho) + rho * rho * rt * s.a_Trho;
    for (let i = 0; i < n; i++) {
      const vi = 1 + rho * s.mu_rho[i]!;
      out.lnPhi[i] = s.mu[i]! - lnZ;
      out.dp[i] = vi / (rho * pRho) - 1 / p;
      out.dT[i] = s.mu_T[i]! + 1 / T - (vi * pT) / (rho * pRho);
      for (let j = 0; j < n; j++)
        out.dn[i * n + j] = 1 + s.mu_n[i * n + j]! - (rt * vi * (1 + rho * s.mu_rho[j]!)) / pRho;
    }
    return rho;
  }

  residual(T: number, rho: number, x: Float64Array, out: Residual): void {
    const { state: s, gasConstant: r } = this;
    this.model.evaluate(T, rho, x, 2, s);
    out.p = rho * r * T * (1 + rho * s.a_rho);
    out.dpdrho = r * T * (1 + 2 * rho * s.a_rho + rho * rho * s.a_rhorho);
    out.dpdT = rho * r * (1 + rho * s.a_rho) + rho * rho * r * T * s.a_Trho;
    out.a = r * T * s.a;
    out.s = -r * (s.a + T * s.a_T);
    out.u = -r * T * T * s.a_T;
    out.cv = -r * (2 * T * s.a_T + T * T * s.a_TT);
  }

  volumeShift(T: number, x: Float64Array): number {
    return this.model.volumeShift?.(T, x) ?? 0;
  }
}

function fill(lnPhi: Float64Array): number {
  lnPhi.fill(Number.NaN);
  return Number.NaN;
}
