/**
 * Hermite interpolation of a curve u(u_s): the polynomial that has the values and the slopes of `count` points, of degree 2 count - 1.
 * With Lagrange's l_k over the points x_k it is
 *   sum_k [ (1 - 2 (S - x_k) l_k'(x_k)) u_k + (S - x_k) u_k' ] l_k(S)^2,
 * so the weights are the same for every component. The error grows as the 2 count-th power of the spacing.
 */
export interface CurvePoint {
  readonly u: Float64Array;
  /** du along the curve, in any scale. */
  readonly tangent: Float64Array;
}

/** u at u_s = S into `out`, through the last `count` of the points. The u_s must differ, and no tangent may have 0 for it. */
export function hermite(points: readonly CurvePoint[], count: number, s: number, S: number, out: Float64Array): void {
  const first = points.length - count;
  out.fill(0);
  for (let k = first; k < points.length; k++) {
    const { u, tangent } = points[k]!;
    const x = u[s]!;
    let l = 1;
    let slope = 0;
    for (let j = first; j < points.length; j++) {
      if (j === k) continue;
      const other = points[j]!.u[s]!;
      l *= (S - other) / (x - other);
      slope += 1 / (x - other);
    }
    const square = l * l;
    const onValue = (1 - 2 * (S - x) * slope) * square;
    const onSlope = ((S - x) * square) / tangent[s]!;
    for (let i = 0; i < out.length; i++) out[i] = out[i]! + onValue * u[i]! + onSlope * tangent[i]!;
  }
  out[s] = S;
}
