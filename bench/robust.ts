/**
 * Robustness of the TP flash: random states between 150 and 700 K, 0.1 and 700 bar, of 20 random fluids (natural gas, condensate, oil,
 * CO2-rich, water-wet), each with SRK and PR in turn. Counts what does not converge. The fluids and states are the same in every run.
 * `--states N` sets how many (default 100000, about two minutes).
 */
import { createFluid, EngineError, type Fluid, splitTP } from '../src/engineering/thermo/index.ts';

type Ranges = Readonly<Record<string, readonly [number, number]>>;

const FAMILIES: readonly Ranges[] = [
  {
    methane: [0.7, 0.95],
    ethane: [0.02, 0.12],
    propane: [0.005, 0.06],
    'i-butane': [0, 0.02],
    'n-butane': [0, 0.02],
    'n-pentane': [0, 0.01],
    'n-hexane': [0, 0.01],
    nitrogen: [0, 0.1],
    CO2: [0, 0.1],
    H2S: [0, 0.05],
  },
  {
    methane: [0.55, 0.8],
    ethane: [0.05, 0.12],
    propane: [0.03, 0.08],
    'n-butane': [0.02, 0.05],
    'n-pentane': [0.01, 0.03],
    'n-hexane': [0.01, 0.04],
    'n-heptane': [0.01, 0.05],
    'n-octane': [0.005, 0.04],
    nC10: [0.005, 0.03],
    CO2: [0, 0.05],
  },
  {
    methane: [0.2, 0.5],
    ethane: [0.05, 0.1],
    propane: [0.05, 0.1],
    'n-butane': [0.03, 0.07],
    'n-pentane': [0.03, 0.07],
    'n-heptane': [0.05, 0.15],
    nC10: [0.05, 0.12],
    nC15: [0.03, 0.08],
    nC20: [0.01, 0.06],
    nC24: [0, 0.04],
  },
  {
    CO2: [0.75, 0.98],
    methane: [0, 0.1],
    nitrogen: [0, 0.06],
    hydrogen: [0, 0.05],
    H2S: [0, 0.05],
    ethane: [0, 0.05],
    oxygen: [0, 0.03],
    argon: [0, 0.03],
  },
  {
    methane: [0.4, 0.8],
    ethane: [0.02, 0.1],
    propane: [0.02, 0.08],
    'n-butane': [0.01, 0.05],
    'n-heptane': [0, 0.1],
    CO2: [0, 0.15],
    H2S: [0, 0.1],
    water: [0.01, 0.4],
    MEG: [0, 0.05],
  },
];
const FLUIDS_PER_FAMILY = 4;

export async function run(states = option('--states', 100_000)): Promise<void> {
  const random = generator(20260823);
  const fluids: { readonly name: string; readonly fluid: Fluid }[] = [];
  for (let f = 0; f < FLUIDS_PER_FAMILY * FAMILIES.length; f++) {
    const components: Record<string, number> = {};
    for (const [name, [lo, hi]] of Object.entries(FAMILIES[f % FAMILIES.length]!))
      components[name] = lo + (hi - lo) * random();
    for (const model of ['SRK', 'PR'] as const)
      fluids.push({ name: `fluid ${f + 1} ${model}`, fluid: createFluid({ components, model }) });
  }
  const phases = [0, 0, 0, 0, 0];
  const failures: string[] = [];
  const started = performance.now();
  for (let k = 0; k < states; k++) {
    const { name, fluid } = fluids[k % fluids.length]!;
    const T = 150 + 550 * random();
    const p = 1e4 * 7000 ** random();
    try {
      const split = splitTP(fluid, T, p);
      phases[split.phases.length] = phases[split.phases.length]! + 1;
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      failures.push(`${name} at ${T} K, ${p} Pa: ${error.message}`);
    }
  }
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `TP flash, ${states} random states of ${fluids.length} fluid and model pairs: ${failures.length} not converged ` +
      `(${phases[1]} one phase, ${phases[2]} two, ${phases[3]} three, ${phases[4]} four) in ${seconds.toFixed(1)} s`,
  );
  for (const line of failures.slice(0, 20)) console.log(`  ${line}`);
}

function option(name: string, otherwise: number): number {
  const at = process.argv.indexOf(name);
  return at >= 0 ? Number(process.argv[at + 1]) : otherwise;
}

/** Mulberry32: the same sequence on every machine. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
