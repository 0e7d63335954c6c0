import t from 'tap';
import { isEngineError } from '../../../../../src/engineering/thermo/errors.ts';
import { referenceFluid } from '../../../../../src/engineering/thermo/models/helmholtz/reference-fluid.ts';
import {
  referenceConductivity,
  referenceConductivityFluids,
  referenceViscosity,
  referenceViscosityFluids,
} from '../../../../../src/engineering/thermo/properties/transport/reference.ts';
import { publishedCases } from '../../published-cases.ts';

t.test('published viscosity and conductivity values of the fluids that have a reference correlation', async (t) => {
  let run = 0;
  for (const c of publishedCases('transport.jsonl')) {
    const { component = '', T_K = Number.NaN, rho_mol_m3, rho_kg_m3, quality } = c.input;
    const viscous = c.what === 'viscosity';
    const served = viscous ? referenceViscosityFluids() : referenceConductivityFluids();
    if (!served.includes(component)) continue;
    const fluid = referenceFluid(component);
    const rho =
      rho_mol_m3 ??
      (rho_kg_m3 === undefined
        ? quality === 1
          ? fluid.saturation(T_K).rhoV
          : fluid.saturation(T_K).rhoL
        : rho_kg_m3 / fluid.M);
    const value = viscous ? referenceViscosity(component, T_K, rho) : referenceConductivity(component, T_K, rho);
    t.ok(
      Math.abs(value - c.expect.value) <= c.expect.tol,
      `${c.id} ${component} ${c.what}: ${value} for ${c.expect.value}`,
    );
    run++;
  }
  t.ok(run >= 54, `${run} cases`);
});

t.test('CO2: check values of Laesecke and Muzny (2017) and of Huber et al. (2016)', async (t) => {
  const { M } = referenceFluid('CO2');
  for (const [T, rho, mu] of [
    [220, 3, 0.011104],
    [225, 1150, 0.22218],
    [300, 65, 0.015563],
    [300, 1400, 0.50594],
    [700, 100, 0.033112],
    [700, 1200, 0.2298],
    [2000, 1e-6, 0.066079],
  ] as const) {
    const value = referenceViscosity('CO2', T, rho / M) * 1e3;
    t.ok(Math.abs(value / mu - 1) < 5e-5, `${T} K, ${rho} kg/m3: ${value} for ${mu} mPa s`);
  }
  for (const [T, rho, lambda] of [
    [250, 1e-6, 12.99],
    [250, 2, 13.05],
    [250, 1058, 140.0],
  ] as const) {
    const value = referenceConductivity('CO2', T, rho / M) * 1e3;
    t.ok(Math.abs(value / lambda - 1) < 4e-4, `${T} K, ${rho} kg/m3: ${value} for ${lambda} mW/(m K)`);
  }
});

t.test('every correlation is positive and finite along its saturation curve and at 1.2 Tc', async (t) => {
  for (const name of new Set([...referenceViscosityFluids(), ...referenceConductivityFluids()])) {
    const fluid = referenceFluid(name);
    const states: { T: number; rho: number }[] = [];
    for (const k of [0.05, 0.3, 0.6, 0.9, 0.98]) {
      const sat = fluid.saturation(fluid.Ttriple + k * (fluid.Tc - fluid.Ttriple));
      states.push({ T: sat.T, rho: sat.rhoL }, { T: sat.T, rho: sat.rhoV });
    }
    for (const delta of [0.001, 0.5, 1, 2]) states.push({ T: 1.2 * fluid.Tc, rho: delta * fluid.rhoc });
    for (const { T, rho } of states) {
      if (referenceViscosityFluids().includes(name)) {
        const mu = referenceViscosity(name, T, rho);
        t.ok(mu > 3e-7 && mu < 0.02, `${name} viscosity ${mu} at ${T}, ${rho}`);
      }
      if (referenceConductivityFluids().includes(name)) {
        const lambda = referenceConductivity(name, T, rho);
        t.ok(lambda > 1e-3 && lambda < 1.5, `${name} conductivity ${lambda} at ${T}, ${rho}`);
      }
    }
  }
});

t.test('a dense gas tends to its dilute limit', async (t) => {
  for (const name of referenceViscosityFluids()) {
    const fluid = referenceFluid(name);
    const T = 1.1 * fluid.Tc;
    const ratio = referenceViscosity(name, T, 1e-3) / referenceViscosity(name, T, 1e-6);
    t.ok(Math.abs(ratio - 1) < 1e-5, `${name}: ${ratio}`);
  }
});

t.test('unstable states and fluids without correlation are refused', async (t) => {
  const kind = (call: () => unknown) => {
    try {
      call();
      return 'no error';
    } catch (error) {
      return isEngineError(error) ? error.kind : String(error);
    }
  };
  t.equal(
    kind(() => referenceViscosity('n-hexane', 300, 7000)),
    'missing-data',
  );
  t.equal(
    kind(() => referenceConductivity('H2S', 300, 20)),
    'missing-data',
  );
  t.equal(
    kind(() => referenceViscosity('propane', 250, 5000)),
    'invalid-input',
  );
  t.equal(
    kind(() => referenceViscosity('propane', 300, -1)),
    'invalid-input',
  );
  t.equal(
    kind(() => referenceViscosity('propane', 50, 1)),
    'outside-range',
  );
});
