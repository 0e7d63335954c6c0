/**
 * Enthalpy, entropy and volume of a mixture in phase equilibrium, per mole, and how they change with T and p while the phases
 * stay in equilibrium. With g_i = ln f_i of a phase less that of the dependent phase, and M the Hessian of G/(R T) in the mole numbers of the
 * other phases (as in multiphase.ts), the mole numbers move by dn = -M^-1 (g_T dT + g_p dp), so that
 *   dh/dT = sum of cp + R T^2 g_T' M^-1 g_T,   dv/dT = sum of dv/dT - R T g_p' M^-1 g_T,   dv/dp = sum of dv/dp - R T g_p' M^-1 g_p.
 * Volumes are those of the equation of state, without volume shift.
 */
import { createLnPhiDerivatives, type EquationOfState, type LnPhiDerivatives } from '../model.ts';
import { createCaloricState, type PropertyCalculator } from '../properties/phase-state.ts';
import { choleskyFactor, choleskySolve } from './linear-solve.ts';
import type { PhaseSplit } from './phase-split.ts';

export class SplitCaloric {
  /** Molar enthalpy [J/mol], entropy [J/(mol K)], volume [m3/mol]. */
  h = 0;
  s = 0;
  v = 0;
  /** At equilibrium: dh/dT [J/(mol K)], dv/dT [m3/(mol K)] at constant p, dv/dp [m3/(mol Pa)] at constant T; NaN when M is singular. */
  dhdT = 0;
  dvdT = 0;
  dvdp = 0;
  private readonly eos: EquationOfState;
  private readonly calculator: PropertyCalculator;
  private readonly state = createCaloricState();
  private readonly derivatives: LnPhiDerivatives[] = [];
  private matrix = new Float64Array(0);
  private onT = new Float64Array(0);
  private onP = new Float64Array(0);
  private scale = new Float64Array(0);
  private solved = new Float64Array(0);

  constructor(eos: EquationOfState, calculator: PropertyCalculator) {
    this.eos = eos;
    this.calculator = calculator;
  }

  /** Molar internal energy [J/mol] at the pressure of the split evaluated. */
  u(p: number): number {
    return this.h - p * this.v;
  }

  onePhase(T: number, p: number, x: Float64Array, rho: number): void {
    const { state } = this;
    this.calculator.caloric(T, p, x, rho, state);
    this.h = state.h;
    this.s = state.s;
    this.v = 1 / rho;
    this.dhdT = state.cp;
    this.dvdT = state.dvdT;
    this.dvdp = state.dvdp;
  }

  evaluate(split: PhaseSplit): void {
    const { calculator, state } = this;
    const { T, p } = split;
    this.h = 0;
    this.s = 0;
    this.v = 0;
    this.dhdT = 0;
    this.dvdT = 0;
    this.dvdp = 0;
    for (const phase of split.phases) {
      const share = phase.fraction;
      calculator.caloric(T, p, phase.x, phase.rho, state);
      this.h += share * state.h;
      this.s += share * state.s;
      this.v += share / phase.rho;
      this.dhdT += share * state.cp;
      this.dvdT += share * state.dvdT;
      this.dvdp += share * state.dvdp;
    }
    if (split.phases.length > 1) this.addPhaseChange(split);
  }

  private addPhaseChange(split: PhaseSplit): void {
    const { eos, derivatives } = this;
    const { T, p, z, phases } = split;
    const { n } = eos;
    const np = phases.length;
    let d = 0;
    for (let k = 1; k < np; k++) if (phases[k]!.fraction > phases[d]!.fraction) d = k;
    let m = 0;
    for (let i = 0; i < n; i++) if (z[i]! > 0) m++;
    const size = m * (np - 1);
    this.reserve(size);
    const { matrix, onT, onP, scale, solved } = this;
    for (let k = 0; k < np; k++) {
      derivatives[k] ??= createLnPhiDerivatives(n);
      eos.lnPhiDerivatives(T, p, phases[k]!.x, 'stable', derivatives[k]!);
    }
    const last = derivatives[d]!;
    const xd = phases[d]!.x;
    const nd = phases[d]!.fraction;
    let r = 0;
    for (let k = 0; k < np; k++) {
      if (k === d) continue;
      for (let i = 0; i < n; i++) {
        if (!(z[i]! > 0)) continue;
        const ni = phases[k]!.fraction * phases[k]!.x[i]!;
        const ri = nd * xd[i]!;
        const sum = ni + ri;
        scale[r] = sum > 0 ? Math.sqrt((ni * ri) / sum) : 0;
        onT[r] = scale[r]! * (derivatives[k]!.dT[i]! - last.dT[i]!);
        onP[r] = scale[r]! * (derivatives[k]!.dp[i]! - last.dp[i]!);
        r++;
      }
    }
    r = 0;
    for (let k = 0; k < np; k++) {
      if (k === d) continue;
      const own = derivatives[k]!;
      const nk = phases[k]!.fraction;
      for (let i = 0; i < n; i++) {
        if (!(z[i]! > 0)) continue;
        let c = 0;
        for (let l = 0; l <= k; l++) {
          if (l === d) continue;
          for (let j = 0; j < n; j++) {
            if (!(z[j]! > 0)) continue;
            if (c <= r) {
              let value = (last.dn[i * n + j]! - 1) / nd;
              if (l === k) value += (own.dn[i * n + j]! - 1) / nk;
              value *= scale[r]! * scale[c]!;
              if (i === j) {
                // The ideal part 1/n of both phases; of the dependent phase alone between different phases.
                const share = scale[r]! * scale[c]!;
                if (l === k) value += 1;
                else if (share > 0) value += share / (nd * xd[i]!);
              }
              matrix[r * size + c] = value;
            }
            c++;
          }
        }
        r++;
      }
    }
    if (!choleskyFactor(matrix, size)) {
      this.dhdT = Number.NaN;
      this.dvdT = Number.NaN;
      this.dvdp = Number.NaN;
      return;
    }
    const rt = eos.gasConstant * T;
    for (let k = 0; k < size; k++) solved[k] = onT[k]!;
    choleskySolve(matrix, size, solved);
    let tt = 0;
    let pt = 0;
    for (let k = 0; k < size; k++) {
      tt += onT[k]! * solved[k]!;
      pt += onP[k]! * solved[k]!;
    }
    for (let k = 0; k < size; k++) solved[k] = onP[k]!;
    choleskySolve(matrix, size, solved);
    let pp = 0;
    for (let k = 0; k < size; k++) pp += onP[k]! * solved[k]!;
    this.dhdT += rt * T * tt;
    this.dvdT -= rt * pt;
    this.dvdp -= rt * pp;
  }

  private reserve(size: number): void {
    if (this.onT.length >= size) return;
    this.matrix = new Float64Array(size * size);
    this.onT = new Float64Array(size);
    this.onP = new Float64Array(size);
    this.scale = new Float64Array(size);
    this.solved = new Float64Array(size);
  }
}
