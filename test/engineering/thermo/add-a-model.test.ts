/** The recipe of docs/engine.md for a new equation of state, done: the marked lines are the ones shown there. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import type { Component } from '../../../src/engineering/thermo/components/component.ts';
import { getComponent } from '../../../src/engineering/thermo/components/component-lookup.ts';
import { R } from '../../../src/engineering/thermo/constants.ts';
import { SaturationSolver } from '../../../src/engineering/thermo/equilibrium/bubble-dew.ts';
import { phaseEnvelope } from '../../../src/engineering/thermo/equilibrium/phase-envelope.ts';
import { TpFlash } from '../../../src/engineering/thermo/equilibrium/tp-flash.ts';
import {
  createResidual,
  type EquationOfState,
  type HelmholtzModel,
  type Validity,
} from '../../../src/engineering/thermo/model.ts';
import { fromHelmholtz } from '../../../src/engineering/thermo/models/helmholtz-adaptor.ts';
import { flashResult } from '../../../src/engineering/thermo/properties/flash-result.ts';
import { PropertyCalculator } from '../../../src/engineering/thermo/properties/phase-state.ts';
import { checkModel, checkOrderAndAbsence } from './models/model-properties.ts';

// model: begin
const VALIDITY: Validity = {
  minT: 60,
  maxT: 1000,
  minP: 1,
  maxP: 1e8,
  status: 'unvalidated',
  notes: ['An example: liquid densities are half of the measured ones.'],
  reference: 'van der Waals, thesis, Leiden (1873)',
};

/** a = -ln(1 - B rho) - rho S2/(R T), with B = sum x b and S = sum x sqrt(a). SI units. */
function vanDerWaals(components: readonly Component[]): EquationOfState {
  const n = components.length;
  const s = Float64Array.from(components, ({ Tc, pc }) => Math.sqrt((27 * (R * Tc) ** 2) / (64 * pc)));
  const b = Float64Array.from(components, ({ Tc, pc }) => (R * Tc) / (8 * pc));
  const mean = (x: Float64Array, of: Float64Array) => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += x[i]! * of[i]!;
    return sum;
  };
  const model: HelmholtzModel = {
    id: 'HELMHOLTZ',
    n,
    components,
    validity: VALIDITY,
    gasConstant: R,
    maxDensity: (_T, x) => 0.999999 / mean(x, b),
    evaluate(T, rho, x, order, out) {
      const B = mean(x, b);
      const A = mean(x, s) / (R * T);
      const free = 1 - B * rho;
      const attraction = mean(x, s) * A;
      out.a = -Math.log(free) - rho * attraction;
      out.a_rho = B / free - attraction;
      out.a_rhorho = (B / free) ** 2;
      if (order === 0) return;
      for (let i = 0; i < n; i++) out.mu[i] = -Math.log(free) + (b[i]! * rho) / free - 2 * rho * A * s[i]!;
      if (order === 1) return;
      out.a_T = (rho * attraction) / T;
      out.a_TT = (-2 * rho * attraction) / (T * T);
      out.a_Trho = attraction / T;
      for (let i = 0; i < n; i++) {
        out.mu_T[i] = (2 * rho * A * s[i]!) / T;
        out.mu_rho[i] = B / free + b[i]! / (free * free) - 2 * A * s[i]!;
        for (let j = 0; j < n; j++)
          out.mu_n[i * n + j] =
            (rho * (b[i]! + b[j]!)) / free + b[i]! * b[j]! * (rho / free) ** 2 - (2 * rho * s[i]! * s[j]!) / (R * T);
      }
    },
  };
  return fromHelmholtz(model);
}
// model: end

const GAS = ['methane', 'ethane', 'n-butane', 'n-heptane'];

t.test('the document shows the lines that are tested here', async (t) => {
  const between = (text: string, begin: string, end: string) =>
    text.slice(text.indexOf(begin) + begin.length).split(end)[0];
  const here = between(readFileSync(new URL(import.meta.url), 'utf8'), '// model: begin\n', '// model: end');
  const shown = between(
    readFileSync(new URL('../../../docs/engine.md', import.meta.url), 'utf8'),
    '<!-- add-a-model: begin -->\n\n```ts\n',
    '```\n\n<!-- add-a-model: end -->',
  );
  t.ok(here!.split('\n').length > 40);
  t.equal(shown, here);
});

t.test('the checks common to all models hold', async (t) => {
  checkModel(t, vanDerWaals, GAS);
  checkOrderAndAbsence(t, vanDerWaals, GAS);
});

t.test('the critical point is where its inventor put it: Tc, pc, Z = 3/8', async (t) => {
  const { Tc, pc } = getComponent('propane');
  const out = createResidual();
  vanDerWaals([getComponent('propane')]).residual(Tc, pc / (0.375 * R * Tc), Float64Array.of(1), out);
  t.ok(Math.abs(out.p / pc - 1) < 1e-12);
  t.ok(Math.abs(out.dpdrho) < 1e-9 * R * Tc);
});

t.test('flash, properties and phase envelope work with it as with every other model', async (t) => {
  const eos = vanDerWaals(GAS.map(getComponent));
  const z = Float64Array.of(0.7, 0.1, 0.1, 0.1);
  const split = new TpFlash(eos).solve(260, 30e5, z);
  t.equal(split.phases.length, 2);
  t.ok(split.convergence.fugacityError < 1e-9);
  const { phases } = flashResult(eos, split, new PropertyCalculator(eos));
  t.same(
    phases.map(({ name }) => name),
    ['gas', 'oil'],
  );
  t.ok(phases.every(({ cp, cv, speedOfSound }) => cp > cv && cv > 0 && speedOfSound > 0));
  const envelope = phaseEnvelope(new SaturationSolver(eos), z);
  t.equal(envelope.criticalPoints.length, 1);
});
