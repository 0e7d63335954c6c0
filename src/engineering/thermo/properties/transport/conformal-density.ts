/**
 * Density of the reference fluid that corresponds to a state of a mixture.
 *
 * Corresponding states maps T and p, which leaves a hole: a dense single phase of a mixture can map into the two-phase region of the
 * reference fluid, where the density at T0, p0 is that of a gas or of a liquid but nothing between, and would jump from one to the other.
 * There the density of the mixture is mapped instead: rho0 = rho (Tcm/Tc0)(pc0/pcm), volumes going with Tc/pc. Equations of viscosity and
 * background conductivity are smooth in T and rho and need no stable state.
 *
 * Guaranteed: where T0 is below 1.01 Tc0 and the reduced density 0.9 to 1.12, or 0.5 to 1.57 and the two densities 27 % apart, the mapped
 * density holds alone, as where the other is that of another phase; beyond 1.06 Tc0, and where neither condition is near, that of T0, p0; smooth between. It is as little as
 * continuity asks for, since cubic densities are poor there.
 */

const THERMAL = { from: 1.01, width: 0.05 } as const;
/** ln of reduced densities: full inside, none outside. */
const CORE = { low: [-0.51, -0.105], high: [0.113, 0.47] } as const;
const WIDE = { low: [-1.05, -0.7], high: [0.45, 0.7] } as const;
/** |ln| of the ratio of the two densities. */
const APART = { from: 0.08, width: 0.16 } as const;

/** Densities this far apart are those of a gas and a liquid: the reference fluid has condensed at T0, p0 where the mixture has not. */
const OTHER_PHASE = { from: 0.5, width: 0.3 } as const;

/**
 * Density [mol/m3] at T, p of a reference fluid with critical point Tc, rhoc, given its own at T, p and the mapped one; `own` is called where
 * it has a share.
 */
export function conformalDensity(T: number, mapped: number, Tc: number, rhoc: number, own: () => number): number {
  const thermal = 1 - smooth((T / Tc - THERMAL.from) / THERMAL.width);
  const log = Math.log(mapped / rhoc);
  const core = thermal * inside(CORE, log);
  if (core === 1) return mapped;
  const atPressure = own();
  if (thermal === 0) return atPressure;
  const distance = Math.abs(Math.log(atPressure / mapped));
  const apart = thermal * inside(WIDE, log) * smooth((distance - APART.from) / APART.width);
  const otherPhase = thermal * smooth((distance - OTHER_PHASE.from) / OTHER_PHASE.width);
  return atPressure + Math.max(core, apart, otherPhase) * (mapped - atPressure);
}

function inside({ low, high }: typeof CORE | typeof WIDE, log: number): number {
  return log < 0 ? smooth((log - low[0]) / (low[1] - low[0])) : 1 - smooth((log - high[0]) / (high[1] - high[0]));
}

/** 0 below 0, 1 above 1, with continuous slope. */
export function smooth(t: number): number {
  const s = Math.min(Math.max(t, 0), 1);
  return s * s * (3 - 2 * s);
}
