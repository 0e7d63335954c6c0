import { createHash } from 'node:crypto';
import { DAY, type DemoCalendar, HOUR, MINUTE } from './calendar.ts';
import { type Cell, type Table, table } from './copy.ts';
import { RISKY } from './merchants.ts';
import { type Random, random } from './prng.ts';
import { isFinancial, type Sale } from './sales.ts';

/** 120 rule hits on real demo transactions, 48 of them open, and 30 records of evidence and proposals. */
const FIRST_HIT = 4_883;
const HITS = 118;
/** Stories 11 and 12: free text with card data in it, and free text that only looks so. */
const CARD_DATA_HIT = 5001;
const LOOKALIKE_HIT = 5002;

const RULES = [
  ['VEL-CARD-10M', 'velocity', 'Six or more sales with one card in ten minutes'],
  ['BIN-ATTACK-01', 'bin_attack', 'Many cards of one range in a short time'],
  ['AMT-UNUSUAL', 'unusual_amount', 'Amount far above the usual one of the merchant'],
  ['REFUND-RATIO', 'refund_abuse', 'Refunds above a fifth of sales'],
  ['SPLIT-TXN', 'split_transaction', 'One purchase in several parts'],
  ['GEO-MISMATCH', 'geo_mismatch', 'Terminal and card far apart'],
] as const;
const ACTIONS = ['released', 'held', 'blocked', 'escalated', 'false_positive'] as const;

interface Hit {
  readonly id: number;
  readonly sale: Sale;
  readonly rule: (typeof RULES)[number];
  readonly at: number;
  readonly status: 'open' | 'in_review' | 'closed';
  readonly action: string | null;
  readonly notes: string | null;
  readonly metadata: Record<string, unknown>;
}
interface AuditRecord {
  readonly hit: number;
  readonly event: 'enriched' | 'category_proposed';
  readonly before: unknown;
  readonly after: unknown;
  readonly request: string;
  readonly at: number;
}

export function riskTables(calendar: DemoCalendar, sales: readonly Sale[]): Table[] {
  const rng = random('risk');
  const hits = [...ordinaryHits(rng, calendar, sales), ...storyHits(calendar, sales)];
  const audit: AuditRecord[] = [];
  const noted = rng.shuffled(hits.filter(({ id, status }) => id < CARD_DATA_HIT && status !== 'closed')).slice(0, 30);
  const worked = new Map(
    noted.map((hit, i) => [hit.id, i < 20 ? evidence(rng, calendar, hit) : proposal(rng, calendar, hit)]),
  );
  for (const { record } of worked.values()) audit.push(record);
  audit.sort((a, b) => a.at - b.at || a.hit - b.hit);
  return [
    table(
      'risk_rule_hits',
      'id rule_id transaction_id transaction_type merchant_id category status triggered_at supervisor_id action_taken action_at notes metadata',
      hits.map((hit): Cell[] => {
        const { id, sale, rule, at, status, action } = hit;
        const work = worked.get(id);
        const decided = action ? new Date(calendar.past(at + rng.int(20, 2_000) * MINUTE)) : null;
        return [
          id,
          rule[0],
          sale.rrn,
          sale.type,
          sale.merchant.mid,
          rule[1],
          status,
          new Date(at),
          status === 'open' ? null : `demo-supervisor-${rng.int(1, 3)}`,
          action,
          decided,
          work?.note ? `${hit.notes ?? ''}\n${work.note}` : hit.notes,
          JSON.stringify(work ? { ...hit.metadata, mcp: work.mcp } : hit.metadata),
        ];
      }),
      'triggered_at',
    ),
    table(
      'risk_audit_logs',
      'id hit_id event actor before after request_id at',
      audit.map((record, i) => [
        i + 1,
        record.hit,
        record.event,
        'A5',
        JSON.stringify(record.before),
        JSON.stringify(record.after),
        record.request,
        new Date(record.at),
      ]),
      'at',
    ),
  ];
}

function ordinaryHits(rng: Random, calendar: DemoCalendar, sales: readonly Sale[]): Hit[] {
  const from = calendar.asOf - 13 * DAY;
  const to = calendar.asOf - 4 * HOUR;
  const suspects = sales.filter((sale) => sale.story === null && isFinancial(sale) && sale.at > from && sale.at < to);
  const risky = suspects.filter(({ merchant }) => merchant.mid === RISKY);
  const chosen = [
    ...rng.shuffled(risky).slice(0, 14),
    ...rng.shuffled(suspects.filter(({ merchant }) => merchant.mid !== RISKY)).slice(0, HITS - 14),
  ];
  chosen.sort((a, b) => a.at - b.at);
  // 46 open, with the two of the stories 48; 12 under review; 60 closed. The older a hit, the likelier it is closed.
  return chosen.map((sale, i): Hit => {
    const status = i < 60 ? 'closed' : i < 72 ? 'in_review' : 'open';
    const rule = sale.type === 'refund' ? RULES[3] : rng.pick(RULES.filter(([id]) => id !== 'REFUND-RATIO'));
    return {
      id: FIRST_HIT + i,
      sale,
      rule,
      at: sale.at + rng.int(1, 90) * 1000,
      status,
      action: status === 'closed' ? rng.pick(ACTIONS) : status === 'in_review' && rng.chance(30) ? 'escalated' : null,
      notes: status === 'open' ? null : `Demo note: ${rule[2].toLowerCase()}.`,
      metadata: { rule: rule[2], score: rng.int(40, 99), terminal: sale.terminal.tid },
    };
  });
}

function storyHits(calendar: DemoCalendar, sales: readonly Sale[]): Hit[] {
  const risky = sales.filter(
    (sale) => isFinancial(sale) && sale.merchant.mid === RISKY && sale.at < calendar.asOf - 4 * HOUR,
  );
  const [first, second] = risky.slice(-2);
  const common = { status: 'open', action: null } as const;
  return [
    {
      ...common,
      id: CARD_DATA_HIT,
      sale: first!,
      rule: RULES[0],
      at: calendar.asOf - 3 * HOUR,
      notes: 'customer card 4111 1111 1111 1111 used 6x',
      metadata: {
        rule: RULES[0][2],
        seen: '４１１１１１１１１１１１１１１１',
        raw: ';4111111111111111=30121011234567890?',
      },
    },
    {
      ...common,
      id: LOOKALIKE_HIT,
      sale: second!,
      rule: RULES[2],
      at: calendar.asOf - 2 * HOUR,
      notes: 'order number 1234 5678 9012 3456, ticket 7d1c0f5e-3a52-4b8e-9c41-2f6a8b0d9e13',
      metadata: { rule: RULES[2][2], order: '1234 5678 9012 3456' },
    },
  ];
}

interface Work {
  readonly mcp: Record<string, unknown>;
  readonly note: string | null;
  readonly record: AuditRecord;
}

function evidence(rng: Random, calendar: DemoCalendar, hit: Hit): Work {
  const at = calendar.past(hit.at + rng.int(5, 120) * MINUTE);
  const given = {
    summary: `Demo evidence: ${rng.int(2, 9)} sales at ${hit.sale.terminal.tid} within the hour.`,
    source: 'switch',
    references: [{ kind: 'rrn', value: hit.sale.rrn }],
  };
  const request = rng.uuid();
  const entry = {
    id: rng.uuid(),
    at: new Date(at).toISOString(),
    by: 'A5',
    ...given,
    facts: null,
    confidence: null,
    sha256: createHash('sha256').update(JSON.stringify(given)).digest('hex'),
    request_id: request,
  };
  return {
    mcp: { evidence: [entry] },
    note: `[mcp ${entry.at} A5] ${given.summary}`,
    record: { hit: hit.id, event: 'enriched', before: null, after: { evidence: entry }, request, at },
  };
}

function proposal(rng: Random, calendar: DemoCalendar, hit: Hit): Work {
  const at = calendar.past(hit.at + rng.int(5, 120) * MINUTE);
  const request = rng.uuid();
  const proposed = {
    value: rng.pick(['card_testing', 'velocity', 'false_positive_suspected', hit.rule[1]]),
    rationale: null,
    confidence: null,
    by: 'A5',
    at: new Date(at).toISOString(),
    request_id: request,
  };
  return {
    mcp: { proposed_category: proposed },
    note: null,
    record: {
      hit: hit.id,
      event: 'category_proposed',
      before: null,
      after: { proposed_category: proposed },
      request,
      at,
    },
  };
}
