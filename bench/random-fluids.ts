/**
 * Random fluids and states for the robustness benches: natural gas, condensate, oil, CO2-rich and water-wet mixtures. Everything follows
 * from the seed: the same fluids and states in every run and on every machine.
 */
import { createFluid, EngineError, type Fluid, type ModelId } from '../src/engineering/thermo/index.ts';

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
/** Wet gas with the inhibitors that CPA is for. */
const INHIBITED: readonly Ranges[] = [
  {
    methane: [0.4, 0.8],
    ethane: [0.02, 0.1],
    propane: [0.02, 0.08],
    'n-butane': [0.01, 0.05],
    'n-heptane': [0, 0.1],
    nitrogen: [0, 0.05],
    CO2: [0, 0.15],
    water: [0.02, 0.4],
    MEG: [0, 0.2],
  },
  {
    methane: [0.4, 0.8],
    ethane: [0.02, 0.1],
    propane: [0.02, 0.08],
    'n-pentane': [0.01, 0.05],
    nitrogen: [0, 0.05],
    CO2: [0, 0.1],
    water: [0.02, 0.4],
    methanol: [0, 0.2],
  },
];

export interface NamedFluid {
  readonly name: string;
  readonly fluid: Fluid;
}

/** `count` random fluids a model; components that a model has no parameters for are left out of its mixtures. */
export function randomFluids(models: readonly ModelId[], count: number, random: () => number): NamedFluid[] {
  const fluids: NamedFluid[] = [];
  const known = new Map<string, boolean>();
  for (let f = 0; f < count; f++) {
    const draws = Array.from({ length: 12 }, random);
    for (const model of models) {
      const families = model === 'CPA' ? INHIBITED : FAMILIES;
      const components: Record<string, number> = {};
      for (const [k, [name, [lo, hi]]] of Object.entries(families[f % families.length]!).entries())
        if (describes(model, name)) components[name] = lo + (hi - lo) * draws[k]!;
      const label = `fluid ${f + 1} ${model}`;
      fluids.push({ name: label, fluid: createFluid({ components, model }) });
    }
  }
  return fluids;

  function describes(model: ModelId, name: string): boolean {
    const key = `${model} ${name}`;
    let answer = known.get(key);
    if (answer === undefined) {
      try {
        createFluid({ components: { [name]: 1 }, model });
        answer = true;
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        answer = false;
      }
      known.set(key, answer);
    }
    return answer;
  }
}

/** The equation of water within GERG-2008 describes no liquid below its triple point [K]. */
const GERG_WATER_BEGINS = 273.16;

/** T between 150 and 700 K, p between 0.1 and 700 bar, evenly in T and in ln p, within the range of the model. */
export function randomState(fluid: Fluid, random: () => number): { readonly T: number; readonly p: number } {
  const { validity, id } = fluid.eos;
  const wet = fluid.components.some((component) => component.type === 'water');
  const from = id === 'GERG2008' && wet ? GERG_WATER_BEGINS : Math.max(150, validity.minT);
  const to = Math.min(700, validity.maxT);
  return { T: from + (to - from) * random(), p: 1e4 * 7000 ** random() };
}

/** Mulberry32. */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function option(name: string, otherwise: number): number {
  const at = process.argv.indexOf(name);
  return at >= 0 ? Number(process.argv[at + 1]) : otherwise;
}

/** `--model A,B`; `otherwise` when it is not given. */
export function modelsOption(otherwise: readonly ModelId[]): readonly ModelId[] {
  const at = process.argv.indexOf('--model');
  return at >= 0 ? (process.argv[at + 1]!.split(',') as ModelId[]) : otherwise;
}
