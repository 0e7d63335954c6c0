/**
 * The models against the answers of another program (test/engineering/thermo/reference/README.md), through the calculations of the tools.
 * What is not followed on purpose is left out of the rows and listed with both values.
 */
import { createFluid, hydratePoint, type ModelId } from '../../src/engineering/thermo/index.ts';
import { NO_CONTROL } from '../../src/servers/neqsim/calculation.ts';
import { flashAnswer } from '../../src/servers/neqsim/flash/answer.ts';
import { tableAnswer } from '../../src/servers/neqsim/table/answer.ts';
import { Deviations, type DeviationUnit, readCases } from './deviations.ts';
import { NOT_FOLLOWED, type NotFollowed, type Quantity } from './not-followed.ts';

type Leaf = { readonly value: number };
type Leaves = Readonly<Record<string, Leaf>>;
interface Answer {
  readonly flash: { readonly phases: readonly string[]; readonly phaseFractions: Readonly<Record<string, number>> };
  readonly fluid: {
    readonly conditions: Readonly<Record<string, Leaves>> & { readonly temperature_K: number };
    readonly properties: Readonly<Record<string, Leaves>>;
    readonly composition: Readonly<Record<string, Leaves>>;
  };
}
type Wanted = Readonly<Record<string, number>> & { readonly composition: Readonly<Record<string, number>> };
interface FlashCase {
  readonly id: string;
  readonly input: {
    readonly model: ModelId;
    readonly flashType: string;
    readonly mixingRule?: string;
    readonly components: Readonly<Record<string, number>>;
    readonly pressure: Leaf;
  };
  readonly expect: Readonly<Record<string, unknown>> & { readonly phases?: readonly string[] };
}

export interface Difference {
  readonly case: string;
  readonly quantity: string;
  readonly here: number;
  readonly peer: number;
  readonly reason: string;
}

export function peerComparison() {
  const found = new Deviations();
  const differences: Difference[] = [];
  for (const c of readCases<FlashCase>('reference/runFlash.jsonl')) {
    flashCase(c, RULE_OF_THE_PEER[c.input.model], comparer(c.id, found, differences));
    const own = NOT_FOLLOWED.filter((rule) => rule.case === c.id && rule.defaultRule);
    for (const rule of own)
      flashCase(c, undefined, (_, what, here, peer) => list(rule, c.id, what, here, peer, differences));
  }
  for (const c of readCases<TableCase>('reference/getPropertyTable.jsonl')) tableCase(c, found, differences);
  return { rows: found.rows(), differences };
}

interface Compared {
  /** Of the row. */
  readonly name: string;
  readonly kind: Quantity;
  readonly unit: DeviationUnit;
  readonly phase?: string;
}
type Compare = (model: string, what: Compared, here: number | undefined, peer: number | undefined) => void;

/** Adds to the rows, or to the differences when the case says so. */
function comparer(id: string, found: Deviations, differences: Difference[]): Compare {
  const rules = NOT_FOLLOWED.filter((rule) => id.startsWith(rule.case) && !rule.defaultRule);
  return (model, what, here, peer) => {
    if (peer === undefined) return;
    const rule = rules.find(
      ({ phase, quantities }) =>
        (phase === undefined || phase === what.phase) && (quantities === undefined || quantities.includes(what.kind)),
    );
    if (rule !== undefined) list(rule, id, what, here, peer, differences);
    else if (here === undefined) throw new Error(`${id} ${what.name}: no value`);
    else found.add(model, what.name, what.unit, id, peer, () => here);
  };
}

function list(
  { shown, reason }: NotFollowed,
  id: string,
  { kind, phase }: Compared,
  here: number | undefined,
  peer: number | undefined,
  differences: Difference[],
): void {
  const quantity = phase === undefined ? kind : `${phase} ${kind}`;
  if (here === undefined || peer === undefined || (shown !== undefined && !shown.includes(quantity))) return;
  differences.push({ case: id, quantity, here, peer, reason });
}

const RULE_OF_THE_PEER: Partial<Record<ModelId, string>> = { CPA: 'classic', UMRPRU: 'classic' };

function flashCase({ input, expect }: FlashCase, rule: string | undefined, compare: Compare): void {
  const { model, flashType } = input;
  if (flashType === 'hydrateTP') {
    const { T } = hydratePoint(createFluid(input), { p: input.pressure.value * 1e5 });
    compare(
      model,
      { name: 'hydrate temperature', kind: 'temperature', unit: 'K' },
      T,
      expect['hydrateTemperature_K'] as number,
    );
    return;
  }
  const mixingRule = input.mixingRule ?? rule;
  const { flash, fluid } = flashAnswer({ ...input, mixingRule } as never).data as unknown as Answer;
  const { conditions } = fluid;
  if (flashType !== 'TP')
    compare(
      model,
      {
        name: /^(dew|bubble)/.test(flashType) ? 'saturation temperature' : 'temperature of PH, PS, TV',
        kind: 'temperature',
        unit: 'K',
      },
      conditions.temperature_K,
      solved(flashType, 'T') ? (expect['temperature_K'] as number | undefined) : undefined,
    );
  compare(
    model,
    { name: /^(dew|bubble)/.test(flashType) ? 'saturation pressure' : 'pressure of TV', kind: 'pressure', unit: '%' },
    conditions['overall']!['pressure']!.value,
    solved(flashType, 'p') ? (expect['pressure_bara'] as number | undefined) : undefined,
  );
  for (const phase of expect.phases ?? []) {
    const wanted = expect[phase] as Wanted | undefined;
    // The name of a lone dense phase is a convention.
    const own = expect.phases!.length === 1 ? flash.phases[0]! : phase;
    const leaves = fluid.properties[own];
    if (wanted === undefined || leaves === undefined) continue;
    const of = (
      name: string,
      kind: Quantity,
      unit: '%' | 'J/kg' | 'J/(mol K)' | 'mol/mol',
      here: number | undefined,
      key: string,
    ) => compare(model, { name, kind, unit, phase }, here, wanted[key]);
    of('phase fraction', 'fraction', 'mol/mol', flash.phaseFractions[own], 'moleFraction');
    of('Z', 'Z', '%', leaves['compressibilityFactor']?.value, 'Z');
    of('density', 'density', '%', leaves['density']?.value, 'density_kg_m3');
    of('Cp, Cv', 'Cp', '%', leaves['Cp']?.value, 'Cp_J_kgK');
    of('Cp, Cv', 'Cv', '%', leaves['Cv']?.value, 'Cv_J_kgK');
    of('speed of sound', 'speed of sound', '%', leaves['speedOfSound']?.value, 'speedOfSound_m_s');
    of('enthalpy', 'enthalpy', 'J/kg', conditions[own]!['enthalpy']?.value, 'enthalpy_J_kg');
    of('entropy', 'entropy', 'J/(mol K)', leaves['entropy']?.value, 'entropy_J_molK');
    for (const [component, x] of Object.entries(wanted.composition))
      compare(
        model,
        {
          name: 'composition',
          kind: component === 'methane' || component === 'CO2' ? component : 'composition',
          unit: 'mol/mol',
          phase,
        },
        fluid.composition[own]![component]?.value,
        x,
      );
    const side = `transport, ${phase === 'liquid' ? 'oil' : phase}`;
    compare(
      side,
      { name: 'viscosity', kind: 'viscosity', unit: '%', phase },
      leaves['viscosity']?.value,
      wanted['viscosity_Pa_s'],
    );
    compare(
      side,
      { name: 'thermal conductivity', kind: 'conductivity', unit: '%', phase },
      leaves['thermalConductivity']?.value,
      wanted['thermalConductivity_W_mK'],
    );
  }
}

/** Whether this kind of flash solves for T or p. */
function solved(flashType: string, variable: 'T' | 'p'): boolean {
  if (flashType === 'PH' || flashType === 'PS') return variable === 'T';
  if (flashType === 'TV') return variable === 'p';
  return flashType.endsWith(variable);
}

interface TableCase {
  readonly id: string;
  readonly input: { readonly model: ModelId };
  readonly expect: { readonly table: readonly Readonly<Record<string, number>>[] };
}

const TABLE_COLUMNS = [
  ['density_kg_m3', 'density', 'density', '%'],
  ['compressibilityFactor', 'Z', 'Z', '%'],
  ['Cp_J_kgK', 'Cp, Cv', 'Cp', '%'],
  ['Cv_J_kgK', 'Cp, Cv', 'Cv', '%'],
  ['soundSpeed_m_s', 'speed of sound', 'speed of sound', '%'],
  ['enthalpy_J_kg', 'enthalpy', 'enthalpy', 'J/kg'],
  ['jouleThomsonCoefficient_K_bar', 'Joule-Thomson coefficient', 'Joule-Thomson', '%'],
] as const;

function tableCase({ id, input, expect }: TableCase, found: Deviations, differences: Difference[]): void {
  const { table } = tableAnswer(input as never, NO_CONTROL).data as unknown as {
    readonly table: readonly Readonly<Record<string, number>>[];
  };
  for (const [k, wanted] of expect.table.entries()) {
    const row = table[k]!;
    const compare = comparer(`${id} ${wanted['temperature_C']} C`, found, differences);
    for (const [key, name, kind, unit] of TABLE_COLUMNS)
      compare(`${input.model} tables`, { name, kind, unit }, row[key], wanted[key]);
    const [viscosity, conductivity] = ['Viscosity_cP', 'ThermalConductivity_W_mK'];
    for (const side of ['gas', 'liquid'] as const) {
      // The peer calls a lone dense phase gas.
      const own = (key: string) =>
        row[`${side}${key}`] ?? (wanted['numberOfPhases'] === 1 ? row[`liquid${key}`] : undefined);
      const label = `transport, ${side === 'liquid' ? 'oil' : 'gas'}`;
      compare(
        label,
        { name: 'viscosity', kind: 'viscosity', unit: '%', phase: side },
        own(viscosity!),
        wanted[`${side}${viscosity}`],
      );
      compare(
        label,
        { name: 'thermal conductivity', kind: 'conductivity', unit: '%', phase: side },
        own(conductivity!),
        wanted[`${side}${conductivity}`],
      );
    }
  }
}
