/** Alpha functions: the temperature dependence of the attraction a(T) = a_c alpha(T/Tc), with two derivatives. */

export interface AlphaValue {
  /** alpha [-], d alpha/dTr, d2 alpha/dTr2. */
  value: number;
  d1: number;
  d2: number;
}

export type AlphaFunction = (Tr: number, out: AlphaValue) => void;

/**
 * Soave: alpha = (1 + m (1 - sqrt(Tr)))^2.
 * G. Soave, Chem. Eng. Sci. 27 (1972) 1197, doi:10.1016/0009-2509(72)80096-4.
 */
export function soaveAlpha(m: number): AlphaFunction {
  return (Tr, out) => {
    const root = Math.sqrt(Tr);
    const s = 1 + m * (1 - root);
    out.value = s * s;
    out.d1 = (-m * s) / root;
    out.d2 = (m * (m + 1)) / (2 * Tr * root);
  };
}

/**
 * Mathias and Copeman: alpha = (1 + c1 s + c2 s^2 + c3 s^3)^2 with s = 1 - sqrt(Tr); above the critical temperature only c1.
 * P. M. Mathias, T. W. Copeman, Fluid Phase Equilib. 13 (1983) 91, doi:10.1016/0378-3812(83)80084-3.
 */
export function mathiasCopemanAlpha(c1: number, c2: number, c3: number): AlphaFunction {
  const supercritical = soaveAlpha(c1);
  return (Tr, out) => {
    if (Tr > 1) {
      supercritical(Tr, out);
      return;
    }
    const root = Math.sqrt(Tr);
    const s = 1 - root;
    const g = 1 + s * (c1 + s * (c2 + s * c3));
    const g1 = c1 + s * (2 * c2 + 3 * c3 * s);
    const g2 = 2 * c2 + 6 * c3 * s;
    // ds/dTr = -1/(2 sqrt(Tr)), d2s/dTr2 = 1/(4 Tr^1.5)
    const ds = -0.5 / root;
    const dds = 0.25 / (Tr * root);
    out.value = g * g;
    out.d1 = 2 * g * g1 * ds;
    out.d2 = 2 * (g1 * g1 + g * g2) * ds * ds + 2 * g * g1 * dds;
  };
}

/**
 * Twu: alpha = Tr^(N (M - 1)) exp(L (1 - Tr^(M N))), below and above the critical temperature. Positive, falling and convex everywhere when L, M, N
 * meet the conditions of Y. Le Guennec, S. Lasala, R. Privat, J.-N. Jaubert, Fluid Phase Equilib. 427 (2016) 513.
 * C. H. Twu, D. Bluck, J. R. Cunningham, J. E. Coon, Fluid Phase Equilib. 69 (1991) 33, doi:10.1016/0378-3812(91)90024-2.
 */
export function twuAlpha(L: number, M: number, N: number): AlphaFunction {
  const delta = N * (M - 1);
  const gamma = M * N;
  return (Tr, out) => {
    const power = L * Tr ** gamma;
    const value = Tr ** delta * Math.exp(L - power);
    // Tr d ln(alpha)/dTr and Tr times its slope.
    const u = delta - gamma * power;
    const slope = -gamma * gamma * power;
    out.value = value;
    out.d1 = (value * u) / Tr;
    out.d2 = (value * (u * (u - 1) + slope)) / (Tr * Tr);
  };
}
