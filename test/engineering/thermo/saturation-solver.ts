/**
 * Saturation states for the tests of models, solved here on the model's fugacities alone so that a model can be checked without the
 * engine's own saturation algorithms.
 */
import { wilsonLnK } from '../../../src/engineering/thermo/equilibrium/wilson.ts';
import type { EquationOfState } from '../../../src/engineering/thermo/model.ts';

export interface BubblePoint {
  readonly T: number;
  readonly p: number;
  readonly y: Float64Array;
  readonly rhoLiquid: number;
  readonly rhoVapour: number;
}

/** Bubble pressure [Pa] of the liquid x at T: substitution in y with a secant in ln p. */
export function bubblePressure(eos: EquationOfState, T: number, x: Float64Array, guess: number): BubblePoint {
  const { n } = eos;
  const liquid = new Float64Array(n);
  const vapour = new Float64Array(n);
  const y = new Float64Array(n);
  const lnK = new Float64Array(n);
  wilsonLnK(eos.components, T, guess, lnK);
  normalise(x, lnK, y);
  let lnP = Math.log(guess);
  for (let iteration = 0; iteration < 400; iteration++) {
    const p = Math.exp(lnP);
    const rhoLiquid = eos.lnPhi(T, p, x, 'liquid', liquid);
    const rhoVapour = eos.lnPhi(T, p, y, 'vapour', vapour);
    for (let i = 0; i < n; i++) lnK[i] = liquid[i]! - vapour[i]!;
    const before = Float64Array.from(y);
    const sum = normalise(x, lnK, y);
    const moved = Math.max(...y.map((v, i) => Math.abs(v - before[i]!)));
    if (Math.abs(Math.log(sum)) < 1e-11 && moved < 1e-10) return { T, p, y, rhoLiquid, rhoVapour };
    // d ln(sum K x)/d ln p is about Z_vapour - Z_liquid - ... < 0; near -1 for low pressures.
    lnP += Math.max(-0.5, Math.min(0.5, Math.log(sum)));
  }
  throw new Error(`no bubble point of ${eos.id} at ${T} K`);
}

/** Bubble temperature [K] of the liquid x at p, by a secant on the bubble pressure. */
export function bubbleTemperature(eos: EquationOfState, p: number, x: Float64Array, guess: number): BubblePoint {
  let previous = bubblePressure(eos, guess, x, p);
  let T = guess * 1.01;
  for (let iteration = 0; iteration < 50; iteration++) {
    const point = bubblePressure(eos, T, x, p);
    if (Math.abs(Math.log(point.p / p)) < 1e-10) return point;
    const slope = Math.log(point.p / previous.p) / (1 / point.T - 1 / previous.T);
    previous = point;
    T = 1 / (1 / point.T + Math.log(p / point.p) / slope);
  }
  throw new Error(`no bubble temperature of ${eos.id} at ${p} Pa`);
}

/** y = K x normalised; returns the sum before. */
function normalise(x: Float64Array, lnK: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) {
    y[i] = x[i]! * Math.exp(lnK[i]!);
    sum += y[i]!;
  }
  for (let i = 0; i < x.length; i++) y[i] = y[i]! / sum;
  return sum;
}
