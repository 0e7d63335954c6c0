/**
 * Robustness of the TP flash: random states between 150 and 700 K, 0.1 and 700 bar, of 20 random fluids (random-fluids.ts), SRK and PR.
 * One state in 21 lies within 3 % of the critical point of its fluid. Counts apart: answers that did not come ('not converged'), answers that do not close their balances or meet equal fugacities ('not
 * equal'), and, for one state in 20, answers under whose tangent plane an independent search finds another phase ('not stable').
 * `--states N` (default 100000), `--model A,B`, `--seed N`, `--sample N` (one state in N is tested for stability).
 */
import { criticalPoint, EngineError, type PhaseSplit, splitTP } from '../src/engineering/thermo/index.ts';
import { fault, LOWER_PLANE, lowestPlane } from './check-split.ts';
import { generator, modelsOption, type NamedFluid, option, randomFluids, randomState } from './random-fluids.ts';

const FLUIDS = 20;
/** One state in this many; odd against the number of fluids, so that all have their share. */
const NEAR_CRITICAL = 21;
const SHOWN = 20;

export async function run(states = option('--states', 100_000)): Promise<void> {
  const models = modelsOption(['SRK', 'PR']);
  const seed = option('--seed', 20260823);
  const sample = option('--sample', 20);
  const random = generator(seed);
  const trials = generator(seed + 1);
  const fluids = randomFluids(models, FLUIDS, random);
  const phases: number[] = [];
  const failed: Record<'not converged' | 'not equal' | 'not stable', string[]> = {
    'not converged': [],
    'not equal': [],
    'not stable': [],
  };
  let tested = 0;
  let seconds = 0;
  for (let k = 0; k < states; k++) {
    const { name, fluid } = fluids[k % fluids.length]!;
    const { T, p } =
      k % NEAR_CRITICAL === 7 ? nearCritical(fluids[k % fluids.length]!, random) : randomState(fluid, random);
    const where = `${name} at ${T} K, ${p} Pa`;
    let split: PhaseSplit;
    const started = performance.now();
    try {
      split = splitTP(fluid, T, p);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      failed['not converged'].push(`${where}: ${error.message}`);
      continue;
    }
    seconds += (performance.now() - started) / 1000;
    phases[split.phases.length] = (phases[split.phases.length] ?? 0) + 1;
    const wrong = fault(fluid.eos, split, fluid.z);
    if (wrong !== undefined) failed['not equal'].push(`${where}: ${wrong}`);
    // All near a critical point, and whole rounds of the fluids, so that every fluid has its share.
    if (k % NEAR_CRITICAL !== 7 && Math.floor(k / fluids.length) % sample !== 0) continue;
    tested++;
    const lowest = lowestPlane(fluid.eos, split, fluid.z, trials);
    if (lowest < LOWER_PLANE) failed['not stable'].push(`${where}, ${split.phases.length} phases: plane ${lowest}`);
  }
  console.log(
    `TP flash, ${models.join(' and ')}, seed ${seed}: ${states} random states of ${fluids.length} fluid and model pairs ` +
      `(${phases
        .map((count, k) => `${count} with ${k}`)
        .filter(Boolean)
        .join(', ')} phases) in ${seconds.toFixed(1)} s`,
  );
  console.log(
    `${failed['not converged'].length} not converged, ${failed['not equal'].length} not equal, ` +
      `${failed['not stable'].length} of ${tested} tested not stable`,
  );
  for (const [what, lines] of Object.entries(failed))
    for (const line of lines.slice(0, SHOWN)) console.log(`  ${what}: ${line}`);
}

const criticals = new Map<NamedFluid, { readonly T: number; readonly p: number }>();

function nearCritical(named: NamedFluid, random: () => number): { readonly T: number; readonly p: number } {
  let critical = criticals.get(named);
  if (critical === undefined) {
    try {
      critical = criticalPoint(named.fluid);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      critical = randomState(named.fluid, random);
    }
    criticals.set(named, critical);
  }
  const near = (value: number) => value * (1 + 0.06 * (random() - 0.5));
  return { T: near(critical.T), p: near(critical.p) };
}
