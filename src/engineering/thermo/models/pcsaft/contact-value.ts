/**
 * Contact value of the radial distribution function of a hard-sphere mixture,
 *   g = 1/(1 - z) + 3 u/(1 - z)^2 + 2 u^2/(1 - z)^3,   u = zeta_2 d_i d_j/(d_i + d_j),   z = zeta_3,
 * with first and second derivatives in u and z. T. Boublik, J. Chem. Phys. 53 (1970) 471; G. A. Mansoori et al., J. Chem. Phys. 54
 * (1971) 1523.
 */
export interface ContactValue {
  g: number;
  u: number;
  z: number;
  uu: number;
  uz: number;
  zz: number;
}

export function createContactValue(): ContactValue {
  return { g: 0, u: 0, z: 0, uu: 0, uz: 0, zz: 0 };
}

export function contactValue(u: number, z: number, out: ContactValue): void {
  const h = 1 / (1 - z);
  const h2 = h * h;
  const h3 = h2 * h;
  const h4 = h2 * h2;
  out.g = h + 3 * u * h2 + 2 * u * u * h3;
  out.u = 3 * h2 + 4 * u * h3;
  out.z = h2 + 6 * u * h3 + 6 * u * u * h4;
  out.uu = 4 * h3;
  out.uz = 6 * h3 + 12 * u * h4;
  out.zz = 2 * h3 + 18 * u * h4 + 24 * u * u * h4 * h;
}

/** Turns g and its derivatives into ln g and its derivatives, in place. */
export function toLogarithm(c: ContactValue): void {
  const { g } = c;
  c.u /= g;
  c.z /= g;
  c.uu = c.uu / g - c.u * c.u;
  c.uz = c.uz / g - c.u * c.z;
  c.zz = c.zz / g - c.z * c.z;
  c.g = Math.log(g);
}
