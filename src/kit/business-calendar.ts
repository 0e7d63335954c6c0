import { Temporal } from 'temporal-polyfill';

/**
 * Business days: which instants belong to which business date.
 * Guarantees: business date D is the half-open span [D cut-over, D+1 cut-over) of local time, by the IANA database, so that the spans of
 * consecutive dates meet without gap or overlap whatever the clocks do (23, 24 or 25 hours, or a skipped date of zero hours).
 * Leaves to others: what a caller may ask for (time-window.ts).
 */
export interface BusinessCalendar {
  /** IANA name, `PAYMENTS_BUSINESS_TZ`. */
  readonly timeZone: string;
  /** Local time of day at which a business date begins, `HH:mm`, `PAYMENTS_CUTOVER`. */
  readonly cutover: string;
  /** The instant at which business date `date` begins. */
  startOf(date: Temporal.PlainDate): Temporal.Instant;
  /** The business date that `instant` belongs to. */
  dateOf(instant: Temporal.Instant): Temporal.PlainDate;
  /**
   * The hours and days that [from, to) touches, in order. A bucket carries its own whole span: the first may begin before `from`, the last may
   * end after `to`. Hours are counted in elapsed time from the start of their business day, so each hour lies in one day; where a clock
   * change is not a whole hour the day's last hour is short.
   */
  buckets(unit: 'hour' | 'day', from: Temporal.Instant, to: Temporal.Instant): Bucket[];
}

export interface Bucket {
  readonly date: Temporal.PlainDate;
  readonly start: Temporal.Instant;
  readonly end: Temporal.Instant;
}

declare module './context.ts' {
  interface Resources {
    calendar: BusinessCalendar;
  }
}

const CUTOVER = /^([01]\d|2[0-3]):[0-5]\d$/;
const HOUR = 3_600_000;

/** Throws RangeError when the zone is not an IANA name or the cut-over is not `HH:mm`: a start-up refusal, never a caller's error. */
export function businessCalendar(timeZone: string, cutover: string): BusinessCalendar {
  if (!CUTOVER.test(cutover)) throw new RangeError(`The cut-over must be HH:mm, not "${cutover}".`);
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timeZone);
  } catch {
    throw new RangeError(`"${timeZone}" is not an IANA time zone.`);
  }
  if (/^[+-]/.test(timeZone)) throw new RangeError(`"${timeZone}" is a fixed offset, not an IANA time zone.`);
  const time = Temporal.PlainTime.from(cutover);
  const starts = new Map<string, Temporal.Instant>();

  const startOf = (date: Temporal.PlainDate): Temporal.Instant => {
    const key = date.toString();
    let start = starts.get(key);
    if (!start) {
      const local = date.toPlainDateTime(time);
      // `earlier` gives the first of two readings of an ambiguous time, and for one that does not exist a reading before the gap:
      // the transition that follows is then the first instant after it.
      const zoned = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
      const exists = zoned.toPlainDateTime().equals(local);
      start = exists ? zoned.toInstant() : (zoned.getTimeZoneTransition('next') ?? zoned).toInstant();
      if (starts.size > 1000) starts.clear();
      starts.set(key, start);
    }
    return start;
  };

  const dateOf = (instant: Temporal.Instant): Temporal.PlainDate => {
    let date = instant.toZonedDateTimeISO(timeZone).toPlainDate();
    while (Temporal.Instant.compare(startOf(date), instant) > 0) date = date.subtract({ days: 1 });
    for (let next = date.add({ days: 1 }); Temporal.Instant.compare(startOf(next), instant) <= 0; ) {
      date = next;
      next = next.add({ days: 1 });
    }
    return date;
  };

  const buckets = (unit: 'hour' | 'day', from: Temporal.Instant, to: Temporal.Instant): Bucket[] => {
    const list: Bucket[] = [];
    const first = from.epochMilliseconds;
    const last = to.epochMilliseconds;
    for (let date = dateOf(from); startOf(date).epochMilliseconds < last; date = date.add({ days: 1 })) {
      const dayStart = startOf(date).epochMilliseconds;
      const dayEnd = startOf(date.add({ days: 1 })).epochMilliseconds;
      const step = unit === 'day' ? dayEnd - dayStart : HOUR;
      for (let at = dayStart; at < dayEnd && at < last; at += step) {
        const end = Math.min(at + step, dayEnd);
        if (end <= first) continue;
        list.push({
          date,
          start: Temporal.Instant.fromEpochMilliseconds(at),
          end: Temporal.Instant.fromEpochMilliseconds(end),
        });
      }
    }
    return list;
  };

  return Object.freeze({ timeZone, cutover, startOf, dateOf, buckets });
}
