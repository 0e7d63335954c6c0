import fc from 'fast-check';
import { createFluid, type Fluid, withComposition } from '../../../src/engineering/thermo/index.ts';
import { FLUIDS } from './fluids.ts';

const MODELS = ['SRK', 'PR'] as const;
const fluids = Object.entries(FLUIDS).flatMap(([name, components]) =>
  MODELS.map((model) => ({ label: `${name}, ${model}`, fluid: createFluid({ components, model }) })),
);

export interface RandomFluid {
  readonly label: string;
  readonly fluid: Fluid;
}

/** A shared test fluid with its amounts moved by up to a factor of three either way, SRK or PR; dry ones only when asked. */
export function randomFluid(dry = false): fc.Arbitrary<RandomFluid> {
  const choice = dry ? fluids.filter(({ fluid }) => !fluid.components.some((c) => c.name === 'water')) : fluids;
  return fc
    .tuple(
      fc.constantFrom(...choice),
      fc.array(fc.double({ min: -0.5, max: 0.5, noNaN: true }), { minLength: 12, maxLength: 12 }),
    )
    .map(([{ label, fluid }, spread]) => {
      const moved = withComposition(
        fluid,
        fluid.z.map((z, i) => z * 10 ** spread[i]!),
      );
      // Counterexamples are printed by name and composition, not with the whole model.
      return { label, fluid: moved, [fc.toStringMethod]: () => `${label}, z = [${[...moved.z].join(', ')}]` };
    });
}

export const temperature = (min: number, max: number) => fc.double({ min, max, noNaN: true });
/** Evenly in the logarithm, [Pa]. */
export const pressure = (min: number, max: number) =>
  fc.double({ min: Math.log(min), max: Math.log(max), noNaN: true }).map(Math.exp);
