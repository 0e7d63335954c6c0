/**
 * The component table: 338 substances and ions of data/components.csv, typed and in SI units. Loaded once.
 * Sources and corrections are named row by row in `flags`; credits in data/ATTRIBUTION.md.
 */
import { type CsvRow, numberOf, numbersOf, readCsv } from '../../data/csv.ts';
import type { AssociationData, Component, ComponentType, PcSaftData, VapourPressureCorrelation } from './component.ts';

/** All components, in table order. */
export const COMPONENTS: readonly Component[] = readCsv('components.csv').map(toComponent);

function toComponent(row: CsvRow): Component {
  const num = (column: string) => numberOf(row, column);
  const series = (stem: string, count: number) =>
    numbersOf(row, ...Array.from({ length: count }, (_, k) => `${stem}${k + 1}`));
  const aliases = list(row['aliases'], ';');
  const name = row['name']!;
  return {
    name,
    publicName: aliases.find((alias) => alias === name.replaceAll('.', ',')) ?? name,
    cas: row['cas'] || undefined,
    formula: row['formula'] || undefined,
    type: row['type'] as ComponentType,
    aliases,
    molarMass: num('MW_g_mol') * 1e-3,
    Tc: num('Tc_K'),
    pc: num('Pc_bar') * 1e5,
    vc: num('Vc_cm3_mol') * 1e-6,
    omega: num('omega'),
    Tb: num('Tb_K'),
    zra: num('Zra'),
    liquidDensity15C: standardDensity(num('stddens_g_cm3'), num('liqdens_std_g_cm3')) * 1e3,
    idealGasCp: numbersOf(row, 'cpA_J_molK', 'cpB', 'cpC', 'cpD', 'cpE'),
    Hf: num('Hf_ideal_gas_298_J_mol'),
    Gf: num('Gf_298_J_mol'),
    S0: num('S0_ideal_gas_298_J_molK'),
    Ttriple: num('Tt_K'),
    ptriple: num('Pt_bar') * 1e5,
    rhoTriple: num('rho_triple_kg_m3'),
    Tmelt: num('Tm_K'),
    Hfus: num('Hfus_J_mol'),
    Hsub: num('Hsub_J_mol'),
    vapourPressure: vapourPressure(row),
    sublimationPressure: numbersOf(row, 'antoine_solid_A', 'antoine_solid_B', 'antoine_solid_C'),
    dipole: num('dipole_D'),
    lennardJones: { sigma: num('LJ_sigma_A'), eps: num('LJ_eps_K'), coreRadius: num('LJ_core_radius_A') },
    parachor: num('parachor'),
    parachorCpa: num('parachor_cpa'),
    criticalViscosity: num('critical_viscosity_Pa_s'),
    viscosityFactor: num('viscfact'),
    liquidViscosity: liquidViscosity(row),
    liquidConductivity: series('liqcond', 3),
    henry: series('henry', 4),
    charge: first(num('ionic_charge'), 0),
    ionicDiameter: num('ionic_diameter_A'),
    dielectric: series('dielectric', 5),
    solidDensity: series('soliddens', 5),
    liquidDensity: series('liqdens', 5),
    heatOfVaporisation: series('hvap', 5),
    solidCp: series('cpsolid', 5),
    liquidCp: series('cpliq', 5),
    mathiasCopeman: { srk: series('mc_srk', 3), pr: series('mc_pr', 3), solid: series('mc_solid', 3) },
    schwartzentruber: series('schwartzentruber', 3),
    twuCoon: series('twu_coon', 3),
    association: association(row),
    cpa: {
      srk: cpaCubic(row, 'srk'),
      pr: cpaCubic(row, 'pr'),
      shiftSlope: num('volcorr_cpa_T'),
      zra: num('Zra_cpa'),
    },
    pcsaft: pcSaft(row),
    hydrateFormer: row['hydrate_former'] === 'yes',
    waxFormer: row['wax_former'] === 'yes',
    flags: list(row['flags'], ' | '),
  };
}

function list(cell: string | undefined, separator: string): readonly string[] {
  return cell ? cell.split(separator).filter((part) => part !== '') : [];
}

function first(value: number, otherwise: number): number {
  return Number.isNaN(value) ? otherwise : value;
}

function vapourPressure(row: CsvRow): VapourPressureCorrelation | undefined {
  const form = row['antoine_type'];
  const c = numbersOf(row, 'antoineA', 'antoineB', 'antoineC', 'antoineD', 'antoineE');
  if (c === undefined || (form !== 'pow10' && form !== 'exp' && form !== 'dippr101')) return undefined;
  return { form, c };
}

function liquidViscosity(row: CsvRow): Component['liquidViscosity'] {
  const c = numbersOf(row, 'liqvisc1', 'liqvisc2', 'liqvisc3', 'liqvisc4');
  const form = numberOf(row, 'liqvisc_model');
  return c !== undefined && (form === 1 || form === 2 || form === 3 || form === 4) ? { form, c } : undefined;
}

function association(row: CsvRow): AssociationData | undefined {
  const scheme = row['assoc_scheme'];
  if (!scheme) return undefined;
  return {
    sites: numberOf(row, 'assoc_sites'),
    scheme: scheme as AssociationData['scheme'],
    energy: numberOf(row, 'assoc_energy_J_mol'),
    volumeSrk: numberOf(row, 'assoc_volume_srk'),
    volumePr: numberOf(row, 'assoc_volume_pr'),
  };
}

function cpaCubic(row: CsvRow, cubic: 'srk' | 'pr') {
  const values = numbersOf(row, `cpa_a_${cubic}`, `cpa_b_${cubic}`, `cpa_m_${cubic}`);
  return values && { a0: values[0]! * 1e-5, b: values[1]! * 1e-5, m: values[2]! };
}

function pcSaft(row: CsvRow): PcSaftData | undefined {
  const values = numbersOf(row, 'pcsaft_m', 'pcsaft_sigma_A', 'pcsaft_eps_K');
  return (
    values && {
      m: values[0]!,
      sigma: values[1]!,
      eps: values[2]!,
      associationVolume: numberOf(row, 'pcsaft_assoc_volume'),
      associationEnergy: numberOf(row, 'pcsaft_assoc_energy_J_mol'),
    }
  );
}

/** [g/cm3] 0.99 and 1 in the first column are defaults of its source (mercury has one), so the second goes before them. */
function standardDensity(standard: number, stored: number): number {
  const isDefault = standard === 0.99 || standard === 1;
  return isDefault ? first(stored, standard) : first(standard, stored);
}
