/** Time in the demo: everything is told from `asOf`, and days are business days of Asia/Dubai with cut-over at midnight. */
import { Temporal } from 'temporal-polyfill';
import { type BusinessCalendar, businessCalendar } from '../../kit/business-calendar.ts';

export const DEMO_TIME_ZONE = 'Asia/Dubai';
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export class DemoCalendar {
  /** Milliseconds since the epoch, a full hour. */
  readonly asOf: number;
  readonly #calendar: BusinessCalendar = businessCalendar(DEMO_TIME_ZONE, '00:00');
  readonly #today: Temporal.PlainDate;
  readonly #starts = new Map<number, number>();
  readonly #days = new Map<number, { text: string; year: number; dayOfYear: number }>();

  constructor(asOf: Date) {
    this.asOf = Math.floor(asOf.getTime() / HOUR) * HOUR;
    this.#today = this.#calendar.dateOf(Temporal.Instant.fromEpochMilliseconds(this.asOf));
  }

  /** Business date `D-n`; a negative `n` lies ahead. */
  date(n: number): string {
    return this.#plain(n).text;
  }

  /** When business date `D-n` begins. */
  startOf(n: number): number {
    const known = this.#starts.get(n);
    if (known !== undefined) return known;
    const start = this.#calendar.startOf(this.#today.subtract({ days: n })).epochMilliseconds;
    this.#starts.set(n, start);
    return start;
  }

  /** Local time on business date `D-n`. The zone has had no clock change since 1920. */
  at(n: number, hours: number, minutes = 0, seconds = 0): number {
    return this.startOf(n) + hours * HOUR + minutes * MINUTE + seconds * 1000;
  }

  /** Not later than now: what was planned for later today has not happened. */
  upTo(instant: number): number {
    return Math.min(instant, this.asOf);
  }

  /** The business day an instant belongs to, counted back from D0. */
  dayOf(instant: number): number {
    let day = Math.max(0, Math.ceil((this.startOf(0) - instant) / DAY));
    while (instant < this.startOf(day)) day += 1;
    while (instant >= this.startOf(day - 1)) day -= 1;
    return day;
  }

  /** Local wall clock, for fields of the switch that hold it. */
  local(instant: number): { date: string; time: string; dayOfYear: number; hour: number; year: number } {
    const n = this.dayOf(instant);
    const seconds = Math.floor((instant - this.startOf(n)) / 1000);
    const two = (value: number) => String(value).padStart(2, '0');
    const hour = Math.floor(seconds / 3600);
    const { text, year, dayOfYear } = this.#plain(n);
    return {
      date: text.slice(5).replace('-', ''),
      time: `${two(hour)}${two(Math.floor(seconds / 60) % 60)}${two(seconds % 60)}`,
      dayOfYear,
      hour,
      year,
    };
  }

  /** Calendar arithmetic is dear and the days are few, so each is worked out once. */
  #plain(n: number): { text: string; year: number; dayOfYear: number } {
    const known = this.#days.get(n);
    if (known) return known;
    const date = this.#today.subtract({ days: n });
    const day = { text: date.toString(), year: date.year, dayOfYear: date.dayOfYear };
    this.#days.set(n, day);
    return day;
  }
}

export const iso = (instant: number): string => new Date(instant).toISOString();
