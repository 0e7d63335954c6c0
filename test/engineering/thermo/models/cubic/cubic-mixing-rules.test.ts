import t from 'tap';
import { getComponent } from '../../../../../src/engineering/thermo/components/component-lookup.ts';
import { createFluid, flashTP } from '../../../../../src/engineering/thermo/index.ts';
import { cubicWithRule } from '../../../../../src/engineering/thermo/models/cubic/cubic-mixing-rules.ts';
import { PENG_ROBINSON } from '../../../../../src/engineering/thermo/models/cubic/peng-robinson.ts';
import { SRK } from '../../../../../src/engineering/thermo/models/cubic/srk.ts';
import { checkModel, checkOrderAndAbsence } from '../model-properties.ts';

t.test('derivatives and thermodynamic identities hold for random mixtures', async (t) => {
  const names = ['methane', 'n-heptane', 'CO2', 'water', 'methanol'];
  checkModel(t, (c) => cubicWithRule(SRK, 'kijT_srk', c, 'HV'), names);
  checkModel(t, (c) => cubicWithRule(PENG_ROBINSON, 'kijT_pr', c, 'HV'), names, 60);
  checkModel(t, (c) => cubicWithRule(PENG_ROBINSON, 'kijT_pr', c, 'CLASSIC_T'), names, 60);
  checkModel(t, (c) => cubicWithRule(SRK, 'kijT_srk', c, 'CLASSIC_T2'), ['mercury', 'water', 'methanol'], 30);
});

t.test('order and absence of components change nothing', async (t) => {
  checkOrderAndAbsence(t, (c) => cubicWithRule(SRK, 'kijT_srk', c, 'HV'), ['methane', 'CO2', 'water', 'methanol']);
});

t.test('Huron-Vidal without parameters of its own is the classic rule', async (t) => {
  const components = ['methane', 'n-heptane', 'CO2', 'nitrogen'].map(getComponent);
  const x = Float64Array.of(0.4, 0.3, 0.2, 0.1);
  for (const [family, column] of [
    [SRK, 'kijT_srk'],
    [PENG_ROBINSON, 'kijT_pr'],
  ] as const) {
    const [a, b] = (['HV', 'CLASSIC'] as const).map((rule) => cubicWithRule(family, column, components, rule));
    const [la, lb] = [new Float64Array(4), new Float64Array(4)];
    for (const T of [220, 300, 450])
      for (const p of [1e5, 5e6, 4e7]) {
        a!.lnPhi(T, p, x, 'stable', la);
        b!.lnPhi(T, p, x, 'stable', lb);
        for (let i = 0; i < 4; i++) t.ok(Math.abs(la[i]! - lb[i]!) < 1e-10);
      }
  }
});

t.test('Huron-Vidal dissolves as much gas in water as measured', async (t) => {
  // Henry constants at 298.15 K: methane 3.98 GPa, CO2 0.165 GPa (Sander, Atmos. Chem. Phys. 15 (2015) 4399), to 25 %.
  for (const [gas, henry, p] of [
    ['methane', 3.98e9, 1e6],
    ['CO2', 0.165e9, 5e5],
  ] as const) {
    const { phases } = flashTP(
      createFluid({ components: { [gas]: 1, water: 1 }, model: 'SRK', mixingRule: 'HV' }),
      298.15,
      p,
    );
    const x = phases.at(-1)!.x[0]!;
    t.ok(Math.abs((x * henry) / p - 1) < 0.25, `${gas}: ${x}, expected ${p / henry}`);
  }
});
