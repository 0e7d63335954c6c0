/** Speed of the thermodynamics engine, one thread, after warm-up: median of batches in microseconds a call. */

import { TpFlash } from '../src/engineering/thermo/equilibrium/tp-flash.ts';
import { createFluid, flashTP, splitTP } from '../src/engineering/thermo/index.ts';

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

export async function run(): Promise<void> {
  const fluid = createFluid({ components: NATURAL_GAS, model: 'SRK' });
  const twoPhaseOnly = new TpFlash(fluid.eos, { maxPhases: 2 });
  // Small moves in temperature, so that no temperature cache is hit.
  let k = 0;
  const T = () => 263.15 + (k++ % 64) * 1e-3;
  report('TP flash, 10 components, two phases, SRK, bare', () => twoPhaseOnly.solve(T(), 40e5, fluid.z));
  report('the same with the test for a third phase', () => splitTP(fluid, T(), 40e5));
  report('the same with all thermodynamic properties', () => flashTP(fluid, T(), 40e5));
  report('TP flash, 10 components, one phase (gas)', () => splitTP(fluid, T() + 60, 40e5));
}

function report(label: string, call: () => unknown): void {
  for (let i = 0; i < 20_000; i++) call();
  const batches: number[] = [];
  for (let b = 0; b < 41; b++) {
    const start = process.hrtime.bigint();
    for (let i = 0; i < 500; i++) call();
    batches.push(Number(process.hrtime.bigint() - start) / 500e3);
  }
  batches.sort((a, b) => a - b);
  console.log(`${label}: ${batches[20]!.toFixed(1)} us`);
}
