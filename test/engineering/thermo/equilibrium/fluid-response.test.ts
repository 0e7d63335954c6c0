/** Derivatives of the fugacities of a fluid in equilibrium against differences of the flash. */
import t from 'tap';
import { componentFugacities } from '../../../../src/engineering/thermo/equilibrium/component-fugacities.ts';
import { fluidResponse } from '../../../../src/engineering/thermo/equilibrium/fluid-response.ts';
import { createFluid, type Fluid, splitTP, withComposition } from '../../../../src/engineering/thermo/index.ts';

const CASES: readonly (readonly [string, Record<string, number>, number, number, number])[] = [
  ['one phase', { methane: 0.7, ethane: 0.2, propane: 0.1 }, 320, 40e5, 1],
  ['two phases', { methane: 0.7, propane: 0.2, 'n-hexane': 0.1 }, 270, 40e5, 2],
  ['three phases', { methane: 0.5, 'n-hexane': 0.2, MEG: 0.02, water: 0.28 }, 290, 60e5, 3],
];

const fugacities = (fluid: Fluid, n: Float64Array, T: number, p: number) => {
  const f = new Float64Array(n.length);
  componentFugacities(splitTP(withComposition(fluid, n), T, p), f);
  return f;
};

for (const [name, components, T, p, phases] of CASES)
  t.test(`${name}: d ln f/d n`, async (t) => {
    const fluid = createFluid({ components, model: 'CPA' });
    const n = Float64Array.from(fluid.z, (zi) => 3 * zi);
    const split = splitTP(fluid, T, p);
    t.equal(split.phases.length, phases);
    const m = n.length;
    const H = fluidResponse(fluid.eos, split, 3, [...n.keys()]);
    for (let j = 0; j < m; j++) {
      const step = 1e-4 * n[j]!;
      const [up, down] = [1, -1].map((sign) =>
        fugacities(
          fluid,
          Float64Array.from(n, (ni, i) => (i === j ? ni + sign * step : ni)),
          T,
          p,
        ),
      ) as [Float64Array, Float64Array];
      for (let i = 0; i < m; i++) {
        const difference = Math.log(up[i]! / down[i]!) / (2 * step);
        const scale = Math.sqrt(H[i * m + i]! * H[j * m + j]!) + 1e-6;
        t.ok(Math.abs(H[i * m + j]! - difference) < 1e-4 * scale, `${i},${j}: ${H[i * m + j]}, ${difference}`);
        t.ok(Math.abs(H[i * m + j]! - H[j * m + i]!) <= 1e-9 * scale, 'symmetric');
      }
    }
    // Gibbs-Duhem: more of the same changes nothing.
    for (let i = 0; i < m; i++) {
      let sum = 0;
      let size = 0;
      for (let j = 0; j < m; j++) {
        sum += H[i * m + j]! * n[j]!;
        size += Math.abs(H[i * m + j]! * n[j]!);
      }
      t.ok(Math.abs(sum) < 1e-7 * size + 1e-9, `row ${i}: ${sum} of ${size}`);
    }
  });

t.test('two components in two phases take more of either at the same fugacities', async (t) => {
  // Two components in two phases at T, p: no freedom is left, so nothing answers.
  const fluid = createFluid({ components: { methane: 0.5, water: 0.5 }, model: 'CPA' });
  const H = fluidResponse(fluid.eos, splitTP(fluid, 290, 50e5), 1, [0, 1]);
  for (const value of H) t.ok(Math.abs(value) < 1e-8, `${value}`);
});
