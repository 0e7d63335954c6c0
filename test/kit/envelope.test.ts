import t from 'tap';
import { failure } from '../../src/governance/failure.ts';
import type { CallFacts } from '../../src/kit/index.ts';
import { ERRORS, type JsonObject, neqsimEnvelope, paymentsEnvelope, success } from '../../src/kit/index.ts';

const facts: CallFacts = {
  announcedAs: 'tms-mcp',
  tool: 'get_terminal',
  requestId: 'r-1',
  traceId: null,
  generatedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 12.4,
  mode: 'DESKTOP_ENGINEER',
  trust: 'TRUSTED_CORE',
};

t.test('every code of the error table has one status, a text and a remedy', async (t) => {
  for (const [code, row] of Object.entries(ERRORS)) {
    t.match(code, /^[A-Z][A-Z0-9_]+$/);
    t.ok(row.message.length > 10 && row.remediation.length > 5, code);
    t.equal(
      row.retryable && row.status === 'blocked' && code !== 'RATE_LIMITED',
      false,
      `${code}: a refusal is not retried`,
    );
  }
});

t.test('payments: a success carries data, provenance and warnings, an error none of the data', async (t) => {
  const good = paymentsEnvelope.render(success({ a: 1 }, { provenance: { as_of: 'x', sources: [] } }) as never, facts);
  t.match(good, { apiVersion: '1.0', status: 'success', tool: 'get_terminal', data: { a: 1 }, warnings: [] });
  t.match(good['provenance'], { server: 'tms-mcp', request_id: 'r-1', redactions: 0 });
  const bad = paymentsEnvelope.render(failure('NOT_FOUND', undefined, { serial_number: 'X' }), facts);
  t.match(bad, {
    status: 'error',
    data: null,
    error: { code: 'NOT_FOUND', retryable: false, details: { serial_number: 'X' } },
  });
  t.equal(paymentsEnvelope.render(failure('RATE_LIMITED'), facts)['status'], 'blocked');
});

t.test('payments: an answer over the limit loses rows from the end and says so', async (t) => {
  const rows = Array.from({ length: 400 }, (_, i) => ({ id: i, text: 'x'.repeat(1000) }));
  const envelope = paymentsEnvelope.render(success({ rows }) as never, facts);
  const small = paymentsEnvelope.shrink(envelope, 256 * 1024)!;
  t.ok(Buffer.byteLength(JSON.stringify(small)) <= 256 * 1024);
  const kept = (small['data'] as { rows: { id: number }[] }).rows;
  t.same(kept, rows.slice(0, kept.length));
  t.match(small['provenance'], { caps: { returned: kept.length, truncated: true } });
  t.match(small['warnings'], [{ code: 'BYTES_CAPPED' }]);
  const one = paymentsEnvelope.render(success({ rows: [{ text: 'x'.repeat(300_000) }] }) as never, facts);
  t.equal(paymentsEnvelope.shrink(one, 256 * 1024), null, 'one row alone over the limit cannot be helped');
});

t.test('neqsim: the payload stands under data and at the top, never over a member of the envelope', async (t) => {
  const answer = neqsimEnvelope.render(
    success({ flash: { model: 'SRK' }, status: 'odd', warnings: ['odd'] }) as never,
    facts,
  );
  t.same(answer['flash'], { model: 'SRK' });
  t.equal(answer['status'], 'success');
  t.same(answer['warnings'], []);
  t.equal((answer['data'] as JsonObject)['status'], 'odd');
});

t.test('neqsim: a number that is not finite becomes null and is named', async (t) => {
  const answer = neqsimEnvelope.render(
    success({ a: { b: Number.NaN }, c: [1, Number.POSITIVE_INFINITY] }) as never,
    facts,
  );
  t.same(answer['data'], { a: { b: null }, c: [1, null] });
  t.match(answer['warnings'], [/a\.b, c\[1\]/]);
  t.match(answer['qualityGate'], { verdict: 'warning' });
});

t.test('neqsim: errors always have code, message and remediation in errors[]', async (t) => {
  const answer = neqsimEnvelope.render(
    failure('UNKNOWN_COMPONENT', 'Unknown component metane; nearest: methane'),
    facts,
  );
  t.match(answer, {
    status: 'error',
    tool: 'get_terminal',
    errors: [{ code: 'UNKNOWN_COMPONENT', message: /methane/, remediation: /\w/ }],
    validation: { valid: false },
  });
});

t.test('neqsim: a refusal by policy carries what the contract states and no more', async (t) => {
  const answer = neqsimEnvelope.render(failure('FORBIDDEN', 'Not allowed under this profile.'), facts);
  t.match(answer, {
    status: 'blocked',
    mode: 'DESKTOP_ENGINEER',
    tier: 'TRUSTED_CORE',
    data: { mode: 'DESKTOP_ENGINEER', policyCode: 'TRUSTED_CORE', approvalRequired: false },
    validation: { valid: false, phase: 'policy' },
    qualityGate: { verdict: 'blocked' },
    warnings: [],
  });
});

t.test('a long answer of the engineering server leaves out copies before contents', (t) => {
  const rows = (count: number) => Array.from({ length: count }, (_, k) => ({ row: k, text: 'x'.repeat(80) }));
  const envelopeOf = (count: number) => {
    const data = { table: rows(count), small: 1 };
    return { apiVersion: '1.0', status: 'success', tool: 'x', ...data, data, warnings: ['A: b'] };
  };
  const limit = neqsimEnvelope.maxBytes;
  const copied = neqsimEnvelope.shrink(envelopeOf(1500), limit)!;
  t.ok(Buffer.byteLength(neqsimEnvelope.text(copied)) <= limit);
  t.notOk('table' in copied);
  t.equal(copied['small'], 1, 'short copies stay');
  t.equal((copied['data'] as { table: unknown[] }).table.length, 1500);
  t.match(copied, {
    truncation: { truncated: true, limitBytes: limit, omitted: [{ field: 'table', summary: /read data\.table/ }] },
    warnings: ['A: b', /^RESPONSE_TRUNCATED: .*left out: table\.$/],
  });
  const emptied = neqsimEnvelope.shrink(envelopeOf(5000), limit)!;
  t.notOk('table' in (emptied['data'] as object));
  t.same(
    (emptied['truncation'] as unknown as { omitted: { field: string }[] }).omitted.map(({ field }) => field),
    ['table', 'data.table'],
  );
  t.end();
});

t.test('white space for people, as long as there is room', (t) => {
  t.match(neqsimEnvelope.text({ a: 1 }), /\n/);
  t.notMatch(neqsimEnvelope.text({ a: 'x'.repeat(70_000) }), /\n/);
  t.end();
});
