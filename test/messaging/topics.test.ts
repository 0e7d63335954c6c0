import fc from 'fast-check';
import t from 'tap';
import { decodeSerial, encodeSerial, topicsUnder } from '../../src/messaging/topics.ts';

const serial = fc.string({ unit: 'grapheme-composite', minLength: 1, maxLength: 64 });
const anyText = fc.oneof(serial, fc.string({ unit: 'binary', minLength: 1, maxLength: 64 }));
const command = '7f0c8a52-1f0e-4c5e-9b1a-0d8f2f6a1c11';

t.test('a serial number in a topic is one level without wildcards, and comes back as it was', async (t) => {
  const property = fc.property(anyText, (text) => {
    fc.pre(Buffer.from(text).toString() === text);
    const segment = encodeSerial(text);
    return /^(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})+$/.test(segment) && decodeSerial(segment) === text;
  });
  t.doesNotThrow(() => fc.assert(property, { numRuns: 2000 }));
});

t.test('two serial numbers never share a segment', async (t) => {
  const property = fc.property(serial, serial, (a, b) => (a === b) === (encodeSerial(a) === encodeSerial(b)));
  t.doesNotThrow(() => fc.assert(property));
});

t.test('the encoding is that of the contract: UTF-8 bytes outside [A-Za-z0-9._~-]', async (t) => {
  t.equal(encodeSerial('端末-0007'), '%E7%AB%AF%E6%9C%AB-0007');
  t.equal(encodeSerial("A+B/#'()!* %"), 'A%2BB%2F%23%27%28%29%21%2A%20%25');
  t.equal(encodeSerial('NV5-000137'), 'NV5-000137');
});

t.test('what has no one spelling is refused', async (t) => {
  t.throws(() => encodeSerial(''), RangeError);
  t.throws(() => encodeSerial('\ud800'), RangeError);
  // Another spelling of `A`, lower-case hexadecimal, a cut sequence, an overlong one, a bare percent sign, an unescaped character.
  for (const segment of ['%41', '%e7%ab%af', '%E7%AB', '%C0%AF', '%', 'a b', '', 'a+']) {
    t.equal(decodeSerial(segment), null, segment);
  }
});

t.test('an ack topic gives back serial and command; any other topic gives nothing', async (t) => {
  const topics = topicsUnder('tms/v1');
  t.equal(topics.command('端末-7', 'reboot'), 'tms/v1/%E7%AB%AF%E6%9C%AB-7/cmd/reboot');
  t.same(topics.parseAck(topics.ack('端末-7', command)), { serialNumber: '端末-7', commandId: command });
  for (const topic of [
    `tms/v1/A/cmd/${command}`,
    `tms/v1/A/B/ack/${command}`,
    `tms/v1//ack/${command}`,
    `tms/v2/A/ack/${command}`,
    `tms/v1/A/ack/${command}/more`,
    'tms/v1/A/ack/not-a-uuid',
    `tms/v1/A/ack/${command.toUpperCase()}`,
    'tms/v1',
    '',
  ]) {
    t.equal(topics.parseAck(topic), null, topic);
  }
  const property = fc.property(serial, (text) => topics.parseAck(topics.ack(text, command))?.serialNumber === text);
  t.doesNotThrow(() => fc.assert(property));
});

t.test('a command type cannot add a level or a wildcard', async (t) => {
  const topics = topicsUnder('tms/v1');
  for (const type of ['', 'a/b', '+', '#', 'a b', 'x'.repeat(65)])
    t.throws(() => topics.command('A', type), RangeError);
});

t.test('a prefix with wildcards, empty levels or a leading $ is refused', async (t) => {
  for (const prefix of ['', '/', 'tms/', '/tms', 'tms//v1', '$share/x', 'tms/+', 'tms/#', 'a b']) {
    t.throws(() => topicsUnder(prefix), RangeError, prefix);
  }
});
