import { createHash } from 'node:crypto';

/** The content of an invented EMV template that is complete. */
export function emvContent() {
  const modulus = createHash('sha512').update('an invented modulus').digest('hex').toUpperCase().repeat(2);
  const key = { rid: 'A000000003', index: '92', modulus, exponent: '03' };
  const sha1 = createHash('sha1')
    .update(Buffer.from(Object.values(key).join(''), 'hex'))
    .digest('hex')
    .toUpperCase();
  return {
    terminal: { '9F35': '22', '9F33': 'E0F8C8', '9F40': 'F000F0A001', '9F1A': '0784', '5F2A': '0784', '5F36': '02' },
    aids: [
      {
        aid: 'A0000000031010',
        kernel: 'C3',
        application_version: '008C',
        tac_default: 'DC4000A800',
        tac_denial: '0010000000',
        tac_online: 'DC4004F800',
        floor_limit: '00000000',
        contactless_limit: '30000',
        cvm_limit: '50000',
        no_oda_limit: '0',
        ddol: '9F3704',
        tdol: '',
      },
    ] as Record<string, string>[],
    capks: [{ ...key, sha1, expiry: '2031-12-31', private_exponent: 'never' }] as Record<string, string>[],
    exclusions: ['990001'] as string[],
  };
}
