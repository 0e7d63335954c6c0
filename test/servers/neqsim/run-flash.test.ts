import t from 'tap';
import { runFlash } from '../../../src/servers/neqsim/tools/run-flash.ts';
import { ask, codes } from '../../support/neqsim.ts';

const GAS = { methane: 0.8, ethane: 0.1, propane: 0.07, 'n-butane': 0.03 };
const flash = (args: Record<string, unknown>) => ask(runFlash, { components: GAS, ...args } as never);

t.test('defaults: SRK, TP, 288.15 K, 1.01325 bara', async (t) => {
  const answer = await flash({});
  t.match(answer, {
    apiVersion: '1.0',
    status: 'success',
    tool: 'runFlash',
    flash: { model: 'SRK', flashType: 'TP', numberOfPhases: 1, phases: ['gas'], phaseFractions: { gas: 1 } },
    fluid: { name: 'fluid', conditions: { temperature_K: 288.15, overall: { pressure: { unit: 'bara' } } } },
    validation: { valid: true, phase: 'input_and_flash' },
    qualityGate: { verdict: 'passed', engineeringReviewRequired: true },
    provenance: { thermodynamicModel: 'SRK', mixingRule: 'classic', flashType: 'TP', calculationType: 'TP flash' },
  });
  t.same(answer['data'].flash, answer['flash'], 'data and top level agree');
  t.ok(Math.abs(answer['fluid'].conditions.overall.pressure.value - 1.01325) < 1e-12);
  t.equal(answer['fluid'].conditions.overall['molar flow'].value, 3600);
  t.ok(answer['provenance'].convergence.converged);
  t.same(answer['provenance'].validationsPassed, ['component_names_verified', 'flash_converged']);
});

t.test('every leaf has the unit of the sheet', async (t) => {
  const { fluid } = await flash({ temperature: 230, pressure: 30 });
  const units = (leaves: Record<string, { unit: string }>) =>
    Object.fromEntries(Object.entries(leaves).map(([name, { unit }]) => [name, unit]));
  t.same(units(fluid.conditions.gas), {
    temperature: 'C',
    pressure: 'bara',
    'molar flow': 'mole/hr',
    'mass flow': 'kg/hr',
    'fluid model': '',
    enthalpy: 'J/kg',
  });
  t.same(units(fluid.properties.oil), {
    density: 'kg/m3',
    'molar mass': 'kg/mol',
    'flow rate': 'm3/hr',
    viscosity: 'kg/msec',
    thermalConductivity: 'W/mK',
    Cp: 'J/kgK',
    Cv: 'J/kgK',
    compressibilityFactor: '-',
    speedOfSound: 'm/s',
    entropy: 'J/molK',
  });
  t.same(Object.keys(units(fluid.properties.overall)), ['density', 'molar mass', 'flow rate']);
  t.equal(fluid.composition.gas.methane.unit, 'mole fraction');
  t.equal(fluid.composition.gas_wt.methane.unit, 'weight fraction');
  const sum = Object.values(fluid.composition.oil_wt as Record<string, { value: number }>).reduce(
    (s, x) => s + x.value,
    0,
  );
  t.ok(Math.abs(sum - 1) < 1e-12);
  const { gas, oil, overall } = fluid.conditions;
  t.ok(
    Math.abs(gas['mass flow'].value + oil['mass flow'].value - overall['mass flow'].value) <
      1e-9 * overall['mass flow'].value,
    'phases add up',
  );
});

t.test('six models, each with its name, its rule and an own answer', async (t) => {
  const densities = new Set<number>();
  for (const [eos, text, rule] of [
    ['SRK', 'SRK-EOS', 'classic'],
    ['PR', 'PR-EOS', 'classic'],
    ['CPA', 'CPAs-SRK-EOS-statoil', 'CLASSIC_TX_CPA'],
    ['GERG2008', 'GERG2008-EOS', undefined],
    ['PCSAFT', 'PCSAFT-EOS', 'classic'],
    ['UMRPRU', 'UMR-PRU-MC-EoS', 'HV'],
  ] as const) {
    const answer = await flash({ eos, temperature: 300, pressure: 50 });
    t.equal(answer['status'], 'success', eos);
    t.equal(answer['flash'].model, eos);
    t.equal(answer['fluid'].conditions.overall['fluid model'].value, text);
    t.equal(answer['provenance'].mixingRule, rule);
    const density = answer['fluid'].properties.density_kgm3;
    t.ok(density > 42 && density < 52, `${eos} ${density}`);
    densities.add(density);
  }
  t.equal(densities.size, 6);
  t.equal((await flash({ eos: 'gerg-2008' })).flash.model, 'GERG2008', 'spelt as in papers');
});

t.test('the rule that was chosen for the caller is said', async (t) => {
  const cpa = await flash({ eos: 'CPA' });
  t.ok(cpa['provenance'].assumptions.some((text: string) => text.includes('CLASSIC_TX_CPA')));
  const given = await flash({ eos: 'CPA', mixingRule: 'CLASSIC_TX_CPA' });
  t.notOk(given['provenance'].assumptions.some((text: string) => text.startsWith('No mixing rule')));
  const gerg = await flash({ eos: 'GERG2008', mixingRule: 'classic' });
  t.ok(gerg['provenance'].assumptions.some((text: string) => text.includes('mixing rules of its own')));
});

t.test('mixing rules by name in any case, with dashes, by number and as text of a number', async (t) => {
  const wet = { methane: 0.6, water: 0.4 };
  const at = async (mixingRule: unknown) => {
    const answer = await ask(runFlash, {
      components: wet,
      eos: 'CPA',
      temperature: 300,
      pressure: 50,
      mixingRule,
    } as never);
    t.equal(answer['provenance'].mixingRule, mixingRule === 'classic' ? 'classic' : 'CLASSIC_TX_CPA');
    return answer['fluid'].composition.aqueous.methane.value;
  };
  const wanted = await at('CLASSIC_TX_CPA');
  for (const same of ['classic_tx_cpa', 'Classic-Tx-CPA', 10, '10']) t.equal(await at(same), wanted, String(same));
  t.ok((await at('classic')) > 5 * wanted, 'and another rule is another answer');
});

t.test('PH and PS lead back to the temperature of TP, across the phase boundary and in every unit', async (t) => {
  for (const [temperature, pressure] of [
    [300, 40],
    [220, 40],
    [180, 40],
  ]) {
    const tp = await flash({ temperature, pressure });
    const { overall } = tp['fluid'].conditions;
    const M = tp['fluid'].properties.overall['molar mass'].value;
    const h = overall.enthalpy.value;
    for (const [value, unit] of [
      [h * M, 'J/mol'],
      [(h * M) / 1e3, 'kJ/mol'],
      [h, 'J/kg'],
      [h / 1e3, 'kJ/kg'],
      [h * M, 'J'],
      [(h * M) / 1e3, 'kJ'],
    ] as const) {
      const ph = await flash({ pressure, flashType: 'PH', enthalpy: { value, unit } });
      t.ok(Math.abs(ph['fluid'].conditions.temperature_K - temperature!) < 1e-3, `PH ${temperature} K ${unit}`);
    }
    const s = Object.entries(tp['flash'].phaseFractions as Record<string, number>).reduce(
      (sum, [phase, fraction]) => sum + fraction * tp['fluid'].properties[phase].entropy.value,
      0,
    );
    for (const [value, unit] of [
      [s, 'J/molK'],
      [s / 1e3, 'kJ/molK'],
      [s / M, 'J/kgK'],
      [s / M / 1e3, 'kJ/kgK'],
      [s, 'J/K'],
      [s / 1e3, 'kJ/K'],
    ] as const) {
      const ps = await flash({ pressure, flashType: 'PS', entropy: { value, unit } });
      t.ok(Math.abs(ps['fluid'].conditions.temperature_K - temperature!) < 1e-3, `PS ${temperature} K ${unit}`);
    }
    const v = Object.entries(tp['flash'].phaseFractions as Record<string, number>).reduce(
      (sum, [phase, x]) =>
        sum +
        (x * tp['fluid'].properties[phase].compressibilityFactor.value * 8.3144621 * temperature!) / (pressure! * 1e5),
      0,
    );
    for (const [value, unit] of [
      [v, 'm3/mol'],
      [v * 1e3, 'L/mol'],
      [v, 'm3'],
      [v * 1e3, 'L'],
    ] as const) {
      const tv = await flash({ temperature, flashType: 'TV', volume: { value, unit } });
      t.ok(
        Math.abs(tv['fluid'].conditions.overall.pressure.value / pressure! - 1) < 1e-4,
        `TV ${temperature} K ${unit}`,
      );
    }
  }
});

t.test('totals count the amounts given, molar figures do not', async (t) => {
  const many = Object.fromEntries(Object.entries(GAS).map(([name, x]) => [name, 250 * x]));
  const tp = await flash({ temperature: 300, pressure: 40 });
  const h = tp['fluid'].conditions.overall.enthalpy.value * tp['fluid'].properties.overall['molar mass'].value;
  const total = await ask(runFlash, {
    components: many,
    pressure: 40,
    flashType: 'PH',
    enthalpy: { value: 250 * h, unit: 'J' },
  });
  t.ok(Math.abs(total['fluid'].conditions.temperature_K - 300) < 1e-3);
  t.ok(Math.abs(total['fluid'].conditions.overall['molar flow'].value - 900_000) < 1e-6);
  t.ok(codes(total).includes('COMPOSITION_NORMALIZED'));
});

t.test('saturation points: both phases, the incipient one without amount, and TP agrees', async (t) => {
  for (const [flashType, given] of [
    ['dewPointT', { pressure: 30 }],
    ['bubblePointT', { pressure: 30 }],
    ['dewPointP', { temperature: 230 }],
    ['bubblePointP', { temperature: 180 }],
  ] as const) {
    const answer = await flash({ flashType, ...given });
    const { phaseFractions } = answer['flash'];
    t.same(Object.values(phaseFractions).sort(), [0, 1], flashType);
    t.equal(phaseFractions.gas, flashType.startsWith('dew') ? 1 : 0);
    t.equal(answer['fluid'].conditions[flashType.startsWith('dew') ? 'oil' : 'gas']['molar flow'].value, 0);
    const T = answer['fluid'].conditions.temperature_K;
    const p = answer['fluid'].conditions.overall.pressure.value;
    const inside = await flash({ temperature: flashType.startsWith('dew') ? T - 0.5 : T + 0.5, pressure: p });
    const outside = await flash({ temperature: flashType.startsWith('dew') ? T + 0.5 : T - 0.5, pressure: p });
    t.same([inside['flash'].numberOfPhases, outside['flash'].numberOfPhases], [2, 1], `${flashType} ${T} K ${p} bara`);
  }
});

t.test('the long names are aliases and the answer has the canonical one', async (t) => {
  for (const [long, short] of [
    ['dewPointTemperature', 'dewPointT'],
    ['dewPointPressure', 'dewPointP'],
    ['bubblePointTemperature', 'bubblePointT'],
    ['bubblePointPressure', 'bubblePointP'],
  ]) {
    t.equal((await flash({ flashType: long, temperature: 200, pressure: 20 })).flash?.flashType, short);
  }
});

t.test('of two dew points the start value takes one, and both are named whether it was given or not', async (t) => {
  const lean = { methane: 0.93, ethane: 0.04, propane: 0.01, nitrogen: 0.01, CO2: 0.01 };
  const dew = (pressure?: number) =>
    ask(runFlash, { components: lean, flashType: 'dewPointP', temperature: 207, ...(pressure ? { pressure } : {}) });
  const [low, high] = [await dew(5), await dew(70)];
  const pressureOf = (answer: Awaited<ReturnType<typeof dew>>) => answer['fluid'].conditions.overall.pressure.value;
  t.ok(pressureOf(low) < 45 && pressureOf(high) > 50, `${pressureOf(low)} ${pressureOf(high)}`);
  t.ok(Math.abs(pressureOf(await dew()) - pressureOf(low)) < 1e-6, 'without a start value the ordinary one');
  for (const answer of [low, high, await dew()]) {
    const said = answer['warningDetails'].find(({ code }: { code: string }) => code === 'MULTIPLE_SOLUTIONS');
    for (const one of [low, high]) t.match(said?.message, pressureOf(one).toPrecision(5), 'each names both');
  }
  t.equal(high['qualityGate'].verdict, 'warning');
});

t.test('a pure fluid: its vapour pressure, and an error at and above the critical point', async (t) => {
  const propane = (args: Record<string, unknown>) => ask(runFlash, { components: { propane: 1 }, ...args } as never);
  const answer = await propane({ flashType: 'bubblePointP', temperature: 25, temperatureUnit: 'C' });
  t.ok(Math.abs(answer['fluid'].conditions.overall.pressure.value - 9.5) < 0.15);
  const above = await propane({ flashType: 'dewPointT', pressure: 43 });
  t.match(above, { status: 'error', code: 'FLASH_ERROR', errors: [{ code: 'FLASH_ERROR' }] });
  const boiling = await propane({ flashType: 'PH', pressure: 10, enthalpy: -8000 });
  t.equal(boiling['flash'].numberOfPhases, 2, 'PH on the boiling line');
});

t.test('hydrate: phase, temperature and structure; none without water or a former', async (t) => {
  const wet = { methane: 0.8, ethane: 0.06, propane: 0.04, water: 0.1 };
  const at = (temperature: number, components: Record<string, number> = wet) =>
    ask(runFlash, { components, eos: 'CPA', flashType: 'hydrateTP', temperature, temperatureUnit: 'C', pressure: 70 });
  const cold = await at(5);
  t.ok(cold['flash'].phases.includes('gas hydrate'));
  t.equal(cold['flash'].phases.at(-1), 'gas hydrate', 'solids come last');
  t.equal(cold['flash'].numberOfPhases, cold['flash'].phases.length);
  const { formed, equilibriumTemperature_C, structure, subcooling_C } = cold['data'].hydrate;
  t.same([formed, structure], [true, 'sII']);
  t.ok(Math.abs(subcooling_C - (equilibriumTemperature_C - 5)) < 1e-9);
  t.notOk(codes(cold).includes('HYDRATE_APPROXIMATE'), 'CPA is the model for it');

  const justBelow = await at(equilibriumTemperature_C - 0.1);
  const justAbove = await at(equilibriumTemperature_C + 0.1);
  t.same([justBelow['data'].hydrate.formed, justAbove['data'].hydrate.formed], [true, false]);
  t.notOk(justAbove['flash'].phases.includes('gas hydrate'));

  for (const components of [{ methane: 1 }, { nC10: 0.5, water: 0.5 }] as Record<string, number>[]) {
    const none = await at(5, components);
    t.equal(none['status'], 'success');
    t.match(none['data'].hydrate, { formed: false, equilibriumTemperature_C: null, reason: String });
  }
});

t.test('hydrateTP: phases in equilibrium with the hydrate, closed balances, the hydrate as a phase', async (t) => {
  interface Leaf {
    readonly value: number;
    readonly unit: string;
  }
  const gas = { methane: 0.8, ethane: 0.06, propane: 0.04, CO2: 0.02 };
  const cases: [string, Record<string, number>, number, string[]][] = [
    ['wet gas', { ...gas, water: 0.08 }, 278.15, ['gas', 'gas hydrate']],
    ['water in excess', { ...gas, water: 9 }, 278.15, ['aqueous', 'gas hydrate', 'gas hydrate_2']],
    ['inhibited', { ...gas, water: 0.3, MEG: 0.05 }, 278.15, ['gas', 'aqueous', 'gas hydrate']],
    ['nearly dry gas', { methane: 0.99996, water: 4e-5 }, 258.15, ['gas', 'gas hydrate']],
    ['frozen', { methane: 0.1, water: 0.9 }, 263.15, ['gas hydrate', 'solid']],
  ];
  for (const [name, components, temperature, phases] of cases) {
    const ask70 = (flashType: string) =>
      ask(runFlash, { components, eos: 'CPA', flashType, temperature, pressure: 70 });
    const answer = await ask70('hydrateTP');
    const { flash: found, fluid, data } = answer;
    t.same(found.phases, phases, name);
    t.equal(found.numberOfPhases, phases.length);
    t.same(Object.keys(found.phaseFractions), phases);
    const fractions = Object.values(found.phaseFractions as Record<string, number>);
    t.ok(Math.abs(fractions.reduce((sum, f) => sum + f, 0) - 1) < 1e-9, 'fractions add up to 1');
    const { conditions, composition, properties } = fluid;
    for (const component of Object.keys(components)) {
      const total = phases.reduce(
        (sum, phase) => sum + found.phaseFractions[phase] * composition[phase][component].value,
        0,
      );
      t.ok(Math.abs(total - composition.overall[component].value) < 1e-9, `${name}: ${component}`);
    }
    const add = (leaf: (phase: string) => number) => phases.reduce((sum, phase) => sum + leaf(phase), 0);
    const near = (a: number, b: number, what: string) =>
      t.ok(Math.abs(a - b) < 1e-9 * Math.max(1, Math.abs(b)), `${what}: ${a}, ${b}`);
    near(
      add((phase) => conditions[phase]['mass flow'].value),
      conditions.overall['mass flow'].value,
      'mass',
    );
    near(
      add((phase) => properties[phase]['flow rate'].value),
      properties.overall['flow rate'].value,
      'volume',
    );
    near(
      add((phase) => conditions[phase].enthalpy.value * conditions[phase]['mass flow'].value),
      conditions.overall.enthalpy.value * conditions.overall['mass flow'].value,
      'enthalpy',
    );
    const solid = properties['gas hydrate'] as Record<string, Leaf>;
    t.same(Object.keys(solid), ['density', 'molar mass', 'flow rate', 'entropy'], 'what is not known is left out');
    t.ok(solid['density']!.value > 890 && solid['density']!.value < 1000, `density ${solid['density']!.value}`);
    const weights = Object.values(composition['gas hydrate_wt'] as Record<string, Leaf>);
    near(
      weights.reduce((sum, { value }) => sum + value, 0),
      1,
      'weight fractions',
    );
    const { hydrate } = data;
    t.match(hydrate, { formed: true, structure: /^sI/, hydrationNumber: Number, besideIce: phases.includes('solid') });
    const hydrates = phases.filter((phase) => phase.startsWith('gas hydrate'));
    t.same(Object.keys(hydrate.phases), hydrates);
    near(
      hydrate.moleFraction,
      hydrates.reduce((sum, phase) => sum + found.phaseFractions[phase], 0),
      'amount',
    );
    t.ok(hydrate.waterConverted > 0 && hydrate.waterConverted <= 1);
    t.equal(
      answer['autoValidation'].checks.find(({ rule }: { rule: string }) => rule === 'material_balance').status,
      'PASS',
    );
    t.ok(answer['provenance'].assumptions.some((text: string) => text.includes('mole of water and guest molecules')));
    const alone = await ask70('TP');
    t.ok(
      conditions.overall.enthalpy.value < alone['fluid'].conditions.overall.enthalpy.value,
      'hydrate gives off heat',
    );
  }
});

t.test('hydrateTP names formers of structure H, which it does not model', async (t) => {
  const answer = await ask(runFlash, {
    components: { methane: 0.5, 'M-cy-C6': 0.1, water: 0.4 },
    eos: 'CPA',
    flashType: 'hydrateTP',
    temperature: 275,
    pressure: 40,
  });
  t.equal(answer['data'].hydrate.structure, 'sI');
  t.ok(codes(answer).includes('MODEL_LIMITATION'));
  t.match(JSON.stringify(answer['warnings'] ?? answer['validation']), /M-cy-C6 may enter hydrates/);
});

t.test('autoValidation: checks of the figures, rules on the real state', async (t) => {
  const good = (await flash({ temperature: 300, pressure: 40 }))['autoValidation'];
  t.match(good, {
    overall: 'PASS',
    validationContext: 'flash',
    passed: true,
    verdict: /^PASS/,
    totalFindings: 0,
    timestamp: /^\d{4}-.*Z$/,
  });
  t.same(
    good.checks.map(({ rule, status }: { rule: string; status: string }) => `${rule} ${status}`),
    [
      'convergence PASS',
      'phase_equilibrium PASS',
      'material_balance PASS',
      'model_range PASS',
      'known_limitations PASS',
    ],
  );
  const cold = (await flash({ temperature: -60, temperatureUnit: 'C', pressure: 40 }))['autoValidation'];
  t.match(cold, { overall: 'WARNING', warnings: 1, findings: [{ code: 'LOW_TEMPERATURE', severity: 'WARNING' }] });
  const extreme = (await flash({ temperature: 400, pressure: 1500 }))['autoValidation'];
  t.ok(extreme.findings.some(({ code }: { code: string }) => code === 'VERY_HIGH_PRESSURE'));
  t.ok(
    extreme.checks.some(
      ({ rule, status }: { rule: string; status: string }) => rule === 'model_range' && status === 'WARNING',
    ),
  );
  const solved = (await flash({ flashType: 'PH', pressure: 40, enthalpy: -1000 }))['autoValidation'];
  t.ok(
    solved.checks.some(
      ({ rule, status }: { rule: string; status: string }) => rule === 'specification' && status === 'PASS',
    ),
  );
});
