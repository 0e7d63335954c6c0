/**
 * Dense mixtures of methane and of CO2 against an independent estimate: extended corresponding states on the density of GERG-2008. Each
 * reference fluid, with its own correlations, gives one estimate; they share neither density, nor reference fluid, nor scaling with what
 * `transport` does. J. F. Ely, H. J. M. Hanley, Ind. Eng. Chem. Fundam. 20, 323 (1981) and 22, 90 (1983): van der Waals one-fluid mixing of
 * vc and Tc vc, shape factors 1. The values of another program for the same states lie outside the span of the estimates.
 */
import t from 'tap';
import {
  createFluid,
  flashTP,
  frictionTheoryViscosity,
  transport,
} from '../../../../../src/engineering/thermo/index.ts';
import { referenceFluid } from '../../../../../src/engineering/thermo/models/helmholtz/reference-fluid.ts';
import { IdealGas } from '../../../../../src/engineering/thermo/properties/ideal-gas.ts';
import { CorrespondingStates } from '../../../../../src/engineering/thermo/properties/transport/corresponding-states.ts';
import {
  conformalConductivity,
  conformalViscosity,
  referenceConductivity,
} from '../../../../../src/engineering/thermo/properties/transport/reference.ts';

type Amounts = Readonly<Record<string, number>>;

/** Viscosity [Pa s] and background conductivity [W/(m K)] at T and the molar density rho. */
function extended(reference: string, amounts: Amounts, T: number, rho: number) {
  const { components, z: x, eos } = createFluid({ components: amounts, model: 'GERG2008' });
  const fluid = referenceFluid(reference);
  let h = 0;
  let fh = 0;
  let M = 0;
  components.forEach((a, i) => {
    M += x[i]! * a.molarMass;
    components.forEach((b, j) => {
      const pair = x[i]! * x[j]! * ((Math.cbrt(a.vc) + Math.cbrt(b.vc)) / 2) ** 3 * fluid.rhoc;
      h += pair;
      fh += (pair * Math.sqrt(a.Tc * b.Tc)) / fluid.Tc;
    });
  });
  const f = fh / h;
  const T0 = T / f;
  const rho0 = rho * h;
  const scale = Math.sqrt(f) * h ** (-2 / 3);
  const states = new CorrespondingStates(components);
  const caloric = { h: 0, s: 0, cp: 0 };
  new IdealGas(components, eos.gasConstant).evaluate(T, 1e5, x, caloric);
  const added = conformalViscosity(reference, T0, rho0) - conformalViscosity(reference, T0, DILUTE);
  // Methane's conductivity is one correlation with its own critical enhancement; the others are without.
  const conducted =
    reference === 'methane'
      ? referenceConductivity(reference, T0, rho0) - referenceConductivity(reference, T0, DILUTE)
      : conformalConductivity(reference, T0, rho0).residual;
  return {
    viscosity: states.diluteViscosity(T, x) + scale * Math.sqrt(M / fluid.M) * added,
    conductivity: states.diluteConductivity(T, x, caloric.cp) + scale * Math.sqrt(fluid.M / M) * conducted,
  };
}

/** [mol/m3] */
const DILUTE = 1e-3;
const RICH: Amounts = { CO2: 0.92, methane: 0.05, nitrogen: 0.03 };
const LIGHT = ['ethane', 'propane', 'nitrogen', 'CO2'] as const;
/** `peer`: values of another program that the estimates leave out of reach. Methane is no reference for the conductivity of CO2. */
const STATES = [
  {
    what: 'flash-tp-lean-pr-2 oil',
    amounts: { methane: 0.8534081, ethane: 0.09160356, propane: 0.03383372, nitrogen: 0.004737646, CO2: 0.01641699 },
    model: 'PR',
    T: 198.15,
    p: 45e5,
    branch: 'liquid',
    peer: { viscosity: 3.02732e-5, conductivity: 0.0756259 },
  },
  {
    what: 'flash-tp-lean-pr-2 gas',
    amounts: { methane: 0.9512566, ethane: 0.02567842, propane: 0.003385407, nitrogen: 0.01146047, CO2: 0.008219086 },
    model: 'PR',
    T: 198.15,
    p: 45e5,
    branch: 'vapour',
    peer: { viscosity: undefined, conductivity: undefined },
  },
  {
    what: 'flash-tp-co2-srk-2 oil',
    amounts: { CO2: 0.9542271, methane: 0.03245364, nitrogen: 0.01331929 },
    model: 'SRK',
    T: 253.15,
    p: 35e5,
    branch: 'liquid',
    peer: { viscosity: 1.024948e-4, conductivity: 0.1015128 },
  },
  {
    what: 'getpropertytable-h5 20 C',
    amounts: RICH,
    model: 'SRK',
    T: 293.15,
    p: 120e5,
    branch: 'stable',
    peer: { viscosity: undefined, conductivity: 0.07206626 },
  },
  {
    what: 'getpropertytable-h5 40 C',
    amounts: RICH,
    model: 'SRK',
    T: 313.15,
    p: 120e5,
    branch: 'stable',
    peer: { viscosity: undefined, conductivity: undefined },
  },
] as const;

for (const { what, amounts, model, T, p, branch, peer } of STATES)
  t.test(what, async (t) => {
    const gerg = createFluid({ components: amounts, model: 'GERG2008' });
    const rho = gerg.eos.density(T, p, gerg.z, branch);
    const estimate = (name: string) => extended(name, amounts, T, rho);
    const viscosities = ['methane', ...LIGHT].map((name) => estimate(name).viscosity);
    const conductors = 'CO2' in amounts && amounts.CO2 > 0.5 ? LIGHT : ['methane', ...LIGHT];
    const conductivities = conductors.map((name) => estimate(name).conductivity);
    const [muLow, muHigh] = [Math.min(...viscosities), Math.max(...viscosities)];
    const [lambdaLow, lambdaHigh] = [Math.min(...conductivities), Math.max(...conductivities)];
    const fluid = createFluid({ components: amounts, model });
    // The saturated states are found from the composition of the phase, which may fall a hair into two phases.
    const phases = flashTP(fluid, T, p);
    const index = branch === 'liquid' ? phases.phases.length - 1 : 0;
    const { viscosity = 0, thermalConductivity = 0 } = transport(fluid, phases)[index]!;
    const text = (a: number, b: number) => `${a.toPrecision(3)} to ${b.toPrecision(3)}`;
    t.ok(viscosity > 0.97 * muLow && viscosity < 1.06 * muHigh, `viscosity ${viscosity} in ${text(muLow, muHigh)}`);
    // Most estimates are without the critical enhancement, which is up to 11 % here.
    t.ok(
      thermalConductivity > lambdaLow && thermalConductivity < 1.11 * lambdaHigh,
      `conductivity ${thermalConductivity} in ${text(lambdaLow, lambdaHigh)}`,
    );
    const friction = frictionTheoryViscosity(
      fluid.components,
      model,
      T,
      p,
      fluid.eos.density(T, p, fluid.z, branch),
      fluid.z,
    );
    t.ok(friction > 0.97 * muLow && friction < 1.12 * muHigh, `friction theory ${friction}`);
    if (peer.viscosity !== undefined) t.ok(peer.viscosity < 0.95 * muLow, `${peer.viscosity} lies below`);
    if (peer.conductivity !== undefined) t.ok(peer.conductivity < 0.95 * lambdaLow, `${peer.conductivity} lies below`);
  });
