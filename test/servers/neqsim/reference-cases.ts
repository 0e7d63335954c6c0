import type { JsonObject, JsonValue } from '../../../src/kit/index.ts';

/** Turns a reference line (engine-level input, numbers with their unit in the name) into tool arguments and checks of `data`. */
export interface ReferenceLine {
  readonly id: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly expect: JsonValue;
}

export interface Expected {
  /** Alternatives: a lone dense phase may carry any name. */
  readonly paths: readonly (readonly string[])[];
  readonly value: JsonValue;
  readonly relative: number;
  readonly absolute: number;
}

type Tolerance = readonly [relative: number, absolute: number];

/** Tolerances of the reference README, by the quantity; compositions and fractions apart. The caloric zero is the same, so absolute values count. */
const TOLERANCES: readonly (readonly [RegExp, Tolerance])[] = [
  [/temperature_[KC]$/, [0, 0.3]],
  [/pressure_bara$/, [0.005, 0]],
  [/density/i, [0.01, 0]],
  [/molarMass/i, [2e-3, 0]],
  [/viscosity|conductivity/i, [0.16, 0]],
  [/enthalpy/i, [0.01, 300]],
  [/entropy_J_molK/, [0.01, 0.15]],
  [/entropy/i, [0.01, 8]],
  [/^C[pv]|soundSpeed|speedOfSound/, [0.03, 0]],
  [/jouleThomson/, [0.03, 0.01]],
  [/^Z$|compressibilityFactor/, [0.003, 0]],
];

const toleranceOf = (name: string): Tolerance => TOLERANCES.find(([pattern]) => pattern.test(name))?.[1] ?? [1e-6, 0];

const PROPERTIES: Readonly<Record<string, string>> = {
  density_kg_m3: 'density',
  molarMass_kg_mol: 'molar mass',
  Z: 'compressibilityFactor',
  Cp_J_kgK: 'Cp',
  Cv_J_kgK: 'Cv',
  speedOfSound_m_s: 'speedOfSound',
  viscosity_Pa_s: 'viscosity',
  thermalConductivity_W_mK: 'thermalConductivity',
  entropy_J_molK: 'entropy',
};

/** Every phase name, the one expected first. */
const LABELS = ['gas', 'oil', 'liquid', 'aqueous'];
const labels = (phase: string, lone: boolean) =>
  lone && LABELS.includes(phase) ? [phase, ...LABELS.filter((label) => label !== phase)] : [phase];

const object = (value: JsonValue | undefined): JsonObject => (value ?? {}) as JsonObject;

export function flashChecks(expect: JsonObject, root: readonly string[] = []): Expected[] {
  const out: Expected[] = [];
  const lone = expect['numberOfPhases'] === 1;
  const exact = (path: string[], value: JsonValue | undefined) => {
    if (value !== undefined) out.push({ paths: [[...root, ...path]], value, relative: 0, absolute: 0 });
  };
  const near = (paths: string[][], value: JsonValue | undefined, [relative, absolute]: Tolerance) => {
    if (typeof value === 'number')
      out.push({ paths: paths.map((path) => [...root, ...path]), value, relative, absolute });
  };
  exact(['flash', 'numberOfPhases'], expect['numberOfPhases']);
  if (!lone) exact(['flash', 'phases'], expect['phases']);
  near([['fluid', 'conditions', 'temperature_K']], expect['temperature_K'], toleranceOf('temperature_K'));
  near([['fluid', 'conditions', 'overall', 'pressure']], expect['pressure_bara'], toleranceOf('pressure_bara'));
  for (const [phase, values] of Object.entries(expect)) {
    if (values === null || typeof values !== 'object' || Array.isArray(values) || phase.startsWith('incipient'))
      continue;
    const at = (make: (label: string) => string[]) => labels(phase, lone).map(make);
    near(
      at((label) => ['flash', 'phaseFractions', label]),
      values['moleFraction'],
      [0, 0.003],
    );
    near(
      at((label) => ['fluid', 'conditions', label, 'enthalpy']),
      values['enthalpy_J_kg'],
      toleranceOf('enthalpy'),
    );
    for (const [field, name] of Object.entries(PROPERTIES))
      near(
        at((label) => ['fluid', 'properties', label, name]),
        values[field],
        toleranceOf(field),
      );
    for (const [name, x] of Object.entries(object(values['composition'])))
      if (typeof x === 'number' && x > 1e-5)
        near(
          at((label) => ['fluid', 'composition', label, name]),
          x,
          [0.01, 5e-4],
        );
  }
  const incipient = expect['incipientPhase'];
  if (typeof incipient === 'string')
    for (const [name, x] of Object.entries(object(expect['incipientComposition'])))
      if (typeof x === 'number' && x > 1e-5) near([['fluid', 'composition', incipient, name]], x, [0.01, 5e-4]);
  const hydrate = expect['hydrateTemperature_K'];
  if (typeof hydrate === 'number') near([['hydrate', 'equilibriumTemperature_C']], hydrate - 273.15, [0, 1]);
  return out;
}

/** The flat form of a fluid. */
const fluidOf = (input: JsonObject): JsonObject => ({
  components: JSON.stringify(input['components']),
  eos: input['model']!,
  ...(input['mixingRule'] === undefined ? {} : { mixingRule: input['mixingRule'] }),
});

/** Splits {value, unit} into the two flat arguments. */
function flat(name: string, unitName: string, given: JsonValue | undefined): JsonObject {
  if (given === undefined) return {};
  const { value, unit } = object(given);
  return { [name]: value!, [unitName]: unit! };
}

export function toArguments({ tool, input }: ReferenceLine): JsonObject {
  switch (tool) {
    case 'runFlash': {
      const { enthalpy, entropy, volume } = input;
      return {
        ...fluidOf(input),
        flashType: input['flashType']!,
        ...flat('temperature', 'temperatureUnit', input['temperature']),
        ...flat('pressure', 'pressureUnit', input['pressure']),
        ...Object.fromEntries(Object.entries({ enthalpy, entropy, volume }).filter(([, given]) => given !== undefined)),
      } as JsonObject;
    }
    case 'runBatch':
      return { ...fluidOf(input), flashType: input['flashType']!, cases: JSON.stringify(input['cases']) };
    case 'getPropertyTable':
      return {
        ...fluidOf(input),
        sweep: input['sweep']!,
        points: input['points']!,
        properties: input['properties']!,
        ...flat('sweepFrom', 'sweepFromUnit', input['sweepFrom']),
        ...flat('sweepTo', 'sweepToUnit', input['sweepTo']),
        ...flat('fixedValue', 'fixedUnit', input['fixedPressure'] ?? input['fixedTemperature']),
      };
    default:
      return fluidOf(input);
  }
}

export function toChecks({ tool, expect: given }: ReferenceLine): Expected[] {
  const expect = object(given);
  switch (tool) {
    case 'runFlash':
      return flashChecks(expect);
    case 'runBatch':
      return (expect['cases'] as JsonObject[]).flatMap((one, k) => flashChecks(one, ['results', String(k)]));
    case 'getPropertyTable':
      return (expect['table'] as JsonObject[]).flatMap(tableChecks);
    default:
      return envelopeChecks(expect);
  }
}

function tableChecks(row: JsonObject, k: number): Expected[] {
  return Object.entries(row).map(([field, value]) => {
    const label = row['numberOfPhases'] === 1 ? /^(gas|liquid)/.exec(field)?.[0] : undefined;
    const fields = label ? ['gas', 'liquid', 'aqueous'].map((other) => field.replace(label, other)) : [field];
    const [relative, absolute] = toleranceOf(field);
    return { paths: fields.map((name) => ['table', String(k), name]), value, relative, absolute };
  });
}

/** The coordinate that is not extreme is flat there: 4.5 K and 8 %. */
const EXTREMES: readonly (readonly [string, string, kelvin: number, pressure: number])[] = [
  ['cricondentherm', 'cricondentherm', 0.5, 0.08],
  ['cricondenbar', 'cricondenbar', 4.5, 0.01],
  ['criticalPoint', 'critical', 1, 0.015],
];

function envelopeChecks(expect: JsonObject): Expected[] {
  return EXTREMES.flatMap(([name, member, kelvin, pressure]) => {
    const point = expect[name];
    if (point === undefined || point === null) return [];
    const at = (field: string, relative: number, absolute: number): Expected => ({
      paths: [['criticalPoints', member, field]],
      value: object(point)[field]!,
      relative,
      absolute,
    });
    return [at('temperature_K', 0, kelvin), at('pressure_bara', pressure, 0)];
  });
}

/** What differs, as text; empty when it holds. */
export function differences(data: unknown, checks: readonly Expected[]): string[] {
  return checks.flatMap(({ paths, value, relative, absolute }) => {
    const found = paths.map((path) => follow(data, path)).find((one) => one !== undefined);
    const good =
      typeof value === 'number'
        ? typeof found === 'number' && Math.abs(found - value) <= Math.max(relative * Math.abs(value), absolute)
        : JSON.stringify(found) === JSON.stringify(value);
    return good ? [] : [`${paths[0]!.join('.')}: ${JSON.stringify(value)} expected, ${JSON.stringify(found)} found`];
  });
}

export function follow(data: unknown, path: readonly string[]): unknown {
  let at = data;
  for (const key of path) at = at === null || typeof at !== 'object' ? undefined : (at as Record<string, unknown>)[key];
  if (at !== null && typeof at === 'object' && !Array.isArray(at) && 'value' in at) return at.value;
  return at;
}
