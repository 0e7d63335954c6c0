import { IF97, type IJ, R_STEAM } from './if97-data.ts';
import type { SteamState } from './steam-state.ts';

/**
 * Regions 1, 2 and 5: specific Gibbs energy g/(RT) = gamma(pi, tau), IAPWS R7-97(2012) equations 7, 15 to 17 and 32 to 34.
 * pi = p/p*, tau = T star/T. Terms are n (pi shifted)^I (tau shifted)^J; region 1 counts pi downwards (7.1 - pi).
 */
interface GibbsRegion {
  readonly region: 1 | 2 | 5;
  readonly pStar: number;
  readonly tStar: number;
  readonly piSign: 1 | -1;
  readonly piShift: number;
  readonly tauShift: number;
  readonly terms: readonly IJ[];
  /** Ideal part ln pi + sum n tau^J; empty in region 1. */
  readonly ideal: readonly { readonly J: number; readonly n: number }[];
}

const REGIONS: Readonly<Record<1 | 2 | 5, GibbsRegion>> = {
  1: {
    region: 1,
    pStar: 16.53e6,
    tStar: 1386,
    piSign: -1,
    piShift: 7.1,
    tauShift: 1.222,
    terms: IF97.region1.terms,
    ideal: [],
  },
  2: {
    region: 2,
    pStar: 1e6,
    tStar: 540,
    piSign: 1,
    piShift: 0,
    tauShift: 0.5,
    terms: IF97.region2.residual,
    ideal: IF97.region2.ideal,
  },
  5: {
    region: 5,
    pStar: 1e6,
    tStar: 1000,
    piSign: 1,
    piShift: 0,
    tauShift: 0,
    terms: IF97.region5.residual,
    ideal: IF97.region5.ideal,
  },
};

/** gamma and its scaled derivatives: P = pi d/dpi, T = tau d/dtau. */
const sums = { g: 0, P: 0, PP: 0, T: 0, TT: 0, PT: 0 };

function evaluate(region: GibbsRegion, T: number, p: number): void {
  const pi = p / region.pStar;
  const tau = region.tStar / T;
  const a = region.piShift + region.piSign * pi;
  const b = tau - region.tauShift;
  const pa = (region.piSign * pi) / a;
  const tb = tau / b;
  let g = 0;
  let P = 0;
  let PP = 0;
  let Tt = 0;
  let TT = 0;
  let PT = 0;
  for (const { I, J, n } of region.terms) {
    const term = n * a ** I * b ** J;
    g += term;
    P += term * I * pa;
    PP += term * I * (I - 1) * pa * pa;
    Tt += term * J * tb;
    TT += term * J * (J - 1) * tb * tb;
    PT += term * I * J * pa * tb;
  }
  if (region.ideal.length > 0) {
    g += Math.log(pi);
    P += 1;
    PP -= 1;
    for (const { J, n } of region.ideal) {
      const term = n * tau ** J;
      g += term;
      Tt += J * term;
      TT += J * (J - 1) * term;
    }
  }
  sums.g = g;
  sums.P = P;
  sums.PP = PP;
  sums.T = Tt;
  sums.TT = TT;
  sums.PT = PT;
}

/** State of region 1, 2 or 5 at T, p. The caller answers for T, p lying in the region. */
export function gibbsState(region: 1 | 2 | 5, T: number, p: number): SteamState {
  evaluate(REGIONS[region], T, p);
  const { g, P, PP, T: t, TT, PT } = sums;
  const RT = R_STEAM * T;
  const v = (P * RT) / p;
  const h = RT * t;
  const s = R_STEAM * (t - g);
  const cp = -R_STEAM * TT;
  const dvdT = (R_STEAM * (P - PT)) / p;
  const dvdp = (RT * PP) / (p * p);
  return {
    region,
    T,
    p,
    rho: 1 / v,
    v,
    u: h - p * v,
    h,
    s,
    g: RT * g,
    cv: R_STEAM * (-TT + ((P - PT) * (P - PT)) / PP),
    cp,
    w: Math.sqrt((RT * P * P) / (((P - PT) * (P - PT)) / TT - PP)),
    jouleThomson: (T * dvdT - v) / cp,
    drhodp: -dvdp / (v * v),
    dpdT: -dvdT / dvdp,
  };
}

/** Ideal-gas part of region 2 (5 above 1073.15 K) at T, p: g, h, s, cp of water vapour as an ideal gas. */
export function idealSteam(T: number, p: number): { g: number; h: number; s: number; cp: number } {
  const region = T > 1073.15 ? REGIONS[5] : REGIONS[2];
  const tau = region.tStar / T;
  let g = Math.log(p / region.pStar);
  let t = 0;
  let tt = 0;
  for (const { J, n } of region.ideal) {
    const term = n * tau ** J;
    g += term;
    t += J * term;
    tt += J * (J - 1) * term;
  }
  return { g: R_STEAM * T * g, h: R_STEAM * T * t, s: R_STEAM * (t - g), cp: -R_STEAM * tt };
}
