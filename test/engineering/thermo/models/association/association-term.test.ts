import fc from 'fast-check';
import t from 'tap';
import {
  type AssociationScheme,
  canBond,
  siteTypes,
} from '../../../../../src/engineering/thermo/models/association/association-sites.ts';
import { AssociationTerm } from '../../../../../src/engineering/thermo/models/association/association-term.ts';

/** A term with strength `value` between all sites that can bond. */
function uniform(schemes: readonly (AssociationScheme | undefined)[], value: number): AssociationTerm {
  const term = new AssociationTerm(siteTypes(schemes), 1);
  term.sites.forEach((a, k) => {
    term.sites.forEach((b, l) => {
      term.delta[k * term.size + l] = canBond(a, b) ? value : 0;
    });
  });
  return term;
}

t.test('pure substances have the closed solutions of their schemes', async (t) => {
  fc.assert(
    fc.property(fc.double({ min: -8, max: 9, noNaN: true }), (lg) => {
      const k = 10 ** lg;
      // One partner site per site (2B, dimer) and two (4C): X = (-1 + sqrt(1 + 4 q k))/(2 q k), in the form free of cancellation.
      for (const [scheme, q] of [
        ['2B', 1],
        ['1A-dimer', 1],
        ['4C', 2],
      ] as const) {
        const term = uniform([scheme], k);
        term.evaluate(1, Float64Array.of(1), 0);
        const X = 2 / (1 + Math.sqrt(1 + 4 * q * k));
        for (const value of term.X) t.ok(Math.abs(value / X - 1) < 1e-11, `${scheme} at ${k}: ${value}, ${X}`);
      }
      // 3B: one donor and two acceptors. Balance of bonds: (1 - Xd) = 2 (1 - Xa).
      const term = uniform(['3B'], k);
      term.evaluate(1, Float64Array.of(1), 0);
      const [donor, acceptor] = term.X as unknown as [number, number];
      t.ok(Math.abs(1 - donor - 2 * (1 - acceptor)) < 1e-11);
      t.ok(Math.abs(acceptor * (1 + k * donor) - 1) < 1e-11);
    }),
    { numRuns: 200, seed: 1 },
  );
});

t.test('mixtures of all schemes satisfy the site balance, also with absent and very strong sites', async (t) => {
  const schemes = ['4C', '2B', '3B', '1A', undefined, '2A', '1A-dimer'] as const;
  const term = new AssociationTerm(siteTypes(schemes), 1);
  const strength = fc.double({ min: -6, max: 7, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 7, maxLength: 7 }),
      fc.array(strength, { minLength: 49, maxLength: 49 }),
      (raw, lg) => {
        const total = raw.reduce((a, b) => a + b, 0);
        fc.pre(total > 0.1);
        // Small amounts become exactly zero.
        const x = Float64Array.from(raw, (v) => (v < 0.2 ? 0 : v / total));
        for (let k = 0; k < term.size; k++)
          for (let l = 0; l <= k; l++) {
            const [a, b] = [term.sites[k]!, term.sites[l]!];
            const value = canBond(a, b) ? 10 ** lg[a.component * 7 + b.component]! : 0;
            term.delta[k * term.size + l] = value;
            term.delta[l * term.size + k] = value;
          }
        term.evaluate(1, x, 0);
        for (let k = 0; k < term.size; k++) {
          let sum = 1;
          for (let l = 0; l < term.size; l++) {
            const site = term.sites[l]!;
            sum += x[site.component]! * site.multiplicity * term.delta[k * term.size + l]! * term.X[l]!;
          }
          t.ok(term.X[k]! > 0 && term.X[k]! <= 1);
          t.ok(Math.abs(term.X[k]! * sum - 1) < 1e-9, `balance of site ${k}: ${term.X[k]! * sum}`);
        }
        t.ok(term.value <= 0, 'association lowers the Helmholtz energy');
      },
    ),
    { numRuns: 300, seed: 2 },
  );
});

t.test('solvating components do not bond with themselves', async (t) => {
  const term = uniform(['1A', '2A'], 1e3);
  term.evaluate(1, Float64Array.of(0.5, 0.5), 0);
  t.same([...term.X], [1, 1]);
  t.equal(term.value, 0);
});

t.test('nearly complete bonding is solved to rounding, from cold and from a neighbouring state', async (t) => {
  const V = 2e-5;
  const pure = new AssociationTerm(
    [
      { component: 0, kind: 'donor', multiplicity: 2 },
      { component: 0, kind: 'acceptor', multiplicity: 2 },
    ],
    0,
  );
  for (const cold of [true, false])
    for (let exponent = 0; exponent <= 44; exponent += 2) {
      const D = 1e-6 * Math.exp(exponent);
      pure.delta.set([0, D, D, 0]);
      if (cold) pure.X.fill(0.2);
      pure.evaluate(V, Float64Array.of(1), 0);
      // X + w X^2 = 1 with w = 2 D/V
      const expected = 2 / (1 + Math.sqrt(1 + (8 * D) / V));
      for (const X of pure.X) t.ok(Math.abs(X / expected - 1) < 1e-6, `exp(${exponent}): ${X}, ${expected}`);
    }
});

t.test('with more acceptors than donors the acceptors left over stay free', async (t) => {
  // One donor and three acceptors of two components, the bonds of one thousand times as strong as those of the other.
  const term = new AssociationTerm(
    [
      { component: 0, kind: 'donor', multiplicity: 1 },
      { component: 0, kind: 'acceptor', multiplicity: 1 },
      { component: 1, kind: 'acceptor', multiplicity: 2 },
    ],
    0,
  );
  const V = 2e-5;
  for (const exponent of [10, 20, 30, 40]) {
    const D = 1e-6 * Math.exp(exponent);
    const weak = D / 1000;
    term.delta.set([0, D, weak, D, 0, 0, weak, 0, 0]);
    term.X.fill(0.2);
    term.evaluate(V, Float64Array.of(0.5, 0.5), 0);
    const [donor, own, other] = term.X as unknown as readonly [number, number, number];
    t.ok(Math.abs(0.5 * (1 - donor) - (0.5 * (1 - own) + (1 - other))) < 1e-13, 'as many bonds on both sides');
    t.ok(Math.abs(own * (1 + (D * 0.5 * donor) / V) - 1) < 1e-12, `balance at exp(${exponent})`);
    t.ok(Math.abs(other * (1 + (weak * 0.5 * donor) / V) - 1) < 1e-12);
  }
});
