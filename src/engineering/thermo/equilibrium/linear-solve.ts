/** Small dense linear algebra for the Newton steps. Row-major Float64Array, leading dimension m, in place, no allocation. */

/**
 * Cholesky factorisation of the symmetric positive definite m*m matrix `a` (lower triangle used and overwritten).
 * Returns false, with `a` spoilt, when the matrix is not positive definite.
 */
export function choleskyFactor(a: Float64Array, m: number): boolean {
  for (let j = 0; j < m; j++) {
    let diagonal = a[j * m + j]!;
    for (let k = 0; k < j; k++) diagonal -= a[j * m + k]! * a[j * m + k]!;
    if (!(diagonal > 1e-14)) return false;
    const root = Math.sqrt(diagonal);
    a[j * m + j] = root;
    const inverse = 1 / root;
    for (let i = j + 1; i < m; i++) {
      let sum = a[i * m + j]!;
      for (let k = 0; k < j; k++) sum -= a[i * m + k]! * a[j * m + k]!;
      a[i * m + j] = sum * inverse;
    }
  }
  return true;
}

/** Solves L L^T x = b with the factor of choleskyFactor; `b` becomes x. */
export function choleskySolve(factor: Float64Array, m: number, b: Float64Array): void {
  for (let i = 0; i < m; i++) {
    let sum = b[i]!;
    for (let k = 0; k < i; k++) sum -= factor[i * m + k]! * b[k]!;
    b[i] = sum / factor[i * m + i]!;
  }
  for (let i = m - 1; i >= 0; i--) {
    let sum = b[i]!;
    for (let k = i + 1; k < m; k++) sum -= factor[k * m + i]! * b[k]!;
    b[i] = sum / factor[i * m + i]!;
  }
}

/**
 * Solves the m*m system a x = b by elimination with partial pivoting; `a` is spoilt, `b` becomes x.
 * Returns false when the matrix is singular to working precision.
 */
export function linearSolve(a: Float64Array, m: number, b: Float64Array): boolean {
  for (let col = 0; col < m; col++) {
    let pivot = col;
    for (let row = col + 1; row < m; row++)
      if (Math.abs(a[row * m + col]!) > Math.abs(a[pivot * m + col]!)) pivot = row;
    const head = a[pivot * m + col]!;
    if (!(Math.abs(head) > 1e-300)) return false;
    if (pivot !== col) {
      for (let k = col; k < m; k++) {
        const swap = a[col * m + k]!;
        a[col * m + k] = a[pivot * m + k]!;
        a[pivot * m + k] = swap;
      }
      const swap = b[col]!;
      b[col] = b[pivot]!;
      b[pivot] = swap;
    }
    for (let row = col + 1; row < m; row++) {
      const factor = a[row * m + col]! / head;
      if (factor === 0) continue;
      for (let k = col + 1; k < m; k++) a[row * m + k] = a[row * m + k]! - factor * a[col * m + k]!;
      b[row] = b[row]! - factor * b[col]!;
    }
  }
  for (let row = m - 1; row >= 0; row--) {
    let sum = b[row]!;
    for (let k = row + 1; k < m; k++) sum -= a[row * m + k]! * b[k]!;
    b[row] = sum / a[row * m + row]!;
  }
  return true;
}

/** Factors the m*m matrix `a` in place with partial pivoting; `rows` receives the pivots. False when singular to working precision. */
export function luFactor(a: Float64Array, m: number, rows: Int32Array): boolean {
  for (let col = 0; col < m; col++) {
    let pivot = col;
    let most = Math.abs(a[col * m + col]!);
    for (let row = col + 1; row < m; row++) {
      const size = Math.abs(a[row * m + col]!);
      if (size > most) {
        most = size;
        pivot = row;
      }
    }
    if (!(most > 1e-300)) return false;
    rows[col] = pivot;
    if (pivot !== col)
      for (let k = 0; k < m; k++) {
        const swap = a[col * m + k]!;
        a[col * m + k] = a[pivot * m + k]!;
        a[pivot * m + k] = swap;
      }
    const inverse = 1 / a[col * m + col]!;
    for (let row = col + 1; row < m; row++) {
      const factor = a[row * m + col]! * inverse;
      a[row * m + col] = factor;
      if (factor === 0) continue;
      for (let k = col + 1; k < m; k++) a[row * m + k] = a[row * m + k]! - factor * a[col * m + k]!;
    }
  }
  return true;
}

/** Solves with the factors of luFactor; `b` becomes x. */
export function luSolve(a: Float64Array, m: number, rows: Int32Array, b: Float64Array): void {
  for (let i = 0; i < m; i++) {
    const pivot = rows[i]!;
    const swap = b[i]!;
    b[i] = b[pivot]!;
    b[pivot] = swap;
  }
  for (let i = 0; i < m; i++) {
    let sum = b[i]!;
    for (let k = 0; k < i; k++) sum -= a[i * m + k]! * b[k]!;
    b[i] = sum;
  }
  for (let i = m - 1; i >= 0; i--) {
    let sum = b[i]!;
    for (let k = i + 1; k < m; k++) sum -= a[i * m + k]! * b[k]!;
    b[i] = sum / a[i * m + i]!;
  }
}
