import { type DemoCalendar, HOUR } from './calendar.ts';
import { type Departures, planDepartures } from './departures.ts';
import type { Currency } from './money.ts';
import { type Random, random } from './prng.ts';
import {
  APPROVED,
  type Draft,
  isFinancial,
  LATE_SCHEME,
  LATE_SCHEME_MERCHANT,
  LATE_SCHEME_SALES,
  type Sale,
} from './sales.ts';
import { storyDrafts } from './stories.ts';
import { isOnline, type Terminal } from './terminals.ts';

/** 30,000 switch rows of fourteen business days and the hours of D0, in exact shares. */
export const SALE_DAYS = 14;
const ROWS = 30_000;
const REPEATED = 300;
const DECLINED = 2_100;
const QR = 1_200;
const QR_DECLINED = 60;
const AUTHORISATIONS = 1_000;
const REFUNDS = 320;
/** How busy each local hour is. */
const BUSY = [4, 2, 1, 1, 1, 2, 6, 14, 28, 40, 52, 60, 74, 78, 62, 52, 54, 66, 84, 96, 92, 70, 40, 16] as const;
const BUSY_DAY = BUSY.reduce<number>((sum, weight) => sum + weight, 0);
const DECLINES = [
  ['51', 40],
  ['05', 22],
  ['55', 12],
  ['54', 6],
  ['61', 5],
  ['91', 6],
  ['14', 3],
  ['57', 3],
  ['41', 1],
  ['96', 2],
] as const;
const CARDS = [
  ['visa_credit', 35],
  ['visa_debit', 25],
  ['mc_credit', 22],
  ['mc_debit', 14],
  ['amex', 4],
] as const;

type Kind = 'sale' | 'repeated' | 'declined' | 'refund' | 'authorisation' | 'qr' | 'qr declined';

export function buildSales(calendar: DemoCalendar, terminals: readonly Terminal[]): Sale[] {
  const rng = random('transactions');
  const stories = storyDrafts(calendar, terminals);
  const times = timesOf(rng, calendar, ROWS - REPEATED - stories.length);
  const special: Kind[] = [
    ...Array<Kind>(REPEATED).fill('repeated'),
    ...Array<Kind>(DECLINED - QR_DECLINED - 1).fill('declined'),
    ...Array<Kind>(AUTHORISATIONS).fill('authorisation'),
    ...Array<Kind>(REFUNDS).fill('refund'),
    ...Array<Kind>(QR - QR_DECLINED - 1).fill('qr'),
    ...Array<Kind>(QR_DECLINED).fill('qr declined'),
  ];
  const kinds = rng.shuffled(times.map((_, i) => special[i] ?? 'sale'));
  const drafts = [...stories, ...ordinary(rng, calendar, terminals, times, kinds)];
  drafts.sort((a, b) => a.at - b.at || a.terminal.number - b.terminal.number);
  return numbered(rng, calendar, drafts, planDepartures(calendar, drafts));
}

/** Times in no order: each day's share, spread over its hours as they are busy. */
function timesOf(rng: Random, calendar: DemoCalendar, count: number): number[] {
  const hoursToday = Math.round((calendar.asOf - calendar.at(0, '00:00')) / HOUR);
  const busyToday = BUSY.slice(0, hoursToday).reduce<number>((sum, weight) => sum + weight, 0);
  const today = Math.floor((count * busyToday) / (SALE_DAYS * BUSY_DAY + busyToday));
  const hours = BUSY.map((weight, hour) => [hour, weight] as const);
  const times: number[] = [];
  const fill = (day: number, total: number, choices: typeof hours) => {
    for (let i = 0; i < total; i++) times.push(calendar.at(day, `${rng.weighted(choices)}:00`) + rng.int(0, HOUR - 1));
  };
  if (today > 0) fill(0, today, hours.slice(0, hoursToday));
  const rest = count - today;
  for (let day = 1; day <= SALE_DAYS; day++) {
    fill(-day, Math.floor((rest * day) / SALE_DAYS) - Math.floor((rest * (day - 1)) / SALE_DAYS), hours);
  }
  return times;
}

function ordinary(
  rng: Random,
  calendar: DemoCalendar,
  terminals: readonly Terminal[],
  times: readonly number[],
  kinds: readonly Kind[],
): Draft[] {
  const trial = terminals.filter(({ merchant }) => merchant.mid === LATE_SCHEME_MERCHANT);
  const qrTerminals = terminals.filter(
    ({ merchant }) => merchant.currency === 'AED' && merchant.mid !== LATE_SCHEME_MERCHANT,
  );
  const schemeLeft = new Map<number, number>();
  for (let day = -SALE_DAYS; day <= 0; day++) schemeLeft.set(day, day === -2 ? LATE_SCHEME_SALES : rng.int(5, 11));
  return times.map((at, i): Draft => {
    const kind = kinds[i]!;
    const day = calendar.dayOf(at);
    const qr = kind === 'qr' || kind === 'qr declined';
    const late = kind === 'qr' && schemeLeft.get(day)! > 0;
    if (late) schemeLeft.set(day, schemeLeft.get(day)! - 1);
    const terminal = present(rng, late ? trial : qr ? qrTerminals : terminals, at);
    const { merchant } = terminal;
    const card = rng.weighted(CARDS);
    return {
      story: null,
      terminal,
      at,
      channel: qr ? 'qr' : 'card',
      scheme: qr ? (late ? LATE_SCHEME : 'demoqr') : null,
      type: kind === 'refund' || kind === 'authorisation' ? kind : 'sale',
      response: kind === 'declined' || kind === 'qr declined' ? rng.weighted(DECLINES) : APPROVED,
      amount: amountOf(rng, merchant.currency),
      // The high-risk template has no rate for American Express.
      cardType: qr ? 'qr' : card === 'amex' && merchant.tier === 'high' ? 'visa_credit' : card,
      repeated: kind === 'repeated',
    };
  });
}

/** A terminal that was online then. The few that may be absent all at once are taken as they are. */
function present(rng: Random, terminals: readonly Terminal[], at: number): Terminal {
  let terminal = rng.pick(terminals);
  for (let tries = 0; tries < 40 && !isOnline(terminal, at); tries++) terminal = rng.pick(terminals);
  return terminal;
}

function amountOf(rng: Random, currency: Currency): bigint {
  if (currency === 'JPY') return BigInt(100 + rng.int(0, 150) * rng.int(0, 150));
  if (currency === 'BHD') return BigInt(500 + rng.int(0, 250) * rng.int(0, 250));
  const minor = 300 + rng.int(0, 400) * rng.int(0, 400);
  return BigInt(rng.chance(35) ? minor - (minor % 100) : minor);
}

/** Gives every transaction its numbers, in order of time. */
function numbered(rng: Random, calendar: DemoCalendar, drafts: readonly Draft[], departures: Departures): Sale[] {
  const stans = new Map<number, number>();
  const refundable = new Map<number, Sale>();
  let core = 500_000;
  return drafts.map((draft, i): Sale => {
    const { terminal } = draft;
    const stan = ((stans.get(terminal.number) ?? rng.int(1, 999_990)) % 999_999) + 1;
    stans.set(terminal.number, stan);
    const approved = draft.response === APPROVED;
    const departure = departures.of(draft);
    const inCore = isFinancial(draft) && departure?.core !== 'absent';
    const reversal = departures.reversalOf(draft);
    const refunded = draft.type === 'refund' ? (refundable.get(terminal.number) ?? null) : null;
    // Named one by one: spreading 30,000 objects takes a second.
    const sale: Sale = {
      story: draft.story,
      terminal,
      at: draft.at,
      channel: draft.channel,
      scheme: draft.scheme,
      type: draft.type,
      response: draft.response,
      cardType: draft.cardType,
      repeated: draft.repeated,
      maskedCard: draft.maskedCard,
      amount: refunded?.amount ?? draft.amount,
      departure,
      merchant: terminal.merchant,
      day: calendar.dayOf(draft.at),
      stan: String(stan).padStart(6, '0'),
      rrn: draft.rrn ?? retrievalReference(draft.at, i),
      // 7919 and 10^6 have no common divisor, so no code occurs twice.
      approval: approved ? String((i * 7919 + 131_071) % 1_000_000).padStart(6, '0') : null,
      schemeReference:
        draft.channel === 'qr' ? `${draft.scheme === LATE_SCHEME ? 'SPY' : 'DQR'}${String(20_000_000 + i)}` : null,
      coreId: inCore ? (draft.core ?? ++core) : null,
      lastFour: String(rng.int(0, 9_999)).padStart(4, '0'),
      reversal,
      pastException: departures.pastOf(draft),
      refunded,
    };
    // A refund pays back the terminal's newest card sale that went its ordinary way, once.
    if (refunded) refundable.delete(terminal.number);
    const ordinary = inCore && draft.type === 'sale' && draft.channel === 'card' && !departure && !reversal;
    if (ordinary && draft.story === null) refundable.set(terminal.number, sale);
    return sale;
  });
}

/** DE37 in the usual form YDDDHH and six digits. */
function retrievalReference(at: number, sequence: number): string {
  const time = new Date(at);
  const year = time.getUTCFullYear();
  const dayOfYear = Math.floor((at - Date.UTC(year, 0, 1)) / (24 * HOUR)) + 1;
  const hour = String(time.getUTCHours()).padStart(2, '0');
  return `${year % 10}${String(dayOfYear).padStart(3, '0')}${hour}${100_000 + sequence}`;
}
