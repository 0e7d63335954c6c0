/**
 * Every model against published states of pure fluids: saturation, single-phase properties, transport. The wanted values come from the
 * reference equations as CoolProp 8.0.0 computes them.
 */
import {
  bubblePoint,
  createFluid,
  EngineError,
  type Fluid,
  flashTP,
  getComponent,
  type ModelId,
  properties,
  transport,
} from '../../src/engineering/thermo/index.ts';
import { referenceFluid, referenceFluidNames } from '../../src/engineering/thermo/models/helmholtz/reference-fluid.ts';
import { CorrespondingStates } from '../../src/engineering/thermo/properties/transport/corresponding-states.ts';
import {
  referenceConductivity,
  referenceConductivityFluids,
  referenceViscosity,
  referenceViscosityFluids,
} from '../../src/engineering/thermo/properties/transport/reference.ts';
import { type PublishedCase, publishedCases } from '../../test/engineering/thermo/published-cases.ts';
import { Deviations } from './deviations.ts';

const MODELS: readonly ModelId[] = ['HELMHOLTZ', 'GERG2008', 'IF97', 'SRK', 'PR', 'CPA', 'PCSAFT', 'UMRPRU'];
const POLAR = new Set(['water', 'ammonia', 'methanol', 'ethanol', 'MEG']);

export function pureFluidRows() {
  const found = new Deviations();
  for (const model of MODELS) {
    // Where an equation is made for one kind of fluid, the kinds are told apart.
    const label = (component: string) => (POLAR.has(component) ? `${model}, ${component}` : model);
    for (const c of publishedCases('saturation-pure.jsonl')) {
      const name = c.input.component!;
      found.add(label(name), c.what, c.what.includes('temperature') ? 'K' : '%', c.id, c.expect.value, () =>
        saturated(fluidOf(model, name), c),
      );
    }
    for (const c of publishedCases('density-pure.jsonl')) {
      const name = c.input.component!;
      found.add(label(name), `${c.what}, one phase`, '%', c.id, c.expect.value, () => single(fluidOf(model, name), c));
    }
  }
  return found.rows();
}

const fluidOf = (model: ModelId, component: string): Fluid => createFluid({ components: { [component]: 1 }, model });

function saturated(fluid: Fluid, { what, input }: PublishedCase): number {
  const point = bubblePoint(fluid, input.T_K === undefined ? { p: input.p_bara! * 1e5 } : { T: input.T_K });
  const { T, p, phases } = properties(fluid, point);
  const [vapour, liquid] = [...phases].sort((a, b) => a.density - b.density);
  if (vapour === undefined || liquid === undefined) throw unreachable('two phases');
  switch (what) {
    case 'vapour pressure':
      return p / 1e5;
    case 'normal boiling temperature':
      return T;
    case 'saturated vapour density':
      return vapour.density;
    case 'saturated liquid density':
      return liquid.density;
    case 'molar enthalpy of vaporisation':
      return (vapour.enthalpy - liquid.enthalpy) / 1e3;
    default:
      throw new Error(`no property '${what}'`);
  }
}

function single(fluid: Fluid, { what, input }: PublishedCase): number {
  const { phases } = flashTP(fluid, input.T_K!, input.p_bara! * 1e5);
  const phase = phases[0]!;
  switch (what) {
    case 'mass density':
      return phase.density;
    case 'compressibility factor':
      return phase.Z;
    case 'isobaric heat capacity':
      return phase.cp / phase.molarMass / 1e3;
    case 'speed of sound':
      return phase.speedOfSound;
    case 'Joule-Thomson coefficient':
      return phase.jouleThomson * 1e5;
    default:
      throw new Error(`no property '${what}'`);
  }
}

/** Pure-fluid transport: the reference correlations, what `transport` gives on SRK densities, and corresponding states alone. */
export function transportRows() {
  const found = new Deviations();
  for (const c of publishedCases('transport.jsonl')) {
    const name = c.input.component!;
    const viscous = c.what === 'viscosity';
    if (!referenceFluidNames().includes(name)) continue;
    const state = stateOf(c);
    if ((viscous ? referenceViscosityFluids() : referenceConductivityFluids()).includes(name))
      found.add('reference correlations', c.what, '%', c.id, c.expect.value, () =>
        viscous ? referenceViscosity(name, state.T, state.rho) : referenceConductivity(name, state.T, state.rho),
      );
    if (!(state.p > 0)) continue;
    // On a saturation line the model's own line decides the phase, so those states are left to the correlations.
    if (c.input.quality === undefined)
      found.add('transport() on SRK', c.what, '%', c.id, c.expect.value, () => {
        const fluid = fluidOf('SRK', name);
        const [values] = transport(fluid, flashTP(fluid, state.T, state.p));
        const value = viscous ? values?.viscosity : values?.thermalConductivity;
        if (value === undefined) throw unreachable(c.what);
        return value;
      });
    const component = getComponent(name);
    if (component.type !== 'HC' && name !== 'CO2' && name !== 'nitrogen') continue;
    const states = new CorrespondingStates([component]);
    const x = Float64Array.of(1);
    const side = states.reducedMolarDensity(state.rho, x) > 1 ? 'liquid' : 'vapour';
    found.add(
      `corresponding states, ${side === 'liquid' ? 'liquid' : 'gas'}`,
      c.what,
      '%',
      c.id,
      c.expect.value,
      () => {
        const [A = 0, B = 0, C = 0, D = 0, E = 0] = component.idealGasCp ?? [];
        const cp = A + state.T * (B + state.T * (C + state.T * (D + state.T * E)));
        return viscous
          ? states.viscosity(state.T, state.p, x, side)
          : states.conductivity(state.T, state.p, x, cp, side);
      },
    );
  }
  return found.rows();
}

function stateOf({ input }: PublishedCase): { readonly T: number; readonly p: number; readonly rho: number } {
  const fluid = referenceFluid(input.component!);
  const T = input.T_K!;
  if (input.quality !== undefined) {
    const { p, rhoV, rhoL } = fluid.saturation(T);
    return { T, p, rho: input.quality === 1 ? rhoV : rhoL };
  }
  const rho = input.rho_mol_m3 ?? input.rho_kg_m3! / fluid.M;
  return { T, rho, p: fluid.properties(T, rho).p };
}

const unreachable = (specification: string) =>
  new EngineError({ kind: 'spec-unreachable', specification, reason: 'the model gives no value here' });
