/** Transactions of the stories: fixed reference numbers, ids and terminals that depend on no seed. Settlement bends the rest. */
import { type DemoCalendar, MINUTE } from './calendar.ts';
import type { ReversalStatus, Scheme } from './payments.ts';
import type { Terminal } from './terminals.ts';

export interface Planted {
  readonly story: number;
  readonly terminal: Terminal;
  readonly at: number;
  /** Minor units of AED. */
  readonly amount: bigint;
  readonly rrn?: string;
  readonly coreId?: number;
  readonly scheme?: Scheme;
  readonly code?: string;
  readonly reversal?: ReversalStatus;
  /** The dump has another amount, or no row. */
  readonly dump?: { readonly amount: bigint } | 'missing';
  /** The dump has it under another business day. */
  readonly dumpDay?: number;
  /** In place of a masked number in the live row. A test number that no card has. */
  readonly maskedCardNo?: string;
}

export function plantStories(terminals: readonly Terminal[], calendar: DemoCalendar): Planted[] {
  const terminal = (index: number): Terminal => {
    const found = terminals[index - 1];
    if (!found) throw new RangeError(`no terminal ${index}`);
    return found;
  };
  const of = (mid: string): Terminal => {
    const found = terminals.find((t) => t.merchant.mid === mid && t.status === 'online');
    if (!found) throw new RangeError(`no terminal of ${mid}`);
    return found;
  };
  return [
    ...salesOfASilentTerminal(terminal(140), calendar),
    {
      story: 3,
      terminal: terminal(52),
      at: calendar.at(2, 12, 15, 4),
      amount: 25_000n,
      rrn: '900100000003',
      dump: 'missing',
    },
    {
      story: 4,
      terminal: terminal(63),
      at: calendar.at(2, 17, 41, 9),
      amount: 115_000n,
      rrn: '900100000004',
      dump: { amount: 110_500n },
    },
    { story: 5, terminal: terminal(21), at: calendar.at(4, 10, 2, 30), amount: 8_800n, rrn: '900100000005' },
    { story: 5, terminal: terminal(188), at: calendar.at(4, 19, 27, 11), amount: 31_250n, rrn: '900100000005' },
    {
      story: 6,
      terminal: terminal(75),
      at: calendar.at(5, 13, 5, 0),
      amount: 4_200n,
      rrn: '900100000006',
      scheme: 'qrpay',
    },
    {
      story: 7,
      terminal: of('M1012'),
      at: calendar.at(11, 15, 20, 45),
      amount: 64_000n,
      rrn: '900100000007',
      coreId: 700_007,
    },
    {
      story: 8,
      terminal: terminal(84),
      at: calendar.at(6, 11, 48, 2),
      amount: 19_900n,
      rrn: '900100000008',
      coreId: 700_008,
      reversal: 'completed',
    },
    {
      story: 9,
      terminal: terminal(99),
      at: calendar.at(2, 20, 9, 33),
      amount: 47_500n,
      rrn: '900100000009',
      code: '51',
    },
    {
      story: 10,
      terminal: terminal(107),
      at: calendar.at(3, 23, 59, 58),
      amount: 7_350n,
      rrn: '900100000010',
      dumpDay: 2,
    },
    {
      story: 13,
      terminal: terminal(118),
      at: calendar.at(1, 16, 0, 12),
      amount: 12_600n,
      rrn: '900100000013',
      maskedCardNo: '4111111111111111',
    },
  ];
}

/** Sales of the terminal whose heartbeat alone is broken, from its last heartbeat until five minutes ago. */
function salesOfASilentTerminal(terminal: Terminal, calendar: DemoCalendar): Planted[] {
  const sales: Planted[] = [];
  const start = terminal.since ?? calendar.asOf;
  for (let at = calendar.asOf - 5 * MINUTE; at > start && sales.length < 60; at -= 25 * MINUTE) {
    sales.push({ story: 2, terminal, at, amount: BigInt(1_500 + ((sales.length * 737) % 9_000)) });
  }
  return sales;
}
