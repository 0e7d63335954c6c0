/**
 * Fourteen days of card and QR transactions, as they happened. The tables of the switch and of settlement are told from this one
 * list, so that they agree wherever no story says otherwise.
 */
import { type DemoCalendar, HOUR } from './calendar.ts';
import { CARD_TYPES, type CardType } from './merchants.ts';
import type { Currency } from './money.ts';
import { Prng } from './prng.ts';
import { type Planted, plantStories } from './stories.ts';
import type { Terminal } from './terminals.ts';

export const TRANSACTIONS = 30_000;
export const REVERSALS = 450;
const REPEATS = 60;
export const DAYS = 14;

export type Kind = 'sale' | 'refund' | 'cash_advance' | 'authorisation';
export type Scheme = 'qrpay' | 'qrlink';
export type ReversalStatus = 'completed' | 'failed' | 'exhausted' | 'pending';

export interface Transaction {
  readonly terminal: Terminal;
  readonly at: number;
  /** Business day, counted back from D0. */
  readonly day: number;
  readonly kind: Kind;
  readonly scheme: Scheme | null;
  readonly cardType: CardType;
  /** Minor units. */
  readonly amount: bigint;
  /** For a partial approval, what was approved. */
  readonly approvedAmount: bigint | null;
  readonly code: string;
  readonly currency: Currency;
  /** The same message sent again: it counts once. */
  readonly repeat: boolean;
  readonly planted: Planted | null;
  stan: string;
  rrn: string;
  auth: string | null;
  last4: string;
  schemeReference: string | null;
  reversal: ReversalStatus | null;
  coreId: number | null;
}

export const APPROVED = new Set(['00', '10']);
export const isApproved = (t: Transaction): boolean => APPROVED.has(t.code);
/** Approved, final and of an amount: what clearing and settlement know. */
export const isFinancial = (t: Transaction): boolean =>
  isApproved(t) && t.kind !== 'authorisation' && t.amount !== 0n && !t.repeat;
/** What the customer was charged. */
export const charged = (t: Transaction): bigint => t.approvedAmount ?? t.amount;

/** Share of a day's transactions in each local hour. */
const HOURS = [4, 2, 1, 1, 1, 3, 8, 18, 34, 46, 54, 62, 70, 66, 56, 52, 56, 66, 78, 84, 76, 54, 30, 12];

export function buildTransactions(terminals: readonly Terminal[], calendar: DemoCalendar): Transaction[] {
  const prng = new Prng('transactions');
  const planted = plantStories(terminals, calendar);
  const general = TRANSACTIONS - planted.length - REPEATS;
  const list: Transaction[] = planted.map((story) => fromStory(story, calendar));
  for (const [day, count] of countsByDay(general, calendar)) {
    for (let n = 0; n < count; n += 1) list.push(ordinary(terminals, calendar, day, prng));
  }
  list.sort((a, b) => a.at - b.at || a.terminal.index - b.terminal.index);
  number(list, calendar, prng);
  const qr = shareSchemes(list, prng);
  markReversals(qr, prng);
  return withRepeats(qr, prng);
}

function countsByDay(total: number, calendar: DemoCalendar): [number, number][] {
  const full = HOURS.reduce((sum, weight) => sum + weight, 0);
  const elapsed = hoursOfToday(calendar).reduce((sum, [, weight]) => sum + weight, 0);
  const whole = DAYS * full + elapsed;
  const counts: [number, number][] = Array.from({ length: DAYS }, (_, i) => [
    DAYS - i,
    Math.floor((total * full) / whole),
  ]);
  const rest = total - counts.reduce((sum, [, count]) => sum + count, 0);
  if (elapsed > 0) counts.push([0, rest]);
  else counts[0] = [DAYS, (counts[0]?.[1] ?? 0) + rest];
  return counts;
}

function hoursOfToday(calendar: DemoCalendar): [number, number][] {
  const elapsed = Math.floor((calendar.asOf - calendar.startOf(0)) / HOUR);
  return HOURS.slice(0, elapsed).map((weight, hour) => [hour, weight]);
}

const ALL_HOURS: [number, number][] = HOURS.map((weight, hour) => [hour, weight]);

function ordinary(terminals: readonly Terminal[], calendar: DemoCalendar, day: number, prng: Prng): Transaction {
  const hour = prng.weighted(day === 0 ? hoursOfToday(calendar) : ALL_HOURS);
  const at = calendar.startOf(day) + hour * HOUR + prng.int(0, HOUR / 1000 - 1) * 1000 + prng.int(0, 999);
  const terminal = sellingTerminal(terminals, at, prng);
  const qr = prng.chance(40);
  const approved = prng.chance(930);
  const kind: Kind = qr
    ? 'sale'
    : prng.weighted([
        ['sale', 905],
        ['authorisation', 55],
        ['refund', 25],
        ['cash_advance', 15],
      ] as const);
  const { currency } = terminal.merchant;
  // An account check: approved without an amount.
  const amount = kind === 'authorisation' && prng.chance(270) ? 0n : someAmount(currency, prng);
  const partial = approved && kind === 'sale' && !qr && amount > 1000n && prng.chance(1);
  return blank({
    terminal,
    at,
    day,
    kind,
    scheme: qr ? 'qrpay' : null,
    cardType: qr ? 'qr' : prng.weighted(CARD_SHARES),
    amount,
    approvedAmount: partial ? amount / 2n : null,
    code: partial ? '10' : approved ? '00' : prng.weighted(DECLINES),
    last4: String(prng.int(0, 9999)).padStart(4, '0'),
  });
}

const CARD_SHARES: readonly (readonly [CardType, number])[] = CARD_TYPES.filter((type) => type.code !== 'qr').map(
  (type, i) => [type.code, [34, 24, 22, 15, 5][i] ?? 1] as const,
);

const DECLINES: readonly (readonly [string, number])[] = [
  ['51', 42],
  ['05', 18],
  ['55', 10],
  ['54', 8],
  ['61', 6],
  ['14', 5],
  ['91', 5],
  ['65', 3],
  ['57', 2],
  ['96', 1],
];

/** Small amounts are frequent, large ones rare. */
function someAmount(currency: Currency, prng: Prng): bigint {
  const bands = {
    AED: [300, 6_000, 40_000, 320_000],
    BHD: [400, 8_000, 50_000, 400_000],
    JPY: [150, 3_000, 20_000, 120_000],
  };
  const [low = 0, middle = 0, high = 0, top = 0] = bands[currency];
  const band = prng.weighted([
    [[low, middle], 55],
    [[middle, high], 36],
    [[high, top], 9],
  ] as const);
  return BigInt(prng.int(band[0], band[1]));
}

function sellingTerminal(terminals: readonly Terminal[], at: number, prng: Prng): Terminal {
  for (;;) {
    const terminal = prng.pick(terminals);
    // Planted sales are the only ones of a terminal that sells although it is offline.
    if (terminal.since === null || at < terminal.since) return terminal;
  }
}

type Blank = Pick<
  Transaction,
  'terminal' | 'at' | 'day' | 'kind' | 'scheme' | 'cardType' | 'amount' | 'approvedAmount' | 'code' | 'last4'
>;

/** Written out: spreading an object into a literal takes V8 some 35 µs, and there are 30,000. */
function blank(parts: Blank): Transaction {
  return {
    terminal: parts.terminal,
    at: parts.at,
    day: parts.day,
    kind: parts.kind,
    scheme: parts.scheme,
    cardType: parts.cardType,
    amount: parts.amount,
    approvedAmount: parts.approvedAmount,
    code: parts.code,
    last4: parts.last4,
    currency: parts.terminal.merchant.currency,
    repeat: false,
    planted: null,
    stan: '',
    rrn: '',
    auth: null,
    schemeReference: null,
    reversal: null,
    coreId: null,
  };
}

function fromStory(story: Planted, calendar: DemoCalendar): Transaction {
  return {
    ...blank({
      terminal: story.terminal,
      at: story.at,
      day: calendar.dayOf(story.at),
      kind: 'sale',
      scheme: story.scheme ?? null,
      cardType: story.scheme ? 'qr' : 'visa_credit',
      amount: story.amount,
      approvedAmount: null,
      code: story.code ?? '00',
      last4: '1111',
    }),
    rrn: story.rrn ?? '',
    planted: story,
    reversal: story.reversal ?? null,
    coreId: story.coreId ?? null,
  };
}

/** STAN by terminal; RRN as YDDDHH and a running number, which are the numbers acquirers use. */
function number(list: readonly Transaction[], calendar: DemoCalendar, prng: Prng): void {
  const stans = new Map<number, number>();
  list.forEach((t, i) => {
    const stan = (stans.get(t.terminal.index) ?? 1000 + t.terminal.index) + 1;
    stans.set(t.terminal.index, stan);
    t.stan = String(stan).padStart(6, '0');
    const local = calendar.local(t.at);
    const prefix = `${local.year % 10}${String(local.dayOfYear).padStart(3, '0')}${String(local.hour).padStart(2, '0')}`;
    if (t.rrn === '') t.rrn = `${prefix}${String(100_000 + i)}`;
    if (isApproved(t)) t.auth = String(prng.int(0, 999_999)).padStart(6, '0');
    if (t.scheme)
      t.schemeReference = `QP${calendar.date(t.day).replaceAll('-', '').slice(2)}N${String(i).padStart(6, '0')}`;
  });
}

/** Of D-2, the small scheme has nine: its file came after the reconciliation had run. */
function shareSchemes(list: readonly Transaction[], prng: Prng): Transaction[] {
  let nine = 9;
  return list.map((t) => {
    if (t.scheme === null || t.planted || !isApproved(t)) return t;
    if (t.day === 2) {
      if (nine === 0 || t.currency !== 'AED') return t;
      nine -= 1;
      return { ...t, scheme: 'qrlink' as const };
    }
    return prng.chance(120) ? { ...t, scheme: 'qrlink' as const } : t;
  });
}

function markReversals(list: readonly Transaction[], prng: Prng): void {
  const already = list.filter((t) => t.reversal !== null).length;
  const candidates = list.filter(
    (t) => isFinancial(t) && t.kind === 'sale' && t.scheme === null && !t.planted && t.day >= 1,
  );
  const wanted = REVERSALS - already;
  for (let n = 0; n < wanted; n += 1) {
    // One of each stretch of equal length: spread over all days, and never the same twice.
    const from = Math.floor((n * candidates.length) / wanted);
    const to = Math.floor(((n + 1) * candidates.length) / wanted) - 1;
    const chosen = candidates[prng.int(from, to)];
    if (!chosen) continue;
    chosen.reversal = n % 45 === 7 ? 'exhausted' : n % 45 === 22 ? 'failed' : n > wanted - 6 ? 'pending' : 'completed';
  }
}

function withRepeats(list: readonly Transaction[], prng: Prng): Transaction[] {
  const candidates = list.filter((t) => isFinancial(t) && t.scheme === null && !t.planted);
  const repeats = Array.from({ length: REPEATS }, (_, n) => {
    const original = candidates[Math.floor((n * candidates.length) / REPEATS) + prng.int(0, 50)];
    if (!original) throw new RangeError('nothing to repeat');
    return { ...original, at: original.at + 2 * 1000, repeat: true, reversal: null };
  });
  return [...list, ...repeats].sort((a, b) => a.at - b.at || a.terminal.index - b.terminal.index);
}
