/**
 * Round trips of the PH, PS, TV and UV flash: a TP state of a random fluid or a state of a pure fluid on its boiling plateau, one phase or
 * near critical gives h, s, v, u; each flash must come back to it. A wrong answer is a temperature off by more than 1e-6 (relative), a
 * state without the values asked for, or, on a plateau, a phase fraction off by more than 1e-6.
 * `--states N` (default 20000), `--model A,B` (default SRK,PR), `--seed N`.
 */
import {
  bubblePoint,
  createFluid,
  criticalPoint,
  EngineError,
  type Fluid,
  type ModelId,
  type PhaseSplit,
  splitTP,
} from '../src/engineering/thermo/index.ts';
import { fault } from './check-split.ts';
import { generator, modelsOption, option, randomFluids, randomState } from './random-fluids.ts';

const TEMPERATURE = 1e-6;
const FRACTION = 1e-6;
const PURE = ['methane', 'propane', 'n-heptane', 'CO2', 'nitrogen', 'water', 'H2S', 'ethane'];
/** One state in three is of a pure fluid. */
const PURE_SHARE = 1 / 3;
const SHOWN = 20;

interface Target {
  readonly name: string;
  readonly fluid: Fluid;
  readonly split: PhaseSplit;
}

interface Values {
  readonly h: number;
  readonly s: number;
  readonly v: number;
  readonly u: number;
}

export async function run(states = option('--states', 20_000)): Promise<void> {
  const models = modelsOption(['SRK', 'PR']);
  const seed = option('--seed', 20260823);
  const random = generator(seed);
  const mixtures = randomFluids(models, 20, random);
  const pure = pureFluids(models);
  const kinds = new Map<string, number>();
  const failed: Record<'no answer' | 'wrong answer', string[]> = { 'no answer': [], 'wrong answer': [] };
  const counts: Record<string, number> = {};
  const started = performance.now();
  for (let k = 0; k < states; k++) {
    const target =
      random() < PURE_SHARE
        ? pureTarget(pure[k % pure.length]!, random)
        : mixtureTarget(mixtures[k % mixtures.length]!, random);
    if (target === undefined) continue;
    const { fluid, split, name } = target;
    const pureFluid = fluid.components.length === 1;
    const kind = `${pureFluid ? 'pure' : 'mixed'}, ${split.phases.length} phases`;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const values = valuesOf(fluid, split);
    const { T, p, z } = split;
    const trips: Record<string, () => PhaseSplit> = {
      PH: () => fluid.isobaric.ph(p, values.h, z),
      PS: () => fluid.isobaric.ps(p, values.s, z),
      TV: () => fluid.isochoric.tv(T, values.v, z),
      UV: () => fluid.isochoric.uv(values.u, values.v, z),
    };
    for (const [flash, go] of Object.entries(trips)) {
      counts[flash] = (counts[flash] ?? 0) + 1;
      const where = `${flash} ${name} at ${T} K, ${p} Pa, ${kind}`;
      try {
        const wrong = difference(fluid, flash, split, values, go());
        if (wrong !== undefined) failed['wrong answer'].push(`${where}: ${wrong}`);
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        failed['no answer'].push(`${where}: ${error.message}`);
      }
    }
  }
  const seconds = (performance.now() - started) / 1000;
  const tally = (entries: Iterable<[string, number]>) => [...entries].map(([what, n]) => `${n} ${what}`).join(', ');
  console.log(
    `round trips, ${models.join(' and ')}, seed ${seed}: ${tally(Object.entries(counts))}; ${tally(kinds)}; ${seconds.toFixed(1)} s`,
  );
  console.log(`${failed['no answer'].length} without an answer, ${failed['wrong answer'].length} wrong answers`);
  for (const [what, lines] of Object.entries(failed))
    for (const line of lines.slice(0, SHOWN)) console.log(`  ${what}: ${line}`);
}

function pureFluids(models: readonly ModelId[]): { name: string; fluid: Fluid; Tc: number; pc: number }[] {
  const fluids = [];
  for (const model of models)
    for (const name of PURE) {
      let fluid: Fluid;
      try {
        fluid = createFluid({ components: { [name]: 1 }, model });
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        continue;
      }
      const { T, p } = criticalPoint(fluid);
      fluids.push({ name: `${name} ${model}`, fluid, Tc: T, pc: p });
    }
  return fluids;
}

/** A quarter each: on the plateau, within 2 % of the critical point, beside the plateau, anywhere. */
function pureTarget(
  { name, fluid, Tc, pc }: { name: string; fluid: Fluid; Tc: number; pc: number },
  random: () => number,
): Target | undefined {
  const { minT, maxT } = fluid.eos.validity;
  const choice = random();
  const boils = Math.max(0.5 * Tc, minT) < 0.999 * Tc;
  if (boils && (choice < 0.25 || (choice >= 0.5 && choice < 0.75))) {
    const T = Math.max(0.5 * Tc, minT) + (0.999 * Tc - Math.max(0.5 * Tc, minT)) * random();
    const sat = bubblePoint(fluid, { T });
    if (choice >= 0.5)
      return {
        name,
        fluid,
        split: splitTP(fluid, T * (1 + (random() < 0.5 ? 1 : -1) * 10 ** (-1 - 5 * random())), sat.p),
      };
    const share = random();
    const [vapour, liquid] = sat.phases;
    return {
      name,
      fluid,
      split: {
        ...sat,
        phases: [
          { ...vapour!, fraction: share },
          { ...liquid!, fraction: 1 - share },
        ],
      },
    };
  }
  const near = (value: number) => value * (1 + 0.04 * (random() - 0.5));
  if (choice < 0.5) return { name, fluid, split: splitTP(fluid, near(Tc), near(pc)) };
  return {
    name,
    fluid,
    split: splitTP(fluid, Math.min(maxT, Math.max(minT, 0.5 * Tc)) * (1 + random()), 1e4 * 7000 ** random()),
  };
}

/** Half at random T and p; half within 1 % of a bubble or dew point or on it, where there is one. */
function mixtureTarget({ name, fluid }: { name: string; fluid: Fluid }, random: () => number): Target | undefined {
  let { T, p } = randomState(fluid, random);
  const factor = 1 + (random() < 0.5 ? 1 : -1) * 10 ** (-2 - 6 * random());
  if (random() < 0.5) {
    try {
      T = fluid.saturation.atPressure(random() < 0.5 ? 'bubble' : 'dew', p, fluid.z).T * factor;
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
    }
  }
  if (!(T > fluid.eos.validity.minT && T < fluid.eos.validity.maxT)) return undefined;
  try {
    return { name, fluid, split: splitTP(fluid, T, p) };
  } catch (error) {
    // Counted by the bench of the TP flash.
    if (!(error instanceof EngineError)) throw error;
    return undefined;
  }
}

function valuesOf(fluid: Fluid, split: PhaseSplit): Values {
  let h = 0;
  let s = 0;
  let v = 0;
  for (const phase of split.phases) {
    const state = fluid.calculator.phaseState('gas', split.T, split.p, phase);
    h += phase.fraction * state.enthalpy;
    s += phase.fraction * state.entropy;
    v += phase.fraction / phase.rho;
  }
  return { h, s, v, u: h - split.p * v };
}

function difference(
  fluid: Fluid,
  flash: string,
  wanted: PhaseSplit,
  values: Values,
  found: PhaseSplit,
): string | undefined {
  if (!(Math.abs(found.T / wanted.T - 1) < TEMPERATURE)) return `${found.T} K`;
  const again = valuesOf(fluid, found);
  const rt = 8.314 * wanted.T;
  const off: Record<string, number> = {
    h: Math.abs(again.h - values.h) / rt,
    s: (Math.abs(again.s - values.s) * wanted.T) / rt,
    v: Math.abs(again.v / values.v - 1),
    u: Math.abs(again.u - values.u) / rt,
  };
  for (const what of { PH: 'h', PS: 's', TV: 'v', UV: 'uv' }[flash]!)
    if (!(off[what]! < 1e-6)) return `${what} off by ${off[what]}`;
  if (fluid.components.length === 1 && wanted.phases.length === 2) {
    if (found.phases.length !== 2) return `${found.phases.length} phase on a plateau`;
    const error = found.phases[0]!.fraction - wanted.phases[0]!.fraction;
    return Math.abs(error) < FRACTION ? undefined : `phase fraction off by ${error}`;
  }
  return fault(fluid.eos, found, fluid.z);
}
