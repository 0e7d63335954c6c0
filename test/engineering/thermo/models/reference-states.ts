/** Reads the reference cases of one model and compares a flash with a case, within the tolerances of its description. */
import { readFileSync } from 'node:fs';
import type { Test } from 'tap';
import { createFluid, flashTP, type ModelId } from '../../../../src/engineering/thermo/index.ts';

interface Phase {
  readonly moleFraction: number;
  readonly density_kg_m3: number;
  readonly Z: number;
  readonly Cp_J_kgK: number;
  readonly Cv_J_kgK: number;
  readonly speedOfSound_m_s: number;
  readonly enthalpy_J_kg: number;
  readonly entropy_J_molK: number;
  readonly composition: Readonly<Record<string, number>>;
}

export interface ReferenceCase {
  readonly id: string;
  readonly input: {
    readonly model: ModelId;
    readonly flashType: string;
    readonly mixingRule?: string;
    readonly components: Readonly<Record<string, number>>;
    readonly temperature: { readonly value: number };
    readonly pressure: { readonly value: number };
  };
  readonly expect: { readonly phases: readonly string[] } & Readonly<Record<string, unknown>>;
}

/** TP cases of a model; temperatures are in C and pressures in bara. */
export function referenceCases(model: ModelId): readonly ReferenceCase[] {
  return readFileSync(new URL('../reference/runFlash.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ReferenceCase)
    .filter(({ input }) => input.model === model && input.flashType === 'TP');
}

/** Phases, compositions, Z and densities to 1e-4 (the programs share equations and parameters); caloric values to 0.1 %. */
export function compareWithReference(t: Test, { input, expect }: ReferenceCase, mixingRule?: string): void {
  const fluid = createFluid({
    components: input.components,
    model: input.model,
    mixingRule: mixingRule ?? input.mixingRule,
  });
  const result = flashTP(fluid, input.temperature.value + 273.15, input.pressure.value * 1e5);
  t.same(
    result.phases.map((phase) => phase.name),
    expect.phases,
  );
  t.ok(result.convergence.fugacityError < 1e-9, 'equal fugacities');
  t.ok(result.convergence.balanceError < 1e-12, 'closed balance');
  for (const phase of result.phases) {
    const wanted = expect[phase.name] as Phase;
    const M = phase.molarMass;
    const near = (what: string, value: number, target: number, tolerance: number) =>
      t.ok(Math.abs(value - target) <= tolerance, `${phase.name} ${what}: ${value}, expected ${target}`);
    near('fraction', phase.fraction, wanted.moleFraction, 1e-5);
    near('Z', phase.Z, wanted.Z, 1e-4 * wanted.Z);
    near('density', phase.density, wanted.density_kg_m3, 1e-4 * wanted.density_kg_m3);
    near('Cp', phase.cp / M, wanted.Cp_J_kgK, 1e-3 * wanted.Cp_J_kgK);
    near('Cv', phase.cv / M, wanted.Cv_J_kgK, 1e-3 * wanted.Cv_J_kgK);
    near('speed of sound', phase.speedOfSound, wanted.speedOfSound_m_s, 1e-3 * wanted.speedOfSound_m_s);
    near('enthalpy', phase.enthalpy / M, wanted.enthalpy_J_kg, 300);
    near('entropy', phase.entropy, wanted.entropy_J_molK, 0.01);
    for (const [name, value] of Object.entries(wanted.composition)) {
      const i = fluid.components.findIndex((c) => c.name === name);
      near(name, phase.x[i]!, value, Math.max(1e-4 * value, 1e-11));
    }
  }
}
