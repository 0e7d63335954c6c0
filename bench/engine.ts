/**
 * Speed of the thermodynamics engine, one thread, after warm-up: median of batches in microseconds a call, beside the target and the
 * time of another program (NeqSim 3.18.0) on the same kind of machine. The CPU time stands beside the time on the clock, since on a machine
 * that is shared the clock measures the others too. `--allocation` adds the bytes that a call leaves on the heap; it needs
 * node's --expose-gc to be exact.
 */
import { loadavg } from 'node:os';
import { TpFlash } from '../src/engineering/thermo/equilibrium/tp-flash.ts';
import { createFluid, flashPH, flashTP, phaseEnvelope, splitTP } from '../src/engineering/thermo/index.ts';
import { flashAnswer } from '../src/servers/neqsim/flash/answer.ts';

const NATURAL_GAS = {
  nitrogen: 0.012,
  CO2: 0.018,
  methane: 0.8,
  ethane: 0.08,
  propane: 0.04,
  'i-butane': 0.01,
  'n-butane': 0.015,
  'i-pentane': 0.008,
  'n-pentane': 0.007,
  'n-hexane': 0.01,
};
/** A gas condensate of 40 components, in equal parts but for methane. */
const RICH = Object.fromEntries(
  (
    'methane ethane propane i-butane n-butane i-pentane n-pentane n-hexane nitrogen CO2 H2S benzene toluene c-hexane M-cy-C6 n-heptane ' +
    'n-octane n-nonane nC10 nC11 nC12 nC13 nC14 nC15 nC16 nC17 nC18 nC19 nC20 nC21 nC22 nC23 nC24 22-dim-C3 m-Xylene c-C5 M-cy-C5 ' +
    'nC25 nC26 nC27'
  )
    .split(' ')
    .map((name) => [name, name === 'methane' ? 0.8 : 0.2 / 39]),
);
const P = 40e5;

interface Measured {
  readonly label: string;
  readonly call: () => unknown;
  /** [us] */
  readonly target?: number;
  readonly peer?: string;
  /** Calls of one batch. */
  readonly batch: number;
}

export async function run(): Promise<void> {
  const fluid = createFluid({ components: NATURAL_GAS, model: 'SRK' });
  const bare = new TpFlash(fluid.eos, { maxPhases: 2 });
  // Small moves in temperature, so that no temperature cache is hit.
  let k = 0;
  const T = () => 263.15 + (k++ % 64) * 1e-3;
  const anew = (components: Readonly<Record<string, number>>) => ({
    ...components,
    ethane: components['ethane']! * (1 + 1e-9 * k++),
  });
  const h = flashTP(fluid, T(), P).overall.enthalpy;
  const points = phaseEnvelope(fluid).points.length;
  const measured: readonly Measured[] = [
    { label: 'TP flash, bare', call: () => bare.solve(T(), P, fluid.z), target: 25, peer: '95 to 135', batch: 500 },
    { label: 'TP flash with the test for a third phase', call: () => splitTP(fluid, T(), P), batch: 500 },
    {
      label: 'TP flash with all properties',
      call: () => flashTP(fluid, T(), P),
      target: 60,
      peer: '160 to 280',
      batch: 500,
    },
    { label: 'TP flash, one phase', call: () => splitTP(fluid, T() + 60, P), batch: 500 },
    {
      label: 'PH flash',
      call: () => flashPH(fluid, P, h + (k++ % 64)),
      target: 200,
      peer: '1250 to 2400',
      batch: 100,
    },
    {
      label: `phase envelope, ${points} points, stability not tested`,
      call: () => phaseEnvelope(fluid, { stability: false }),
      batch: 10,
    },
    {
      label: `phase envelope, ${points} points`,
      call: () => phaseEnvelope(fluid),
      target: 2000,
      peer: '9400',
      batch: 10,
    },
    {
      label: 'runFlash without thread, far from critical',
      call: () => flashAnswer({ components: NATURAL_GAS, eos: 'SRK', temperature: T() - 10, pressure: 5 }),
      target: 300,
      peer: '19000 to 32000',
      batch: 100,
    },
    {
      label: 'runFlash without thread, critical point known',
      call: () => flashAnswer({ components: NATURAL_GAS, eos: 'SRK', temperature: T(), pressure: 40 }),
      target: 300,
      peer: '19000 to 32000',
      batch: 10,
    },
    {
      label: 'the same, a new mixture: critical point traced',
      call: () => flashAnswer({ components: anew(NATURAL_GAS), eos: 'SRK', temperature: T(), pressure: 40 }),
      batch: 10,
    },
    {
      label: 'the same with 40 components',
      call: () => flashAnswer({ components: anew(RICH), eos: 'SRK', temperature: 560, pressure: 300 }),
      batch: 2,
    },
  ];
  console.log(`10-component natural gas, two phases, SRK; load average ${loadavg()[0]!.toFixed(1)}; us a call`);
  console.log(`${'what'.padEnd(54)}${'median'.padStart(9)}${'CPU'.padStart(9)}${'target'.padStart(9)}   peer`);
  for (const one of measured) report(one);
  if (process.argv.includes('--allocation')) for (const one of measured) allocation(one);
}

const BATCHES = 21;

function report({ label, call, target, peer, batch }: Measured): void {
  for (let i = 0; i < 20 * batch; i++) call();
  const times: number[] = [];
  const busy: number[] = [];
  for (let b = 0; b < BATCHES; b++) {
    const used = process.cpuUsage();
    const start = process.hrtime.bigint();
    for (let i = 0; i < batch; i++) call();
    times.push(Number(process.hrtime.bigint() - start) / (1e3 * batch));
    const { user, system } = process.cpuUsage(used);
    busy.push((user + system) / batch);
  }
  const cell = (value: string) => value.padStart(9);
  console.log(
    `${label.padEnd(54)}${cell(median(times).toFixed(1))}${cell(median(busy).toFixed(1))}${cell(target === undefined ? '' : `${target}`)}   ${peer === undefined ? '' : `[${peer}]`}`,
  );
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[(BATCHES - 1) / 2]!;

/** Bytes that the heap grows by in a call: what the answer is made of, and what the loops leave behind. */
function allocation({ label, call, batch }: Measured): void {
  const grown: number[] = [];
  for (let b = 0; b < BATCHES; b++) {
    globalThis.gc?.();
    const before = process.memoryUsage();
    for (let i = 0; i < Math.min(batch, 50); i++) call();
    const after = process.memoryUsage();
    grown.push((after.heapUsed + after.external - before.heapUsed - before.external) / Math.min(batch, 50));
  }
  console.log(`${label.padEnd(54)}${median(grown).toFixed(0).padStart(9)} bytes a call`);
}
