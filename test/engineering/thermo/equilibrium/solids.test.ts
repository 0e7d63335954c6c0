/**
 * Pure solids against published freezing points and solubilities, and against the conditions of equilibrium. The published figures were entered from memory, the
 * primary sources not at hand; the tolerances leave room for that.
 */
import fc from 'fast-check';
import t from 'tap';
import { getComponent } from '../../../../src/engineering/thermo/components/component-lookup.ts';
import { createFluid, type ModelId, solidAppearance, solidSplit } from '../../../../src/engineering/thermo/index.ts';
import { PureSolid, solidRoute } from '../../../../src/engineering/thermo/models/solid/pure-solid.ts';
import { engineErrorOf } from '../engine-error-of.ts';

const freezing = (components: Record<string, number>, model: ModelId, p = 101325, candidates?: string[]) =>
  solidAppearance(createFluid({ components, model }), p, candidates).T;
const near = (
  t: { ok(v: boolean, m: string): boolean },
  value: number,
  wanted: number,
  tolerance: number,
  what: string,
) => t.ok(Math.abs(value - wanted) <= tolerance, `${what}: ${value}, expected ${wanted}`);

t.test('pure substances freeze, or frost, where they should', async (t) => {
  near(t, freezing({ water: 1 }, 'CPA'), 273.15, 0.02, 'ice');
  near(t, freezing({ water: 1 }, 'CPA', 10e6), 272.41, 0.03, 'ice under 10 MPa: -0.074 K/MPa');
  near(t, freezing({ benzene: 1 }, 'SRK'), 278.5, 0.1, 'benzene');
  // Melting line of benzene: 0.28 K/MPa (Bridgman).
  near(t, freezing({ benzene: 1 }, 'SRK', 50e6), 292.5, 2, 'benzene at 50 MPa');
  near(t, freezing({ CO2: 1 }, 'PR'), 194.69, 0.2, 'dry ice at 1 atm');
  near(t, freezing({ CO2: 1 }, 'PR', 1e6), 216.8, 0.8, 'CO2 melts at 10 bar');
});

t.test('freezing points of antifreeze solutions', async (t) => {
  const solution = (name: string, M: number, percent: number) =>
    freezing({ water: (100 - percent) / 18.015, [name]: percent / M }, 'CPA', 101325, ['water']);
  // CRC Handbook, concentrative properties of aqueous solutions, mass per cent.
  for (const [percent, T] of [
    [10, 269.78],
    [20, 265.22],
    [40, 249.35],
  ] as const)
    near(t, solution('MEG', 62.068, percent), T, 1, `${percent} % ethylene glycol`);
  for (const [percent, T] of [
    [10, 266.6],
    [20, 258.1],
    [30, 247.5],
  ] as const)
    near(t, solution('methanol', 32.042, percent), T, 1.5, `${percent} % methanol`);
});

t.test('solubility of solids in liquids', async (t) => {
  // Naphthalene in benzene: mole fraction 0.295 at 298.15 K.
  near(t, freezing({ naphthalene: 0.295, benzene: 0.705 }, 'SRK', 1e5), 298.15, 1, 'naphthalene in benzene');
  // CO2 in saturated liquid methane, 1 mol per cent: 146 to 149 K.
  near(t, freezing({ CO2: 0.01, methane: 0.99 }, 'PR', 5e6, ['CO2']), 147.5, 2.5, 'dry ice in LNG');
});

t.test('wax: several solids, each in equilibrium, and more of them the colder it is', async (t) => {
  const oil = { methane: 0.05, nC10: 0.7, nC20: 0.1, nC22: 0.05, nC24: 0.1 };
  const fluid = createFluid({ components: oil, model: 'SRK' });
  const first = solidAppearance(fluid, 1e6);
  t.equal(first.component, 'nC24');
  t.same(solidSplit(fluid, first.T + 0.01, 1e6).solids, []);
  let wax = 0;
  for (const T of [first.T - 0.01, 285, 280, 275, 270, 260]) {
    const split = solidSplit(fluid, T, 1e6);
    const amount = split.solids.reduce((sum, solid) => sum + solid.amount, 0);
    t.ok(amount > wax, `${amount} at ${T} K`);
    wax = amount;
    t.ok(Math.abs(amount + split.fluidAmount - 1) < 1e-12, 'balance of moles');
    fluid.components.forEach((component, i) => {
      const solid = split.solids.find((s) => s.component === component.name);
      let dissolved = 0;
      for (const phase of split.fluid!.phases) dissolved += phase.fraction * phase.x[i]! * split.fluidAmount;
      t.ok(Math.abs(dissolved + (solid?.amount ?? 0) - fluid.z[i]!) < 1e-9, `balance of ${component.name}`);
      if (solidRoute(component) === undefined || T > new PureSolid(fluid.eos, i).maxT) return;
      const phase = split.fluid!.phases.reduce((a, b) => (b.x[i]! > a.x[i]! ? b : a));
      const lnF = Math.log(phase.x[i]! * 1e6) + phase.lnPhi[i]!;
      const lnSolid = new PureSolid(fluid.eos, i).lnFugacity(T, 1e6);
      if (solid !== undefined) t.ok(Math.abs(lnF - lnSolid) < 1e-7, `${component.name} in equilibrium`);
      else t.ok(lnF < lnSolid + 1e-8, `${component.name} stays dissolved`);
    });
  }
});

t.test('a pure fluid and a eutectic freeze completely', async (t) => {
  const ice = solidSplit(createFluid({ components: { water: 1 }, model: 'CPA' }), 260, 1e5);
  t.equal(ice.fluid, undefined);
  t.same(ice.solids, [{ component: 'water', amount: 1 }]);
  const mixed = solidSplit(createFluid({ components: { benzene: 0.5, naphthalene: 0.5 }, model: 'SRK' }), 250, 1e5);
  t.equal(mixed.fluidAmount, 0);
  t.equal(mixed.solids.length, 2);
});

t.test('an amount precipitated leaves the liquid on the line of appearance', async (t) => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.1, max: 0.6, noNaN: true }),
      fc.double({ min: 250, max: 300, noNaN: true }),
      (x, T) => {
        const feed = createFluid({ components: { nC18: x, 'n-heptane': 1 - x }, model: 'SRK' });
        const split = solidSplit(feed, T, 2e5, ['nC18']);
        if (split.solids.length === 0) return;
        const left = split.fluid!.phases[0]!.x[0]!;
        const again = freezing({ nC18: left, 'n-heptane': 1 - left }, 'SRK', 2e5, ['nC18']);
        t.ok(Math.abs(again - T) < 1e-5, `${again} K, precipitated at ${T} K`);
      },
    ),
    { numRuns: 15, seed: 7 },
  );
});

t.test('what is not described is an error', async (t) => {
  const fluid = createFluid({ components: { methane: 0.9, MDEA: 0.05, krypton: 0.05 }, model: 'SRK' });
  t.equal(engineErrorOf(() => solidSplit(fluid, 250, 1e5, ['benzene'])).kind, 'unknown-component');
  t.equal(engineErrorOf(() => solidSplit(fluid, 60, 1e5, ['MDEA'])).kind, 'outside-range');
  const helium = createFluid({ components: { methane: 0.9, helium: 0.1 }, model: 'SRK' });
  t.equal(engineErrorOf(() => solidSplit(helium, 60, 1e5, ['helium'])).kind, 'missing-data');
  t.equal(engineErrorOf(() => solidAppearance(helium, 1e5, [])).kind, 'spec-unreachable');
});

t.test('sublimation curves that miss the triple point are not used', async (t) => {
  t.equal(solidRoute(getComponent('CO2')), 'sublimation');
  t.equal(solidRoute(getComponent('methane')), 'fusion', 'its tabulated curve is off by a factor 20');
});
