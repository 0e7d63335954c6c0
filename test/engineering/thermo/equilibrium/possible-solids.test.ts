/** Solids that would form: against sublimation and melting points, against the flash that precipitates them, and where nothing may be said. */
import fc from 'fast-check';
import t from 'tap';
import {
  createFluid,
  flashTP,
  type ModelId,
  possibleSolids,
  solidAppearance,
} from '../../../../src/engineering/thermo/index.ts';
import { iceSublimationPressure } from '../../../../src/engineering/thermo/models/solid/ice-sublimation.ts';

function solids(components: Record<string, number>, model: ModelId, T: number, p: number) {
  const fluid = createFluid({ components, model });
  return possibleSolids(fluid, flashTP(fluid, T, p));
}
const names = (components: Record<string, number>, model: ModelId, T: number, p: number) =>
  solids(components, model, T, p).map(({ component }) => component);
const MODELS = ['SRK', 'PR', 'CPA', 'PCSAFT', 'UMRPRU', 'GERG2008'] as const;

t.test('dry ice: below the sublimation line and the triple point, in every model', async (t) => {
  for (const model of MODELS) {
    // Sublimation point at 1 atm 194.69 K, triple point 216.59 K at 5.18 bar (R. Span, W. Wagner, J. Phys. Chem. Ref. Data 25 (1996) 1509).
    t.same(names({ CO2: 1 }, model, 195, 101325), [], model);
    t.same(names({ CO2: 1 }, model, 194.3, 101325), ['CO2'], model);
    t.same(names({ CO2: 1 }, model, 193.15, 5e5), ['CO2'], model);
    t.same(names({ CO2: 1 }, model, 218.5, 10e5), [], model);
    t.same(names({ CO2: 1 }, model, 215, 10e5), ['CO2'], model);
    t.same(names({ methane: 0.98, CO2: 0.02 }, model, 111.15, 1.01325e5), ['CO2'], `LNG, ${model}`);
  }
  t.same(names({ methane: 0.999999, CO2: 1e-6 }, 'PR', 111.15, 5e5), []);
  t.same(names({ nitrogen: 0.95, CO2: 0.05 }, 'SRK', 77.3, 1e5), ['CO2'], 'below the range of the curve');
});

t.test('ice: every model that holds water, with the ratio of ice to undercooled water', async (t) => {
  for (const model of MODELS) {
    const [ice] = solids({ water: 1 }, model, 263.15, 1e5);
    // Vapour pressures at -10 C: 286.5 Pa over undercooled water, 259.9 Pa over ice (Smithsonian tables).
    t.ok(Math.abs(ice!.supersaturation / (286.5 / 259.9) - 1) < 0.005, `${model} ${ice?.supersaturation}`);
    t.same(names({ water: 1 }, model, 273.3, 1e5), [], model);
    t.same(names({ methane: 0.9, water: 0.1 }, model, 253.15, 50e5), ['water'], model);
    t.same(names({ methane: 0.999999, water: 1e-6 }, model, 253.15, 50e5), [], `dry gas, ${model}`);
  }
  // 10 mol-% methanol, 16.5 mass-%, freezes between -6.5 C (10 %) and -15 C (20 %; CRC Handbook).
  t.same(names({ water: 0.9, methanol: 0.1 }, 'CPA', 268.15, 1e5), []);
  t.same(names({ water: 0.9, methanol: 0.1 }, 'CPA', 258.15, 1e5), ['water']);
});

t.test('sublimation pressure of ice: the check value of IAPWS R14-08, and the triple point', async (t) => {
  t.ok(Math.abs(iceSublimationPressure(230) - 8.94735) < 5e-6);
  t.ok(Math.abs(iceSublimationPressure(273.16) - 611.657) < 1e-3);
});

t.test('benzene, alkanes and H2S freeze below their melting points alone', async (t) => {
  for (const [name, T] of [
    ['benzene', 278.6],
    ['n-octane', 216.4],
    ['nC10', 243.5],
    ['nC16', 291.3],
    ['H2S', 187.7],
    ['c-hexane', 279.8],
  ] as const) {
    t.same(names({ [name]: 1 }, 'SRK', T + 1, 2e5), [], `${name} above`);
    t.same(names({ [name]: 1 }, 'SRK', T - 2, 2e5), [name], `${name} below`);
  }
});

t.test('it agrees with the appearance of the first solid', async (t) => {
  for (const [components, candidate, p] of [
    [{ methane: 0.95, CO2: 0.05 }, 'CO2', 40e5],
    [{ methane: 0.9, benzene: 0.02, 'n-heptane': 0.08 }, 'benzene', 50e5],
    [{ 'n-hexane': 0.9, nC20: 0.1 }, 'nC20', 5e5],
  ] as const) {
    const fluid = createFluid({ components, model: 'SRK' });
    const { T } = solidAppearance(fluid, p, [candidate]);
    t.notOk(names(components, 'SRK', T + 0.1, p).includes(candidate), `${candidate} above ${T} K`);
    t.ok(names(components, 'SRK', T - 1.5, p).includes(candidate), `${candidate} below ${T} K`);
  }
});

t.test('nothing above all melting points, nor for components without sound data', async (t) => {
  const heavy = { methane: 0.5, CO2: 0.1, benzene: 0.1, 'n-octane': 0.1, nC10: 0.1, water: 0.1 };
  fc.assert(
    fc.property(fc.double({ min: 281, max: 400, noNaN: true }), (T) => {
      t.same(solids(heavy, 'SRK', T, 5e5), []);
    }),
    { numRuns: 20, seed: 7 },
  );
  // 3-methylpentane melts at 110 K, its tabulated melting point is 155 K; MDEA forms solvates; helium has no solid data.
  t.same(names({ '3-m-C5': 1 }, 'SRK', 140, 1e5), []);
  t.same(names({ MDEA: 0.5, methane: 0.5 }, 'SRK', 240, 1e5), []);
  t.same(names({ helium: 1 }, 'SRK', 20, 1e5), []);
});

t.test('the colder, the more supersaturated, and most supersaturated first', async (t) => {
  const gas = { methane: 0.8, CO2: 0.1, benzene: 0.05, water: 0.05 };
  let last = 1;
  for (const T of [265, 240, 220, 200, 190]) {
    const found = solids(gas, 'SRK', T, 20e5);
    const ratios = found.map(({ supersaturation }) => supersaturation);
    t.same(
      ratios,
      [...ratios].sort((a, b) => b - a),
    );
    const ice = found.find(({ component }) => component === 'water')!.supersaturation;
    t.ok(ice > last, `${T} K: ${ice}`);
    last = ice;
  }
});
