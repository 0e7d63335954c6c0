/** Properties that the tests of association and excess-Gibbs models share: the model checks, permutation and absent components. */
import fc from 'fast-check';
import type { Test } from 'tap';
import type { Component } from '../../../../src/engineering/thermo/components/component.ts';
import { getComponent } from '../../../../src/engineering/thermo/components/component-lookup.ts';
import type { EquationOfState } from '../../../../src/engineering/thermo/model.ts';
import { failures, modelChecks } from '../model-checks.ts';

export type Build = (components: readonly Component[]) => EquationOfState;

const branch = fc.constantFrom('vapour' as const, 'liquid' as const);
const temperature = fc.double({ min: 230, max: 600, noNaN: true });
const logPressure = fc.double({ min: 4, max: 7.7, noNaN: true });

function composition(n: number) {
  return fc.array(fc.double({ min: 1e-3, max: 1, noNaN: true }), { minLength: n, maxLength: n }).map((raw) => {
    const total = raw.reduce((a, b) => a + b, 0);
    return Float64Array.from(raw, (v) => v / total);
  });
}

export function checkModel(t: Test, build: Build, names: readonly string[], numRuns = 120): void {
  const eos = build(names.map(getComponent));
  fc.assert(
    fc.property(composition(names.length), temperature, logPressure, branch, (x, T, lgp, side) => {
      const p = 10 ** lgp;
      // A spinodal next to the state makes central differences meaningless.
      const densities = [-1, 0, 1].map((k) => eos.density(T * (1 + 3e-4 * k), p, x, side));
      fc.pre(Math.abs(densities[0]! / densities[2]! - 1) < 2e-3);
      t.same(failures(modelChecks(eos, T, p, x, side)), []);
    }),
    { numRuns, seed: 23 },
  );
}

/** The order of the components changes nothing, and a component that is not there changes nothing. */
export function checkOrderAndAbsence(t: Test, build: Build, names: readonly string[]): void {
  const n = names.length;
  const eos = build(names.map(getComponent));
  const reversed = build([...names].reverse().map(getComponent));
  const shorter = build(names.slice(0, -1).map(getComponent));
  const a = new Float64Array(n);
  const b = new Float64Array(n);
  const c = new Float64Array(n - 1);
  fc.assert(
    fc.property(composition(n), temperature, logPressure, branch, (x, T, lgp, side) => {
      const p = 10 ** lgp;
      const rho = eos.lnPhi(T, p, x, side, a);
      const other = reversed.lnPhi(T, p, Float64Array.from(x).reverse(), side, b);
      t.ok(Math.abs(rho / other - 1) < 1e-10, `density ${rho} and ${other}`);
      for (let i = 0; i < n; i++) t.ok(Math.abs(a[i]! - b[n - 1 - i]!) < 1e-9);
      const rest = 1 - x[n - 1]!;
      const without = Float64Array.from(x, (v, i) => (i === n - 1 ? 0 : v / rest));
      const withZero = eos.lnPhi(T, p, without, side, a);
      const absent = shorter.lnPhi(T, p, without.slice(0, -1), side, c);
      t.ok(Math.abs(withZero / absent - 1) < 1e-10);
      for (let i = 0; i < n - 1; i++) t.ok(Math.abs(a[i]! - c[i]!) < 1e-9);
      t.ok(Number.isFinite(a[n - 1]!), 'an absent component has a fugacity coefficient');
    }),
    { numRuns: 60, seed: 29 },
  );
}
