import t from 'tap';
import {
  componentNames,
  editDistance,
  findComponent,
  getComponent,
  searchComponents,
  suggestComponent,
} from '../../../../src/engineering/thermo/components/component-lookup.ts';
import { COMPONENTS } from '../../../../src/engineering/thermo/components/component-table.ts';
import { engineErrorOf } from '../engine-error-of.ts';

t.test('names, aliases, CAS numbers and formulae find the same substance, whatever the case', async (t) => {
  for (const [spelling, name] of [
    ['METHANE', 'methane'],
    ['C1', 'methane'],
    ['74-82-8', 'methane'],
    ['CH4', 'methane'],
    ['n-decane', 'nC10'],
    ['cyclohexane', 'c-hexane'],
    ['propylene', 'propene'],
    ['Carbon Dioxide', 'CO2'],
    ['1,2-DM-cyC5', '1.2-DM-cyC5'],
    ['butane', 'n-butane'],
    [' water ', 'water'],
  ] as const)
    t.equal(findComponent(spelling)?.name, name, spelling);
});

t.test('a formula of several substances names none of them', async (t) => {
  t.equal(findComponent('C4H10'), undefined);
});

t.test('every public name leads to its own component', async (t) => {
  for (const name of componentNames()) t.equal(findComponent(name)?.publicName, name);
  t.equal(new Set(COMPONENTS.map((c) => c.name.toLowerCase())).size, COMPONENTS.length);
});

t.test('an unknown name fails with the nearest name when one is near', async (t) => {
  t.match(engineErrorOf(() => getComponent('metane')).details, { kind: 'unknown-component', suggestion: 'methane' });
  t.equal(suggestComponent('benzen'), 'benzene');
  t.equal(suggestComponent('qqqqqqqqqqqqqqqqqq'), undefined);
  t.same(engineErrorOf(() => getComponent('qqqqqqqqqqqqqqqqqq')).details, {
    kind: 'unknown-component',
    name: 'qqqqqqqqqqqqqqqqqq',
    suggestion: undefined,
  });
});

t.test('search lists containing names in table order and leaves method spellings out', async (t) => {
  t.same(searchComponents(' Butane ').components, ['n-butane', 'i-butane']);
  t.same(searchComponents('no such thing').components, []);
  t.equal(searchComponents('').components.length, componentNames().length);
  t.ok(searchComponents('cyclohexane').byAlias.includes('c-hexane'));
});

t.test('edit distance counts insertions, deletions and substitutions', async (t) => {
  t.equal(editDistance('kitten', 'sitting'), 3);
  t.equal(editDistance('', 'abc'), 3);
  t.equal(editDistance('same', 'same'), 0);
});

t.test('component constants are in SI units and gaps are NaN or undefined', async (t) => {
  const water = getComponent('water');
  t.equal(water.Tc, 647.3);
  t.ok(Math.abs(water.pc - 220.89e5) < 1);
  t.ok(Math.abs(water.molarMass - 0.018015) < 1e-12);
  t.ok(Math.abs(water.cpa.srk!.b - 1.4515e-5) < 1e-18);
  t.ok(Math.abs(water.cpa.srk!.a0 - 0.12277) < 1e-12);
  t.equal(water.association?.scheme, '4C');
  t.ok(Number.isNaN(getComponent('methane').zra));
  t.equal(getComponent('Na+').idealGasCp, undefined);
  t.equal(getComponent('Ca++').charge, 2);
});
