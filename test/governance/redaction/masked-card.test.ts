import fc from 'fast-check';
import t from 'tap';
import { checkMaskedCard } from '../../../src/governance/redaction/index.ts';
import { anyPan, digitsIn } from './cards.ts';

t.test('a proper mask passes as it is', async (t) => {
  for (const value of [
    '411111******1111',
    '411111XXXXXX1111',
    '411111xxxxxx1111',
    '411111......1111',
    '411111######1111',
    '****1111',
    '4111 11** **** 1111',
    '************',
    '',
    '1111',
  ])
    t.same(checkMaskedCard(value), { value, verdict: 'as_is' }, value);
});

t.test('an unmasked value is cut to six and four and named unmasked', async (t) => {
  t.same(checkMaskedCard('4111111111111111'), { value: '411111******1111', verdict: 'unmasked' });
  t.same(checkMaskedCard('4111-1111 1111-1111'), { value: '411111******1111', verdict: 'unmasked' });
  t.same(checkMaskedCard('4111.1111.1111.1111'), { value: '411111******1111', verdict: 'unmasked' });
  t.same(checkMaskedCard('1234567890123'), { value: '123456***0123', verdict: 'unmasked' }, 'no Luhn asked');
  t.same(checkMaskedCard('\uff14111111111111111'), { value: '411111******1111', verdict: 'unmasked' });
});

t.test('a mask that shows too much is cut back', async (t) => {
  t.same(checkMaskedCard('41111111****1111'), { value: '411111******1111', verdict: 'cut' });
  t.same(checkMaskedCard('411111*****11111'), { value: '411111******1111', verdict: 'cut' });
  t.same(checkMaskedCard('4111111111111*11'), { value: '411111******1*11', verdict: 'cut' });
});

t.test('track data in the column is removed whole', async (t) => {
  t.same(checkMaskedCard(';4111111111111111=3012101?'), { value: '[TRACK REMOVED]', verdict: 'unmasked' });
});

t.test('never more than ten digits are shown, the first six and the last four', async () => {
  fc.assert(
    fc.property(anyPan, fc.array(fc.nat(18), { maxLength: 4 }), (pan, places) => {
      const value = [...pan].map((digit, at) => (places.includes(at) ? '*' : digit)).join('');
      const shown = checkMaskedCard(value).value;
      return digitsIn(shown.slice(6, -4)) === '' && pan.startsWith(shown.slice(0, 6).split('*')[0] ?? '');
    }),
  );
});
