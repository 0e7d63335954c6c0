import type { FlashResult, Fluid, PhaseState, PhaseTransport, SolidState } from '../../../engineering/thermo/index.ts';
import type { JsonObject } from '../../../kit/index.ts';
import { toBara, toCelsius } from '../units.ts';
import type { HydrateAnswer } from './hydrate.ts';

/** The `flash` and `fluid` members of a flash answer (runFlash sheet). Amounts given are taken as mol/s, so fractions give 3600 mole/hr. */
const MODEL_TEXT: Readonly<Record<string, string>> = {
  SRK: 'SRK-EOS',
  PR: 'PR-EOS',
  CPA: 'CPAs-SRK-EOS-statoil',
  GERG2008: 'GERG2008-EOS',
  PCSAFT: 'PCSAFT-EOS',
  UMRPRU: 'UMR-PRU-MC-EoS',
};
/** Hydrate and ice, whatever the model of the fluid. */
const SOLID_MODEL = 'van der Waals-Platteeuw';
const SECONDS_PER_HOUR = 3600;

const leaf = (value: number, unit: string): JsonObject => ({ value, unit });

export interface FlashDocumentParts {
  readonly flashType: string;
  readonly transport: readonly PhaseTransport[];
  readonly hydrate?: HydrateAnswer | undefined;
  /** They come last. */
  readonly solids?: readonly SolidState[];
}

export function flashDocument(
  fluid: Fluid,
  result: FlashResult,
  { flashType, transport, hydrate, solids = [] }: FlashDocumentParts,
): JsonObject {
  const { phases, overall } = result;
  const all = [...phases, ...solids];
  const modelText = MODEL_TEXT[result.model] ?? result.model;
  const molesPerHour = fluid.amount * SECONDS_PER_HOUR;
  const each = <P extends { readonly name: string }>(over: readonly P[], make: (phase: P) => JsonObject): JsonObject =>
    Object.fromEntries(over.map((phase) => [phase.name, make(phase)]));
  const conditions = (fraction: number, molarMass: number, enthalpy: number, model = modelText): JsonObject => ({
    temperature: leaf(toCelsius(result.T), 'C'),
    pressure: leaf(toBara(result.p), 'bara'),
    'molar flow': leaf(molesPerHour * fraction, 'mole/hr'),
    'mass flow': leaf(molesPerHour * fraction * molarMass, 'kg/hr'),
    'fluid model': { value: model, unit: '' },
    enthalpy: leaf(enthalpy / molarMass, 'J/kg'),
  });
  return {
    flash: {
      model: result.model,
      flashType,
      numberOfPhases: all.length,
      phases: all.map(({ name }) => name),
      phaseFractions: Object.fromEntries(all.map((phase) => [phase.name, phase.fraction])),
    },
    fluid: {
      name: 'fluid',
      conditions: {
        overall: conditions(1, overall.molarMass, overall.enthalpy),
        ...each(phases, (phase) => conditions(phase.fraction, phase.molarMass, phase.enthalpy)),
        ...each(solids, (phase) => conditions(phase.fraction, phase.molarMass, phase.enthalpy, SOLID_MODEL)),
        temperature_K: result.T,
      },
      properties: {
        overall: basics(overall.density, overall.molarMass, molesPerHour * overall.molarVolume),
        ...each(phases, (phase) => ({
          ...properties(phase, molesPerHour),
          ...transportLeaves(transport.find((values) => values.phase === phase.name)),
        })),
        ...each(solids, (phase) => ({
          ...basics(phase.density, phase.molarMass, molesPerHour * phase.fraction * phase.molarVolume),
          entropy: leaf(phase.entropy, 'J/molK'),
        })),
        density_kgm3: overall.density,
      },
      composition: {
        overall: fractions(fluid, result.z, 'mole fraction'),
        ...each(all, (phase) => fractions(fluid, phase.x, 'mole fraction')),
        ...Object.fromEntries(
          all.map((phase) => [`${phase.name}_wt`, fractions(fluid, weights(fluid, phase), 'weight fraction')]),
        ),
      },
    },
    ...(hydrate === undefined ? {} : { hydrate: hydrate.data }),
  };
}

const basics = (density: number, molarMass: number, volumePerHour: number): JsonObject => ({
  density: leaf(density, 'kg/m3'),
  'molar mass': leaf(molarMass, 'kg/mol'),
  'flow rate': leaf(volumePerHour, 'm3/hr'),
});

function properties(phase: PhaseState, molesPerHour: number): JsonObject {
  return {
    ...basics(phase.density, phase.molarMass, molesPerHour * phase.fraction * phase.molarVolume),
    Cp: leaf(phase.cp / phase.molarMass, 'J/kgK'),
    Cv: leaf(phase.cv / phase.molarMass, 'J/kgK'),
    compressibilityFactor: leaf(phase.Z, '-'),
    // None where the heat capacity is out of sense, far outside the range of the ideal-gas correlation.
    ...(Number.isFinite(phase.speedOfSound) ? { speedOfSound: leaf(phase.speedOfSound, 'm/s') } : {}),
    entropy: leaf(phase.entropy, 'J/molK'),
  };
}

/** A phase without a value gets no leaf: the limitations of the answer say why. */
function transportLeaves(values: PhaseTransport | undefined): JsonObject {
  return {
    ...(values?.viscosity === undefined ? {} : { viscosity: leaf(values.viscosity, 'kg/msec') }),
    ...(values?.thermalConductivity === undefined
      ? {}
      : { thermalConductivity: leaf(values.thermalConductivity, 'W/mK') }),
  };
}

const fractions = (fluid: Fluid, x: Float64Array, unit: string): JsonObject =>
  Object.fromEntries(fluid.components.map((component, index) => [component.publicName, leaf(x[index]!, unit)]));

function weights(fluid: Fluid, phase: PhaseState | SolidState): Float64Array {
  return Float64Array.from(phase.x, (x, index) => (x * fluid.components[index]!.molarMass) / phase.molarMass);
}
