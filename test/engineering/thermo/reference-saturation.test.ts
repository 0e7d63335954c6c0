/** Dew and bubble points, PH, PS and TV flashes against another program's answers (reference/README.md). */
import t from 'tap';
import {
  bubblePoint,
  createFluid,
  dewPoint,
  flashPH,
  flashPS,
  flashTV,
} from '../../../src/engineering/thermo/index.ts';
import { kelvin, molar, pascal, type ReferenceInput, referenceCases } from './reference-cases.ts';

interface Expect {
  readonly temperature_K: number;
  readonly pressure_bara: number;
  readonly incipientPhase?: string;
  readonly incipientComposition?: Readonly<Record<string, number>>;
  readonly phases?: readonly string[];
  readonly gas?: { readonly moleFraction: number };
}

/** The phases listed there have -66.3 J/(mol K) together, not the -45.7 asked for: the other program did not solve it. */
const NOT_SOLVED = ['flash-ps-co2-srk-18'];

const all = referenceCases<ReferenceInput, Expect>('runFlash.jsonl');
const saturation = all.filter(({ input }) => /^(dew|bubble)Point[TP]$/.test(input.flashType ?? ''));
const energy = all.filter(
  ({ id, input }) => ['PH', 'PS', 'TV'].includes(input.flashType ?? '') && !NOT_SOLVED.includes(id),
);
const cubic = ({ input }: { readonly input: ReferenceInput }) => input.model === 'SRK' || input.model === 'PR';

t.test('dew and bubble points agree to 1e-6 in T, p and composition', async (t) => {
  const cases = saturation.filter(cubic);
  t.ok(cases.length >= 24, `${cases.length} cases`);
  for (const { id, input, expect } of cases) {
    const fluid = createFluid(input);
    const solve = input.flashType!.startsWith('bubble') ? bubblePoint : dewPoint;
    const point = solve(
      fluid,
      input.flashType!.endsWith('T') ? { p: pascal(input.pressure) } : { T: kelvin(input.temperature) },
    );
    t.ok(Math.abs(point.T / expect.temperature_K - 1) < 1e-6, `${id}: ${point.T} K for ${expect.temperature_K}`);
    t.ok(
      Math.abs(point.p / (1e5 * expect.pressure_bara) - 1) < 1e-6,
      `${id}: ${point.p} Pa for ${expect.pressure_bara} bar`,
    );
    for (const [name, x] of Object.entries(expect.incipientComposition ?? {})) {
      const i = fluid.components.findIndex((component) => component.name === name);
      t.ok(Math.abs(point.incipient.x[i]! - x) < 1e-6, `${id}: ${name}`);
    }
  }
});

t.test('PH, PS and TV flashes agree in temperature, pressure and phases', async (t) => {
  const cases = energy.filter(cubic);
  t.ok(cases.length >= 18, `${cases.length} cases`);
  for (const { id, input, expect } of cases) {
    const fluid = createFluid(input);
    const M = fluid.calculator.molarMass(fluid.z);
    const state =
      input.flashType === 'PH'
        ? flashPH(fluid, pascal(input.pressure), molar(input.enthalpy, M))
        : input.flashType === 'PS'
          ? flashPS(fluid, pascal(input.pressure), molar(input.entropy, M))
          : flashTV(fluid, kelvin(input.temperature), molar(input.volume, M));
    t.ok(Math.abs(state.T - expect.temperature_K) < 0.1, `${id}: ${state.T} K for ${expect.temperature_K}`);
    t.ok(Math.abs(state.p / (1e5 * expect.pressure_bara) - 1) < 1e-6, `${id}: ${state.p} Pa`);
    t.equal(state.phases.length, expect.phases!.length, `${id}: phases`);
    if (state.phases.length > 1)
      t.ok(Math.abs(state.phases[0]!.fraction - expect.gas!.moleFraction) < 0.006, `${id}: gas fraction`);
  }
});
