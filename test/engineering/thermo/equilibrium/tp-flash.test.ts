import fc from 'fast-check';
import t from 'tap';
import { LOWER_PLANE, lowestPlane } from '../../../../bench/check-split.ts';
import {
  descend,
  type WorkingPhase,
  withTrialPhase,
} from '../../../../src/engineering/thermo/equilibrium/multiphase.ts';
import { reducedGibbs } from '../../../../src/engineering/thermo/equilibrium/phase-split.ts';
import { StabilityAnalysis } from '../../../../src/engineering/thermo/equilibrium/stability.ts';
import { StabilityTest } from '../../../../src/engineering/thermo/equilibrium/stability-test.ts';
import {
  componentNames,
  createFluid,
  isEngineError,
  type PhaseSplit,
  splitTP,
  withComposition,
} from '../../../../src/engineering/thermo/index.ts';
import { engineErrorOf } from '../engine-error-of.ts';
import { FLUIDS } from '../fluids.ts';

const MODELS = ['SRK', 'PR'] as const;
const fluids = Object.entries(FLUIDS).flatMap(([name, components]) =>
  MODELS.map((model) => ({ label: `${name}, ${model}`, fluid: createFluid({ components, model }) })),
);

/** A fluid with its amounts moved by up to a factor of ten either way, and a state between 150 and 700 K, 0.1 and 700 bar. */
const state = fc.record({
  pick: fc.constantFrom(...fluids),
  spread: fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 12, maxLength: 12 }),
  T: fc.double({ min: 150, max: 700, noNaN: true }),
  lgp: fc.double({ min: 4, max: Math.log10(7e7), noNaN: true }),
});

t.test('every answer has equal fugacities, a closed balance and no more Gibbs energy than the feed', async (t) => {
  const counts = new Map<number, number>();
  fc.assert(
    fc.property(state, ({ pick, spread, T, lgp }) => {
      const fluid = withComposition(
        pick.fluid,
        pick.fluid.z.map((z, i) => z * 10 ** spread[i]!),
      );
      const split = splitTP(fluid, T, 10 ** lgp);
      counts.set(split.phases.length, (counts.get(split.phases.length) ?? 0) + 1);
      assertEquilibrium(split);
    }),
    { numRuns: 3000, seed: 42 },
  );
  t.ok(
    (counts.get(1) ?? 0) > 100 && (counts.get(2) ?? 0) > 100 && (counts.get(3) ?? 0) > 10,
    'all kinds of states were met',
  );
});

/** Throws rather than asserts, so that a passing state costs nothing in the report. */
function assertEquilibrium(split: PhaseSplit): void {
  const { phases, z, convergence } = split;
  const [first, ...others] = phases;
  for (let i = 0; i < z.length; i++) {
    const total = phases.reduce((sum, phase) => sum + phase.fraction * phase.x[i]!, 0);
    if (Math.abs(total - z[i]!) > 1e-12) throw new Error(`balance of component ${i}: ${total} for ${z[i]}`);
    for (const phase of others) {
      const error = Math.log(phase.x[i]! / first!.x[i]!) + phase.lnPhi[i]! - first!.lnPhi[i]!;
      if (!(Math.abs(error) < 1e-9) && phase.x[i]! > 1e-280) throw new Error(`fugacity of component ${i}: ${error}`);
    }
  }
  for (const phase of phases) {
    if (!(phase.fraction > 0)) throw new Error(`phase fraction ${phase.fraction}`);
    const sum = phase.x.reduce((a, b) => a + b, 0);
    if (Math.abs(sum - 1) > 1e-10) throw new Error(`composition sums to ${sum}`);
  }
  const gibbs = phases.reduce((sum, phase) => sum + phase.fraction * reducedGibbs(phase.x, phase.lnPhi), 0);
  if (gibbs > convergence.feedGibbs + 1e-10)
    throw new Error(`Gibbs energy ${gibbs} above the feed ${convergence.feedGibbs}`);
}

t.test('no random trial phase lies below the tangent plane of an answer', async (t) => {
  fc.assert(
    fc.property(
      state,
      fc.array(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 12, maxLength: 12 }), {
        minLength: 8,
        maxLength: 8,
      }),
      ({ pick, T, lgp }, starts) => {
        const { fluid } = pick;
        const p = 10 ** lgp;
        const split = splitTP(fluid, T, p);
        const stability = new StabilityAnalysis(fluid.eos);
        const active = Int32Array.from(fluid.z.keys());
        const d = Float64Array.from(fluid.z, (_, i) => {
          const most = split.phases.reduce((a, b) => (b.x[i]! > a.x[i]! ? b : a));
          return Math.log(most.x[i]!) + most.lnPhi[i]!;
        });
        const references = split.phases.map((phase) => Float64Array.from(phase.x, Math.log));
        for (const start of starts) {
          for (const i of active) stability.lnW[i] = Math.log(start[i]! ** 3 + 1e-9);
          const { tm, trivial } = stability.run(T, p, d, active, references);
          if (!trivial && tm < -1e-7) throw new Error(`${pick.label}: tm ${tm} for ${split.phases.length} phases`);
        }
      },
    ),
    { numRuns: 400, seed: 7 },
  );
  t.pass('400 states, 8 random trials each');
});

t.test('the order of components does not change the answer', async (t) => {
  for (const [name, components] of Object.entries(FLUIDS)) {
    const reversed = Object.fromEntries(Object.entries(components).reverse());
    for (const [T, p] of [
      [250, 30e5],
      [300, 60e5],
      [220, 10e5],
    ] as const) {
      const a = splitTP(createFluid({ components, model: 'SRK' }), T, p);
      const b = splitTP(createFluid({ components: reversed, model: 'SRK' }), T, p);
      t.equal(a.phases.length, b.phases.length, `${name} at ${T} K`);
      for (const [k, phase] of a.phases.entries()) {
        t.ok(Math.abs(phase.fraction - b.phases[k]!.fraction) < 1e-8);
        for (let i = 0; i < phase.x.length; i++)
          t.ok(Math.abs(phase.x[i]! - b.phases[k]!.x[phase.x.length - 1 - i]!) < 1e-8);
      }
    }
  }
});

t.test('a component of zero amount changes nothing', async (t) => {
  for (const model of MODELS) {
    const plain = splitTP(createFluid({ components: FLUIDS['wetGas']!, model }), 290, 60e5);
    const padded = splitTP(
      createFluid({ components: { 'n-octane': 0, ...FLUIDS['wetGas']!, CO2: 0 }, model }),
      290,
      60e5,
    );
    t.equal(padded.phases.length, plain.phases.length);
    for (const [k, phase] of plain.phases.entries()) {
      t.ok(Math.abs(padded.phases[k]!.fraction - phase.fraction) < 1e-9);
      t.equal(padded.phases[k]!.x[0], 0);
      for (let i = 0; i < phase.x.length; i++) t.ok(Math.abs(padded.phases[k]!.x[i + 1]! - phase.x[i]!) < 1e-9);
    }
  }
});

t.test('a trace moves the answer by no more than its amount', async (t) => {
  const plain = splitTP(createFluid({ components: FLUIDS['naturalGas']!, model: 'PR' }), 263.15, 40e5);
  const traced = splitTP(
    createFluid({ components: { ...FLUIDS['naturalGas']!, nC10: 1e-15 }, model: 'PR' }),
    263.15,
    40e5,
  );
  t.equal(traced.phases.length, 2);
  t.ok(Math.abs(traced.phases[0]!.fraction - plain.phases[0]!.fraction) < 1e-9);
  t.ok(traced.phases[1]!.x[10]! > traced.phases[0]!.x[10]!, 'the heavy trace goes to the liquid');
});

t.test('a start from a neighbouring answer leads to the same answer', async (t) => {
  for (const name of ['naturalGas', 'oil', 'wetGas']) {
    const fluid = createFluid({ components: FLUIDS[name]!, model: 'SRK' });
    const near = splitTP(fluid, 270, 40e5);
    for (const [T, p] of [
      [271, 41e5],
      [330, 41e5],
      [270, 250e5],
    ] as const) {
      const cold = splitTP(fluid, T, p);
      const warm = splitTP(fluid, T, p, near);
      t.equal(warm.phases.length, cold.phases.length);
      for (const [k, phase] of cold.phases.entries()) t.ok(Math.abs(phase.fraction - warm.phases[k]!.fraction) < 1e-8);
    }
  }
});

t.test('a pure fluid is one phase on its stable root', async (t) => {
  const propane = createFluid({ components: { propane: 3 }, model: 'SRK' });
  t.ok(splitTP(propane, 298.15, 5e5).phases[0]!.rho < 300);
  t.ok(splitTP(propane, 298.15, 20e5).phases[0]!.rho > 9000);
});

t.test('states out of sense are refused by name', async (t) => {
  const fluid = createFluid({ components: { methane: 1, ethane: 1 }, model: 'SRK' });
  for (const [T, p] of [
    [0, 1e5],
    [-5, 1e5],
    [300, 0],
    [300, Number.NaN],
    [Number.POSITIVE_INFINITY, 1e5],
  ] as const)
    t.equal(engineErrorOf(() => splitTP(fluid, T, p)).kind, 'invalid-input');
});

t.test('three phases are found when adding the first trial phase leads nowhere', async (t) => {
  const fluid = createFluid({
    components: { nC10: 0.0899, H2S: 0.2683, propane: 0.2743, argon: 0.4705, 'n-hexane': 0.2755, hydrogen: 0.0758 },
    model: 'GERG2008',
  });
  const split = splitTP(fluid, 159.22, 7.8235e6);
  t.equal(split.phases.length, 3);
  assertEquilibrium(split);
});

t.test('a phase for which the model has no density is an error, not an answer', async (t) => {
  // GERG-2008 has no liquid water far below the triple point.
  const fluid = createFluid({
    components: { argon: 0.26, helium: 0.42, methane: 0.08, water: 0.24 },
    model: 'GERG2008',
  });
  t.equal(engineErrorOf(() => splitTP(fluid, 170, 22e5)).kind, 'not-converged');
});

t.test('no two-phase start that the balance allows has less Gibbs energy than the answer', async (t) => {
  fc.assert(
    fc.property(
      state,
      fc.array(fc.array(fc.double({ min: 0.001, max: 0.999, noNaN: true }), { minLength: 12, maxLength: 12 }), {
        minLength: 6,
        maxLength: 6,
      }),
      ({ pick, T, lgp }, shares) => {
        const { eos, z } = pick.fluid;
        const p = 10 ** lgp;
        const { gibbs } = splitTP(pick.fluid, T, p).convergence;
        const lnPhi = new Float64Array(z.length);
        for (const share of shares) {
          let start = 0;
          for (const part of [z.map((zi, i) => zi * share[i]!), z.map((zi, i) => zi * (1 - share[i]!))]) {
            const amount = part.reduce((a, b) => a + b, 0);
            const x = part.map((n) => n / amount);
            eos.lnPhi(T, p, x, 'stable', lnPhi);
            start += amount * reducedGibbs(x, lnPhi);
          }
          if (start < gibbs - 1e-10) throw new Error(`${pick.label} at ${T} K, ${p} Pa: ${start} below ${gibbs}`);
        }
      },
    ),
    { numRuns: 500, seed: 9 },
  );
  t.pass('500 states, 6 starts each');
});

t.test('plain substitution from pure components and random compositions finds no lower tangent plane', async (t) => {
  let uniform = 12345;
  const random = () => {
    uniform = (uniform * 1103515245 + 12345) % 2147483648;
    return uniform / 2147483648;
  };
  fc.assert(
    fc.property(state, ({ pick, T, lgp }) => {
      const { eos, z } = pick.fluid;
      const split = splitTP(pick.fluid, T, 10 ** lgp);
      const lowest = lowestPlane(eos, split, z, random);
      if (lowest < LOWER_PLANE) throw new Error(`${pick.label}: ${lowest}, ${split.phases.length} phases`);
    }),
    { numRuns: 250, seed: 31 },
  );
  t.pass('250 states');
});

t.test('in random states the order of components and absent ones change nothing', async (t) => {
  const padded = new Map<string, ReturnType<typeof createFluid>>();
  const turned = (label: string, names: readonly string[], model: 'SRK' | 'PR') => {
    let fluid = padded.get(label);
    if (fluid === undefined) {
      const components = Object.fromEntries([...names].reverse().map((name) => [name, 1]));
      fluid = createFluid({ components: { argon: 0, ...components, nC12: 0 }, model });
      padded.set(label, fluid);
    }
    return fluid;
  };
  fc.assert(
    fc.property(state, ({ pick, spread, T, lgp }) => {
      const plain = withComposition(
        pick.fluid,
        pick.fluid.z.map((z, i) => z * 10 ** spread[i]!),
      );
      const { z } = plain;
      const n = z.length;
      const other = turned(
        pick.label,
        pick.fluid.components.map(({ name }) => name),
        pick.label.endsWith('SRK') ? 'SRK' : 'PR',
      );
      const a = splitTP(plain, T, 10 ** lgp);
      const b = splitTP(withComposition(other, [0, ...[...z].reverse(), 0]), T, 10 ** lgp);
      const where = `${pick.label} at ${T} K, ${10 ** lgp} Pa, z ${z}`;
      if (Math.abs(a.convergence.gibbs - b.convergence.gibbs) > 1e-9) throw new Error(`${where}: Gibbs energies`);
      if (a.phases.length !== b.phases.length) throw new Error(`${where}: ${a.phases.length} and ${b.phases.length}`);
      for (const [k, phase] of a.phases.entries()) {
        const twin = b.phases[k]!;
        if (Math.abs(twin.fraction - phase.fraction) > 1e-5) throw new Error(`${where}: fractions`);
        for (let i = 0; i < n; i++)
          if (Math.abs(twin.x[n - i]! - phase.x[i]!) > 1e-5) throw new Error(`${where}: component ${i}`);
        if (twin.x[0] !== 0 || twin.x[n + 1] !== 0) throw new Error(`${where}: something of nothing`);
      }
    }),
    { numRuns: 400, seed: 27 },
  );
  t.pass('400 states');
});

t.test('where gas, methane, carbon dioxide, glycol and water part at 151 K five phases are found', async (t) => {
  const fluid = createFluid({
    components: {
      methane: 0.4711,
      ethane: 0.0447,
      propane: 0.0491,
      'n-butane': 0.0173,
      'n-heptane': 0.022,
      CO2: 0.1025,
      H2S: 0.015,
      water: 0.2773,
      MEG: 0.001,
    },
    model: 'SRK',
  });
  for (const [T, p] of [
    [156.6, 731180],
    [151, 1e5],
  ] as const) {
    const split = splitTP(fluid, T, p);
    t.equal(split.phases.length, 5);
    t.ok(split.convergence.stabilityMargin > -1e-9, 'and no sixth');
    assertEquilibrium(split);
  }
});

t.test('within 0.1 % of a critical pressure both phases are still told apart', async (t) => {
  const fluid = createFluid({
    components: {
      methane: 0.7233,
      ethane: 0.0704,
      propane: 0.046,
      'n-butane': 0.0353,
      'n-pentane': 0.0119,
      'n-hexane': 0.0124,
      'n-heptane': 0.022,
      'n-octane': 0.0326,
      nC10: 0.0186,
      CO2: 0.0274,
    },
    model: 'SRK',
  });
  for (const p of [22.82e6, 22.83e6, 22.835e6, 22.8375e6, 22.84e6]) {
    const split = splitTP(fluid, 330.49, p);
    t.equal(split.phases.length, 2, `${p} Pa`);
    t.ok(split.convergence.gibbs < split.convergence.feedGibbs);
    assertEquilibrium(split);
  }
});

t.test('a feed that GERG-2008 knows on a shallow loop only is flashed', async (t) => {
  const fluid = createFluid({
    components: {
      methane: 0.6996,
      ethane: 0.1171,
      propane: 0.0333,
      'n-butane': 0.0254,
      'n-pentane': 0.0127,
      'n-hexane': 0.013,
      'n-heptane': 0.0307,
      'n-octane': 0.0105,
      nC10: 0.0222,
      CO2: 0.0357,
    },
    model: 'GERG2008',
  });
  const split = splitTP(fluid, 260.578, 3911960);
  t.equal(split.phases.length, 2);
  assertEquilibrium(split);
});

t.test('a phase of GERG-2008 does not depend on what was computed before', async (t) => {
  // The liquid search begins near the last liquid, which may be denser than an inner loop of the next composition.
  const fluid = createFluid({
    components: { methane: 0.75, ethane: 0.08, propane: 0.05, 'n-pentane': 0.04, 'n-heptane': 0.04, H2S: 0.04 },
    model: 'GERG2008',
  });
  const { eos } = fluid;
  const sulfide = Float64Array.from([0, 0, 0, 0, 0, 1]);
  const fresh = eos.density(218.69, 1.26e6, sulfide, 'liquid');
  t.ok(Math.abs(fresh / 27582 - 1) < 1e-3, 'liquid hydrogen sulfide');
  for (const [T, p, x] of [
    [218.69, 1.26e6, fluid.z],
    [300, 1.5e7, fluid.z],
    [300, 2.5e7, fluid.z],
    [320, 3e7, fluid.z],
    [300, 1e7, Float64Array.from([0.2, 0, 0.2, 0.2, 0.2, 0.2])],
  ] as const) {
    eos.density(T, p, x, 'liquid');
    t.ok(Math.abs(eos.density(218.69, 1.26e6, sulfide, 'liquid') / fresh - 1) < 1e-12);
  }
});

t.test('Newton downhill from a trace of the trial phase gets to the same answer, without substitution', async (t) => {
  for (const [name, T, p] of [
    ['wetGas', 300, 60e5],
    ['glycol', 280, 40e5],
    ['acidGas', 220, 20e5],
    ['naturalGas', 240, 40e5],
  ] as const) {
    const { eos, z, flash } = createFluid({ components: FLUIDS[name]!, model: 'PR' });
    const stability = new StabilityTest(eos);
    stability.setFeed(T, p, z);
    const { active } = stability;
    const g0 = reducedGibbs(z, stability.lnPhi);
    t.ok(stability.testFeed() < 0);
    let phases: readonly WorkingPhase[] = [{ x: z, fraction: 1, lnPhi: stability.lnPhi, rho: stability.rhoFeed }];
    for (let k = 0; k < 5; k++) {
      const start = withTrialPhase(eos, T, p, active, phases, stability.w, 1e-4)!;
      const found = descend(eos, T, p, z, active, start);
      t.ok(found.converged, name);
      phases = found.phases;
      if (stability.testPhases(phases) === 0) break;
    }
    const gibbs = phases.reduce((sum, phase) => sum + phase.fraction * reducedGibbs(phase.x, phase.lnPhi), 0);
    const answer = flash.solve(T, p, z);
    t.ok(gibbs < g0 && Math.abs(gibbs - answer.convergence.gibbs) < 1e-10, `${name}: ${gibbs}`);
    t.equal(phases.length, answer.phases.length);
  }
});

t.test(
  'a flash with liquid mercury and heavy components is not held up by mole fractions at the end of the doubles',
  async (t) => {
    const names = ['water', 'mercury', 'MEG', 'TEG', 'DEG', 'methanol', 'nC20', 'nC30', 'nC39'];
    for (const name of componentNames())
      if (names.length < 60 && !names.includes(name) && hasModel(name)) names.push(name);
    const fluid = createFluid({ components: Object.fromEntries(names.map((name) => [name, 1])), model: 'SRK' });
    for (const T of [230, 300, 366.7, 450]) {
      const split = splitTP(fluid, T, 30e5);
      t.ok(
        split.phases.some(({ x }) => x[names.indexOf('mercury')]! > 0.99),
        `liquid mercury at ${T} K`,
      );
      t.ok(split.convergence.fugacityError < 1e-9);
      t.ok(split.convergence.balanceError < 1e-12);
      t.ok(split.convergence.stabilityMargin > -1e-9);
    }
  },
);

/** Ions and salts are refused. */
function hasModel(name: string): boolean {
  try {
    createFluid({ components: { [name]: 1 }, model: 'SRK' });
    return true;
  } catch (error) {
    if (isEngineError(error)) return false;
    throw error;
  }
}
