/** TP flashes of SRK and PR against another program's answers (reference/README.md), within the tolerances stated there. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { createFluid, flashTP } from '../../../src/engineering/thermo/index.ts';
import type { PhaseState } from '../../../src/engineering/thermo/properties/phase-state.ts';

interface PhaseCase {
  readonly moleFraction: number;
  readonly density_kg_m3: number;
  readonly molarMass_kg_mol: number;
  readonly Z: number;
  readonly Cp_J_kgK?: number;
  readonly Cv_J_kgK?: number;
  readonly speedOfSound_m_s?: number;
  readonly enthalpy_J_kg: number;
  readonly entropy_J_molK: number;
  readonly composition: Readonly<Record<string, number>>;
}
interface Case {
  readonly id: string;
  readonly input: {
    readonly model: string;
    readonly flashType: string;
    readonly components: Readonly<Record<string, number>>;
    readonly temperature: { readonly value: number; readonly unit: string };
    readonly pressure: { readonly value: number; readonly unit: string };
  };
  readonly expect: {
    readonly phases: readonly string[];
    readonly overall: { readonly enthalpy_J_kg: number };
  } & Readonly<Record<string, unknown>>;
}

const cases = readFileSync(new URL('reference/runFlash.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case)
  .filter(({ input }) => input.flashType === 'TP' && (input.model === 'SRK' || input.model === 'PR'));

t.equal(cases.length, 39, 'all cases were read');

for (const { id, input, expect } of cases)
  t.test(id, async (t) => {
    const fluid = createFluid({ components: input.components, model: input.model as 'SRK' | 'PR' });
    const result = flashTP(fluid, kelvin(input.temperature), pascal(input.pressure));
    t.equal(result.phases.length, expect.phases.length, 'number of phases');
    const lone = expect.phases.length === 1;
    // The label of a lone dense phase is a convention and not compared.
    if (!lone)
      t.same(
        result.phases.map((phase) => phase.name),
        expect.phases,
      );
    const within = (what: string, value: number, wanted: number | undefined, tolerance: number) => {
      if (wanted !== undefined) t.ok(Math.abs(value - wanted) <= tolerance, `${what}: ${value}, expected ${wanted}`);
    };
    for (const [k, name] of expect.phases.entries()) {
      const phase = result.phases[k] as PhaseState;
      const wanted = expect[name] as PhaseCase;
      const liquid = phase.name !== 'gas';
      const M = phase.molarMass;
      const caloric = liquid ? 0.03 : 0.01;
      within('fraction', phase.fraction, wanted.moleFraction, 1e-5);
      within('Z', phase.Z, wanted.Z, 1e-4 * wanted.Z);
      within('density', phase.density, wanted.density_kg_m3, 1e-4 * wanted.density_kg_m3);
      within('molar mass', M, wanted.molarMass_kg_mol, 1e-4 * wanted.molarMass_kg_mol);
      within('Cp', phase.cp / M, wanted.Cp_J_kgK, caloric * (wanted.Cp_J_kgK ?? 0));
      within('Cv', phase.cv / M, wanted.Cv_J_kgK, caloric * (wanted.Cv_J_kgK ?? 0));
      within('speed of sound', phase.speedOfSound, wanted.speedOfSound_m_s, caloric * (wanted.speedOfSound_m_s ?? 0));
      within(
        'enthalpy',
        phase.enthalpy / M,
        wanted.enthalpy_J_kg,
        Math.max(300, 0.01 * Math.abs(wanted.enthalpy_J_kg)),
      );
      within('entropy', phase.entropy, wanted.entropy_J_molK, 0.01 * Math.abs(wanted.entropy_J_molK));
      for (const [component, x] of Object.entries(wanted.composition)) {
        const i = fluid.components.findIndex((c) => c.name === component);
        within(component, phase.x[i]!, x, 1e-5);
      }
    }
    within(
      'enthalpy',
      result.overall.enthalpy / result.overall.molarMass,
      expect.overall.enthalpy_J_kg,
      Math.max(300, 0.01 * Math.abs(expect.overall.enthalpy_J_kg)),
    );
  });

function kelvin({ value, unit }: { value: number; unit: string }): number {
  if (unit === 'C') return value + 273.15;
  if (unit === 'F') return ((value - 32) * 5) / 9 + 273.15;
  t.equal(unit, 'K');
  return value;
}

function pascal({ value, unit }: { value: number; unit: string }): number {
  const factor = { bara: 1e5, MPa: 1e6, psi: 6894.76 }[unit];
  t.ok(factor !== undefined, `pressure unit ${unit} is known`);
  return value * factor!;
}
