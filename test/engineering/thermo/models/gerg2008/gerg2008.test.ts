import fc from 'fast-check';
import t from 'tap';
import { isEngineError } from '../../../../../src/engineering/thermo/errors.ts';
import { createHelmholtzState, createLnPhiDerivatives } from '../../../../../src/engineering/thermo/model.ts';
import { DensityBranches } from '../../../../../src/engineering/thermo/models/density-branches.ts';
import {
  createGerg2008,
  Gerg2008,
  gergComponents,
} from '../../../../../src/engineering/thermo/models/gerg2008/gerg2008.ts';
import { GERG_COMPONENT_NAMES } from '../../../../../src/engineering/thermo/models/gerg2008/gerg2008-data.ts';
import { newCaloricState } from '../../../../../src/engineering/thermo/models/helmholtz/caloric.ts';
import { caloricValue, fractions, publishedCases } from '../../published-cases.ts';
import { derivativeError, eulerError } from '../derivative-checks.ts';

/** A random mixture of some of the 21 components, each at least 0.5 %, in shuffled order. */
const mixture = fc
  .shuffledSubarray([...GERG_COMPONENT_NAMES], { minLength: 1, maxLength: 6 })
  .chain((names) =>
    fc.record({
      names: fc.constant(names),
      weights: fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), {
        minLength: names.length,
        maxLength: names.length,
      }),
    }),
  )
  .map(({ names, weights }) => {
    const total = weights.reduce((a, b) => a + b, 0);
    return { names, x: Float64Array.from(weights, (w) => w / total) };
  });

t.test('published GERG-2008 values', async (t) => {
  for (const c of publishedCases('gerg2008.jsonl')) {
    const components = gergComponents(Object.keys(c.input.composition!));
    const x = fractions(c.input.composition!);
    const model = new Gerg2008(components);
    const rho = createGerg2008(components).density(c.input.T_K!, c.input.p_kPa! * 1e3, x, 'stable');
    const state = newCaloricState();
    model.properties(c.input.T_K!, rho, x, state);
    const value = caloricValue(c.what, state, model.molarMass(x));
    t.ok(Math.abs(value - c.expect.value) <= c.expect.tol, `${c.id} ${c.what}: ${value} for ${c.expect.value}`);
  }
});

t.test('derivatives agree with central differences, and Euler and symmetry hold, in any component order', async () => {
  fc.assert(
    fc.property(
      mixture,
      fc.double({ min: 150, max: 600, noNaN: true }),
      fc.double({ min: 0.001, max: 2.5, noNaN: true }),
      ({ names, x }, T, delta) => {
        const model = new Gerg2008(gergComponents(names));
        const rho = delta * model.reducingDensity(x);
        const found = derivativeError(model, T, rho, x);
        if (found.error > 2e-5) throw new Error(`${found.error} ${found.where}`);
        return eulerError(model, T, rho, x) < 1e-11;
      },
    ),
    { numRuns: 60 },
  );
});

t.test('fugacity coefficients obey Gibbs-Duhem at constant T and p', async () => {
  fc.assert(
    fc.property(
      mixture,
      fc.double({ min: 150, max: 600, noNaN: true }),
      fc.double({ min: 1e4, max: 6e7, noNaN: true }),
      fc.constantFrom('vapour' as const, 'liquid' as const),
      ({ names, x }, T, p, branch) => {
        const eos = createGerg2008(gergComponents(names));
        const d = createLnPhiDerivatives(eos.n);
        const rho = eos.lnPhiDerivatives(T, p, x, branch, d);
        if (Number.isNaN(rho)) return names.includes('water') && T < 273.16;
        for (let j = 0; j < eos.n; j++) {
          let sum = 0;
          let size = 1e-3;
          for (let i = 0; i < eos.n; i++) {
            sum += x[i]! * d.dn[i * eos.n + j]!;
            size += x[i]! * Math.abs(d.dn[i * eos.n + j]!);
          }
          if (Math.abs(sum) > 1e-8 * size) throw new Error(`${sum} of ${size}`);
        }
        return true;
      },
    ),
    { numRuns: 100 },
  );
});

t.test('mole fraction zero gives the same mixture as leaving the component out', async (t) => {
  const two = createGerg2008(gergComponents(['methane', 'ethane']));
  const three = createGerg2008(gergComponents(['ethane', 'nitrogen', 'methane']));
  const a = new Float64Array(2);
  const b = new Float64Array(3);
  const rho2 = two.lnPhi(250, 4e6, new Float64Array([0.9, 0.1]), 'vapour', a);
  const rho3 = three.lnPhi(250, 4e6, new Float64Array([0.1, 0, 0.9]), 'vapour', b);
  t.ok(Math.abs(rho2 / rho3 - 1) < 1e-13);
  t.ok(Math.abs(a[0]! - b[2]!) < 1e-13);
  t.ok(Math.abs(a[1]! - b[0]!) < 1e-13);
  t.ok(Number.isFinite(b[1]!), 'infinite dilution has a finite fugacity coefficient');
});

t.test('pipeline gas has its root at every pressure of a fine sweep', async (t) => {
  const gas = {
    methane: 0.9254,
    nitrogen: 0.007,
    CO2: 0.008,
    ethane: 0.048,
    propane: 0.0085,
    'n-butane': 0.0014,
    'n-pentane': 0.0002,
    'i-butane': 0.0015,
  };
  const components = gergComponents(Object.keys(gas));
  const x = Float64Array.from(Object.values(gas));
  const eos = createGerg2008(components);
  const M = new Gerg2008(components).molarMass(x);
  const density = (bar: number) => eos.density(290.15, bar * 1e5, x, 'stable') * M;
  t.ok(Math.abs(density(34.2) - 26.6637) < 1e-3);
  t.ok(Math.abs(density(35.0) - 27.3385) < 1e-3);
  t.ok(Math.abs(density(35.5) - 27.7615) < 1e-3);
  let last = 0;
  for (let bar = 1; bar <= 700; bar += 0.7) {
    const rho = density(bar);
    if (!(rho > last)) t.fail(`no rising density at ${bar} bar: ${rho} after ${last}`);
    last = rho;
  }
});

t.test('CO2 with propane 5 K above its dew point is vapour', async (t) => {
  const components = gergComponents(['CO2', 'propane']);
  const x = new Float64Array([0.9, 0.1]);
  const eos = createGerg2008(components);
  const rho = eos.density(278.15, 30e5, x, 'stable') * new Gerg2008(components).molarMass(x);
  t.ok(Math.abs(rho - 77.14) < 0.01, `${rho}`);
});

t.test('density roots are those of a fine scan of the vapour and liquid branches', async () => {
  fc.assert(
    fc.property(
      mixture,
      fc.double({ min: 80, max: 650, noNaN: true }),
      fc.double({ min: 2, max: 7.84, noNaN: true }),
      ({ names, x }, T, logP) => {
        const model = new Gerg2008(gergComponents(names));
        const p = 10 ** logP;
        const scale = model.reducingDensity(x);
        const state = createHelmholtzState(model.n);
        const scan = (from: number, step: number, steps: number) => {
          const points: { rho: number; p: number }[] = [];
          for (let k = 0; k <= steps; k++) {
            const rho = (from + k * step) * scale;
            model.evaluate(T, rho, x, 0, state);
            if (!(1 + 2 * rho * state.a_rho + rho * rho * state.a_rhorho > 0)) break;
            points.push({ rho, p: rho * model.gasConstant * T * (1 + rho * state.a_rho) });
          }
          return points;
        };
        const root = (points: { rho: number; p: number }[]) => {
          const k = points.findIndex((q, i) => i > 0 && (q.p - p) * (points[i - 1]!.p - p) <= 0);
          return k > 0 ? points[k]!.rho : Number.NaN;
        };
        const vapourBranch = scan(0, 0.001, 4500);
        // The scan cannot resolve a vapour spinodal below its step, nor the equation of water far below freezing.
        fc.pre(vapourBranch.length > 12 && !(names.includes('water') && T < 250));
        const vapour = root(vapourBranch);
        const liquid = vapourBranch.length > 4500 ? vapour : root(scan(4.5, -0.001, 4500));
        const branches = new DensityBranches(model);
        const expectVapour = Number.isNaN(vapour) ? liquid : vapour;
        const expectLiquid = Number.isNaN(liquid) ? vapour : liquid;
        const gotVapour = branches.density(T, p, x, 'vapour');
        const gotLiquid = branches.density(T, p, x, 'liquid');
        const near = (a: number, b: number) => Math.abs(a - b) <= 0.0021 * scale;
        if (!near(gotVapour, expectVapour)) throw new Error(`vapour ${gotVapour / scale} for ${expectVapour / scale}`);
        if (!near(gotLiquid, expectLiquid)) throw new Error(`liquid ${gotLiquid / scale} for ${expectLiquid / scale}`);
        return true;
      },
    ),
    { numRuns: 60 },
  );
});

t.test('names and aliases are mapped; a component outside the 21 is named in the error', async (t) => {
  t.same(
    gergComponents(['C1', 'n-decane', 'H2S']).map((c) => c.name),
    ['methane', 'nC10', 'H2S'],
  );
  try {
    gergComponents(['methane', 'MEG']);
    t.fail('MEG was accepted');
  } catch (error) {
    t.ok(isEngineError(error, 'invalid-input'));
    t.match((error as Error).message, /GERG-2008 has no component 'MEG'/);
  }
});
