/** How much hydrate there is and what it is made of: balances, equilibrium, limits of conversion, measured compositions and heats of dissociation. */
import fc from 'fast-check';
import t, { type Test } from 'tap';
import {
  createFluid,
  type Fluid,
  flashHydrate,
  flashTP,
  type HydrateFlashResult,
  hydrateCheck,
  hydratePoint,
  hydrateSplit,
  type ModelId,
  solidSplit,
} from '../../../../src/engineering/thermo/index.ts';
import { EMPTY_LATTICES } from '../../../../src/engineering/thermo/models/hydrate/hydrate-data.ts';
import { HydratePhase, lnIceRatio } from '../../../../src/engineering/thermo/models/hydrate/hydrate-phase.ts';
import { engineErrorOf } from '../engine-error-of.ts';

const R = 8.314462618;
const fluidOf = (components: Record<string, number>, model: ModelId = 'CPA') => createFluid({ components, model });
const amountOf = (answer: HydrateFlashResult) => answer.split.hydrates.reduce((sum, { amount }) => sum + amount, 0);
const share = (fluid: Fluid, { x }: { readonly x: Float64Array }, name: string) =>
  x[fluid.components.findIndex((c) => c.name === name)]!;

/** What must hold of every answer. */
function sound(t: Test, fluid: Fluid, T: number, p: number, answer: HydrateFlashResult): void {
  const { split, result, solids } = answer;
  const { components, z, eos } = fluid;
  const phases = [...result.phases, ...solids];
  t.ok(Math.abs(phases.reduce((sum, { fraction }) => sum + fraction, 0) - 1) < 1e-9, 'fractions add up to 1');
  for (const [i, zi] of z.entries()) {
    const total = phases.reduce((sum, { fraction, x }) => sum + fraction * x[i]!, 0);
    t.ok(Math.abs(total - zi) < 1e-10, `${components[i]!.name}: ${total}, ${zi}`);
  }
  t.ok(phases.every(({ fraction }) => fraction > 0));
  // Equal fugacities, each computed from its own phase.
  const lnF = split.lnFugacity;
  for (const { x, lnPhi } of result.phases)
    for (const [i, xi] of x.entries())
      if (xi > 1e-12) t.ok(Math.abs(Math.log(xi * p) + lnPhi[i]! - lnF[i]!) < 1e-7, `ln f of ${components[i]!.name}`);
  const water = components.findIndex((c) => c.name === 'water');
  const pure = new Float64Array(z.length);
  pure[water] = 1;
  const lnPhi = new Float64Array(z.length);
  eos.lnPhi(T, p, pure, 'liquid', lnPhi);
  const lnWater = lnF[water]! - Math.log(p) - lnPhi[water]!;
  const f = lnF.map((value) => (Number.isNaN(value) ? 0 : Math.exp(value)));
  const present = new Set<string>(split.hydrates.map(({ structure }) => structure));
  for (const structure of ['sI', 'sII'] as const) {
    const phase = new HydratePhase(structure, components);
    const excess = phase.lnWaterFugacityRatio(T, p, f) - lnWater;
    if (!present.has(structure)) t.ok(excess > -1e-5, `${structure} would not form: ${excess}`);
    else {
      t.ok(Math.abs(excess) < 1e-7, `${structure}, ln f of water: ${excess}`);
      const { x } = split.hydrates.find((hydrate) => hydrate.structure === structure)!;
      const guests = phase.guestsPerWater(T, f);
      t.ok(Math.abs((1 - x[water]!) / x[water]! / guests - 1) < 1e-6, 'filled as the fugacities of the guests ask');
    }
  }
  const ice = lnIceRatio(T, p) - lnWater;
  t.ok(split.iceAmount > 0 ? Math.abs(ice) < 1e-7 : ice > -1e-5, `ice: ${ice}`);
  t.ok(split.gibbs <= split.fluidGibbs + 1e-9, 'Gibbs energy not above that of the fluid alone');
}

const NATURAL_GAS = { methane: 0.85, ethane: 0.07, propane: 0.04, nitrogen: 0.02, CO2: 0.02 };

t.test('water in excess: the gas is used up', async (t) => {
  const fluid = fluidOf({ methane: 0.1, water: 0.9 });
  const answer = flashHydrate(fluid, 277, 60e5);
  sound(t, fluid, 277, 60e5, answer);
  t.same(
    answer.result.phases.map(({ name }) => name),
    ['aqueous'],
  );
  const [hydrate] = answer.split.hydrates;
  t.equal(hydrate!.structure, 'sI');
  const bound = (hydrate!.amount * share(fluid, hydrate!, 'methane')) / 0.1;
  t.ok(bound > 0.99 && bound < 1, `all methane but what the water dissolves: ${bound}`);
  const dissolved = share(fluid, answer.result.phases[0]!, 'methane');
  const without = share(fluid, flashTP(fluid, 277, 60e5).phases.find(({ name }) => name === 'aqueous')!, 'methane');
  t.ok(dissolved < without, 'water beside hydrate alone holds less gas than beside gas');
});

t.test('gas in excess: the water is used up, the gas is dried to the equilibrium with hydrate', async (t) => {
  const fluid = fluidOf({ methane: 0.7, water: 0.3 });
  const answer = flashHydrate(fluid, 277, 60e5);
  sound(t, fluid, 277, 60e5, answer);
  t.same(
    answer.result.phases.map(({ name }) => name),
    ['gas'],
  );
  const left = share(fluid, answer.result.phases[0]!, 'water');
  const before = share(fluid, flashTP(fluid, 277, 60e5).phases.find(({ name }) => name === 'gas')!, 'water');
  t.ok(left > 0 && left < before, `water in the gas: ${left}, above liquid water ${before}`);
  // The dried gas is at its hydrate point.
  const dry = fluidOf({ methane: 1 - left, water: left });
  t.ok(Math.abs(hydratePoint(dry, { p: 60e5 }).T - 277) < 1e-5);
});

t.test('nearly dry gas: hydrate straight from the gas, without liquid water', async (t) => {
  const fluid = fluidOf({ methane: 0.99996, water: 4e-5 });
  t.same(
    flashTP(fluid, 258, 70e5).phases.map(({ name }) => name),
    ['gas'],
    'no liquid water without hydrate',
  );
  const answer = flashHydrate(fluid, 258, 70e5);
  sound(t, fluid, 258, 70e5, answer);
  t.ok(amountOf(answer) > 3e-6 && amountOf(answer) < 4.8e-5);
  t.equal(answer.result.phases.length, 1);
});

t.test('the amount rises from 0 at the hydrate point, without a jump where gas and water are mixtures', async (t) => {
  const fluid = fluidOf({ ...NATURAL_GAS, water: 0.3 });
  const at = hydratePoint(fluid, { p: 50e5 });
  const amounts = [1e-3, 1e-2, 0.1, 1, 3, 6, 10].map((subcooling) => {
    const answer = flashHydrate(fluid, at.T - subcooling, 50e5);
    sound(t, fluid, at.T - subcooling, 50e5, answer);
    return amountOf(answer);
  });
  t.ok(amounts[0]! > 0 && amounts[0]! < 1e-3, `${amounts[0]}`);
  for (let k = 1; k < amounts.length; k++) t.ok(amounts[k]! > amounts[k - 1]!, `${amounts[k - 1]}, ${amounts[k]}`);
  t.equal(amountOf(flashHydrate(fluid, at.T + 1e-3, 50e5)), 0);
});

t.test('inhibitors stay in the water and stop the hydrate when it has become strong enough', async (t) => {
  const amounts = [0, 0.02, 0.05, 0.1].map((MEG) => {
    const fluid = fluidOf({ methane: 0.5, water: 0.5 - MEG, MEG });
    const answer = flashHydrate(fluid, 277, 80e5);
    sound(t, fluid, 277, 80e5, answer);
    for (const hydrate of answer.split.hydrates) if (MEG > 0) t.equal(share(fluid, hydrate, 'MEG'), 0);
    return amountOf(answer);
  });
  t.ok(amounts[0]! > amounts[1]! && amounts[1]! > amounts[2]! && amounts[2]! >= amounts[3]!, `${amounts}`);
  t.equal(amounts[3], 0);
  // However much water was there at first, what is left is as strong as the hydrate asks for at this T and p.
  const strength = [0.03, 0.05].map((methanol) => {
    const fluid = fluidOf({ methane: 0.5, water: 0.45, methanol });
    const answer = flashHydrate(fluid, 273, 80e5);
    sound(t, fluid, 273, 80e5, answer);
    return share(fluid, answer.result.phases.find(({ name }) => name === 'aqueous')!, 'methanol');
  });
  t.ok(Math.abs(strength[0]! - strength[1]!) < 1e-6, `${strength}`);
});

t.test('both structures stand side by side where the propane is used up first', async (t) => {
  const fluid = fluidOf({ ...NATURAL_GAS, water: 12 });
  const answer = flashHydrate(fluid, 277, 80e5);
  sound(t, fluid, 277, 80e5, answer);
  t.same(answer.split.hydrates.map(({ structure }) => structure).sort(), ['sI', 'sII']);
  t.same(
    answer.solids.map(({ name }) => name),
    ['gas hydrate', 'gas hydrate_2'],
  );
  t.ok(answer.solids[0]!.fraction > answer.solids[1]!.fraction);
  const [II, I] = (['sII', 'sI'] as const).map(
    (structure) => answer.split.hydrates.find((hydrate) => hydrate.structure === structure)!,
  );
  t.ok(share(fluid, II!, 'propane') > 10 * share(fluid, I!, 'propane'));
});

t.test('below the ice point ice stands beside hydrate, and gas with water in excess leaves no fluid', async (t) => {
  const wet = fluidOf({ methane: 0.1, water: 0.9 });
  const frozen = flashHydrate(wet, 262, 60e5);
  sound(t, wet, 262, 60e5, frozen);
  t.same(
    [...frozen.result.phases, ...frozen.solids].map(({ name }) => name),
    ['gas hydrate', 'solid'],
  );
  t.equal(frozen.split.fluid, undefined);
  t.ok(Math.abs(frozen.solids[1]!.density - 918) < 2, `density of ice ${frozen.solids[1]!.density}`);
  const gas = fluidOf({ methane: 0.6, 'n-hexane': 0.02, water: 0.38 });
  const open = flashHydrate(gas, 262, 60e5);
  sound(t, gas, 262, 60e5, open);
  t.equal(open.split.iceAmount, 0, 'gas in excess turns all ice into hydrate');
  t.equal(open.result.phases.length, 2);
  // Little pressure: ice, no hydrate.
  const thin = flashHydrate(wet, 262, 10e5);
  sound(t, wet, 262, 10e5, thin);
  t.same([thin.split.hydrates.length, thin.split.iceAmount > 0.8], [0, true]);
  // All gas is dissolved as long as the water is liquid; freezing drives it out.
  const dilute = fluidOf({ methane: 5e-4, water: 1 });
  t.notOk(hydrateCheck(dilute, 268, 60e5).formed);
  const expelled = flashHydrate(dilute, 268, 60e5);
  sound(t, dilute, 268, 60e5, expelled);
  t.ok(amountOf(expelled) > 1e-3 && expelled.split.iceAmount > 0.9);
});

t.test('methane hydrate has the composition measured along its boundary', async (t) => {
  // S. Circone, S. H. Kirby, L. A. Stern, J. Phys. Chem. B 109 (2005) 9468: n = 5.99 +- 0.07 between 263 and 285 K, excess gas.
  for (const p of [30e5, 40e5, 60e5, 95e5]) {
    const fluid = fluidOf({ methane: 0.6, water: 0.4 });
    const { T } = hydratePoint(fluid, { p });
    const { hydrationNumber } = flashHydrate(fluid, T - 0.05, p).split.hydrates[0]!;
    t.ok(Math.abs(hydrationNumber - 5.99) < 0.1, `${T} K: ${hydrationNumber}`);
  }
  // Y. P. Handa, J. Chem. Thermodyn. 18 (1986) 915: C2H6.7.67 H2O, C3H8.17.0 H2O.
  for (const [gas, p, n, within] of [
    ['ethane', 6e5, 7.67, 0.15],
    ['propane', 2e5, 17, 0.05],
  ] as const) {
    const fluid = fluidOf({ [gas]: 0.6, water: 0.4 });
    const { T } = hydratePoint(fluid, { p });
    const { hydrationNumber } = flashHydrate(fluid, T - 0.05, p).split.hydrates[0]!;
    t.ok(Math.abs(hydrationNumber - n) < within, `${gas}: ${hydrationNumber}`);
  }
});

t.test('heats of dissociation are the measured ones', async (t) => {
  // Y. P. Handa (as above): hydrate to ice and gas at 273.15 K and 101.325 kPa, J per mole of gas.
  for (const [gas, heat, p] of [
    ['methane', 18130, 26e5],
    ['ethane', 25700, 5e5],
    ['propane', 27000, 1.6e5],
  ] as const) {
    const T = 272.9;
    const fluid = fluidOf({ [gas]: 0.4, water: 0.6 });
    const { solids } = flashHydrate(fluid, T, p * 1.2);
    const hydrate = solids[0]!;
    const n = hydrate.lattice!.hydrationNumber;
    const ice = flashHydrate(fluidOf({ [gas]: 1e-6, water: 1 }), T, 1e5).solids.at(-1)!;
    t.equal(ice.name, 'solid');
    const ideal = flashTP(fluidOf({ [gas]: 1 }), T, 101325).overall.enthalpy;
    const found = ideal + n * ice.enthalpy - (1 + n) * hydrate.enthalpy;
    t.ok(Math.abs(found / heat - 1) < 0.08, `${gas}: ${found}, measured ${heat}`);
  }
});

t.test('enthalpy, entropy and Gibbs energy of all phases together are consistent', async (t) => {
  for (const [components, T, p] of [
    [{ methane: 0.3, propane: 0.02, water: 0.68 }, 280, 50e5],
    [{ methane: 0.3, CO2: 0.1, water: 0.6, methanol: 0.03 }, 272, 60e5],
    [{ methane: 0.1, water: 0.9 }, 265, 60e5],
  ] as [Record<string, number>, number, number][]) {
    const fluid = fluidOf(components);
    const overall = (at: number) => flashHydrate(fluid, at, p).result.overall;
    const here = flashHydrate(fluid, T, p);
    t.ok(amountOf(here) > 0.1);
    const { enthalpy, entropy, gibbsEnergy } = here.result.overall;
    t.ok(Math.abs(enthalpy - T * entropy - gibbsEnergy) < 1e-6 * Math.abs(enthalpy));
    // Gibbs-Helmholtz along the equilibrium: d(G/T)/dT = -H/T^2.
    const step = 0.02;
    const slope =
      (overall(T + step).gibbsEnergy / (T + step) - overall(T - step).gibbsEnergy / (T - step)) / (2 * step);
    t.ok(Math.abs(-T * T * slope - enthalpy) < 2e-4 * Math.abs(enthalpy), `${-T * T * slope}, ${enthalpy}`);
    const alone = flashTP(fluid, T, p).overall.gibbsEnergy;
    const fall = R * T * (here.split.gibbs - here.split.fluidGibbs);
    t.ok(fall < -1 && Math.abs(gibbsEnergy - alone - fall) < 1e-3 * Math.abs(fall), `${gibbsEnergy - alone}, ${fall}`);
  }
});

t.test('density is that of the filled lattice', async (t) => {
  // 46 H2O in a cube of 11.98 to 12.03 A with 8 methane when full: 0.91 to 0.95 g/cm3.
  const fluid = fluidOf({ methane: 0.5, water: 0.5 });
  const { density } = flashHydrate(fluid, 273, 40e5).solids[0]!;
  t.ok(density > 905 && density < 945, `${density}`);
});

t.test('the order of components does not matter, nor where the search starts', async (t) => {
  const names = Object.entries({ ...NATURAL_GAS, 'n-hexane': 0.01, water: 0.6, MEG: 0.02 });
  const orders = [names, [...names].reverse()].map((entries) => {
    const fluid = fluidOf(Object.fromEntries(entries));
    const answer = flashHydrate(fluid, 276, 60e5);
    sound(t, fluid, 276, 60e5, answer);
    return { fluid, answer };
  });
  const [a, b] = orders as [(typeof orders)[0], (typeof orders)[0]];
  t.ok(Math.abs(amountOf(a.answer) - amountOf(b.answer)) < 1e-8);
  for (const [name] of names)
    t.ok(
      Math.abs(share(a.fluid, a.answer.split.hydrates[0]!, name) - share(b.fluid, b.answer.split.hydrates[0]!, name)) <
        1e-7,
      name,
    );
  const near = flashTP(a.fluid, 290, 60e5);
  t.ok(near.phases.length > 1);
  const again = hydrateSplit(a.fluid, 276, 60e5, a.answer.split.fluidAlone);
  t.ok(Math.abs(again.hydrates[0]!.amount - a.answer.split.hydrates[0]!.amount) < 1e-9);
});

t.test('random mixtures, temperatures and pressures: sound or refused', async (t) => {
  const guests = ['methane', 'ethane', 'propane', 'i-butane', 'nitrogen', 'CO2', 'H2S'];
  const amount = fc.integer({ min: -40, max: 0 }).map((tenths) => 10 ** (tenths / 10));
  const arbitrary = fc.record({
    water: fc.integer({ min: -40, max: 5 }).map((tenths) => 10 ** (tenths / 10)),
    gas: fc.dictionary(fc.constantFrom(...guests), amount, { minKeys: 1, maxKeys: 4 }),
    T: fc.integer({ min: 230, max: 300 }),
    p: fc.integer({ min: 53, max: 75 }).map((tenths) => 10 ** (tenths / 10)),
  });
  fc.assert(
    fc.property(arbitrary, ({ water, gas, T, p }) => {
      const fluid = fluidOf({ ...gas, water }, 'SRK');
      sound(t, fluid, T, p, flashHydrate(fluid, T, p));
    }),
    { numRuns: 60, seed: 7 },
  );
});

t.test('water freezes without a former, by equal potential', async (t) => {
  const cases: readonly [Record<string, number>, number][] = [
    [{ water: 1 }, 263.15],
    [{ water: 0.5, helium: 0.5 }, 263.15],
    [{ water: 0.5, 'n-hexane': 0.5 }, 263.15],
    [{ water: 0.999, methanol: 0.001 }, 263.15],
    [{ water: 0.9, methanol: 0.1 }, 253.15],
    [{ water: 1e-4, helium: 0.9999 }, 213.15],
  ];
  for (const model of ['CPA', 'SRK'] as const)
    for (const [components, T] of cases) {
      const fluid = fluidOf(components, model);
      const answer = flashHydrate(fluid, T, 10e5);
      sound(t, fluid, T, 10e5, answer);
      t.same(
        answer.solids.map(({ name }) => name),
        ['solid'],
      );
      const lnIce = answer.split.lnFugacity[0]!;
      const ice = solidSplit(fluid, T, 10e5, ['water']);
      t.ok(Math.abs(ice.solids[0]!.amount - answer.split.iceAmount) < 1e-7, `ice by two algorithms: ${lnIce}`);
    }
  t.equal(flashHydrate(fluidOf({ water: 1 }), 263.15, 10e5).split.fluidAmount, 0);
  // CRC Handbook, concentrative properties of aqueous solutions: 10 mass-% methanol freezes at 266.6 K.
  const methanol = { water: 90 / 18.015, methanol: 10 / 32.042 };
  t.equal(flashHydrate(fluidOf(methanol), 268.5, 1e5).split.iceAmount, 0);
  t.ok(flashHydrate(fluidOf(methanol), 265, 1e5).split.iceAmount > 0);
});

t.test('structures of one guest: what is measured, and what the constants say', async (t) => {
  const split = (guest: string, T: number, p: number) => hydrateSplit(fluidOf({ [guest]: 1, water: 1 }), T, p);
  for (const [guest, T, p, found, measured] of [
    ['methane', 277.15, 60e5, 'sI', 'sI'],
    ['methane', 233.15, 20e5, 'sII', 'sI'],
    ['nitrogen', 274.15, 200e5, 'sI', 'sII'],
    ['propane', 275.15, 4e5, 'sII', 'sII'],
    ['CO2', 277.15, 30e5, 'sI', 'sI'],
  ] as const) {
    const { hydrates, measuredStructure, structureDifference } = split(guest, T, p);
    t.same(
      [hydrates.map(({ structure }) => structure), measuredStructure],
      [[found], measured],
      `${guest} at ${T} K: ${structureDifference} J/mol`,
    );
    t.equal(structureDifference < 0, found === 'sII');
  }
  // The two lattices differ alike against ice and against liquid water: the reference properties do not favour one of them below the ice point.
  const { sI, sII } = EMPTY_LATTICES;
  t.equal(sI.liquid.dH - sII.liquid.dH, sI.ice.dH - sII.ice.dH);
  t.equal(sI.liquid.dCp - sII.liquid.dCp, sI.ice.dCp - sII.ice.dCp);
  t.equal(hydrateSplit(fluidOf({ methane: 1, propane: 0.1, water: 1 }), 277, 60e5).measuredStructure, undefined);
  t.equal(hydrateSplit(fluidOf({ methane: 1, argon: 0.1, water: 1 }, 'SRK'), 277, 80e5).measuredStructure, undefined);
});

t.test('what cannot have a hydrate is refused', async (t) => {
  for (const components of [{ methane: 1 }, { methane: 1, water: 0 }, { 'n-heptane': 0.5, water: 0.5 }] as Record<
    string,
    number
  >[])
    t.equal(engineErrorOf(() => hydrateSplit(fluidOf(components, 'SRK'), 275, 80e5)).kind, 'spec-unreachable');
  const gerg = fluidOf({ methane: 0.9, water: 0.1 }, 'GERG2008');
  t.equal(engineErrorOf(() => hydrateSplit(gerg, 275, 80e5)).kind, 'invalid-input');
});
