/**
 * Column types of the operation's tables, chosen so that nothing is lost or shifted between PostgreSQL and an answer:
 * instants are ISO strings in UTC, money and rates are decimal strings, JSON is text (JSON.parse would round long numbers, and a
 * card number with its last digits rounded passes no check and leaks the rest), ids are numbers as far as these are exact.
 */
import { type SQL, sql } from 'drizzle-orm';
import { customType, type PgColumn } from 'drizzle-orm/pg-core';

/** `timestamp(6)` without time zone holding UTC, as `YYYY-MM-DDTHH:mm:ss.SSSZ` (cut to milliseconds; see `exactInstant`). */
export const ts = customType<{ data: string; driverData: string }>({ dataType: () => 'timestamp(6)' });

/** `timestamptz`, in the same form. */
export const instant = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp(3) with time zone',
});

/** Business date, `YYYY-MM-DD`. */
export const day = customType<{ data: string; driverData: string }>({ dataType: () => 'date' });

/** Money in major units, a decimal string as PostgreSQL writes it. */
export const num = customType<{ data: string; driverData: string }>({ dataType: () => 'numeric(18,4)' });

/** Another numeric, a decimal string too. */
export const decimal = customType<{ data: string; driverData: string; config: { precision: number; scale: number } }>({
  dataType: (config) => (config ? `numeric(${config.precision},${config.scale})` : 'numeric'),
});

/** An id of a table of ours to count: a number. One beyond 2^53 - 1 is an error, never a rounded number. */
export const id = customType<{ data: number; driverData: number | string }>({
  dataType: () => 'bigint',
  fromDriver: (value) => {
    if (typeof value === 'number') return value;
    throw new RangeError('an id beyond 2^53 - 1 where none is expected');
  },
});

/** An id that callers may give up to 2^63 - 1: a number while exact, a decimal string beyond. */
export const wideId = customType<{ data: number | string; driverData: number | string }>({ dataType: () => 'bigint' });

/** `jsonb` as its text, to be scrubbed as text before it is parsed. */
export const jsonText = customType<{ data: string; driverData: string }>({ dataType: () => 'jsonb' });

/** `jsonb[]`, each element as its text. */
export const jsonTextArray = customType<{ data: string[]; driverData: string[] }>({ dataType: () => 'jsonb[]' });

/** Microsecond text of an instant, for cursors: two rows in one millisecond must not be skipped or repeated by paging. */
export function exactInstant(column: PgColumn): SQL<string> {
  return sql<string>`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}
