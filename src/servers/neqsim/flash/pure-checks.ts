import {
  checkPure,
  type FlashResult,
  isEngineError,
  type ModelId,
  type PureCheck,
} from '../../../engineering/thermo/index.ts';
import type { Warning } from '../../../kit/index.ts';
import type { BuiltFluid } from '../fluid.ts';
import { toBara, toCelsius } from '../units.ts';

/** What a model is known to miss of the components of a mixture, one by one: said before anybody trusts the mixture. */

/** A liquid density this far (share) from the tabulated one is said, and a vapour pressure this far from 1 atm at the boiling point. */
const DENSITY_SHARE = 0.15;
const PRESSURE_SHARE = 0.2;
/** A critical temperature this far from the tabulated one is said of components with this share of the moles or more ... */
const CRITICAL_SHARE = 0.015;
const LEAST_FRACTION = 0.1;
/** ... at states between this share of the lower and this multiple of the higher of both temperatures, above this share of the critical pressure. */
const FROM = 0.9;
const TO = 1.1;
const FROM_PRESSURE = 0.4;
const NAMED = 5;

/** A component alone does not depend on the mixture, so each pair of model and component is checked once. */
const checks = new Map<string, PureCheck>();

export function missedComponents({ fluid, model }: BuiltFluid): Warning[] {
  const densities: string[] = [];
  const pressures: string[] = [];
  for (const [i, { name, publicName }] of fluid.components.entries()) {
    if (!(fluid.z[i]! > 0)) continue;
    const { density, boilingPressureRatio: ratio } = checkOnce(fluid.eos.id, name);
    if (density !== undefined && !(Math.abs(density.computed / (density.tabulated ?? 0) - 1) <= DENSITY_SHARE)) {
      const { computed, tabulated } = density;
      const beside =
        tabulated === undefined
          ? '(extrapolated, no value to compare with)'
          : `where ${tabulated.toFixed(0)} is tabulated`;
      densities.push(`${publicName} ${computed.toFixed(0)} kg/m3 ${beside}`);
    }
    if (ratio !== undefined && Math.abs(ratio - 1) > PRESSURE_SHARE) {
      pressures.push(`${publicName} by ${ratio > 1 ? '+' : ''}${(100 * (ratio - 1)).toFixed(0)} %`);
    }
  }
  return [
    ...said(
      pressures,
      (names) =>
        `${model} misses the vapour pressure at the normal boiling point: ${names}. What they do to the phases is off accordingly.`,
    ),
    ...said(
      densities,
      (names) =>
        `${model} misses the density of these liquids at 15 C: ${names}. Liquids rich in them have a wrong density; phases and compositions are not touched by it.`,
    ),
  ];
}

/** Critical points that the model misses, where the state of the answer lies near one; without a state (an envelope) all of them. */
export function missedCriticalPoints({ fluid, model }: BuiltFluid, state?: Pick<FlashResult, 'T' | 'p'>): Warning[] {
  const items: string[] = [];
  for (const [i, { name, publicName, Tc, pc }] of fluid.components.entries()) {
    if (!(fluid.z[i]! >= LEAST_FRACTION)) continue;
    const { critical } = checkOnce(fluid.eos.id, name);
    if (critical === undefined || !(Math.abs(critical.temperatureRatio - 1) > CRITICAL_SHARE)) continue;
    const T = critical.temperatureRatio * Tc;
    const p = critical.pressureRatio * pc;
    const near =
      state === undefined ||
      (state.T > FROM * Math.min(T, Tc) && state.T < TO * Math.max(T, Tc) && state.p > FROM_PRESSURE * Math.min(p, pc));
    if (!near) continue;
    items.push(
      `${publicName} ${toCelsius(T).toFixed(1)} C and ${toBara(p).toPrecision(3)} bara where ${toCelsius(Tc).toFixed(1)} C and ${toBara(pc).toPrecision(3)} bara are tabulated`,
    );
  }
  return said(
    items,
    (names) =>
      `${model} misses the critical point: ${names}. Near it phases, densities and heat capacities are off; SRK and PR meet it.`,
  );
}

function checkOnce(model: ModelId, name: string): PureCheck {
  const key = `${model} ${name}`;
  let check = checks.get(key);
  if (check === undefined) {
    try {
      check = checkPure(model, name);
    } catch (error) {
      if (!isEngineError(error)) throw error;
      check = {};
    }
    checks.set(key, check);
  }
  return check;
}

function said(items: readonly string[], text: (names: string) => string): Warning[] {
  if (items.length === 0) return [];
  const more = items.length > NAMED ? ` and ${items.length - NAMED} more` : '';
  return [{ code: 'MODEL_LIMITATION', severity: 'WARNING', message: text(items.slice(0, NAMED).join('; ') + more) }];
}
