/**
 * Equilibrium of several phases at T, p from starting compositions: successive substitution over the convex phase-amount problem
 * (rachford-rice.ts), then Newton on the Gibbs energy in mole numbers (M. L. Michelsen, Fluid Phase Equilib. 9 (1982) 21).
 *
 * Substitution diverges or runs in circles where phases are strongly non-ideal; `descend` starts Newton from phases that are given with their
 * amounts, and never returns a higher Gibbs energy than theirs.
 *
 * It guarantees: the phases returned have positive amounts, equal fugacities within FUGACITY_TOLERANCE and a closed balance. Phases that
 * vanish are left out; phases that became alike are merged. Whether more phases would form is the caller's question.
 */
import { createLnPhiDerivatives, type EquationOfState, type LnPhiDerivatives } from '../model.ts';
import { choleskyFactor, choleskySolve } from './linear-solve.ts';
import { multiphaseRachfordRice } from './rachford-rice.ts';
import { FUGACITY_TOLERANCE } from './two-phase.ts';

const MAX_SUBSTITUTIONS = 1500;
const NEWTON_ENTRY = 0.05;
const CIRCLES = 200;
const MAX_NEWTON = 60;
const MAX_DESCENT = 200;
/** As in two-phase.ts; the matrix is scaled to 1 on the diagonal. */
const LEAST_DAMPING = 1e-8;
/** A step keeps a tenth of an amount, so a phase on its way out is last seen a little above 1e-12. */
const MERGED_AMOUNT = 1e-10;
/**
 * A mole fraction below this changes nothing but itself: in Newton it follows from the fugacity in the phase that holds most of the
 * component. As a variable, a heavy alkane in liquid mercury would shorten every step.
 */
const TRACE = 1e-30;
/** Mole fractions below this lose digits as doubles (1e-308 and less), and their fugacity is not compared. */
const COMPARED = 1e-290;
/** Phases closer than this in composition (largest difference) and density (relative) are one phase. */
const SAME_PHASE = 1e-5;

export interface WorkingPhase {
  x: Float64Array;
  lnPhi: Float64Array;
  fraction: number;
  rho: number;
}

export interface MultiphaseResult {
  readonly phases: WorkingPhase[];
  readonly error: number;
  readonly iterations: number;
  readonly converged: boolean;
}

/** `compositions`: one starting composition per phase; `fractions`: starting amounts. */
export function solveMultiphase(
  eos: EquationOfState,
  T: number,
  p: number,
  z: Float64Array,
  active: Int32Array,
  compositions: readonly Float64Array[],
  fractions: readonly number[],
): MultiphaseResult {
  const { n } = eos;
  let phases: WorkingPhase[] = compositions.map((x, k) => ({
    x: Float64Array.from(x),
    lnPhi: new Float64Array(n),
    fraction: fractions[k]!,
    rho: Number.NaN,
  }));
  for (const phase of phases) phase.rho = eos.lnPhi(T, p, phase.x, 'stable', phase.lnPhi);
  let iterations = 0;
  let error = Number.POSITIVE_INFINITY;
  let newtonFrom = 8;
  let pause = 40;
  while (iterations < MAX_SUBSTITUTIONS) {
    iterations++;
    distribute(z, active, phases);
    phases = keepDistinct(phases.filter((phase) => phase.fraction > 0));
    if (phases.length === 1) {
      const only = phases[0]!;
      only.x.set(z);
      only.fraction = 1;
      only.rho = eos.lnPhi(T, p, only.x, 'stable', only.lnPhi);
      return { phases, error: 0, iterations, converged: only.rho > 0 };
    }
    for (const phase of phases) phase.rho = eos.lnPhi(T, p, phase.x, 'stable', phase.lnPhi);
    error = fugacityError(phases, active);
    // The model has no density for one of the phases: it cannot be described, let alone be in equilibrium.
    if (!phases.every((phase) => phase.rho > 0)) return { phases, error: Number.NaN, iterations, converged: false };
    if (error < FUGACITY_TOLERANCE) return { phases, error, iterations, converged: true };
    // An error that stays is one that goes round in circles.
    if (iterations >= newtonFrom && (error < NEWTON_ENTRY || iterations >= CIRCLES)) {
      const refined = newton(eos, T, p, z, active, phases, MAX_NEWTON);
      iterations += refined.iterations;
      if (refined.converged) return { ...refined, iterations };
      // A phase on its way out, or a saddle: let substitution go on, each time for longer.
      newtonFrom = iterations + pause;
      pause *= 2;
    }
  }
  return { phases, error, iterations, converged: false };
}

/**
 * The phases given with `amount` of the composition w taken out of them, from each in proportion to what it holds of a component. Undefined
 * when they do not hold enough.
 */
export function withTrialPhase(
  eos: EquationOfState,
  T: number,
  p: number,
  active: Int32Array,
  phases: readonly { readonly x: Float64Array; readonly fraction: number }[],
  w: Float64Array,
  amount: number,
): WorkingPhase[] | undefined {
  const moles = phases.map((phase) => Float64Array.from(phase.x, (xi) => xi * phase.fraction));
  for (const i of active) {
    const taken = amount * w[i]!;
    let held = 0;
    for (const phase of moles) held += phase[i]!;
    if (!(taken < 0.9 * held) && taken > 0) return undefined;
    if (held > 0) for (const phase of moles) phase[i] = phase[i]! * (1 - taken / held);
  }
  moles.push(w.map((wi) => amount * wi));
  return moles.map((n) => phaseFromMoles(eos, T, p, n));
}

/** Newton downhill on the Gibbs energy from `start`, whose amounts make up z; phases that vanish or become alike are joined with others. */
export function descend(
  eos: EquationOfState,
  T: number,
  p: number,
  z: Float64Array,
  active: Int32Array,
  start: readonly WorkingPhase[],
): MultiphaseResult {
  let phases = [...start];
  let iterations = 0;
  for (;;) {
    const found = newton(eos, T, p, z, active, phases, MAX_DESCENT);
    iterations += found.iterations;
    if (found.converged) return { ...found, iterations };
    const kept = keepDistinct(found.phases.filter((phase) => phase.fraction > MERGED_AMOUNT));
    if (kept.length === phases.length || kept.length < 2) return { ...found, iterations };
    // What the lost phase held goes to where most of each component is.
    for (const i of active) {
      let total = 0;
      for (const phase of kept) total += phase.fraction * phase.x[i]!;
      for (const phase of kept) phase.x[i] = total > 0 ? (phase.x[i]! * phase.fraction * z[i]!) / total : 0;
      if (!(total > 0)) kept[0]!.x[i] = z[i]!;
    }
    phases = kept.map((phase) => phaseFromMoles(eos, T, p, phase.x));
  }
}

/** The phase of mole numbers n. */
function phaseFromMoles(eos: EquationOfState, T: number, p: number, n: Float64Array): WorkingPhase {
  let fraction = 0;
  for (const ni of n) fraction += ni;
  const x = n.map((ni) => ni / fraction);
  const lnPhi = new Float64Array(n.length);
  return { x, lnPhi, fraction, rho: eos.lnPhi(T, p, x, 'stable', lnPhi) };
}

/** Amounts and compositions for the current fugacity coefficients. */
function distribute(z: Float64Array, active: Int32Array, phases: readonly WorkingPhase[]): void {
  const beta = Float64Array.from(phases, (phase) => phase.fraction);
  multiphaseRachfordRice(
    z,
    phases.map((phase) => phase.lnPhi),
    beta,
  );
  for (let k = 0; k < phases.length; k++) phases[k]!.fraction = beta[k]!;
  for (let a = 0; a < active.length; a++) {
    const i = active[a]!;
    let least = Number.POSITIVE_INFINITY;
    for (const phase of phases) least = Math.min(least, phase.lnPhi[i]!);
    let E = 0;
    for (const phase of phases) E += phase.fraction * Math.exp(least - phase.lnPhi[i]!);
    for (const phase of phases) phase.x[i] = (z[i]! * Math.exp(least - phase.lnPhi[i]!)) / E;
  }
  for (const phase of phases) {
    let total = 0;
    for (let a = 0; a < active.length; a++) total += phase.x[active[a]!]!;
    for (let a = 0; a < active.length; a++) phase.x[active[a]!] = phase.x[active[a]!]! / total;
  }
}

function keepDistinct(phases: WorkingPhase[]): WorkingPhase[] {
  const kept: WorkingPhase[] = [];
  for (const phase of phases) {
    const twin = kept.find((other) => samePhase(other, phase));
    if (twin === undefined) kept.push(phase);
    else twin.fraction += phase.fraction;
  }
  return kept;
}

export function samePhase(a: WorkingPhase, b: WorkingPhase): boolean {
  if (Math.abs(a.rho - b.rho) > SAME_PHASE * Math.max(a.rho, b.rho)) return false;
  for (let i = 0; i < a.x.length; i++) if (Math.abs(a.x[i]! - b.x[i]!) > SAME_PHASE) return false;
  return true;
}

export function fugacityError(phases: readonly WorkingPhase[], active: Int32Array): number {
  let error = 0;
  for (let a = 0; a < active.length; a++) {
    const i = active[a]!;
    let first = 0;
    while (first < phases.length - 1 && phases[first]!.x[i]! < COMPARED) first++;
    const lnF = Math.log(phases[first]!.x[i]!) + phases[first]!.lnPhi[i]!;
    for (let k = first + 1; k < phases.length; k++) {
      if (phases[k]!.x[i]! < COMPARED) continue;
      const difference = Math.log(phases[k]!.x[i]!) + phases[k]!.lnPhi[i]! - lnF;
      if (Number.isFinite(difference)) error = Math.max(error, Math.abs(difference));
    }
  }
  return error;
}

/**
 * Newton in the mole numbers of all phases but one. The dependent phase of each component is the one that holds most of it, so
 * that traces do not cancel.
 */
function newton(
  eos: EquationOfState,
  T: number,
  p: number,
  z: Float64Array,
  active: Int32Array,
  start: readonly WorkingPhase[],
  most: number,
): MultiphaseResult {
  const { n } = eos;
  const m = active.length;
  const np = start.length;
  const free = np - 1;
  const size = m * free;
  const amounts = start.map((phase) => Float64Array.from(phase.x, (xi) => xi * phase.fraction));
  const phases: WorkingPhase[] = start.map((phase) => ({
    x: Float64Array.from(phase.x),
    lnPhi: new Float64Array(n),
    fraction: phase.fraction,
    rho: Number.NaN,
  }));
  const derivatives: LnPhiDerivatives[] = phases.map(() => createLnPhiDerivatives(n));
  const dependent = new Int32Array(n);
  const gradient = new Float64Array(size);
  const scale = new Float64Array(size);
  const step = new Float64Array(size);
  const hessian = new Float64Array(size * size);
  const matrix = new Float64Array(size * size);
  const saved = amounts.map((a) => Float64Array.from(a));
  let best = Number.POSITIVE_INFINITY;
  let length = 1;
  let error = Number.POSITIVE_INFINITY;
  let iterations = 0;
  for (; iterations < most; iterations++) {
    for (let k = 0; k < np; k++) {
      const phase = phases[k]!;
      let total = 0;
      for (let a = 0; a < m; a++) total += amounts[k]![active[a]!]!;
      if (!(total > 1e-12)) return { phases, error, iterations, converged: false };
      phase.fraction = total;
      for (let a = 0; a < m; a++) phase.x[active[a]!] = amounts[k]![active[a]!]! / total;
      phase.rho = eos.lnPhiDerivatives(T, p, phase.x, 'stable', derivatives[k]!);
      phase.lnPhi.set(derivatives[k]!.lnPhi);
    }
    followTraces();
    let g = 0;
    for (let k = 0; k < np; k++)
      for (let a = 0; a < m; a++) {
        const i = active[a]!;
        const amount = amounts[k]![i]!;
        if (amount > 0) g += amount * (Math.log(phases[k]!.x[i]!) + phases[k]!.lnPhi[i]!);
      }
    if (!phases.every((phase) => phase.rho > 0)) break;
    error = fugacityError(phases, active);
    if (error < FUGACITY_TOLERANCE) {
      const distinct = keepDistinct(phases);
      return { phases: distinct, error, iterations, converged: distinct.length === np };
    }
    if (Number.isNaN(g)) break;
    if (g > best + 1e-12 * Math.abs(best) && error > 1e-7) {
      length *= 0.3;
      if (length < 1e-5) break;
      advance(length);
      continue;
    }
    best = g;
    for (let k = 0; k < np; k++) saved[k]!.set(amounts[k]!);
    for (let a = 0; a < m; a++) {
      const i = active[a]!;
      let richest = 0;
      for (let k = 1; k < np; k++) if (amounts[k]![i]! > amounts[richest]![i]!) richest = k;
      dependent[i] = richest;
    }
    assemble();
    let damping = 0;
    for (;;) {
      for (let r = 0; r < size; r++) {
        step[r] = -scale[r]! * gradient[r]!;
        for (let c = 0; c <= r; c++) matrix[r * size + c] = hessian[r * size + c]! + (r === c ? damping : 0);
      }
      if (choleskyFactor(matrix, size)) break;
      damping = Math.max(LEAST_DAMPING, damping * 10);
      if (damping > 1e6) return { phases, error, iterations, converged: false };
    }
    choleskySolve(matrix, size, step);
    for (let r = 0; r < size; r++) step[r] = step[r]! * scale[r]!;
    length = longestStep();
    advance(length);
  }
  return { phases, error, iterations, converged: false };

  /** Mole fractions of traces from equal fugacities; at TRACE they become variables. */
  function followTraces(): void {
    for (let a = 0; a < m; a++) {
      const i = active[a]!;
      let richest = 0;
      for (let k = 1; k < np; k++) if (amounts[k]![i]! > amounts[richest]![i]!) richest = k;
      const lnF = Math.log(phases[richest]!.x[i]!) + phases[richest]!.lnPhi[i]!;
      for (let k = 0; k < np; k++) {
        const phase = phases[k]!;
        if (k === richest || !(phase.x[i]! < TRACE)) continue;
        const x = Math.min(TRACE, Math.exp(lnF - phase.lnPhi[i]!));
        if (Number.isNaN(x)) continue;
        phase.x[i] = x;
        amounts[k]![i] = x * phase.fraction;
      }
    }
  }

  /** Phase index of free slot s of component i: all phases but the dependent one. */
  function phaseOf(i: number, s: number): number {
    return s < dependent[i]! ? s : s + 1;
  }

  function assemble(): void {
    for (let s = 0; s < free; s++)
      for (let a = 0; a < m; a++) {
        const i = active[a]!;
        const k = phaseOf(i, s);
        const d = dependent[i]!;
        const r = s * m + a;
        const nk = amounts[k]![i]!;
        const nd = amounts[d]![i]!;
        gradient[r] =
          Math.log(phases[k]!.x[i]!) + phases[k]!.lnPhi[i]! - Math.log(phases[d]!.x[i]!) - phases[d]!.lnPhi[i]!;
        // A trace is no variable: followTraces sets it.
        const still = !Number.isFinite(gradient[r]!) || phases[k]!.x[i]! < TRACE;
        if (still) gradient[r] = 0;
        scale[r] = still ? 0 : Math.sqrt((nk * nd) / (nk + nd));
      }
    for (let s = 0; s < free; s++)
      for (let a = 0; a < m; a++)
        for (let u = 0; u <= s; u++)
          for (let b = 0; b < m; b++) {
            const r = s * m + a;
            const c = u * m + b;
            if (c > r) continue;
            if (scale[r] === 0 || scale[c] === 0) {
              hessian[r * size + c] = r === c ? 1 : 0;
              continue;
            }
            const i = active[a]!;
            const j = active[b]!;
            const k = phaseOf(i, s);
            const l = phaseOf(j, u);
            const di = dependent[i]!;
            const dj = dependent[j]!;
            const value = second(k, l, i, j) - second(k, dj, i, j) - second(di, l, i, j) + second(di, dj, i, j);
            hessian[r * size + c] = scale[r]! * scale[c]! * value;
          }
  }

  /** d ln f_i (phase k) / d n_j (phase l): zero for different phases. */
  function second(k: number, l: number, i: number, j: number): number {
    if (k !== l) return 0;
    const phase = phases[k]!;
    const diagonal = i === j ? 1 / Math.max(phase.x[i]!, 1e-300) : 0;
    return (diagonal - 1 + derivatives[k]!.dn[i * n + j]!) / phase.fraction;
  }

  function longestStep(): number {
    let longest = 1;
    for (let a = 0; a < m; a++) {
      const i = active[a]!;
      let onDependent = 0;
      for (let s = 0; s < free; s++) {
        const change = step[s * m + a]!;
        onDependent -= change;
        limit(change, amounts[phaseOf(i, s)]![i]!);
      }
      limit(onDependent, amounts[dependent[i]!]![i]!);
    }
    return longest;

    function limit(change: number, amount: number): void {
      if (change < 0 && -change * longest > 0.9 * amount) longest = (0.9 * amount) / -change;
    }
  }

  function advance(by: number): void {
    for (let a = 0; a < m; a++) {
      const i = active[a]!;
      let rest = z[i]!;
      for (let s = 0; s < free; s++) {
        const k = phaseOf(i, s);
        amounts[k]![i] = saved[k]![i]! + by * step[s * m + a]!;
        rest -= amounts[k]![i]!;
      }
      amounts[dependent[i]!]![i] = rest;
    }
  }
}
