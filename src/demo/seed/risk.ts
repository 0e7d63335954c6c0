/** Hits of risk rules and what was done to them. Two carry text that the redaction must, and must not, touch. */
import { type DemoCalendar, HOUR, iso, MINUTE } from './calendar.ts';
import type { Merchant } from './merchants.ts';
import type { Transaction } from './payments.ts';
import { Prng } from './prng.ts';
import { type Row, stamps, type TableRows, tableOf } from './rows.ts';

const HITS = 120;
const RULES = [
  ['VEL-CARD-6H', 'velocity', 'one card used often within six hours'],
  ['AMT-HIGH-MCC', 'amount', 'amount far above what is usual for the category'],
  ['GEO-JUMP', 'location', 'one card at two places too far apart'],
  ['REFUND-RATIO', 'refund', 'refunds above the share of sales that is usual'],
  ['NIGHT-SALES', 'pattern', 'sales at hours when the shop is closed'],
] as const;

export function riskTables(
  transactions: readonly Transaction[],
  merchants: readonly Merchant[],
  calendar: DemoCalendar,
): TableRows[] {
  const prng = new Prng('risk');
  const pool = transactions.filter((t) => t.code === '00' && t.scheme === null && !t.planted);
  const hits = Array.from({ length: HITS }, (_, i) => {
    const t = pool[Math.floor((i * pool.length) / HITS)];
    if (!t) throw new RangeError('no transaction for a hit');
    const [rule, category, note] = prng.pick(RULES);
    const state = stateOf(i);
    const triggered = t.at + prng.int(2, 40) * 1000;
    const acted = state.action === null ? null : calendar.upTo(triggered + prng.int(1, 30) * HOUR);
    return {
      id: hitId(i),
      rule_id: rule,
      transaction_id: t.rrn,
      transaction_type: t.kind,
      merchant_id: t.terminal.merchant.mid,
      category,
      status: state.status,
      triggered_at: iso(triggered),
      supervisor_id: acted === null ? null : 'risk-desk',
      action_taken: state.action,
      action_at: acted === null ? null : iso(acted),
      notes: note,
      metadata: JSON.stringify({
        score: prng.int(51, 99),
        tid: t.terminal.tid,
        window_minutes: prng.pick([60, 360, 1440]),
      }),
      ...stamps(iso(triggered), iso(acted ?? triggered)),
    };
  });
  plant(hits, merchants);
  return [tableOf('risk_rule_hits', hits), tableOf('risk_audit_logs', auditRows(hits, calendar, prng))];
}

/** Hits 5001 and 5002 stand at places whose state is `open`. */
function hitId(i: number): number {
  return i === 118 ? 5001 : i === 119 ? 5002 : 4001 + i;
}

const ACTIONS = ['released', 'held', 'blocked', 'escalated', 'false_positive'];

/** The newest 48 are open, 22 in review, 50 closed. */
function stateOf(i: number): { status: string; action: string | null } {
  if (i >= HITS - 48) return { status: 'open', action: null };
  if (i >= HITS - 70) return { status: 'in_review', action: null };
  return { status: 'closed', action: ACTIONS[i % ACTIONS.length] ?? 'released' };
}

function plant(hits: Row[], merchants: readonly Merchant[]): void {
  const replace = (id: number, change: Row) => {
    const at = hits.findIndex((hit) => hit['id'] === id);
    hits[at] = { ...hits[at], ...change };
  };
  // A test number that no card has, as people and rules write such numbers: in words, in full-width digits, as a track.
  replace(5001, {
    rule_id: 'VEL-CARD-6H',
    category: 'velocity',
    merchant_id: merchants[30]?.mid ?? null,
    notes: 'customer card 4111 1111 1111 1111 used 6x',
    metadata: JSON.stringify({
      score: 88,
      card: '４１１１１１１１１１１１１１１１',
      raw: ';4111111111111111=30121011234567890?',
    }),
  });
  replace(5002, {
    rule_id: 'AMT-HIGH-MCC',
    category: 'amount',
    notes: 'order number 1234 5678 9012 3456, case 0b7e8f52-6a0d-4b6e-9d3c-2f1a5c7e9b10',
    metadata: JSON.stringify({ score: 61, case: '0b7e8f52-6a0d-4b6e-9d3c-2f1a5c7e9b10' }),
  });
}

function auditRows(hits: readonly Row[], calendar: DemoCalendar, prng: Prng): Row[] {
  return Array.from({ length: 30 }, (_, i) => {
    const hit = hits[i * 3 + 20];
    const at = calendar.upTo(Date.parse(String(hit?.['triggered_at'])) + prng.int(10, 300) * MINUTE);
    const enriched = i % 2 === 0;
    return {
      id: i + 1,
      hit_id: Number(hit?.['id']),
      event: enriched ? 'enriched' : 'category_proposed',
      actor: 'risk-triage',
      before: null,
      after: JSON.stringify(enriched ? { evidence: 'transactions of the merchant' } : { value: 'velocity' }),
      request_id: prng.uuid(),
      at: iso(at),
      ...stamps(iso(at)),
    };
  });
}
