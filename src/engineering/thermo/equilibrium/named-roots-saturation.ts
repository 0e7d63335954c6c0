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
  // The incipient phase begins with the composition of the feed on its other root.
  for (let k = 0; k < APPROACHES; k++) {
    let change = 0;
    const before = Float64Array.from(u);
    system.substitute();
    for (let a = 0; a < m; a++) change = Math.max(change, Math.abs(u[a]! - before[a]!));
    if (!(change > CLOSE)) break;
  }
}
