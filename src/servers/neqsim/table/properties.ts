import type { FlashResult, PhaseState, PhaseTransport } from '../../../engineering/thermo/index.ts';
import type { JsonObject } from '../../../kit/index.ts';

/** The properties a table can show, each as the fields of a row (getPropertyTable sheet). */
export interface PropertyState {
  readonly result: FlashResult;
  /** Computed when a property asks for it. */
  readonly transport: () => readonly PhaseTransport[];
}

export type PropertyFields = (state: PropertyState) => JsonObject;

export const DEFAULT_PROPERTIES: readonly string[] = ['density', 'viscosity', 'Cp', 'Z', 'enthalpy'];

const CENTIPOISE = 1e3;
const KELVIN_PER_BAR = 1e5;

/** Phases by the word the row uses for them. A second phase of one kind (`oil_2`) has no column; the first stands for the kind. */
const LABELS = { gas: 'gas', liquid: 'oil', aqueous: 'aqueous' } as const;

function perPhase(field: string, value: (phase: PhaseState) => number | undefined): PropertyFields {
  return ({ result }) => {
    const row: JsonObject = {};
    for (const [label, name] of Object.entries(LABELS)) {
      const phase = result.phases.find((candidate) => candidate.name === name);
      const found = phase === undefined ? undefined : value(phase);
      if (found !== undefined) row[`${label}${field}`] = found;
    }
    return row;
  };
}

const transported =
  (field: string, value: (values: PhaseTransport) => number | undefined): PropertyFields =>
  (state) =>
    perPhase(field, ({ name }) => {
      const values = state.transport().find(({ phase }) => phase === name);
      return values === undefined ? undefined : value(values);
    })(state);

/** Of the gas; of a lone phase also when it is a liquid. */
const gasOrLone = ({ result }: PropertyState): PhaseState | undefined =>
  result.phases.find(({ name }) => name === 'gas') ?? (result.phases.length === 1 ? result.phases[0] : undefined);

const density = perPhase('Density_kg_m3', (phase) => phase.density);

const FIELDS: Readonly<Record<string, PropertyFields>> = {
  density: (state) => ({
    density: state.result.overall.density,
    density_kg_m3: state.result.overall.density,
    ...density(state),
  }),
  viscosity: transported('Viscosity_cP', ({ viscosity }) =>
    viscosity === undefined ? undefined : viscosity * CENTIPOISE,
  ),
  Cp: ({ result: { overall } }) => ({ Cp_J_kgK: overall.cp / overall.molarMass }),
  Cv: ({ result: { overall } }) => ({ Cv_J_kgK: overall.cv / overall.molarMass }),
  // The mean over the phases by moles: p V / (n R T) with the volumes of the equation of state.
  Z: ({ result: { phases } }) => ({
    compressibilityFactor: phases.reduce((sum, phase) => sum + phase.fraction * phase.Z, 0),
  }),
  enthalpy: ({ result: { overall } }) => ({ enthalpy_J_kg: overall.enthalpy / overall.molarMass }),
  entropy: ({ result: { overall } }) => ({ entropy_J_kgK: overall.entropy / overall.molarMass }),
  thermalConductivity: transported('ThermalConductivity_W_mK', (values) => values.thermalConductivity),
  molarMass: ({ result: { overall } }) => ({ molarMass_kg_mol: overall.molarMass }),
  soundSpeed: (state) => optional('soundSpeed_m_s', gasOrLone(state)?.speedOfSound),
  jouleThomsonCoefficient: (state) => {
    const value = gasOrLone(state)?.jouleThomson;
    return optional('jouleThomsonCoefficient_K_bar', value === undefined ? undefined : value * KELVIN_PER_BAR);
  },
  numberOfPhases: () => ({}),
};

export const PROPERTY_NAMES = Object.keys(FIELDS);

const optional = (field: string, value: number | undefined): JsonObject =>
  value === undefined ? {} : { [field]: value };

/** The fields of one property; a name that is none gets a note, a value that is not finite an error text, and the row stays. */
export function propertyFields(name: string, state: PropertyState): JsonObject {
  const fields = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
  if (fields === undefined) {
    return { [`${name}_note`]: `No property of that name; there are ${PROPERTY_NAMES.join(', ')}.` };
  }
  const row = fields(state);
  const broken = Object.entries(row).filter(([, value]) => typeof value === 'number' && !Number.isFinite(value));
  if (broken.length === 0) return row;
  for (const [field] of broken) delete row[field];
  return { ...row, [`${name}_error`]: `The model gives no ${name} at this state.` };
}
