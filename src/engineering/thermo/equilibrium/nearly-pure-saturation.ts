/**
 * Saturation points of a fluid that is nearly one component.
 *
 * Between its dew and bubble pressure lies perhaps a hundred-thousandth of the pressure; beside that band feed and incipient phase have one
 * stable root, on which Newton finds the trivial solution. Here both phases are held on the roots that the kind names, beginning at the
 * vapour pressure of the main component. It leaves to the caller whether those roots are the stable ones.
 */
import type { Branch } from '../model.ts';
import type { PureSaturationLine } from './pure-saturation.ts';
import type { SaturationSystem } from './saturation-system.ts';

/** Mole fraction of the main component from which this start is tried. */
const MAIN = 0.9;
const APPROACHES = 12;
const CLOSE = 1e-3;

/** The component that makes the fluid nearly pure; undefined when none does. */
export function mainComponent(system: SaturationSystem): number | undefined {
  for (const i of system.active) if (system.z[i]! > MAIN) return i;
  return undefined;
}

/**
 * Solves `system` with u_s = ln(value), s naming T or p; `line` is the saturation line of the main component. On return the system keeps
 * the roots it was held on. False when that does not converge or the phases are alike.
 */
export function solveNearlyPure(
  system: SaturationSystem,
  line: PureSaturationLine,
  bubble: boolean,
  given: 'T' | 'p',
  value: number,
): boolean {
  const { m, u } = system;
  const start = given === 'T' ? line.atTemperature(value) : line.atPressure(value);
  u[m] = Math.log(start.T);
  u[m + 1] = Math.log(start.p);
  const [feed, incipient]: Branch[] = bubble ? ['liquid', 'vapour'] : ['vapour', 'liquid'];
  system.feedBranch = feed!;
  system.incipientBranch = incipient!;
  u.fill(0, 0, m);
  // The incipient phase begins with the composition of the feed on its other root.
  for (let k = 0; k < APPROACHES; k++) {
    let change = 0;
    const before = Float64Array.from(u);
    system.substitute();
    for (let a = 0; a < m; a++) change = Math.max(change, Math.abs(u[a]! - before[a]!));
    if (!(change > CLOSE)) break;
  }
  return system.solve(given === 'T' ? m : m + 1, Math.log(value)) && system.largestLnK() > 0;
}
