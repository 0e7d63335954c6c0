/**
 * Bubble and dew points of random fluids against a dense scan of TP flashes along the unknown. Every point found must have equal fugacities and
 * one phase on one side, more on the other; every change between one phase and more that the scan meets must be a point found; asked for
 * with a start beside it, each point must come back, and of two of a kind both.
 * `--states N` (fluids, default 200), `--model A,B` (default SRK,PR), `--seed N`. At each fluid two T and two p.
 */
import {
  bubblePoint,
  dewPoint,
  EngineError,
  type Fluid,
  type SaturationPoint,
  type SaturationSpecification,
  saturationPoints,
  splitTP,
} from '../src/engineering/thermo/index.ts';
import { fault } from './check-split.ts';
import { generator, modelsOption, option, randomFluids } from './random-fluids.ts';

const SCAN = 400;
const NARROW = 1e-6;
/** Where the number of phases is counted beside a point, and how near a point must be to a change. */
const BESIDE = 1e-4;
const COLDEST = 150;
const SHOWN = 25;

export async function run(count = option('--states', 200)): Promise<void> {
  const models = modelsOption(['SRK', 'PR']);
  const seed = option('--seed', 20260823);
  const random = generator(seed);
  const fluids = randomFluids(models, Math.ceil(count / models.length), random);
  const failed: Record<string, string[]> = {
    'no answer': [],
    'no saturation point': [],
    missed: [],
    'not given back': [],
  };
  let points = 0;
  let changes = 0;
  let pairs = 0;
  const started = performance.now();
  for (const { name, fluid } of fluids)
    for (let k = 0; k < 4; k++) {
      const at: SaturationSpecification = k < 2 ? { T: 200 + 250 * random() } : { p: 2e5 * 100 ** random() };
      const where = `${name} at ${'T' in at ? `${at.T} K` : `${at.p} Pa`}`;
      let found: SaturationPoint[];
      try {
        found = saturationPoints(fluid, at);
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        failed['no answer']!.push(`${where}: ${error.message}`);
        continue;
      }
      // Colder than any state of the benches, models answer with artefacts.
      if ('p' in at) found = found.filter((point) => point.T > COLDEST);
      points += found.length;
      for (const point of found) {
        const wrong = notSaturated(fluid, at, point);
        if (wrong !== undefined) failed['no saturation point']!.push(`${where}, ${unknown(at, point)}: ${wrong}`);
      }
      for (const change of scan(fluid, at)) {
        changes++;
        if (!found.some((point) => Math.abs(unknown(at, point) / change - 1) < BESIDE))
          failed['missed']!.push(
            `${where}: a phase appears or vanishes at ${change}; found ${found.map((p) => unknown(at, p)).join(', ')}`,
          );
      }
      for (const point of found) {
        const other = found.find((p) => p !== point && p.kind === point.kind && p.twoPhaseSide !== point.twoPhaseSide);
        if (other !== undefined) pairs++;
        const solve = point.kind === 'dew' ? dewPoint : bubblePoint;
        try {
          const again = solve(fluid, at, { start: 0.999 * unknown(at, point) });
          if (!(Math.abs(unknown(at, again) / unknown(at, point) - 1) < 1e-6))
            failed['not given back']!.push(`${where}: ${point.kind} ${unknown(at, again)} for ${unknown(at, point)}`);
          const ordinary = (point.kind === 'bubble') === 'T' in at ? 'below' : 'above';
          if (other !== undefined) {
            const one = solve(fluid, at, { retrograde: point.twoPhaseSide !== ordinary });
            if (one.twoPhaseSide !== point.twoPhaseSide)
              failed['not given back']!.push(`${where}: ${point.kind} of the other side for ${unknown(at, point)}`);
          }
        } catch (error) {
          if (!(error instanceof EngineError)) throw error;
          failed['not given back']!.push(`${where}, ${point.kind} ${unknown(at, point)}: ${error.message}`);
        }
      }
    }
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `saturation points, ${models.join(' and ')}, seed ${seed}: ${fluids.length} fluids at 4 conditions, ${points} points (${pairs} of pairs), ` +
      `${changes} changes in scans of ${SCAN} flashes, ${seconds.toFixed(1)} s`,
  );
  console.log(
    Object.entries(failed)
      .map(([what, lines]) => `${lines.length} ${what}`)
      .join(', '),
  );
  for (const [what, lines] of Object.entries(failed))
    for (const line of lines.slice(0, SHOWN)) console.log(`  ${what}: ${line}`);
}

function unknown(at: SaturationSpecification, point: SaturationPoint): number {
  return 'T' in at ? point.p : point.T;
}

function phasesAt(fluid: Fluid, at: SaturationSpecification, value: number): number {
  try {
    return 'T' in at ? splitTP(fluid, at.T, value).phases.length : splitTP(fluid, value, at.p).phases.length;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return Number.NaN;
  }
}

function notSaturated(fluid: Fluid, at: SaturationSpecification, point: SaturationPoint): string | undefined {
  const trace = 1e-9;
  const wrong = fault(
    fluid.eos,
    // fault() wants amounts above 0, and closes the balance only to the trace.
    {
      ...point,
      phases: point.phases.map((phase) => ({
        ...phase,
        fraction: phase.fraction === 0 ? trace : phase.fraction - trace,
      })),
    },
    mixed(point, trace),
  );
  if (wrong !== undefined) return wrong;
  const value = unknown(at, point);
  const above = phasesAt(fluid, at, value * (1 + BESIDE));
  const below = phasesAt(fluid, at, value * (1 - BESIDE));
  const [inside, outside] = point.twoPhaseSide === 'above' ? [above, below] : [below, above];
  return inside >= 2 && outside === 1 ? undefined : `${inside} phases inside, ${outside} outside, ${point.kind}`;
}

function mixed(point: SaturationPoint, trace: number): Float64Array {
  return point.z.map((_, i) => {
    let total = 0;
    for (const phase of point.phases) total += (phase.fraction === 0 ? trace : phase.fraction - trace) * phase.x[i]!;
    return total;
  });
}

/** Values of the unknown at which the number of phases changes between one and more. */
function scan(fluid: Fluid, at: SaturationSpecification): number[] {
  const [lo, hi] = 'T' in at ? [1e3, 1e8] : [COLDEST, 700];
  const changes: number[] = [];
  let last = { value: lo, split: phasesAt(fluid, at, lo) > 1 };
  for (let k = 1; k <= SCAN; k++) {
    const value = lo * (hi / lo) ** (k / SCAN);
    const phases = phasesAt(fluid, at, value);
    if (Number.isNaN(phases)) continue;
    const here = { value, split: phases > 1 };
    if (here.split !== last.split) changes.push(narrowed(fluid, at, last, here));
    last = here;
  }
  return changes;
}

function narrowed(
  fluid: Fluid,
  at: SaturationSpecification,
  from: { value: number; split: boolean },
  to: { value: number; split: boolean },
): number {
  let a = from.value;
  let b = to.value;
  while (Math.abs(b / a - 1) > NARROW) {
    const middle = Math.sqrt(a * b);
    if (phasesAt(fluid, at, middle) > 1 === from.split) a = middle;
    else b = middle;
  }
  return Math.sqrt(a * b);
}
