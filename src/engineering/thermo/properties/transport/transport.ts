/**
 * Viscosity and thermal conductivity of every phase of a flash result. Computed on demand: a flash does not pay for it.
 *
 * Which method serves a phase:
 *  - one substance: pure-transport.ts;
 *  - water, glycols, alcohols or amines at half the moles or more: aqueous liquid (aqueous.ts), or gas at low pressure with what
 *    density adds (gas-mixture.ts);
 *  - hydrogen and helium at half the moles or more: the same gas rule, at any density above 1.5 times the critical temperature;
 *  - everything else: corresponding states, of phases rich in CO2 with CO2 as reference (carbon-dioxide.ts), and the critical enhancement of
 *    the conductivity (critical-enhancement.ts).
 * Gas or liquid is decided by the reduced density of the phase (above 1 a liquid), not by its name.
 *
 * It guarantees positive numbers or none: a value that no method can stand for is undefined, and `limitations` says why.
 */
import type { Component } from '../../components/component.ts';
import { isEngineError } from '../../errors.ts';
import type { Fluid } from '../../fluid.ts';
import type { EquationOfState } from '../../model.ts';
import type { FlashResult } from '../flash-result.ts';
import { IdealGas } from '../ideal-gas.ts';
import type { PhaseName } from '../phase-identification.ts';
import type { PhaseState } from '../phase-state.ts';
import { aqueousConductivity, aqueousViscosity, viscosityLimitation } from './aqueous.ts';
import { conductivityNearCarbonDioxide, type RichState, viscosityNearCarbonDioxide } from './carbon-dioxide.ts';
import { CorrespondingStates, type FluidBranch } from './corresponding-states.ts';
import { criticalEnhancement } from './critical-enhancement.ts';
import { diluteMixtureViscosity } from './dilute-gas.ts';
import { type GasState, gasMixtureConductivity, gasMixtureViscosity, towardsGasMixture } from './gas-mixture.ts';
import { METHANE } from './methane-mbwr.ts';
import { type Estimate, type PureState, pureConductivity, pureViscosity } from './pure-transport.ts';

export interface PhaseTransport {
  readonly phase: PhaseName;
  /** [Pa s] */
  readonly viscosity: number | undefined;
  /** [W/(m K)] */
  readonly thermalConductivity: number | undefined;
  readonly viscosityMethod: string | undefined;
  readonly conductivityMethod: string | undefined;
  /** Short sentences: what is missing and why, what is less accurate than usual. */
  readonly limitations: readonly string[];
}

const POLAR = new Set(['water', 'seawater', 'glycol', 'alcohol', 'amine', 'acid', 'ion', 'salt']);
const QUANTUM = new Set(['hydrogen', 'helium']);
const RULING_SHARE = 0.5;
/** From here on hydrogen makes the corresponding-states conductivity noticeably low. */
const NOTED_QUANTUM_SHARE = 0.1;
/** [debye]; H2S, which corresponding states does describe, has 0.97. */
const POLAR_DIPOLE = 1;
/** Temperature of the methane state [K] below which its viscosity has no counterpart in measurements. */
const COLD = 65;
const CORRESPONDING_STATES = 'corresponding states (methane)';
const NEAR_CO2 = 'corresponding states (CO2)';
const GAS_MIXTURE = 'low-pressure gas mixture';

/** Per phase of `result`, in its order. */
export function transport(fluid: Fluid, result: FlashResult): readonly PhaseTransport[] {
  const states = new CorrespondingStates(fluid.components);
  const ideal = new IdealGas(fluid.components, fluid.eos.gasConstant);
  return result.phases.map((phase) => phaseTransport(fluid, states, ideal, phase));
}

interface PhaseInput {
  readonly eos: EquationOfState;
  readonly components: readonly Component[];
  readonly states: CorrespondingStates;
  readonly phase: PhaseState;
  readonly branch: FluidBranch;
  readonly cp: number;
  readonly rho: number;
  /** Share of hydrogen and helium. */
  readonly quantum: number;
  readonly kind: 'pure' | 'aqueous' | 'polar gas' | 'quantum gas' | 'ordinary';
}

function phaseTransport(
  { eos, components }: Fluid,
  states: CorrespondingStates,
  ideal: IdealGas,
  phase: PhaseState,
): PhaseTransport {
  const { x, T, p } = phase;
  const limitations: string[] = [];
  const caloric = { h: 0, s: 0, cp: 0 };
  ideal.evaluate(T, p, x, caloric);
  const rho = 1 / phase.molarVolume;
  const branch = states.reducedMolarDensity(rho, x) > 1 ? 'liquid' : 'vapour';
  const quantum = share(components, x, ({ name }) => QUANTUM.has(name));
  const polar = share(components, x, ({ type }) => POLAR.has(type));
  const present = x.reduce((count, xi) => count + (xi > 0 ? 1 : 0), 0);
  const kind =
    present === 1
      ? 'pure'
      : polar >= RULING_SHARE && branch === 'liquid'
        ? 'aqueous'
        : polar >= RULING_SHARE
          ? 'polar gas'
          : quantum >= RULING_SHARE
            ? 'quantum gas'
            : 'ordinary';
  const input: PhaseInput = { eos, components, states, phase, branch, cp: caloric.cp, rho, quantum, kind };
  const estimate = (what: string, compute: (input: PhaseInput) => Estimate | undefined): Estimate | undefined => {
    let reason = 'no correlation covers these components at this state';
    try {
      const found = compute(input);
      if (found !== undefined && found.value > 0 && Number.isFinite(found.value)) return found;
    } catch (error) {
      if (!isEngineError(error)) throw error;
      reason = error.message;
    }
    limitations.push(`No ${what} for the ${phase.name} phase: ${reason}.`);
    return undefined;
  };
  const viscosity = estimate('viscosity', viscosityOf);
  const conductivity = estimate('thermal conductivity', conductivityOf);
  if (conductivity?.method.startsWith('corresponding') && quantum > NOTED_QUANTUM_SHARE)
    limitations.push(
      `The thermal conductivity of the ${phase.name} phase may be up to 15 % low: corresponding states undervalues hydrogen and helium.`,
    );
  if (kind === 'aqueous' && viscosity !== undefined) {
    const limitation = viscosityLimitation(components, T, x);
    if (limitation !== undefined) limitations.push(`The viscosity of the ${phase.name} phase ${limitation}`);
  }
  if (viscosity?.method === CORRESPONDING_STATES) {
    if ((T * METHANE.Tc) / states.pseudoCritical(x).Tc < COLD)
      limitations.push(
        `The ${phase.name} phase is too heavy or cold for corresponding states with methane: its viscosity is an extrapolation that may be off by a factor of 2 or more.`,
      );
    if (share(components, x, ({ dipole }) => dipole > POLAR_DIPOLE) >= RULING_SHARE)
      limitations.push(
        `Corresponding states was made for hydrocarbons: the viscosity and thermal conductivity of the ${phase.name} phase may be off by 40 %.`,
      );
  }
  return {
    phase: phase.name,
    viscosity: viscosity?.value,
    thermalConductivity: conductivity?.value,
    viscosityMethod: viscosity?.method,
    conductivityMethod: conductivity?.method,
    limitations,
  };
}

function viscosityOf(input: PhaseInput): Estimate | undefined {
  const { components, states, phase, branch, rho, quantum, kind } = input;
  const { T, p, x } = phase;
  switch (kind) {
    case 'pure': {
      const pure = pureViscosity(pureState(input));
      if (pure !== undefined || isPolar(input)) return pure;
      break;
    }
    case 'aqueous':
      return named(aqueousViscosity(components, T, p, x), 'aqueous mixture');
    case 'polar gas': {
      const dilute = diluteMixtureViscosity(components, T, x);
      return named(dilute && (dilute * states.viscosity(T, p, x, branch)) / states.diluteViscosity(T, x), GAS_MIXTURE);
    }
    case 'quantum gas':
      return named(isGas(input) ? gasMixtureViscosity(gasState(input)) : undefined, GAS_MIXTURE);
  }
  const value = states.viscosity(T, p, x, branch, rho);
  const co2 = carbonDioxideShare(input);
  const rich = co2 > RULING_SHARE;
  const gas = gasState(input);
  const conformal = rich ? viscosityNearCarbonDioxide(richState(input), co2, value) : value;
  return {
    value: towardsGasMixture(gas, quantum, conformal, () => gasMixtureViscosity(gas)),
    method: rich ? NEAR_CO2 : CORRESPONDING_STATES,
  };
}

function conductivityOf(input: PhaseInput): Estimate | undefined {
  const { components, states, phase, branch, cp, rho, quantum, kind } = input;
  const { T, p, x } = phase;
  switch (kind) {
    case 'pure': {
      const pure = pureConductivity(pureState(input));
      if (pure !== undefined || isPolar(input)) return pure;
      break;
    }
    case 'aqueous':
      return named(aqueousConductivity(components, T, p, x), 'aqueous mixture');
    case 'polar gas':
    case 'quantum gas':
      return named(isGas(input) ? gasMixtureConductivity(gasState(input)) : undefined, GAS_MIXTURE);
  }
  const value = states.conductivity(T, p, x, cp, branch, rho);
  const co2 = carbonDioxideShare(input);
  const rich = co2 > RULING_SHARE;
  const background = rich ? conductivityNearCarbonDioxide(richState(input), components, cp, co2, value) : value;
  const gas = gasState(input);
  const conformal = background + enhancementOf(input);
  return {
    value: towardsGasMixture(gas, quantum, conformal, () => gasMixtureConductivity(gas)),
    method: rich ? NEAR_CO2 : CORRESPONDING_STATES,
  };
}

/** False for liquids and what is dense near its critical temperature, which a low-pressure gas is no start for. */
const isGas = ({ branch, phase, states }: PhaseInput): boolean =>
  branch === 'vapour' || phase.T > 1.5 * states.pseudoCritical(phase.x).Tc;

/** 0 for a pure phase. */
const carbonDioxideShare = ({ components, phase, kind }: PhaseInput): number =>
  kind === 'pure' ? 0 : share(components, phase.x, ({ name }) => name === 'CO2');

const gasState = ({ components, states, phase, rho }: PhaseInput): GasState => ({
  components,
  states,
  T: phase.T,
  rho,
  x: phase.x,
});

const richState = ({ states, phase, branch, rho }: PhaseInput): RichState => ({
  states,
  T: phase.T,
  p: phase.p,
  x: phase.x,
  branch,
  rho,
});

function pureState(input: PhaseInput): PureState {
  const { eos, components, states, phase, branch, cp, rho } = input;
  const { T, p, x } = phase;
  return {
    component: components[x.findIndex((xi) => xi > 0)]!,
    T,
    p,
    rho,
    branch,
    states,
    x,
    cp,
    liquidDensity: (at) => 1 / (1 / eos.density(at, p, x, 'liquid') - eos.volumeShift(at, x)),
    enhancement: () => enhancementOf(input),
  };
}

/** Critical enhancement of the conductivity [W/(m K)]; 0 without a viscosity. */
function enhancementOf(input: PhaseInput): number {
  const mu = viscosityOf(input)?.value ?? 0;
  return mu > 0 ? criticalEnhancement(input.eos, input.phase, input.states.pseudoCritical(input.phase.x), mu) : 0;
}

const isPolar = ({ components, phase }: PhaseInput): boolean =>
  share(components, phase.x, ({ type, name }) => POLAR.has(type) || QUANTUM.has(name)) >= RULING_SHARE;

const named = (value: number | undefined, method: string): Estimate | undefined =>
  value === undefined ? undefined : { value, method };

function share(components: readonly Component[], x: Float64Array, test: (component: Component) => boolean): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) if (x[i]! > 0 && test(components[i]!)) sum += x[i]!;
  return sum;
}
