/** Stories 11 to 13 of the demo operation, as their rows reach the scrubber. */
import t from 'tap';
import { scrubJsonText, scrubValue } from '../../../src/governance/redaction/index.ts';

const scrub = (value: unknown) => {
  const result = scrubValue(value, { forbiddenNames: true });
  if (!result.ok) throw new Error(result.reason);
  return result;
};

t.test('story 11: numbers in notes, full-width metadata and a track 2 text are gone, three redactions', async (t) => {
  const metadata = JSON.stringify({
    card: '\uff14\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11',
    raw: ';4111111111111111=30121011234567890?',
  });
  const parsed = scrubJsonText(metadata, { forbiddenNames: true, maxDepth: 8, maxBytes: 32_768 });
  const notes = scrub({ id: 5001, notes: 'customer card 4111 1111 1111 1111 used 6x' });
  t.ok(parsed.ok);
  t.same(parsed.ok && parsed.value, { card: '[PAN ****1111]', raw: '[TRACK REMOVED]' });
  t.same(notes.value, { id: 5001, notes: 'customer card [PAN ****1111] used 6x' });
  t.equal(notes.redactions + (parsed.ok ? parsed.redactions : 0), 3);
});

t.test('story 12: an order number failing Luhn and a UUID stay', async (t) => {
  const hit = { id: 5002, notes: 'order 1234 5678 9012 3456, session 550e8400-e29b-41d4-a716-446655440000' };
  t.equal(scrub(hit).value, hit);
});

t.test('story 13: the unmasked column is cut to six and four and reported', async (t) => {
  const result = scrub({ transactions: [{ reference_no: '900100000013', masked_card_no: '5555555555554444' }] });
  t.same(result.value, { transactions: [{ reference_no: '900100000013', masked_card_no: '555555******4444' }] });
  t.equal(result.unmaskedSources, 1);
});
