import t from 'tap';
import { isForbiddenName } from '../../../src/governance/redaction/index.ts';

t.test('every listed name is forbidden in any spelling', async (t) => {
  const names =
    'encrypted_pan hash_pan encrypted_track2 encrypted_expiry original_encrypted_pan original_encrypted_expiry_date pan card_number card_no primary_account_number track track1 track2 track3 track_data expiry expiry_date exp_date card_expiry cardholder_name service_code cvv cvv2 cvc cvc2 cid cav2 icvv pin pin_block pinblock encrypted_pin emv_data icc_data de2 de14 de35 de36 de45 de52 de55 kek kcv ksn ipek bdk tmk tpk tak tdk zmk zpk dukpt key_block key_slot slot_data rki private_key password password_hash secret token api_key session_key authorization mqtt_password otp iban account_number bank_account passport_number emirates_id national_id tax_id date_of_birth address phone mobile email'.split(
      ' ',
    );
  for (const name of names) {
    const spellings = [
      name,
      name.toUpperCase(),
      name.replaceAll('_', '-'),
      name.replaceAll('_', ' '),
      name.replaceAll('_', ''),
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    ];
    for (const spelling of spellings) t.equal(isForbiddenName(spelling), true, spelling);
  }
});

t.test('data elements are forbidden in all their forms', async (t) => {
  for (const name of ['field_2', 'field2', 'FIELD 35', 'f52', 'F_55', 'bit14', 'bit_45', 'DE-36', 'de002', 'field_02'])
    t.equal(isForbiddenName(name), true, name);
  for (const name of ['field_3', 'f20', 'bit_4', 'de37', 'de22', 'field_22', 'half2'])
    t.equal(isForbiddenName(name), false, name);
});

t.test('anything containing encrypted_ or hash_pan is forbidden', async (t) => {
  for (const name of [
    'encrypted_note',
    'my_encrypted_thing',
    'encryptedNote',
    'old_hash_pan_v2',
    'hashPanV2',
    'Encrypted-Blob',
  ])
    t.equal(isForbiddenName(name), true, name);
  t.equal(isForbiddenName('is_encrypted'), false);
});

t.test('key names count as whole words only', async (t) => {
  for (const name of [
    'terminal_tmk',
    'tmkId',
    'kcv_value',
    'KCVValue',
    'zmk1',
    'current key slot',
    'keySlotCount',
    'rsa_private_key',
    'rki-status',
  ])
    t.equal(isForbiddenName(name), true, name);
  for (const name of [
    'action_taken',
    'actionTaken',
    'ACTION_TAKEN',
    'takings',
    'stak',
    'markings',
    'turkish',
    'key',
    'slot',
    'monkey_blocks',
  ])
    t.equal(isForbiddenName(name), false, name);
});

t.test('disguised letters are seen through', async (t) => {
  t.equal(isForbiddenName('\uff50\uff41\uff4e'), true, 'full width');
  t.equal(isForbiddenName('p\u200ban'), true, 'zero width');
});

t.test('names the tools return are allowed', async (t) => {
  for (const name of [
    'masked_card_no',
    'iban_last4',
    'email_masked',
    'panel',
    'trace_id',
    'mid',
    'tid',
    'rrn',
    'stan',
    'next_cursor',
    'company',
    'tracking',
    'expires_at',
    'next_token_count',
    'approval_code',
    'idempotency',
    'serial_number',
  ])
    t.equal(isForbiddenName(name), false, name);
});
