import { Temporal } from 'temporal-polyfill';
import type { BusinessCalendar } from './business-calendar.ts';
import { ToolError } from './errors.ts';
import { refuseArgument } from './refusal.ts';
import type { Provenance } from './result.ts';

/**
 * The time window of a read: how `from` and `to` become two instants.
 * Guarantees: a window is half-open, never longer than its cap, and reported exactly as it was used (whole milliseconds, UTC).
 * A clock change never makes a legal window of business dates illegal. Leaves to others: that both strings have one of the two forms
 * (`boundary` in fields.ts checks it, and this module refuses them again).
 */
export interface WindowRules {
  /** Length of the window when `from` is left out. */
  readonly defaultHours?: number;
  /** Largest window, in business days when both ends are dates, else in spans of 86,400 s. */
  readonly maxDays?: number;
  /** Name of the object that holds `from` and `to`, for messages about them. */
  readonly within?: string;
}

export interface TimeWindow {
  /** UTC, `YYYY-MM-DDTHH:mm:ss.SSSZ`. The first instant inside. */
  readonly from: string;
  /** The first instant after. */
  readonly to: string;
  readonly start: Temporal.Instant;
  readonly end: Temporal.Instant;
  readonly seconds: number;
  /** Number of business dates when both ends were given as dates. */
  readonly businessDays: number | null;
}

export const MAX_WINDOW_DAYS = 90;
const DAY_MS = 86_400_000;
/** A `from` may lie this far in the future: the clocks of two machines differ. */
const FUTURE_MS = 300_000;
const DATE = /^(?!0000)\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^(?!0000)\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** An instant in the output form. */
export const formatInstant = (instant: Temporal.Instant): string =>
  instant.toString({ fractionalSecondDigits: 3, roundingMode: 'floor' });

type Boundary = { kind: 'date'; date: Temporal.PlainDate } | { kind: 'instant'; instant: Temporal.Instant };

function read(text: string): Boundary | null {
  try {
    if (DATE.test(text)) return { kind: 'date', date: Temporal.PlainDate.from(text, { overflow: 'reject' }) };
    if (INSTANT.test(text)) {
      const instant = Temporal.Instant.from(text);
      return { kind: 'instant', instant: Temporal.Instant.fromEpochMilliseconds(instant.epochMilliseconds) };
    }
    return null;
  } catch {
    return null;
  }
}

/** True for a calendar date `YYYY-MM-DD` or an RFC 3339 instant with offset; an instant without offset, a week date or a leap day of a common year is neither. */
export const isBoundary = (text: string): boolean => read(text) !== null;
export const isBusinessDate = (text: string): boolean => read(text)?.kind === 'date';
export const BOUNDARY_RULE =
  'Give an RFC 3339 instant with offset, such as 2026-01-31T08:00:00Z, or a business date, such as 2026-01-31.';

/**
 * Resolves the window. A date in `from` is that business day's start, a date in `to` means through the end of that business day; without `to`
 * the window ends now; without `from` it is `defaultHours` (24) long.
 * Errors: INVALID_ARGUMENT (malformed, `from` not before `to`, `from` more than five minutes ahead), WINDOW_TOO_LARGE (`details.max_days`,
 * `details.requested_seconds`).
 */
export function resolveWindow(
  calendar: BusinessCalendar,
  asked: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: Temporal.Instant,
  rules: WindowRules = {},
): TimeWindow {
  const place = (name: string) => (rules.within ? `${rules.within}.${name}` : name);
  const from = asked.from === undefined ? null : boundary(asked.from, place('from'));
  const to = asked.to === undefined ? null : boundary(asked.to, place('to'));

  const end = !to
    ? Temporal.Instant.fromEpochMilliseconds(now.epochMilliseconds)
    : to.kind === 'instant'
      ? to.instant
      : calendar.startOf(to.date.add({ days: 1 }));
  const start = !from
    ? end.subtract({ hours: rules.defaultHours ?? 24 })
    : from.kind === 'instant'
      ? from.instant
      : calendar.startOf(from.date);

  if (start.epochMilliseconds - now.epochMilliseconds > FUTURE_MS) {
    throw refuseArgument(place('from'), 'future', 'The window begins in the future.');
  }
  const length = end.epochMilliseconds - start.epochMilliseconds;
  if (length <= 0) {
    throw refuseArgument(
      place('from'),
      'order',
      to ? '"from" must lie before "to".' : '"from" must lie before now, because "to" was left out.',
    );
  }
  const businessDays =
    from?.kind === 'date' && to?.kind === 'date' ? from.date.until(to.date, { largestUnit: 'days' }).days + 1 : null;
  const window: TimeWindow = {
    from: formatInstant(start),
    to: formatInstant(end),
    start,
    end,
    seconds: length / 1000,
    businessDays,
  };
  requireDays(window, rules.maxDays ?? MAX_WINDOW_DAYS);
  return window;
}

/** True when the window is at most `days` long: counted in business dates when both ends are dates, else in exact seconds. */
export const fitsDays = (window: TimeWindow, days: number): boolean =>
  window.businessDays === null ? window.seconds * 1000 <= days * DAY_MS : window.businessDays <= days;

function requireDays(window: TimeWindow, days: number): void {
  if (fitsDays(window, days)) return;
  throw new ToolError('WINDOW_TOO_LARGE', {
    message: `The window is longer than ${days} days.`,
    details: { max_days: days, requested_seconds: window.seconds },
  });
}

/** One boundary alone, in the output form: a date is the start of its business day. `path` names the argument in a refusal. */
export function boundaryInstant(calendar: BusinessCalendar, text: string, path: string): string {
  const value = boundary(text, path);
  return formatInstant(value.kind === 'date' ? calendar.startOf(value.date) : value.instant);
}

/** The window as provenance reports it. */
export const windowFacts = (window: TimeWindow, calendar: BusinessCalendar): NonNullable<Provenance['window']> => ({
  from: window.from,
  to: window.to,
  time_zone: calendar.timeZone,
});

function boundary(text: string, path: string): Boundary {
  const value = read(text);
  if (!value) throw refuseArgument(path, 'format', BOUNDARY_RULE);
  return value;
}
