import t from 'tap';
import type { JsonObject } from '../../../src/kit/index.ts';
import { getPropertyTable } from '../../../src/servers/neqsim/tools/get-property-table.ts';
import { runFlash } from '../../../src/servers/neqsim/tools/run-flash.ts';
import { ask, codes } from '../../support/neqsim.ts';

const GAS = { methane: 0.8, ethane: 0.1, propane: 0.07, 'n-butane': 0.03 };
const SWEEP = { components: GAS, sweepFrom: 220, sweepTo: 320, fixedValue: 30 };
const table = (args: JsonObject) => ask(getPropertyTable, args);

t.test('defaults: temperature in K at bara, 20 points, five properties', async (t) => {
  const answer = await table(SWEEP);
  t.match(answer, {
    status: 'success',
    sweep: 'temperature',
    pointsRequested: 20,
    pointsConverged: 20,
    validation: { valid: true, phase: 'calculation' },
    qualityGate: { verdict: 'passed' },
    provenance: { calculationType: 'property table (temperature sweep, 20 points)', model: 'SRK' },
  });
  t.same(answer['data'].table, answer['table']);
  const rows: Record<string, number>[] = answer['table'];
  t.equal(rows[0]!['temperature_K'], 220);
  t.equal(rows.at(-1)!['temperature_K'], 320);
  for (const row of rows) {
    t.ok(Math.abs(row['temperature_C']! + 273.15 - row['temperature_K']!) < 1e-9);
    t.equal(row['pressure_bara'], 30);
    t.equal(row['density'], row['density_kg_m3']);
    t.ok(row['numberOfPhases'] === 1 || 'liquidDensity_kg_m3' in row);
    for (const field of ['Cp_J_kgK', 'compressibilityFactor', 'enthalpy_J_kg', 'gasViscosity_cP'])
      t.ok(field in row, field);
    for (const field of ['Cv_J_kgK', 'entropy_J_kgK', 'soundSpeed_m_s']) t.notOk(field in row, field);
  }
});

t.test('a row is the flash at that state', async (t) => {
  const answer = await table({ ...SWEEP, points: 3, properties: ['density', 'enthalpy', 'viscosity', 'soundSpeed'] });
  for (const row of answer['table']) {
    const { fluid } = await ask(runFlash, { components: GAS, temperature: row.temperature_K, pressure: 30 });
    t.equal(row.density_kg_m3, fluid.properties.density_kgm3);
    t.equal(row.enthalpy_J_kg, fluid.conditions.overall.enthalpy.value);
    t.equal(row.gasViscosity_cP, 1e3 * fluid.properties.gas.viscosity.value);
    t.equal(row.soundSpeed_m_s, fluid.properties.gas.speedOfSound.value);
    if (fluid.properties.oil) t.equal(row.liquidDensity_kg_m3, fluid.properties.oil.density.value);
  }
});

t.test('pressure sweeps, from high to low, in mixed units, and the document form', async (t) => {
  const flat = await table({
    components: JSON.stringify(GAS),
    sweep: 'PRESSURE',
    sweepFrom: 6,
    sweepFromUnit: 'MPa',
    sweepTo: 10,
    sweepToUnit: 'bara',
    fixedValue: 20,
    fixedUnit: 'C',
    points: 6,
    eos: 'PR',
  });
  const pressures = flat['table'].map((row: { pressure_bara: number }) => row.pressure_bara);
  t.same(pressures.map(Math.round), [60, 50, 40, 30, 20, 10]);
  t.ok(flat['table'].every((row: { temperature_K: number }) => row.temperature_K === 293.15));
  const document = await table({
    components: GAS,
    sweep: 'pressure',
    sweepFrom: { value: 60, unit: 'bara' },
    sweepTo: { value: 10, unit: 'bara' },
    fixedTemperature: { value: 20, unit: 'C' },
    points: '6',
    model: 'PR',
    properties: '["density","viscosity","Cp","Z","enthalpy"]',
  });
  t.same(
    document['table'].map((row: { density: number }) => row.density.toPrecision(12)),
    flat['table'].map((row: { density: number }) => row.density.toPrecision(12)),
  );
});

t.test('points are clamped, and that is said', async (t) => {
  for (const [points, computed] of [
    [0, 2],
    [-5, 2],
    [1, 2],
    [2, 2],
    [1000, 200],
  ]) {
    const answer = await table({ ...SWEEP, points: points!, properties: ['density'] });
    t.equal(answer['pointsRequested'], computed);
    t.equal(answer['table'].length, computed);
    t.equal(codes(answer).includes('POINTS_CLAMPED'), points !== computed);
  }
});

t.test('all properties, in the names of the sheet', async (t) => {
  const properties = [
    'density',
    'viscosity',
    'Cp',
    'Cv',
    'Z',
    'enthalpy',
    'entropy',
    'thermalConductivity',
    'molarMass',
    'soundSpeed',
    'jouleThomsonCoefficient',
    'numberOfPhases',
  ];
  const components = { ...GAS, nC10: 0.2, water: 0.1 };
  const answer = await table({ ...SWEEP, components, sweepFrom: 290, points: 2, properties });
  t.same(
    Object.keys(answer['table'][0]).sort(),
    [
      'Cp_J_kgK',
      'Cv_J_kgK',
      'aqueousDensity_kg_m3',
      'aqueousThermalConductivity_W_mK',
      'aqueousViscosity_cP',
      'compressibilityFactor',
      'density',
      'density_kg_m3',
      'enthalpy_J_kg',
      'entropy_J_kgK',
      'gasDensity_kg_m3',
      'gasThermalConductivity_W_mK',
      'gasViscosity_cP',
      'jouleThomsonCoefficient_K_bar',
      'liquidDensity_kg_m3',
      'liquidThermalConductivity_W_mK',
      'liquidViscosity_cP',
      'molarMass_kg_mol',
      'numberOfPhases',
      'pressure_bara',
      'soundSpeed_m_s',
      'temperature_C',
      'temperature_K',
    ].sort(),
  );
});

t.test('sound speed and Joule-Thomson are those of the gas, of a lone phase also of the liquid', async (t) => {
  const answer = await table({
    components: { propane: 1 },
    sweepFrom: 250,
    sweepTo: 400,
    fixedValue: 10,
    points: 2,
    properties: ['soundSpeed', 'jouleThomsonCoefficient'],
  });
  const [liquid, gas] = answer['table'];
  t.ok(liquid.soundSpeed_m_s > 700 && gas.soundSpeed_m_s < 300);
  t.ok(liquid.jouleThomsonCoefficient_K_bar < 0.1 && gas.jouleThomsonCoefficient_K_bar > 0.5);
});

t.test('a property that is none gets a note and the row stays', async (t) => {
  const answer = await table({ ...SWEEP, points: 2, properties: ['density', 'colour', '__proto__'] });
  t.match(answer['table'][0], { density: Number, colour_note: /No property of that name/, __proto___note: /density/ });
});

t.test('points that fail are left out and named', async (t) => {
  // No model of association has an answer at 3 K.
  const args = {
    components: { methane: 0.5, water: 0.5 },
    eos: 'CPA',
    fixedValue: 1,
    sweepFrom: 3,
    properties: ['density'],
  };
  const answer = await table({ ...args, sweepTo: 303, points: 4 });
  t.match(answer, {
    status: 'success',
    pointsRequested: 4,
    pointsConverged: 3,
    failedPoints: [{ point: 0, temperature_K: 3, pressure_bara: 1, code: 'CALCULATION_ERROR', message: /outside/ }],
    qualityGate: { verdict: 'warning' },
    validation: { valid: true },
    provenance: { converged: false },
  });
  t.same(
    answer['table'].map((row: { temperature_K: number }) => row.temperature_K),
    [103, 203, 303],
  );
  t.ok(codes(answer).includes('CONVERGENCE_WARNING'));
  t.match(await table({ ...args, sweepTo: 4, points: 2 }), {
    status: 'error',
    code: 'CALCULATION_ERROR',
    message: /None of the 2 points/,
  });
});

t.test('what single states warn of is said once for the table, with the first of them', async (t) => {
  // Across the critical point (about 238 K, 76 bar) and the phase boundary of this gas.
  const gas = { methane: 0.8, ethane: 0.12, propane: 0.08 };
  const calm = await table({ components: gas, sweepFrom: 400, sweepTo: 420, fixedValue: 30, points: 5 });
  t.same(codes(calm), []);
  const answer = await table({ components: gas, sweepFrom: 200, sweepTo: 300, fixedValue: 75, points: 101 });
  const near = answer['warningDetails'].filter(({ code }: { code: string }) => code === 'NEAR_CRITICAL');
  t.equal(near.length, 1);
  const [, count, temperature] = /^At (\d+) of 101 points\. The first, ([\d.]+) K/.exec(near[0].message) ?? [];
  let single = 0;
  let first: number | undefined;
  for (const { temperature_K } of answer['table'] as { temperature_K: number }[]) {
    const alone = await ask(runFlash, { components: gas, temperature: temperature_K, pressure: 75 });
    if (!codes(alone).includes('NEAR_CRITICAL')) continue;
    single++;
    first ??= temperature_K;
  }
  t.same([Number(count), Number(temperature)], [single, Number(first?.toFixed(2))]);
  t.ok(single > 10 && single < 90, `${single} points`);
});

t.test('every refusal has its code', async (t) => {
  const cases: readonly (readonly [JsonObject, string])[] = [
    [{ ...SWEEP, sweepfrom: 1 }, 'INPUT_ERROR'],
    [{ ...SWEEP, points: 2.5 }, 'INPUT_ERROR'],
    [{ ...SWEEP, properties: '{"density":1}' }, 'INPUT_ERROR'],
    [{ ...SWEEP, fixedPressure: 30 }, 'INPUT_ERROR'],
    [{ ...SWEEP, components: '{' }, 'JSON_PARSE_ERROR'],
    [{ ...SWEEP, properties: '[density]' }, 'JSON_PARSE_ERROR'],
    [{ ...SWEEP, eos: 'X' }, 'UNKNOWN_MODEL'],
    [{ ...SWEEP, components: {} }, 'MISSING_COMPONENTS'],
    [{ ...SWEEP, sweep: 'composition' }, 'INVALID_SWEEP'],
    [{ components: GAS, fixedValue: 30 }, 'MISSING_RANGE'],
    [{ components: GAS, fixedValue: 30, sweepFrom: 200 }, 'MISSING_RANGE'],
    [{ ...SWEEP, sweepFromUnit: 'bara' }, 'TEMPERATURE_ERROR'],
    [{ ...SWEEP, sweepTo: -1 }, 'TEMPERATURE_ERROR'],
    [{ ...SWEEP, fixedUnit: 'K' }, 'PRESSURE_ERROR'],
    [{ ...SWEEP, fixedValue: -30 }, 'PRESSURE_ERROR'],
    [{ components: GAS, sweepFrom: 200, sweepTo: 300 }, 'MISSING_PRESSURE'],
    [{ components: GAS, sweep: 'pressure', sweepFrom: 10, sweepTo: 30 }, 'MISSING_TEMPERATURE'],
    [{ ...SWEEP, sweep: 'pressure', fixedUnit: 'bara' }, 'TEMPERATURE_ERROR'],
    [{ ...SWEEP, components: { metane: 1 } }, 'UNKNOWN_COMPONENT'],
    [{ ...SWEEP, components: { methane: -1 } }, 'FLUID_ERROR'],
  ];
  for (const [args, code] of cases) {
    const answer = await table(args);
    t.match(
      answer,
      { status: 'error', code, message: String, remediation: String, errors: [{ code }] },
      JSON.stringify(args),
    );
  }
});
