import t from 'tap';
import {
  bubblePoint,
  createFluid,
  criticalPoint,
  dewPoint,
  flashTP,
  getComponent,
  phaseEnvelope,
  saturationPoints,
} from '../../../../src/engineering/thermo/index.ts';
import { engineErrorOf } from '../engine-error-of.ts';

t.test('nearly pure fluids boil and condense beside the vapour pressure of the main component', async (t) => {
  const pairs = [
    ['n-butane', 'i-butane'],
    ['propane', 'ethane'],
    ['CO2', 'nitrogen'],
    ['propane', 'propene'],
  ] as const;
  for (const model of ['SRK', 'PR'] as const)
    for (const [main, trace] of pairs) {
      const pure = createFluid({ components: { [main]: 1 }, model });
      for (const reduced of [0.75, 0.9, 0.97, 0.995]) {
        const T = reduced * getComponent(main).Tc;
        const limit = bubblePoint(pure, { T }).p;
        let wider = Number.POSITIVE_INFINITY;
        for (const x of [1e-2, 1e-4, 1e-6]) {
          const fluid = createFluid({ components: { [main]: 1 - x, [trace]: x }, model });
          const [bubble, dew] = [bubblePoint(fluid, { T }).p, dewPoint(fluid, { T }).p];
          const where = `${model} ${main} + ${x} ${trace} at ${reduced} Tc`;
          // A trace lighter than the main component raises both pressures, bubble more than dew.
          t.ok(bubble > dew && Math.abs(bubble / limit - 1) < 100 * x + 1e-9, `${where}: ${bubble} ${dew} ${limit}`);
          t.ok(bubble / dew - 1 < wider, `${where}: the band narrows`);
          wider = bubble / dew - 1;
          // A narrower band is lost in rounding.
          if (bubble / dew - 1 > 1e-8)
            t.equal(flashTP(fluid, T, Math.sqrt(bubble * dew)).phases.length, 2, `${where}: two phases between`);
          t.ok(Math.abs(bubblePoint(fluid, { p: bubble }).T / T - 1) < 1e-6, `${where}: and back from the pressure`);
        }
      }
    }
});

t.test('close below the critical temperature of a mixture both points are found', async (t) => {
  const fluids: readonly Record<string, number>[] = [
    { propane: 0.9, ethane: 0.1 },
    { methane: 0.9, nitrogen: 0.1 },
    { CO2: 0.95, methane: 0.03, nitrogen: 0.02 },
    { ethane: 0.4, propane: 0.35, 'n-butane': 0.25 },
    { methane: 0.05, ethane: 0.6, propane: 0.35 },
  ];
  for (const model of ['SRK', 'PR'] as const)
    for (const components of fluids) {
      const fluid = createFluid({ components, model });
      const critical = criticalPoint(fluid);
      for (const share of [0.95, 0.98, 0.99, 0.997]) {
        const T = share * critical.T;
        const [bubble, dew] = [bubblePoint(fluid, { T }).p, dewPoint(fluid, { T }).p];
        const where = `${model} ${JSON.stringify(components)} at ${share} Tc: ${bubble} ${dew}`;
        t.ok(bubble > dew, where);
        t.equal(flashTP(fluid, T, 0.5 * (bubble + dew)).phases.length, 2, `${where}, between`);
        for (const p of [bubble * 1.0005, dew * 0.9995])
          t.equal(flashTP(fluid, T, p).phases.length, 1, `${where}, beside`);
        const all = saturationPoints(fluid, { T });
        t.ok(
          all.some(({ kind, p }) => kind === 'bubble' && Math.abs(p / bubble - 1) < 1e-6),
          `${where}, in the list`,
        );
        t.ok(
          all.some(({ kind, p }) => kind === 'dew' && Math.abs(p / dew - 1) < 1e-6),
          `${where}, in the list`,
        );
      }
    }
});

t.test('the boiling point goes before the cold point at which two liquids part', async (t) => {
  const fluid = createFluid({ components: { CO2: 0.99, nitrogen: 0.01 }, model: 'SRK' });
  const { T, phases } = bubblePoint(fluid, { p: 74.25887515e5 });
  t.ok(Math.abs(T - 302.689) < 0.01 && phases[0]!.rho < phases[1]!.rho, `${T} K`);
});

t.test('above the cricondentherm there is still none', async (t) => {
  const fluid = createFluid({ components: { propane: 0.9, ethane: 0.1 }, model: 'SRK' });
  t.equal(engineErrorOf(() => bubblePoint(fluid, { T: 380 })).kind, 'spec-unreachable');
  t.equal(engineErrorOf(() => dewPoint(fluid, { p: 60e5 })).kind, 'spec-unreachable');
  t.same(saturationPoints(fluid, { T: 380 }), []);
});

t.test('across an azeotrope bubble and dew point are found, meet, and stand on the envelope', async (t) => {
  for (const model of ['SRK', 'PR', 'GERG2008'] as const) {
    let least = Number.POSITIVE_INFINITY;
    for (const x of [0.55, 0.6, 0.65, 0.68, 0.69, 0.7, 0.71, 0.72, 0.75, 0.8]) {
      const fluid = createFluid({ components: { CO2: x, ethane: 1 - x }, model });
      for (const T of [240, 263.15, 280]) {
        const [bubble, dew] = [bubblePoint(fluid, { T }), dewPoint(fluid, { T })];
        const where = `${model} ${x} CO2 at ${T} K: ${bubble.p} ${dew.p}`;
        t.ok(bubble.p >= dew.p && bubble.p < 1.1 * dew.p, where);
        least = Math.min(least, bubble.p / dew.p - 1);
        t.ok(bubble.phases[1]!.rho > 1.2 * bubble.phases[0]!.rho, `${where}: a vapour and a liquid`);
      }
    }
    t.ok(least < 1e-3, `${model}: the curves meet, ${least}`);
  }
  const { criticalPoints, points } = phaseEnvelope(
    createFluid({ components: { CO2: 0.65, ethane: 0.35 }, model: 'SRK' }),
  );
  t.equal(criticalPoints.length, 1, 'an azeotrope is no critical point');
  t.ok(Math.abs(criticalPoints[0]!.T - 291.5) < 0.5);
  const peak = points.findIndex(({ p }) => p === Math.max(...points.map((point) => point.p)));
  t.ok(
    points.slice(0, peak - 2).every(({ kind }) => kind === 'dew'),
    'the curve from low pressure is the dew curve',
  );
});

t.test('an azeotrope that boils at 1 atm by Wong-Sandler, ethanol and water', async (t) => {
  // Gmehling et al., Azeotropic Data: 78.15 C, 0.8943 ethanol.
  for (const x of [0.88, 0.892, 0.8943, 0.9, 0.91]) {
    const fluid = createFluid({ components: { ethanol: x, water: 1 - x }, model: 'PR', mixingRule: 'WS' });
    const { T, incipient } = bubblePoint(fluid, { p: 101325 });
    t.ok(Math.abs(T - 351.3) < 1 && Math.abs(incipient.x[0]! - x) < 0.01, `${x}: ${T} K`);
  }
});
