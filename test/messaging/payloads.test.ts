import fc from 'fast-check';
import t from 'tap';
import { ACK_MAX_BYTES, commandPayload, parseAckPayload } from '../../src/messaging/payloads.ts';

const ack = {
  command_id: '7f0c8a52-1f0e-4c5e-9b1a-0d8f2f6a1c11',
  seq: 1,
  status: 'succeeded',
  code: null,
  message: null,
  at: '2026-01-01T00:00:00Z',
  versions: { parameter: '4.2.0' },
};
const parse = (value: unknown) => parseAckPayload(Buffer.from(JSON.stringify(value)));

t.test(
  'an ack is read as the contract writes it; members it leaves out are null, unknown ones are ignored',
  async (t) => {
    t.same(parse(ack), ack);
    const { code: _code, message: _message, versions: _versions, ...short } = ack;
    t.same(parse({ ...short, firmware: 'x' }), { ...ack, versions: null });
    t.equal(parse({ ...ack, command_id: ack.command_id.toUpperCase() })?.command_id, ack.command_id);
  },
);

t.test('what is no ack gives nothing', async (t) => {
  for (const wrong of [
    null,
    [],
    'ack',
    { ...ack, status: 'done' },
    { ...ack, seq: -1 },
    { ...ack, seq: 1.5 },
    { ...ack, seq: 2 ** 31 },
    { ...ack, command_id: 'x' },
    { ...ack, at: 'yesterday' },
    { ...ack, code: 7 },
  ]) {
    t.equal(parse(wrong), null, JSON.stringify(wrong));
  }
  t.equal(parseAckPayload(Buffer.from('{')), null);
  t.equal(parseAckPayload(Buffer.alloc(ACK_MAX_BYTES + 1, ' ')), null);
});

t.test('no bytes make it throw', async (t) => {
  const property = fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => parseAckPayload(bytes) === null);
  t.doesNotThrow(() => fc.assert(property));
});

t.test('text is made storable and cut, not refused', async (t) => {
  const read = parse({ ...ack, status: 'failed', code: 'E'.repeat(80), message: `a\u0000b${'x'.repeat(3000)}` });
  t.equal(read?.code, 'E'.repeat(64));
  t.equal(read?.message?.length, 2000);
  t.match(read?.message, /^a\ufffdbx/);
  t.equal(
    parseAckPayload(Buffer.from(JSON.stringify(ack).replace('4.2.0', '\\ud800')))?.versions?.['parameter'],
    '\ufffd',
  );
});

t.test('a command has no room for members that the contract does not name', async (t) => {
  const command = {
    v: 1,
    command_id: ack.command_id,
    command_type: 'reboot',
    serial_number: 'T-1',
    issued_at: ack.at,
    expires_at: ack.at,
    params: { delay_s: 5 },
  };
  t.same(commandPayload.parse(command), command);
  t.equal(commandPayload.safeParse({ ...command, token: 'x' }).success, false);
  t.equal(commandPayload.safeParse({ ...command, v: 2 }).success, false);
});
