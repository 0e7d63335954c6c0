/** Phase equilibria of binary mixtures against published values (published/vle.jsonl). */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { bubblePoint, createFluid, type ModelId, splitTP } from '../../../src/engineering/thermo/index.ts';

interface Case {
  readonly id: string;
  readonly what: string;
  readonly input: {
    readonly components?: readonly string[];
    readonly T_K?: number;
    readonly p_bara?: number;
    readonly x?: readonly number[];
  };
  readonly expect: { readonly value: number; readonly tol: number; readonly tol_cubic?: number };
}

const cases = readFileSync(new URL('published/vle.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

/** SRK without an interaction parameter for CO2 and propane is 10 % low in pressure; PR has one. */
const SRK_LACKS_KIJ = ['vle-042'];
const GERG = new Set(['methane', 'ethane', 'propane', 'n-butane', 'CO2', 'nitrogen']);

function value(model: ModelId, { what, input }: Case): number {
  const [first, second] = input.components as readonly [string, string];
  const [x1, x2] = input.x as readonly [number, number];
  const fluid = createFluid({ components: { [first]: x1, [second]: x2 }, model });
  const point = bubblePoint(fluid, input.T_K !== undefined ? { T: input.T_K } : { p: 1e5 * input.p_bara! });
  if (what === 'bubble pressure') return point.p / 1e5;
  if (what.startsWith('bubble temperature')) return point.T;
  return point.incipient.x[0]!;
}

t.test('GERG-2008 meets bubble points within the tolerance of reference equations', async (t) => {
  const known = cases.filter(({ input }) => input.x !== undefined && input.components!.every((name) => GERG.has(name)));
  t.ok(known.length >= 12, `${known.length} cases`);
  for (const one of known) {
    const found = value('GERG2008', one);
    t.ok(Math.abs(found - one.expect.value) <= one.expect.tol, `${one.id}: ${found} for ${one.expect.value}`);
  }
});

for (const model of ['SRK', 'PR'] as const)
  t.test(`${model} meets bubble points within the tolerance for cubic equations`, async (t) => {
    const known = cases.filter(
      ({ id, expect }) => expect.tol_cubic !== undefined && !(model === 'SRK' && SRK_LACKS_KIJ.includes(id)),
    );
    t.ok(known.length >= 11, `${known.length} cases`);
    for (const one of known) {
      const found = value(model, one);
      t.ok(Math.abs(found - one.expect.value) <= one.expect.tol_cubic!, `${one.id}: ${found} for ${one.expect.value}`);
    }
  });

t.test('tie lines of hydrogen with methane and ethane are met by PR', async (t) => {
  const ties = cases.filter(({ what }) => /^(liquid|vapour) mole fraction of hydrogen$/.test(what));
  t.ok(ties.length >= 7, `${ties.length} cases`);
  for (const { id, what, input, expect } of ties) {
    const [first, second] = input.components as readonly [string, string];
    const fluid = createFluid({ components: { [first]: 0.3, [second]: 0.7 }, model: 'PR' });
    const { phases } = splitTP(fluid, input.T_K!, 1e5 * input.p_bara!);
    t.equal(phases.length, 2, id);
    const x = phases[what.startsWith('vapour') ? 0 : 1]!.x[0]!;
    t.ok(Math.abs(x - expect.value) <= expect.tol, `${id}: ${x} for ${expect.value}`);
  }
});
