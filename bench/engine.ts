/** Speed of the thermodynamics engine, one thread, after warm-up: median of batches in microseconds a call. */

import { TpFlash } from '../src/engineering/thermo/equilibrium/tp-flash.ts';
import {
  bubblePoint,
  createFluid,
  criticalPoints,
  dewPoint,
  flashTP,
  phaseEnvelope,
  splitTP,
} from '../src/engineering/thermo/index.ts';

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

  const wet = flashTP(fluid, 251.83, 20e5);
  const dry = flashTP(fluid, 310, 20e5);
  const v = wet.phases.reduce((sum, phase) => sum + phase.fraction / phase.rho, 0);
  const u = wet.overall.enthalpy - wet.p * v;
  const jitter = () => (k++ % 64) * 1e-3;
  report('PH flash, two phases', () => fluid.isobaric.ph(20e5, wet.overall.enthalpy + jitter(), fluid.z));
  report('PH flash, one phase (gas)', () => fluid.isobaric.ph(20e5, dry.overall.enthalpy + jitter(), fluid.z));
  report('PS flash, two phases', () => fluid.isobaric.ps(20e5, wet.overall.entropy + 1e-4 * jitter(), fluid.z));
  report('TV flash, two phases', () => fluid.isochoric.tv(251.83 + jitter(), v, fluid.z));
  report('UV flash, two phases', () => fluid.isochoric.uv(u + jitter(), v, fluid.z), 100);
  report('dew point at 30 bar', () => dewPoint(fluid, { p: 30e5 + jitter() }));
  report('bubble point at 200 K', () => bubblePoint(fluid, { T: 200 + jitter() }));
  report('phase envelope', () => phaseEnvelope(fluid), 10);
  report('phase envelope without stability tests', () => phaseEnvelope(fluid, { stability: false }), 10);
  report('critical points, direct', () => criticalPoints(fluid), 10);
}

/** `size`: calls in a batch. */
function report(label: string, call: () => unknown, size = 500): void {
  for (let i = 0; i < 40 * size; i++) call();
  const batches: number[] = [];
  for (let b = 0; b < 41; b++) {
    const start = process.hrtime.bigint();
    for (let i = 0; i < size; i++) call();
    batches.push(Number(process.hrtime.bigint() - start) / (1e3 * size));
  }
  batches.sort((a, b) => a - b);
  console.log(`${label}: ${batches[20]!.toFixed(1)} us`);
}
