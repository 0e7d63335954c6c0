import type { Provenance, Warning } from './result.ts';

/** Rows of any list in one answer. */
export const MAX_ROWS = 500;

export interface Page<Row> {
  readonly rows: Row[];
  readonly caps: NonNullable<Provenance['caps']>;
  /** One ROWS_CAPPED when there is more, else empty. */
  readonly warnings: Warning[];
}

/** Makes a page from the `limit + 1` rows that were fetched: the extra row only tells that there is more. */
export function page<Row>(
  fetched: readonly Row[],
  limit: number,
  cursorAfter: (last: Row) => string | null,
): Page<Row> {
  const truncated = fetched.length > limit;
  const rows = fetched.slice(0, limit);
  const last = rows.at(-1);
  return {
    rows,
    caps: {
      max_rows: limit,
      returned: rows.length,
      truncated,
      next_cursor: truncated && last !== undefined ? cursorAfter(last) : null,
    },
    warnings: truncated ? [rowsCapped(limit)] : [],
  };
}

export const rowsCapped = (limit: number): Warning => ({
  code: 'ROWS_CAPPED',
  severity: 'INFO',
  message: `Only the first ${limit} rows are shown. Ask again with provenance.caps.next_cursor as cursor for more.`,
});
