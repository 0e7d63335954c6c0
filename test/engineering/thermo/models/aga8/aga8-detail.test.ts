import fc from 'fast-check';
import t from 'tap';
import { isEngineError } from '../../../../../src/engineering/thermo/errors.ts';
import { createLnPhiDerivatives } from '../../../../../src/engineering/thermo/model.ts';
import { AGA8_COMPONENT_NAMES } from '../../../../../src/engineering/thermo/models/aga8/aga8-data.ts';
import {
  Aga8Detail,
  aga8Components,
  createAga8,
} from '../../../../../src/engineering/thermo/models/aga8/aga8-detail.ts';
import { createGerg2008, gergComponents } from '../../../../../src/engineering/thermo/models/gerg2008/gerg2008.ts';
import { newCaloricState } from '../../../../../src/engineering/thermo/models/helmholtz/caloric.ts';
import { caloricValue, fractions, publishedCases } from '../../published-cases.ts';
import { derivativeError, eulerError } from '../derivative-checks.ts';

const mixture = fc
  .shuffledSubarray([...AGA8_COMPONENT_NAMES], { minLength: 1, maxLength: 7 })
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

t.test('published AGA8 DETAIL values', async (t) => {
  for (const c of publishedCases('aga8-detail.jsonl')) {
    const components = aga8Components(Object.keys(c.input.composition!));
    const x = fractions(c.input.composition!);
    const model = new Aga8Detail(components);
    const rho = createAga8(components).density(c.input.T_K!, c.input.p_kPa! * 1e3, x, 'stable');
    const state = newCaloricState();
    model.properties(c.input.T_K!, rho, x, state);
    const value = caloricValue(c.what, state, model.molarMass(x));
    t.ok(Math.abs(value - c.expect.value) <= c.expect.tol, `${c.id} ${c.what}: ${value} for ${c.expect.value}`);
  }
});

t.test('derivatives agree with central differences, and Euler and symmetry hold', async () => {
  fc.assert(
    fc.property(
      mixture,
      fc.double({ min: 200, max: 600, noNaN: true }),
      fc.double({ min: 0.001, max: 2, noNaN: true }),
      ({ names, x }, T, delta) => {
        const model = new Aga8Detail(aga8Components(names));
        const rho = delta * model.reducingDensity(x);
        const found = derivativeError(model, T, rho, x);
        if (found.error > 1e-5) throw new Error(`${found.error} ${found.where}`);
        return eulerError(model, T, rho, x) < 1e-11;
      },
    ),
    { numRuns: 80 },
  );
});

t.test('fugacity coefficients obey Gibbs-Duhem', async () => {
  fc.assert(
    fc.property(
      mixture,
      fc.double({ min: 250, max: 600, noNaN: true }),
      fc.double({ min: 1e4, max: 2e7, noNaN: true }),
      ({ names, x }, T, p) => {
        const eos = createAga8(aga8Components(names));
        const d = createLnPhiDerivatives(eos.n);
        // No gas root above the vapour spinodal: the model has no liquid to give instead.
        fc.pre(!Number.isNaN(eos.lnPhiDerivatives(T, p, x, 'vapour', d)));
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
    { numRuns: 80 },
  );
});

t.test('pipeline gas agrees with GERG-2008 within 0.1 % in density, 265 to 335 K, up to 12 MPa', async () => {
  const gas = {
    methane: 0.93,
    ethane: 0.03,
    propane: 0.008,
    nitrogen: 0.015,
    CO2: 0.012,
    'n-butane': 0.003,
    hydrogen: 0.002,
  };
  const names = Object.keys(gas);
  const x = fractions(gas);
  const aga = createAga8(aga8Components(names));
  const gerg = createGerg2008(gergComponents(names));
  fc.assert(
    fc.property(
      fc.double({ min: 265, max: 335, noNaN: true }),
      fc.double({ min: 1e5, max: 12e6, noNaN: true }),
      (T, p) => {
        const ratio = aga.density(T, p, x, 'stable') / gerg.density(T, p, x, 'stable');
        return Math.abs(ratio - 1) < 1e-3;
      },
    ),
  );
});

t.test('every branch gives the gas root, rising with pressure to 280 MPa', async (t) => {
  const eos = createAga8(aga8Components(['methane', 'ethane']));
  const x = new Float64Array([0.9, 0.1]);
  let last = 0;
  for (let p = 1e5; p < 280e6; p *= 1.1) {
    const rho = eos.density(320, p, x, 'liquid');
    t.ok(rho > last && rho === eos.density(320, p, x, 'vapour'));
    last = rho;
  }
});

t.test('a component outside the 21 is named in the error', async (t) => {
  try {
    aga8Components(['methane', 'benzene']);
    t.fail('benzene was accepted');
  } catch (error) {
    t.ok(isEngineError(error, 'invalid-input'));
    t.match((error as Error).message, /AGA8 DETAIL has no component 'benzene'/);
  }
});
