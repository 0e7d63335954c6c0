/**
 * Viscosity of gas and oil by the friction theory in its general one-parameter form, from the pressures of SRK or PR.
 *   mu = mu0 + ka pa + kr pr + krr pr^2,   pr = R T/(v - b), pa = p - pr (unshifted v),
 *   ka = sum z_i muc_i ka_i/pc_i, kr alike, krr = sum z_i muc_i krr_i/pc_i^2, z_i = (x_i/M_i^0.3)/sum x_j/M_j^0.3,
 *   ka_i and kr_i = k_c + k00 (G - 1) + (k10 + k11 psi)(e^(G - 1) - 1) + (k20 + k21 psi + k22 psi^2)(e^(2G - 2) - 1),
 *   krr_i = k_c + k21 psi (e^(2G) - 1)(G - 1)^2,   G = Tc/T, psi = R Tc/pc [cm3/mol]:
 * S. E. Quinones-Cisneros, C. K. Zeberg-Mikkelsen, E. H. Stenby, Fluid Phase Equilib. 169 (2000) 249 and 178 (2001) 1. Dilute gas mu0 of
 * T.-H. Chung, M. Ajlan, L. L. Lee, K. E. Starling, Ind. Eng. Chem. Res. 27 (1988) 671, mixed as ln mu0 = sum x_i ln mu0_i. The one
 * parameter is the critical viscosity muc of a component; where the table has none, 7.9483e-7 M^(1/2) pc^(2/3) Tc^(-1/6) Pa s
 * (g/mol, bar, K), the form for n-alkanes. Tuning to measured viscosities is done with it.
 *
 * Validity: hydrocarbons, CO2, argon, oxygen, H2S, 0.45 to 2.5 times Tc, to 12 times pc; mean (largest) deviation from the reference
 * correlations 1 to 3 % (14 %) for methane, ethane, propane, 2 % (15 %) n-butane, 3 to 6 % (21 %) i-butane, CO2, argon, oxygen, H2S; 4 to 6 %
 * (23 %) from saturated n-pentane to n-hexadecane and toluene. Supercritical light gas at 2 to 8 times pc comes out up to 10 % low. Nitrogen comes out 11 % low (33 % in cold liquid), benzene 11 % off, cyclohexane
 * half: ring molecules want a critical viscosity of their own. Not for hydrogen, helium, water, alcohols. Better than corresponding states for
 * light oil, and continuous, as it sees only p and rho. rho is that of SRK or PR itself, with which the constants were fitted.
 * @throws EngineError 'missing-data' without critical volume, 'invalid-input' for a density beyond the covolume
 */
import type { Component } from '../../components/component.ts';
import { R_CUBIC } from '../../constants.ts';
import { EngineError } from '../../errors.ts';
import { PENG_ROBINSON } from '../../models/cubic/peng-robinson.ts';
import { SRK } from '../../models/cubic/srk.ts';

interface Constants {
  readonly omegaB: number;
  /** k_c, k00, k10, k11, k20, k21, k22. */
  readonly attractive: readonly number[];
  readonly repulsive: readonly number[];
  /** k_c, k21. */
  readonly quadratic: readonly [number, number];
}

const CONSTANTS: Readonly<Record<'SRK' | 'PR', Constants>> = {
  SRK: {
    omegaB: SRK.omegaB,
    attractive: [-0.165302, -0.114804, 0.246622, -1.15648e-4, -3.94638e-2, 4.18863e-5, -5.91999e-9],
    repulsive: [6.99574e-3, -0.315903, 0.566713, -1.0086e-4, -7.29995e-2, 5.17459e-5, -5.68708e-9],
    quadratic: [1.26358e-3, 1.35994e-8],
  },
  PR: {
    omegaB: PENG_ROBINSON.omegaB,
    attractive: [-0.140464, -4.89197e-2, 0.270572, -1.10473e-4, -4.48111e-2, 4.08972e-5, -5.79765e-9],
    repulsive: [1.19902e-2, -0.357875, 0.637572, -6.02128e-5, -7.9024e-2, 3.72408e-5, -5.6561e-9],
    quadratic: [8.55115e-4, 1.3729e-8],
  },
};

/**
 * Viscosity [Pa s] at T [K], p [Pa] of a phase whose molar density by `model` is rho [mol/m3], without volume shift (PhaseState.rho).
 */
export function frictionTheoryViscosity(
  components: readonly Component[],
  model: 'SRK' | 'PR',
  T: number,
  p: number,
  rho: number,
  x: Float64Array,
): number {
  const { omegaB, attractive, repulsive, quadratic } = CONSTANTS[model];
  let covolume = 0;
  let weights = 0;
  let logDilute = 0;
  let ka = 0;
  let kr = 0;
  let krr = 0;
  for (let i = 0; i < x.length; i++) {
    const xi = x[i]!;
    if (xi <= 0) continue;
    const c = components[i]!;
    const G = c.Tc / T;
    const size = (R_CUBIC * c.Tc) / c.pc;
    const psi = size * 1e6;
    const weight = xi / (c.molarMass * 1e3) ** 0.3;
    const scale = (weight * criticalViscosity(c)) / c.pc;
    weights += weight;
    covolume += xi * omegaB * size;
    logDilute += xi * Math.log(chung(c, T));
    ka += scale * coefficient(attractive, G, psi);
    kr += scale * coefficient(repulsive, G, psi);
    krr += (scale / c.pc) * (quadratic[0] + quadratic[1] * psi * Math.expm1(2 * G) * (G - 1) ** 2);
  }
  const free = 1 / rho - covolume;
  if (!(rho > 0 && free > 0))
    throw new EngineError({ kind: 'invalid-input', field: 'density', reason: 'must be positive and below 1/b' });
  const repulsion = (R_CUBIC * T) / free;
  return Math.exp(logDilute) + (ka * (p - repulsion) + repulsion * (kr + krr * repulsion)) / weights;
}

function coefficient(k: readonly number[], G: number, psi: number): number {
  const [kc, k00, k10, k11, k20, k21, k22] = k as [number, number, number, number, number, number, number];
  return (
    kc + k00 * (G - 1) + (k10 + k11 * psi) * Math.expm1(G - 1) + (k20 + psi * (k21 + psi * k22)) * Math.expm1(2 * G - 2)
  );
}

/** [Pa s] */
function criticalViscosity({ criticalViscosity: known, molarMass, pc, Tc }: Component): number {
  return known > 0 ? known : 7.9483e-7 * Math.sqrt(molarMass * 1e3) * Math.cbrt((pc * 1e-5) ** 2) * Tc ** (-1 / 6);
}

/**
 * Viscosity of the dilute gas [Pa s]: 40.785e-7 Fc (M T)^(1/2)/(vc^(2/3) Omega(1.2593 T/Tc)), g/mol, cm3/mol,
 * Fc = 1 - 0.2756 omega + 0.059035 mur^4, mur = 131.3 mu/(vc Tc)^(1/2) with the dipole moment mu in debye.
 */
function chung({ name, Tc, vc, omega, dipole, molarMass }: Component, T: number): number {
  if (!(vc > 0)) throw new EngineError({ kind: 'missing-data', component: name, property: 'critical volume' });
  const volume = vc * 1e6;
  const t = (1.2593 * T) / Tc;
  const power = t ** 0.14874;
  const omegaV =
    1.16145 / power +
    0.52487 * Math.exp(-0.7732 * t) +
    2.16178 * Math.exp(-2.43787 * t) -
    6.435e-4 * power * Math.sin(18.0323 * t ** -0.7683 - 7.27371);
  const polarity = dipole > 0 ? (131.3 * dipole) / Math.sqrt(volume * Tc) : 0;
  const shape = 1 - 0.2756 * omega + 0.059035 * polarity ** 4;
  return (40.785e-7 * shape * Math.sqrt(molarMass * 1e3 * T)) / (Math.cbrt(volume * volume) * omegaV);
}
