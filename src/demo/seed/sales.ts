import type { CardType, Merchant } from './merchants.ts';
import type { Terminal } from './terminals.ts';

/** What happened at the terminals, before any system numbered it. */
export type QrScheme = 'demoqr' | 'samplepay';
/** The scheme whose file came late at D-2 (story 16). One merchant takes it. */
export const LATE_SCHEME = 'samplepay';
export const LATE_SCHEME_MERCHANT = 'M1020';
export const LATE_SCHEME_SALES = 9;

/** In which way a transaction's later steps differ from what the switch saw. */
export interface Departure {
  readonly dump?: 'absent' | 'twice';
  /** What the dump says instead, in minor units. */
  readonly dumpAmount?: bigint;
  readonly dumpCurrency?: string;
  /** Days by which the dump's business date is later. */
  readonly dumpDays?: number;
  readonly core?: 'absent' | 'unreconciled' | 'held' | 'settled although reversed';
  /** The open (or, for a held one, held) exception that reconciliation made of it. */
  readonly exception?: string;
}

export interface Draft {
  readonly story: number | null;
  readonly terminal: Terminal;
  readonly at: number;
  readonly channel: 'card' | 'qr';
  readonly scheme: QrScheme | null;
  readonly type: 'sale' | 'refund' | 'authorisation';
  /** DE39. */
  readonly response: string;
  /** Minor units of the merchant's currency. */
  readonly amount: bigint;
  readonly cardType: CardType;
  /** The terminal sent it once more, with MTI 0201. */
  readonly repeated: boolean;
  readonly rrn?: string;
  readonly core?: number;
  readonly maskedCard?: string;
  readonly departure?: Departure;
}

export type ReversalStatus = 'completed' | 'pending' | 'failed' | 'exhausted';

/** An exception that people dealt with. */
export interface PastException {
  readonly type: string;
  readonly status: 'resolved' | 'released';
}

/** A transaction with its numbers. */
export interface Sale extends Draft {
  readonly merchant: Merchant;
  /** Business day, 0 is that of as-of. */
  readonly day: number;
  readonly stan: string;
  readonly rrn: string;
  /** DE38; empty when declined. */
  readonly approval: string | null;
  readonly schemeReference: string | null;
  /** Null where no core row is due. */
  readonly coreId: number | null;
  readonly lastFour: string;
  readonly reversal: ReversalStatus | null;
  readonly pastException: PastException | null;
  /** The sale that a refund pays back. */
  readonly refunded: Sale | null;
}

export const APPROVED = '00';

/** Approved, and moving money: what dump and core hold. */
export function isFinancial(sale: Pick<Draft, 'response' | 'type'>): boolean {
  return sale.response === APPROVED && sale.type !== 'authorisation';
}
