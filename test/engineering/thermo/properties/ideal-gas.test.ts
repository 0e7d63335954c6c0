import fc from 'fast-check';
import t from 'tap';
import { type Component, componentNames, getComponent } from '../../../../src/engineering/thermo/index.ts';
import { IdealGas, type IdealGasState } from '../../../../src/engineering/thermo/properties/ideal-gas.ts';

const R = 8.314462618;
const state = (components: readonly Component[], T: number, p = 1e5): IdealGasState => {
  const out = { h: 0, s: 0, cp: 0 };
  new IdealGas(components, R).evaluate(T, p, new Float64Array(components.length).fill(1 / components.length), out);
  return out;
};
const gases = componentNames()
  .map((name) => getComponent(name))
  .filter(({ idealGasCp, charge, type }) => idealGasCp !== undefined && charge === 0 && type !== 'ion');

t.test('heat capacity is dh/dT and T ds/dT, across the end of the polynomials too', async () => {
  fc.assert(
    fc.property(
      fc.subarray(gases, { minLength: 1, maxLength: 4 }),
      fc.double({ min: 210, max: 2500, noNaN: true }),
      (components, T) => {
        const d = 1e-3 * T;
        const [low, high, mid] = [state(components, T - d), state(components, T + d), state(components, T)];
        const scale = 1e-3 * mid.cp;
        return (
          Math.abs((high.h - low.h) / (2 * d) - mid.cp) < scale &&
          Math.abs((T * (high.s - low.s)) / (2 * d) - mid.cp) < scale
        );
      },
    ),
    { numRuns: 500 },
  );
});

t.test('heat capacities are held beyond the polynomials, none below that of an atom', async (t) => {
  for (const gas of gases) {
    const [at1000, at1500, at3000] = [1000, 1500, 3000].map((T) => state([gas], T).cp) as [number, number, number];
    t.ok(at1000 >= 2.4 * R && at1500 === at1000 && at3000 === at1000, `${gas.name} ${at1000} ${at1500} ${at3000}`);
  }
});

t.test('gases at 1500 K against the JANAF tables', async (t) => {
  // NIST-JANAF Thermochemical Tables, 4th ed. (1998), cp at 1500 K [J/(mol K)].
  for (const [name, cp] of [
    ['nitrogen', 34.84],
    ['CO2', 58.38],
    ['water', 47.09],
    ['methane', 86.56],
  ] as const)
    t.ok(
      Math.abs(state([getComponent(name)], 1500).cp / cp - 1) < 0.18,
      `${name} ${state([getComponent(name)], 1500).cp}, tables ${cp}`,
    );
});
