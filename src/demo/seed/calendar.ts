import { Temporal } from 'temporal-polyfill';
import { businessCalendar } from '../../kit/business-calendar.ts';

/** The demo's time: an as-of instant and business days counted back from it. `-2` is D-2, `0` is the day of as-of. */
export const DEMO_TIME_ZONE = 'Asia/Dubai';
export const DEMO_CUTOVER = '00:00';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface DemoCalendar {
  /** Milliseconds since the epoch, a whole hour. Nothing in the demo happened later. */
  readonly asOf: number;
  /** Business date of a day, `YYYY-MM-DD`. */
  date(day: number): string;
  /** The instant of a local time `HH:mm` or `HH:mm:ss` on a business day. */
  at(day: number, time: string): number;
  /** The business day of an instant. */
  dayOf(instant: number): number;
  /** When a thing planned for `instant` happened: never after as-of. */
  past(instant: number): number;
  /** The evening of story 1: the newest 21:10 UTC that lies at least half an hour back (D-1, as a date in UTC). */
  readonly pilotPush: number;
}

const EARLIEST = -40;
const LATEST = 5;

export function demoCalendar(asOfDate: Date): DemoCalendar {
  const asOf = Math.floor(asOfDate.getTime() / HOUR) * HOUR;
  const calendar = businessCalendar(DEMO_TIME_ZONE, DEMO_CUTOVER);
  const today = calendar.dateOf(Temporal.Instant.fromEpochMilliseconds(asOf));
  const dates: string[] = [];
  const starts: number[] = [];
  for (let day = EARLIEST; day <= LATEST; day++) {
    const date = today.add({ days: day });
    dates.push(date.toString());
    starts.push(calendar.startOf(date).epochMilliseconds);
  }
  const indexOf = (day: number): number => {
    if (day < EARLIEST || day > LATEST) throw new RangeError(`day ${day} lies outside the demo`);
    return day - EARLIEST;
  };
  const date = (day: number) => dates[indexOf(day)]!;
  const pilotTime = Date.parse(`${date(-1)}T21:10:00Z`);
  return {
    asOf,
    date,
    at: (day, time) => {
      const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
      // The zone has no clock changes, so local time of day is time since the day's start.
      return starts[indexOf(day)]! + hours * HOUR + minutes * MINUTE + seconds * SECOND;
    },
    dayOf: (instant) => {
      let i = Math.floor((instant - starts[0]!) / DAY);
      while (starts[i]! > instant) i--;
      while (starts[i + 1]! <= instant) i++;
      return i + EARLIEST;
    },
    past: (instant) => Math.min(instant, asOf),
    pilotPush: pilotTime + 30 * MINUTE <= asOf ? pilotTime : pilotTime - DAY,
  };
}
