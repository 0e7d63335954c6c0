import { type DemoCalendar, MINUTE } from './calendar.ts';
import type { Departure, Draft } from './sales.ts';
import type { Terminal } from './terminals.ts';

/** Story 7: this merchant's part of this batch waits. */
export const HELD_PAYOUT = {
  batch: 'PB-DEMO-07',
  mid: 'M1012',
  reason: 'bank account change under review',
} as const;

/** The terminal of story 2. */
const HEARTBEAT_FAULT = 140;
/** Well-known test number of card schemes, not a card. */
const TEST_PAN = '4111111111111111';

/**
 * The planted transactions, with the identifiers that never change: story n has RRN 9001000000nn and core id 700000 + n. A departure says in
 * which way the later steps differ from what the switch saw; without one a transaction goes its ordinary way to the payout.
 */
export function storyDrafts(calendar: DemoCalendar, terminals: readonly Terminal[]): Draft[] {
  const draft = (story: number, terminal: number, at: number, minor: bigint, more: Partial<Draft> = {}): Draft => ({
    story,
    terminal: terminals[terminal - 1]!,
    at,
    channel: 'card',
    scheme: null,
    type: 'sale',
    response: '00',
    amount: minor,
    cardType: 'visa_credit',
    repeated: false,
    ...more,
  });
  const rrn = (story: number) => `9001000000${String(story).padStart(2, '0')}`;
  const core = (story: number) => 700_000 + story;
  const missing: Departure = { dump: 'absent', core: 'unreconciled', exception: 'missing_in_dump' };
  const swapped: Departure = { dumpAmount: 110_500n, core: 'unreconciled', exception: 'amount_mismatch' };
  return [
    ...heartbeatFault(calendar).map((at, i) => draft(2, HEARTBEAT_FAULT, at, BigInt(2_500 + 1_375 * i))),
    draft(3, 111, calendar.at(-2, '13:20:11'), 25_000n, { rrn: rrn(3), core: core(3), departure: missing }),
    draft(4, 112, calendar.at(-3, '17:41:52'), 115_000n, { rrn: rrn(4), core: core(4), departure: swapped }),
    draft(5, 21, calendar.at(-4, '10:05:30'), 8_600n, { rrn: rrn(5), core: core(5) }),
    draft(5, 188, calendar.at(-4, '18:47:03'), 31_250n, { rrn: rrn(5) }),
    draft(6, 101, calendar.at(-5, '12:12:12'), 4_200n, {
      rrn: rrn(6),
      core: core(6),
      channel: 'qr',
      scheme: 'demoqr',
      cardType: 'qr',
    }),
    draft(7, 22, calendar.at(-8, '15:30:00'), 78_000n, { rrn: rrn(7), core: core(7) }),
    draft(8, 109, calendar.at(-6, '11:11:40'), 19_900n, {
      rrn: rrn(8),
      core: core(8),
      departure: { core: 'settled although reversed' },
    }),
    draft(9, 108, calendar.at(-2, '16:02:45'), 64_000n, { rrn: rrn(9), response: '51' }),
    draft(10, 111, calendar.at(-3, '23:59:58'), 12_345n, { rrn: rrn(10), core: core(10), departure: { dumpDays: 1 } }),
    draft(13, 112, calendar.at(-5, '19:33:20'), 9_999n, { rrn: rrn(13), core: core(13), maskedCard: TEST_PAN }),
  ];
}

/** Sales each 25 minutes until five minutes before as-of. */
function heartbeatFault(calendar: DemoCalendar): number[] {
  return Array.from({ length: 12 }, (_, i) => calendar.asOf - (5 + 25 * i) * MINUTE).reverse();
}
