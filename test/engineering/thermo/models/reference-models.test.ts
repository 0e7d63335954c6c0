/** The reference models through the interface that flashes and property tables use. */
import t from 'tap';
import { getComponent } from '../../../../src/engineering/thermo/components/component-lookup.ts';
import { TpFlash } from '../../../../src/engineering/thermo/equilibrium/tp-flash.ts';
import type { EquationOfState } from '../../../../src/engineering/thermo/model.ts';
import { aga8Components, createAga8 } from '../../../../src/engineering/thermo/models/aga8/aga8-detail.ts';
import { createGerg2008, gergComponents } from '../../../../src/engineering/thermo/models/gerg2008/gerg2008.ts';
import { createReferenceFluid } from '../../../../src/engineering/thermo/models/helmholtz/helmholtz-model.ts';
import { createIf97 } from '../../../../src/engineering/thermo/models/if97/if97-eos.ts';
import { engineErrorOf } from '../engine-error-of.ts';
import { failures, modelChecks } from '../model-checks.ts';

const lean = ['methane', 'ethane', 'propane', 'CO2', 'nitrogen', 'n-butane'];
const rich = new Float64Array([0.7, 0.1, 0.08, 0.05, 0.02, 0.05]);

t.test('every reference model passes the checks common to all models', async (t) => {
  const cases: readonly [string, EquationOfState, number, number, Float64Array, 'vapour' | 'liquid'][] = [
    ['GERG-2008 gas', createGerg2008(gergComponents(lean)), 300, 4e6, rich, 'vapour'],
    ['GERG-2008 liquid', createGerg2008(gergComponents(lean)), 140, 4e6, rich, 'liquid'],
    ['GERG-2008 dense', createGerg2008(gergComponents(lean)), 320, 40e6, rich, 'liquid'],
    ['AGA8 gas', createAga8(aga8Components(lean)), 300, 6e6, rich, 'vapour'],
    ['AGA8 dense', createAga8(aga8Components(lean)), 320, 40e6, rich, 'vapour'],
    ['propane vapour', createReferenceFluid([getComponent('propane')]), 300, 5e5, new Float64Array([1]), 'vapour'],
    ['water liquid', createReferenceFluid([getComponent('water')]), 400, 5e6, new Float64Array([1]), 'liquid'],
    ['steam', createIf97(), 600, 5e6, new Float64Array([1]), 'vapour'],
    ['water region 1', createIf97(), 350, 5e6, new Float64Array([1]), 'liquid'],
    ['steam region 3', createIf97(), 680, 40e6, new Float64Array([1]), 'liquid'],
  ];
  for (const [name, eos, T, p, x, branch] of cases) t.same(failures(modelChecks(eos, T, p, x, branch)), [], name);
});

t.test(
  'GERG-2008 flashes: the vapour above its dew point stays one phase, a rich gas splits with equal fugacities',
  async (t) => {
    const eos = createGerg2008(gergComponents(['CO2', 'propane']));
    const one = new TpFlash(eos).solve(278.15, 30e5, new Float64Array([0.9, 0.1]));
    t.equal(one.phases.length, 1);
    t.ok(one.phases[0]!.rho < 3000, 'vapour');

    const gas = createGerg2008(gergComponents(lean));
    const two = new TpFlash(gas).solve(240, 3e6, rich);
    t.equal(two.phases.length, 2);
    const f = two.phases.map((phase) => {
      const lnPhi = new Float64Array(gas.n);
      const branch = phase.rho > 8000 ? 'liquid' : 'vapour';
      gas.lnPhi(240, 3e6, phase.x, branch, lnPhi);
      return lnPhi.map((value, i) => value + Math.log(phase.x[i]!));
    });
    for (let i = 0; i < gas.n; i++) t.ok(Math.abs(f[0]![i]! - f[1]![i]!) < 1e-8, `${lean[i]}`);
  },
);

t.test('models of one substance refuse mixtures and strangers', async (t) => {
  const two = [getComponent('water'), getComponent('methane')];
  t.equal(engineErrorOf(() => createIf97(two)).kind, 'invalid-input');
  t.equal(engineErrorOf(() => createReferenceFluid(two)).kind, 'invalid-input');
  t.equal(engineErrorOf(() => createReferenceFluid([getComponent('MEG')])).kind, 'missing-data');
});
