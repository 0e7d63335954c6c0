/**
 * The ways that the trials of one stability test have gone. Successive substitution depends on where a trial is, not on where it began, so a
 * trial that comes close to the path of an earlier one ends where that one did. Near a critical point, where substitution is slow and all
 * trials crawl along the same valley, this saves most of the work.
 *
 * It guarantees nothing about trials that part again at a saddle point between two phases; a path that ended at an unstable trial must not be
 * kept (`begin` and `drop`).
 */

/** Mean squared distance in ln W at which two trials are on the same path: 1 % in every mole number. */
const SAME = 1e-4;

export class TrialPaths {
  private readonly n: number;
  private points = new Float64Array(0);
  private count = 0;
  /** Points of earlier trials; those after are of the present one. */
  private earlier = 0;

  constructor(n: number) {
    this.n = n;
  }

  reset(): void {
    this.count = 0;
    this.earlier = 0;
  }

  /** A new trial: what was recorded before belongs to earlier ones. */
  begin(): void {
    this.earlier = this.count;
  }

  /** Forgets the present trial. */
  drop(): void {
    this.count = this.earlier;
  }

  record(lnW: Float64Array): void {
    const { n } = this;
    const at = this.count * n;
    if (at + n > this.points.length) {
      const longer = new Float64Array(2 * this.points.length + 32 * n);
      longer.set(this.points);
      this.points = longer;
    }
    for (let i = 0; i < n; i++) this.points[at + i] = lnW[i]!;
    this.count++;
  }

  /** Whether ln W, of composition w, is on the path of an earlier trial; when not, it is recorded. */
  meet(lnW: Float64Array, w: Float64Array, active: Int32Array): boolean {
    const { n, points, earlier } = this;
    for (let k = 0, at = 0; k < earlier; k++, at += n) {
      let distance = 0;
      for (let a = 0; a < active.length && distance < SAME; a++) {
        const i = active[a]!;
        const delta = lnW[i]! - points[at + i]!;
        distance += w[i]! * delta * delta;
      }
      if (distance < SAME) return true;
    }
    this.record(lnW);
    return false;
  }
}
