/** Transport properties of whole phases: against another program (reference/README.md), against published values, and their limits. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { createFluid, flashTP, getComponent, transport } from '../../../../../src/engineering/thermo/index.ts';
import {
  referenceFluid,
  referenceFluidNames,
} from '../../../../../src/engineering/thermo/models/helmholtz/reference-fluid.ts';
import { CorrespondingStates } from '../../../../../src/engineering/thermo/properties/transport/corresponding-states.ts';
import {
  pureConductivity,
  pureViscosity,
} from '../../../../../src/engineering/thermo/properties/transport/pure-transport.ts';
import { referenceViscosity } from '../../../../../src/engineering/thermo/properties/transport/reference.ts';
import { publishedCases } from '../../published-cases.ts';

type Row = Readonly<Record<string, number>>;
interface Case {
  readonly id: string;
  readonly input: {
    readonly model: string;
    readonly flashType?: string;
    readonly components: Readonly<Record<string, number>>;
  };
  readonly expect: Readonly<Record<string, unknown>>;
}
const casesOf = (file: string): Case[] =>
  readFileSync(new URL(`../../reference/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Case)
    .filter(({ input }) => input.model === 'SRK' || input.model === 'PR');

const flashed = ({ input }: Case, T: number, p: number) => {
  const fluid = createFluid({ components: input.components, model: input.model as 'SRK' | 'PR' });
  return transport(fluid, flashTP(fluid, T, p));
};

/**
 * Cases in which the other program is not followed. It takes the reference fluid's density from SRK and its stable root from T and p, so that
 * liquids near saturation get a gas viscosity; its hydrogen at 200 bar lies 16 % below the reference correlation.
 */
const NOT_FOLLOWED: Readonly<Record<string, string>> = {
  'flash-tp-co2-pr-2 oil': 'a liquid of 988 kg/m3 with the viscosity of a gas',
  'flash-tp-lean-pr-2 oil': 'near-critical liquid: density of the reference fluid by SRK',
  'flash-tp-lean-pr-2 gas': 'near-critical gas: no critical enhancement of the conductivity',
  'flash-tp-co2-srk-2 oil': 'liquid CO2: density of the reference fluid by SRK',
  'flash-tp-pure-hydrogen-pr-1 gas': 'reference correlation of hydrogen',
};

t.test('phases of TP flashes against another program', async (t) => {
  let compared = 0;
  for (const c of casesOf('runFlash.jsonl').filter(({ input }) => input.flashType === 'TP')) {
    const names = c.expect['phases'] as readonly string[];
    const values = flashed(c, c.expect['temperature_K'] as number, (c.expect['pressure_bara'] as number) * 1e5);
    for (const [k, name] of names.entries()) {
      const key = `${c.id} ${name}`;
      if (key in NOT_FOLLOWED) continue;
      const wanted = c.expect[name] as Row;
      const { viscosity = 0, thermalConductivity = 0, limitations } = values[k]!;
      const mu = viscosity / wanted['viscosity_Pa_s']! - 1;
      const lambda = thermalConductivity / wanted['thermalConductivity_W_mK']! - 1;
      t.ok(Math.abs(mu) < 0.16, `${key} viscosity: off by ${mu}`);
      t.ok(Math.abs(lambda) < 0.16, `${key} conductivity: off by ${lambda}`);
      if (!/h2blend/.test(key)) t.same(limitations, [], key);
      compared++;
    }
  }
  t.equal(compared, 56);
});

t.test('property tables against another program', async (t) => {
  let compared = 0;
  for (const c of casesOf('getPropertyTable.jsonl')) {
    for (const row of c.expect['table'] as readonly Row[]) {
      const values = flashed(c, row['temperature_C']! + 273.15, row['pressure_bara']! * 1e5);
      const gas = values.length === 1 ? values[0]! : values.find(({ phase }) => phase === 'gas')!;
      const oil = values.find(({ phase }) => phase === 'oil');
      const compare = (key: string, value: number | undefined) => {
        if (row[key] === undefined) return;
        t.ok(Math.abs((value ?? 0) / row[key] - 1) < 0.16, `${c.id} ${row['temperature_C']} ${key}: ${value}`);
        compared++;
      };
      const milli = (value: number | undefined) => (value === undefined ? undefined : value * 1e3);
      compare('gasViscosity_cP', milli(gas.viscosity));
      compare('liquidViscosity_cP', milli(oil?.viscosity));
      // Not followed: the conductivity of nitrogen (half too low at 423 K) and that of dense CO2 (20 % apart at 293 K).
      if (!/-h8$/.test(c.id) && !(/-h5$/.test(c.id) && row['temperature_C']! < 30))
        compare('gasThermalConductivity_W_mK', gas.thermalConductivity);
    }
  }
  t.ok(compared > 40, `${compared} values`);
});

/** Not served, or served less well than the engineering tolerance of the case, and said so in the module's validity. */
const WEAK: Readonly<Record<string, string>> = {
  'transport-063': 'benzene 12 K below its critical point',
  'transport-069': 'toluene 146 K beyond its liquid correlation',
  'transport-087': 'dodecane 2 K above its critical point',
  'transport-070': 'ethanol at 1070 bar: liquid conductivity carries no pressure correction',
  'transport-124': 'methanol at 940 bar: the same',
};

t.test('published values of pure fluids within the tolerance of engineering methods', async (t) => {
  let run = 0;
  for (const c of publishedCases('transport.jsonl')) {
    const { component: name = '', T_K: T = Number.NaN, rho_mol_m3, rho_kg_m3, quality } = c.input;
    const component = getComponent(name);
    const fluid = referenceFluidNames().includes(name) ? referenceFluid(name) : undefined;
    const rho =
      rho_mol_m3 ??
      (rho_kg_m3 === undefined
        ? quality === 1
          ? fluid!.saturation(T).rhoV
          : fluid!.saturation(T).rhoL
        : rho_kg_m3 / component.molarMass);
    const p = fluid === undefined ? Number.NaN : fluid.properties(T, rho).p;
    const states = new CorrespondingStates([component]);
    const x = new Float64Array([1]);
    const [A = 0, B = 0, C = 0, D = 0, E = 0] = component.idealGasCp ?? [];
    const state = {
      component,
      T,
      // A saturated liquid whose rounded density lies below that of the equation has a negative pressure in it.
      p: p > 0 ? p : (fluid?.saturation(T).p ?? rho * 8.314 * T),
      rho,
      branch: states.reducedMolarDensity(rho, x) > 1 ? ('liquid' as const) : ('vapour' as const),
      states,
      x,
      cp: A + T * (B + T * (C + T * (D + T * E))),
      liquidDensity: () => rho,
      enhancement: () => 0,
    };
    const estimate = (c.what === 'viscosity' ? pureViscosity : pureConductivity)(state);
    if (estimate === undefined || c.id in WEAK) continue;
    const tolerance = (c.expect as { tol_engineering?: number }).tol_engineering ?? c.expect.tol;
    t.ok(
      Math.abs(estimate.value - c.expect.value) <= tolerance,
      `${c.id} ${name} ${c.what} ${T} K by ${estimate.method}: ${estimate.value} for ${c.expect.value}`,
    );
    run++;
  }
  t.ok(run >= 70, `${run} cases`);
});

t.test('a phase without a method has no value and a sentence that says why', async (t) => {
  const fluid = createFluid({ components: { nC20: 1 }, model: 'SRK' });
  const [cold] = transport(fluid, flashTP(fluid, 200, 1e5));
  t.equal(cold?.viscosity, undefined);
  t.equal(cold?.viscosityMethod, undefined);
  t.ok(cold?.limitations.some((text) => text.startsWith('No viscosity for the')));
  const blend = createFluid({ components: { hydrogen: 0.2, methane: 0.8 }, model: 'SRK' });
  t.ok(transport(blend, flashTP(blend, 300, 50e5))[0]?.limitations.some((text) => text.includes('hydrogen')));
});

t.test('hydrogen and steam: gases that corresponding states does not describe', async (t) => {
  // H2 with 20 % N2 at 300 K, low pressure: between the pure gases 0.187 and 0.0258 W/(m K), 0.10 to 0.13 measured.
  const hydrogen = createFluid({ components: { hydrogen: 0.8, nitrogen: 0.2 }, model: 'SRK' });
  const [gas] = transport(hydrogen, flashTP(hydrogen, 300, 2e5));
  t.ok(gas!.thermalConductivity! > 0.1 && gas!.thermalConductivity! < 0.135, `${gas!.thermalConductivity}`);
  const steam = createFluid({ components: { water: 0.9, CO2: 0.1 }, model: 'SRK' });
  const [vapour] = transport(steam, flashTP(steam, 450, 1e5));
  t.equal(vapour?.viscosityMethod, 'low-pressure gas mixture');
  // Steam 1.52e-5 and CO2 2.15e-5 Pa s at 450 K.
  t.ok(vapour!.viscosity! > 1.45e-5 && vapour!.viscosity! < 1.8e-5, `${vapour!.viscosity}`);
});

t.test('dense CO2: the pure limit of the mixture is near the reference correlation', async (t) => {
  const nearly = createFluid({ components: { CO2: 0.9999, nitrogen: 0.0001 }, model: 'PR' });
  for (const [T, p] of [
    [293.15, 120e5],
    [333.15, 120e5],
    [373.15, 200e5],
  ] as const) {
    const rho = referenceFluid('CO2').density(T, p);
    const wanted = referenceViscosity('CO2', T, rho);
    const value = transport(nearly, flashTP(nearly, T, p))[0]!.viscosity!;
    t.ok(Math.abs(value / wanted - 1) < 0.01, `${T} K: ${value} for ${wanted}`);
  }
});

t.test('the passage from methane to CO2 as reference has no step', async (t) => {
  let last = Number.NaN;
  for (let share = 0.45; share < 0.86; share += 0.01) {
    const fluid = createFluid({ components: { CO2: share, methane: 1 - share }, model: 'PR' });
    const value = transport(fluid, flashTP(fluid, 320, 60e5))[0]!.viscosity!;
    if (!Number.isNaN(last)) t.ok(Math.abs(value / last - 1) < 0.03, `${share.toFixed(2)}: ${value} after ${last}`);
    last = value;
  }
});

t.test('liquid ammonia has the transport properties of its own density, not of that of a cubic equation', async (t) => {
  for (const model of ['SRK', 'PR', 'PCSAFT'] as const) {
    const fluid = createFluid({ components: { ammonia: 1 }, model });
    const [liquid] = transport(fluid, flashTP(fluid, 293.15, 20e5));
    // NIST WebBook: 1.38e-4 Pa s and 0.50 W/(m K); at the 711 kg/m3 of SRK the correlations give 2.65e-4 and 0.754.
    t.ok(Math.abs(liquid!.viscosity! / 1.38e-4 - 1) < 0.03, `${model} ${liquid!.viscosity}`);
    t.ok(Math.abs(liquid!.thermalConductivity! / 0.5 - 1) < 0.03, `${model} ${liquid!.thermalConductivity}`);
    t.equal(liquid!.viscosityMethod, 'reference correlation');
  }
  const fluid = createFluid({ components: { ammonia: 1 }, model: 'SRK' });
  const [gas] = transport(fluid, flashTP(fluid, 300, 1e5));
  t.ok(Math.abs(gas!.viscosity! / 1.016e-5 - 1) < 0.01, 'the gas at 1 bar is untouched');
});

t.test('the viscosity of ammonia has no step above its critical pressure', async (t) => {
  const fluid = createFluid({ components: { ammonia: 1 }, model: 'SRK' });
  let last = Number.NaN;
  for (let T = 380; T < 450; T += 0.5) {
    const value = transport(fluid, flashTP(fluid, T, 140e5))[0]!.viscosity!;
    if (!Number.isNaN(last)) t.ok(value < last * 1.001 && value > last * 0.95, `${T} K: ${value} after ${last}`);
    last = value;
  }
});
