import t from 'tap';
import { getComponent } from '../../../../src/engineering/thermo/components/component-lookup.ts';
import { mixingRuleOf } from '../../../../src/engineering/thermo/models/mixing-rule-name.ts';
import { createModel } from '../../../../src/engineering/thermo/models/registry.ts';
import { engineErrorOf } from '../engine-error-of.ts';

t.test('rules are found by name in any spelling and by number', async (t) => {
  const rules = ['CLASSIC', 'CLASSIC_TX_CPA', 'HV'] as const;
  t.equal(mixingRuleOf('CPA', undefined, rules), 'CLASSIC');
  for (const name of ['CLASSIC_TX_CPA', 'classic-tx-cpa', ' Classic_Tx-CPA ', '10'])
    t.equal(mixingRuleOf('CPA', name, rules), 'CLASSIC_TX_CPA');
  t.equal(mixingRuleOf('CPA', '4', rules), 'HV');
});

t.test('a rule that the model does not have is refused with those it has', async (t) => {
  const components = [getComponent('methane'), getComponent('water')];
  for (const [model, rule] of [
    ['PCSAFT', 'HV'],
    ['CPA', 'WS'],
    ['UMRPRU', 'CLASSIC_TX_CPA'],
    ['SRK', 'SOREIDE_WHITSON'],
    ['PR', 'CPA_MIX'],
    ['PR', 'nonsense'],
    ['CPA', '6'],
  ] as const) {
    const error = engineErrorOf(() => createModel(model, components, { mixingRule: rule }));
    t.equal(error.kind, 'invalid-input', `${model} ${rule}`);
    t.match(error.message, /CLASSIC/);
  }
});
