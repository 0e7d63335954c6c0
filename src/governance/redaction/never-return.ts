/**
 * Layer 2, the never-return list of the payments contract (section 8): names of columns and JSON keys that no answer may carry.
 *
 * Guarantees: a listed name is known in any case, with or without `_`, `-` and space, and in full-width or otherwise disguised letters.
 * Leaves to others: what stands under an innocent name (layer 3), and `neqsim`, where `address` is a field of the contract and this list
 * does not apply.
 */
import { NO_DEADLINE } from './deadline.ts';
import { fold } from './fold.ts';

/** Compared whole, after lower-casing and removing `_`, `-` and space. */
const NAMES = [
  'encrypted_pan hash_pan encrypted_track2 encrypted_expiry original_encrypted_pan original_encrypted_expiry_date',
  'pan card_number card_no primary_account_number track track1 track2 track3 track_data expiry expiry_date exp_date card_expiry',
  'cardholder_name service_code cvv cvv2 cvc cvc2 cid cav2 icvv pin pin_block pinblock encrypted_pin emv_data icc_data',
  'password password_hash secret token api_key session_key authorization mqtt_password otp',
  'iban account_number bank_account passport_number emirates_id national_id tax_id date_of_birth address phone mobile email',
];
const exact = new Set(NAMES.flatMap((line) => line.split(' ')).map((name) => name.replaceAll('_', '')));

/** ISO 8583 data elements: PAN 2, expiry 14, tracks 35, 36 and 45, PIN 52, chip data 55. */
const DATA_ELEMENT = /^(?:de|field|f|bit)0*(?:2|14|35|36|45|52|55)$/;

/** Words of key management; each counts only as a whole word, so that `action_taken` is not taken for `tak`. */
const KEY_WORDS =
  / (?:kek|kcv|ksn|ipek|bdk|tmk|tpk|tak|tdk|zmk|zpk|dukpt|key ?blocks?|key ?slots?|slot ?data|rki|private ?keys?) /;

/** Parts a name at `_`, `-`, space, a capital (`tmkId`, `KCVValue`) and at digits. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .split(/[_\-\s]+/)
    .filter((word) => word !== '');

const isListed = (folded: string): boolean => {
  const joined = folded.toLowerCase().replace(/[_\-\s]+/g, '');
  if (exact.has(joined) || DATA_ELEMENT.test(joined) || joined.includes('hashpan')) return true;
  const words = wordsOf(folded);
  if (words.join('_').includes('encrypted_')) return true;
  return KEY_WORDS.test(` ${words.join(' ').replace(/\d+/g, ' ').replace(/ +/g, ' ').trim()} `);
};

/** True for a name that may never leave. `masked_card_no` is allowed (its value is checked by `masked-card.ts`). */
export const isForbiddenName = (name: string): boolean => isListed(fold(name, NO_DEADLINE).text);

/** True for `masked_card_no` in any of its spellings. */
export const isMaskedCardName = (name: string): boolean =>
  fold(name, NO_DEADLINE)
    .text.toLowerCase()
    .replace(/[_\-\s]+/g, '') === 'maskedcardno';
