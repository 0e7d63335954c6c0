/** The alpha function of Twu in SRK and PR: vapour pressures, liquid densities, extrapolation and choice. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { getComponent } from '../../../../../src/engineering/thermo/components/component-lookup.ts';
import { bubblePoint, createFluid } from '../../../../../src/engineering/thermo/index.ts';
import { twuAlpha } from '../../../../../src/engineering/thermo/models/cubic/alpha.ts';
import { pengRobinson } from '../../../../../src/engineering/thermo/models/cubic/peng-robinson.ts';
import { srk } from '../../../../../src/engineering/thermo/models/cubic/srk.ts';
import {
  TWU_SUBSTANCES,
  twuCoefficients,
} from '../../../../../src/engineering/thermo/models/cubic/twu-coefficients.ts';
import { engineErrorOf } from '../../engine-error-of.ts';
import { liquidDensityCorrelation, vapourPressureCorrelation } from '../../published-correlations.ts';
import { bubblePressure } from '../../saturation-solver.ts';
import { checkModel } from '../model-properties.ts';

const ONE = Float64Array.of(1);
const POINTS = 9;
const LOWEST = 50;
const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

for (const [label, make, columns] of [
  ['SRK', srk, 'srk'],
  ['PR', pengRobinson, 'pr'],
] as const) {
  t.test(`${label}: vapour pressures of every substance agree with published correlations`, async (t) => {
    const means: number[] = [];
    const densities: number[] = [];
    for (const name of TWU_SUBSTANCES) {
      const component = getComponent(name);
      const eos = make([component], { alpha: 'twu' });
      const pressure = vapourPressureCorrelation(component.cas!)!;
      const low = Math.max(0.5 * component.Tc, pressure.minT);
      const high = Math.min(0.92 * component.Tc, pressure.maxT);
      const errors: number[] = [];
      for (let k = 0; k < POINTS; k++) {
        const T = low + ((high - low) * k) / (POINTS - 1);
        const expected = pressure.at(T);
        if (expected < LOWEST) continue;
        errors.push(Math.abs(bubblePressure(eos, T, ONE, expected).p / expected - 1));
      }
      t.ok(errors.length >= 3 && mean(errors) <= 0.025, `${name}: ${mean(errors)} in the mean of ${errors.length}`);
      t.ok(Math.max(...errors) <= 0.07, `${name}: ${Math.max(...errors)} at most`);
      means.push(mean(errors));
      const density = liquidDensityCorrelation(component.cas!);
      const T = 0.8 * component.Tc;
      if (density === undefined || T < density.minT || T > density.maxT) continue;
      const { rhoLiquid } = bubblePressure(eos, T, ONE, component.pc / 10);
      densities.push(Math.abs(1 / (1 / rhoLiquid - eos.volumeShift(T, ONE)) / density.at(T) - 1));
    }
    t.ok(TWU_SUBSTANCES.length >= 140, `${TWU_SUBSTANCES.length} substances`);
    t.ok(mean(means) < 0.01, `all substances: ${mean(means)}`);
    t.ok(densities.length > 80 && mean(densities) < 0.015, `liquid densities at 0.8 Tc: ${mean(densities)}`);
  });

  t.test(
    `${label}: the alpha functions stay positive, falling and convex far above the critical temperature`,
    async (t) => {
      const at = { value: 0, d1: 0, d2: 0 };
      for (const name of TWU_SUBSTANCES) {
        const { L, M, N } = twuCoefficients(getComponent(name), columns)!;
        const alpha = twuAlpha(L, M, N);
        alpha(1, at);
        t.ok(Math.abs(at.value - 1) < 1e-14, `${name} is 1 at Tc`);
        for (const Tr of [0.3, 0.7, 0.9999, 1.0001, 1.5, 3, 10]) {
          alpha(Tr, at);
          t.ok(at.value > 0 && at.d1 < 0 && at.d2 > 0, `${name} at Tr ${Tr}: ${at.value}, ${at.d1}, ${at.d2}`);
        }
      }
    },
  );

  t.test(`${label}: derivatives and identities hold for random mixtures`, async (t) => {
    checkModel(t, (c) => make(c, { alpha: 'twu' }), ['methane', 'n-heptane', 'CO2', 'water', 'hydrogen']);
  });

  t.test(`${label}: bubble points of binary mixtures are met within the tolerance for cubic equations`, async (t) => {
    interface Case {
      readonly id: string;
      readonly what: string;
      readonly input: {
        readonly components: readonly [string, string];
        readonly T_K?: number;
        readonly x?: [number, number];
      };
      readonly expect: { readonly value: number; readonly tol_cubic?: number };
    }
    const cases = readFileSync(new URL('../../published/vle.jsonl', import.meta.url), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Case)
      // SRK has no interaction parameter for CO2 + propane (vle-042).
      .filter(({ id, expect }) => expect.tol_cubic !== undefined && !(label === 'SRK' && id === 'vle-042'));
    t.ok(cases.length >= 11);
    for (const { id, what, input, expect } of cases) {
      const [first, second] = input.components;
      const [x1, x2] = input.x!;
      const fluid = createFluid({ components: { [first]: x1, [second]: x2 }, model: label, alpha: 'twu' });
      const point = bubblePoint(fluid, { T: input.T_K! });
      const value = what === 'bubble pressure' ? point.p / 1e5 : point.incipient.x[0]!;
      t.ok(Math.abs(value - expect.value) <= expect.tol_cubic!, `${id}: ${value} for ${expect.value}`);
    }
  });
}

t.test('the choice is checked, and what stands in is said', async (t) => {
  const fluid = createFluid({ components: { methane: 0.9, nC24: 0.1 }, model: 'PR', alpha: 'Twu' });
  t.match(fluid.eos.validity.notes.at(-1), /No twu coefficients for nC24/);
  t.equal(fluid.eos.validity.status, 'unvalidated');
  t.equal(createFluid({ components: { methane: 1 }, model: 'SRK', alpha: 'twu' }).eos.validity.status, 'validated');
  t.equal(
    createFluid({ components: { methane: 1 }, model: 'SRK', alpha: 'mathias-copeman' }).eos.validity.status,
    'unvalidated',
  );
  for (const wrong of [
    { model: 'PR', alpha: 'heyen' },
    { model: 'CPA', alpha: 'twu' },
  ] as const)
    t.match(
      engineErrorOf(() => createFluid({ components: { methane: 1 }, ...wrong })),
      {
        kind: 'invalid-input',
        details: { field: 'alpha' },
      },
    );
});
