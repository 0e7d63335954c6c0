import { DAY, type DemoCalendar, MINUTE } from './calendar.ts';
import { groupBy } from './grouping.ts';
import { random } from './prng.ts';
import { APPROVED, type Departure, type Draft, LATE_SCHEME, type PastException, type ReversalStatus } from './sales.ts';

/** Chooses which ordinary transactions go another way: open and held exceptions, exceptions dealt with, reversals. */
export interface Departures {
  of(draft: Draft): Departure | undefined;
  pastOf(draft: Draft): PastException | null;
  reversalOf(draft: Draft): ReversalStatus | null;
}

/** With stories 3, 4 and 16 these make 24 open exceptions and 4 held ones. */
const OPEN: readonly (readonly [number, Departure])[] = [
  [-9, { dump: 'absent', core: 'unreconciled', exception: 'missing_in_dump' }],
  [-5, { dump: 'absent', core: 'unreconciled', exception: 'missing_in_dump' }],
  [-4, { dump: 'absent', core: 'unreconciled', exception: 'missing_in_dump' }],
  [-2, { dump: 'absent', core: 'unreconciled', exception: 'missing_in_dump' }],
  [-7, { dumpAmount: 5_000n, core: 'unreconciled', exception: 'amount_mismatch' }],
  [-6, { dumpAmount: 12_050n, core: 'unreconciled', exception: 'amount_mismatch' }],
  [-4, { dumpAmount: 99_900n, core: 'unreconciled', exception: 'amount_mismatch' }],
  [-2, { dumpAmount: 7_725n, core: 'unreconciled', exception: 'amount_mismatch' }],
  [-5, { core: 'absent', exception: 'missing_in_core' }],
  [-3, { core: 'absent', exception: 'missing_in_core' }],
  [-6, { dump: 'twice', core: 'unreconciled', exception: 'duplicate_in_dump' }],
  [-10, { dumpCurrency: 'USD', core: 'unreconciled', exception: 'currency_mismatch' }],
  [-8, { dumpDays: 2, core: 'unreconciled', exception: 'date_mismatch' }],
];
const HELD: readonly (readonly [number, Departure])[] = [
  [-6, { core: 'held', exception: 'manual_hold' }],
  [-5, { core: 'held', exception: 'suspected_fraud' }],
  [-3, { core: 'held', exception: 'manual_hold' }],
  [-2, { core: 'held', exception: 'manual_hold' }],
];
const RELEASED = 5;
const RESOLVED: readonly (readonly [string, number])[] = [
  ['missing_in_dump', 14],
  ['amount_mismatch', 8],
  ['missing_in_core', 4],
  ['duplicate_in_dump', 3],
  ['status_mismatch', 2],
];
/** With story 8 these are 450. */
const REVERSALS: readonly (readonly [ReversalStatus, number])[] = [
  ['completed', 437],
  ['failed', 5],
  ['exhausted', 3],
];
const PENDING_REVERSALS = 4;

export function planDepartures(calendar: DemoCalendar, drafts: readonly Draft[]): Departures {
  const rng = random('departures');
  const departures = new Map<Draft, Departure>();
  const past = new Map<Draft, PastException>();
  const reversals = new Map<Draft, ReversalStatus>();
  const taken = new Set<Draft>();
  const plain = drafts.filter(
    (draft) =>
      draft.story === null &&
      draft.channel === 'card' &&
      draft.type === 'sale' &&
      draft.response === APPROVED &&
      !draft.repeated,
  );
  const days = groupBy(plain, ({ at }) => calendar.dayOf(at));
  const choose = (from: number, to: number, where: (draft: Draft) => boolean = () => true): Draft => {
    const choices: Draft[] = [];
    for (let day = from; day <= to; day++) {
      for (const draft of days.get(day) ?? []) if (!taken.has(draft) && where(draft)) choices.push(draft);
    }
    const draft = rng.pick(choices);
    taken.add(draft);
    return draft;
  };

  for (const [day, departure] of [...OPEN, ...HELD]) {
    const { dumpAmount } = departure;
    departures.set(
      choose(day, day, ({ terminal, amount }) => terminal.merchant.currency === 'AED' && amount !== dumpAmount),
      departure,
    );
  }
  for (const draft of drafts) {
    if (draft.scheme === LATE_SCHEME && draft.response === APPROVED && calendar.dayOf(draft.at) === -2) {
      departures.set(draft, { core: 'unreconciled', exception: 'missing_in_dump' });
    }
  }
  for (let i = 0; i < RELEASED; i++) past.set(choose(-12, -4), { type: 'manual_hold', status: 'released' });
  for (const [type, count] of RESOLVED) {
    for (let i = 0; i < count; i++) past.set(choose(-14, -4), { type, status: 'resolved' });
  }
  const lately = (draft: Draft) => draft.at > calendar.asOf - DAY && draft.at < calendar.asOf - 10 * MINUTE;
  for (let i = 0; i < PENDING_REVERSALS; i++) reversals.set(choose(-1, 0, lately), 'pending');
  const reversible = rng.shuffled(plain.filter((draft) => !taken.has(draft) && draft.at < calendar.asOf - 10 * MINUTE));
  let next = 0;
  for (const [status, count] of REVERSALS) {
    for (let i = 0; i < count; i++) reversals.set(reversible[next++]!, status);
  }
  for (const draft of drafts)
    if (draft.departure?.core === 'settled although reversed') reversals.set(draft, 'completed');

  return {
    of: (draft) => draft.departure ?? departures.get(draft),
    pastOf: (draft) => past.get(draft) ?? null,
    reversalOf: (draft) => reversals.get(draft) ?? null,
  };
}
