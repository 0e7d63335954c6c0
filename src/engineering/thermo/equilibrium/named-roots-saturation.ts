/**
 * Saturation points of nearly pure fluids and azeotropes.
 *
 * Between the dew and the bubble pressure of such a fluid lies perhaps a hundred-thousandth of the pressure; beside that band feed and
 * incipient phase have one stable root, on which Newton finds the trivial solution. Here both phases are held on the roots that the kind
 * names. It leaves to the caller whether those roots are the stable ones.
 */
import type { PureSaturationLine } from './pure-saturation.ts';
import type { SaturationSystem } from './saturation-system.ts';

/** Mole fraction of the main component from which its saturation line is a start. */
const MAIN = 0.9;
const APPROACHES = 12;
const CLOSE = 1e-3;

/** The component that makes the fluid nearly pure; undefined when none does. */
export function mainComponent(system: SaturationSystem): number | undefined {
  for (const i of system.active) if (system.z[i]! > MAIN) return i;
  return undefined;
}

export function nameRoots(system: SaturationSystem, bubble: boolean): void {
  system.feedBranch = bubble ? 'liquid' : 'vapour';
  system.incipientBranch = bubble ? 'vapour' : 'liquid';
}

/** Sets u on the saturation line of the main component at T or p, on named roots. */
export function startFromPure(
  system: SaturationSystem,
  line: PureSaturationLine,
  given: 'T' | 'p',
  value: number,
): void {
  const { m, u } = system;
  const start = given === 'T' ? line.atTemperature(value) : line.atPressure(value);
  u[m] = Math.log(start.T);
  u[m + 1] = Math.log(start.p);
  u.fill(0, 0, m);
  approach(system);
}

/** Substitution on the roots held, beginning with an incipient phase of the composition of the feed on its other root. */
export function approach(system: SaturationSystem): void {
  const { m, u } = system;
  for (let k = 0; k < APPROACHES; k++) {
    let change = 0;
    const before = Float64Array.from(u);
    system.substitute();
    for (let a = 0; a < m; a++) change = Math.max(change, Math.abs(u[a]! - before[a]!));
    if (!(change > CLOSE)) break;
  }
}

/** Range round the estimate that is searched for two roots (logarithm of p, of T), and the number of steps in it. */
const SPAN = { T: 0.9, p: 0.15 } as const;
const STEPS = 60;
const BISECTIONS = 40;
/** Difference of ln rho by which two roots are told apart. */
const APART = 1e-3;

/**
 * Sets u where the feed, as a vapour and as a liquid of the same composition, has one Gibbs energy: between dew and bubble point, and on both
 * where these meet. `estimate` of the unknown (p [Pa] at given T, T [K] at given p) is searched about. False when the feed has no two roots there.
 */
export function startFromFeed(system: SaturationSystem, given: 'T' | 'p', value: number, estimate: number): boolean {
  const { eos, m, u, z, active, feed, incipient } = system;
  const set = (unknown: number) => {
    u[m] = Math.log(given === 'T' ? value : unknown);
    u[m + 1] = Math.log(given === 'p' ? value : unknown);
  };
  /** (g of the vapour - g of the liquid)/RT; rises with p and falls with T. NaN where there is one root. */
  const difference = (unknown: number): number => {
    const [T, p] = given === 'T' ? [value, unknown] : [unknown, value];
    const vapour = eos.lnPhi(T, p, z, 'vapour', feed.lnPhi);
    const liquid = eos.lnPhi(T, p, z, 'liquid', incipient.lnPhi);
    if (!(Math.log(liquid / vapour) > APART)) return Number.NaN;
    let sum = 0;
    for (const i of active) sum += z[i]! * (feed.lnPhi[i]! - incipient.lnPhi[i]!);
    return given === 'T' ? sum : -sum;
  };
  const span = SPAN[given];
  let lo = Number.NaN;
  let hi = Number.NaN;
  for (let k = 0; k <= STEPS && Number.isNaN(hi); k++) {
    const unknown = estimate * Math.exp(span * ((2 * k) / STEPS - 1));
    const f = difference(unknown);
    if (f < 0) lo = unknown;
    else if (f >= 0) hi = unknown;
  }
  // The wanted point may lie beside the last state with two roots.
  if (Number.isNaN(lo) && Number.isNaN(hi)) return false;
  if (Number.isNaN(lo) || Number.isNaN(hi)) set(Number.isNaN(lo) ? hi : lo);
  else {
    for (let k = 0; k < BISECTIONS && hi / lo - 1 > 1e-10; k++) {
      const middle = Math.sqrt(lo * hi);
      const f = difference(middle);
      if (Number.isNaN(f)) break;
      if (f < 0) lo = middle;
      else hi = middle;
    }
    set(Math.sqrt(lo * hi));
  }
  u.fill(0, 0, m);
  return true;
}
