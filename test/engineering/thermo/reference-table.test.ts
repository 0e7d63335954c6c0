/** Property tables (rows at given T, p) against another program's answers (reference/README.md). Transport properties are not here. */
import t from 'tap';
import { createFluid, flashTP } from '../../../src/engineering/thermo/index.ts';
import { kelvin, pascal, type Quantity, type ReferenceInput, referenceCases } from './reference-cases.ts';

interface Input extends ReferenceInput {
  readonly sweep: 'temperature' | 'pressure';
  readonly fixedTemperature?: Quantity;
  readonly fixedPressure?: Quantity;
}
interface Row {
  readonly temperature_C: number;
  readonly pressure_bara: number;
  readonly numberOfPhases: number;
  readonly density_kg_m3: number;
  readonly compressibilityFactor?: number;
  readonly Cp_J_kgK?: number;
  readonly Cv_J_kgK?: number;
  readonly enthalpy_J_kg?: number;
  readonly entropy_J_kgK?: number;
  readonly soundSpeed_m_s?: number;
  readonly jouleThomsonCoefficient_K_bar?: number;
}

const cases = referenceCases<Input, { readonly table: readonly Row[] }>('getPropertyTable.jsonl');
t.equal(cases.length, 8, 'all cases were read');

for (const { id, input, expect } of cases)
  t.test(id, async (t) => {
    const fluid = createFluid(input);
    const reference = input.model === 'GERG2008';
    let zero: { readonly h: number; readonly s: number } | undefined;
    for (const row of expect.table) {
      const T = input.sweep === 'temperature' ? row.temperature_C + 273.15 : kelvin(input.fixedTemperature);
      const p = input.sweep === 'pressure' ? 1e5 * row.pressure_bara : pascal(input.fixedPressure);
      const { phases, overall } = flashTP(fluid, T, p);
      const M = overall.molarMass;
      const label = `${T} K, ${p} Pa`;
      const near = (what: string, value: number, wanted: number | undefined, relative: number, absolute = 0) => {
        if (wanted !== undefined)
          t.ok(
            Math.abs(value - wanted) <= relative * Math.abs(wanted) + absolute,
            `${label} ${what}: ${value} for ${wanted}`,
          );
      };
      t.equal(phases.length, row.numberOfPhases, `${label}: phases`);
      near('density', overall.density, row.density_kg_m3, reference ? 1e-3 : 1e-4);
      // GERG-2008 counts from a zero of its own: differences from the first row are compared.
      const [h, s] = [overall.enthalpy / M, overall.entropy / M];
      if (reference) zero ??= { h: h - row.enthalpy_J_kg!, s: s - row.entropy_J_kgK! };
      near('enthalpy', h - (zero?.h ?? 0), row.enthalpy_J_kg, 0, 300);
      near('entropy', s - (zero?.s ?? 0), row.entropy_J_kgK, 0, 3);
      if (phases.length > 1) continue;
      const one = phases[0]!;
      near('Z', one.Z, row.compressibilityFactor, reference ? 1e-3 : 1e-5);
      near('Cp', one.cp / M, row.Cp_J_kgK, 0.01);
      near('Cv', one.cv / M, row.Cv_J_kgK, 0.01);
      near('speed of sound', one.speedOfSound, row.soundSpeed_m_s, 0.01);
      near('Joule-Thomson', 1e5 * one.jouleThomson, row.jouleThomsonCoefficient_K_bar, 0.01, 1e-3);
    }
  });
