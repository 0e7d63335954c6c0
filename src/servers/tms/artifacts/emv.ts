import { createHash } from 'node:crypto';
import { type ExactObject, type ExactValue, exactText, writeExact } from './exact-json.ts';

/**
 * The files of an `emv_config` artifact and what is wrong with their source. Tags and lengths: EMV Book 3, Annex A; public key check sum:
 * EMV Book 2, data elements of the certification authority public key (SHA-1 over RID, index, modulus and exponent).
 * Guarantees: only the members named here reach a file, so a template that holds anything else (a private key, say) does not hand it on.
 */
export interface SourceFile {
  readonly name: string;
  readonly text: string;
}

/** Terminal data: tag -> length in bytes. */
const TERMINAL_TAGS: Readonly<Record<string, { bytes: number; what: string }>> = {
  '9F35': { bytes: 1, what: 'terminal type' },
  '9F33': { bytes: 3, what: 'terminal capabilities' },
  '9F40': { bytes: 5, what: 'additional terminal capabilities' },
  '9F1A': { bytes: 2, what: 'terminal country code' },
  '5F2A': { bytes: 2, what: 'transaction currency code' },
  '5F36': { bytes: 1, what: 'transaction currency exponent' },
};

type Rule = { required: boolean; hex?: { min: number; max: number } };
const hex = (bytes: number, required = false): Rule => ({ required, hex: { min: bytes, max: bytes } });
const AID_FIELDS: Readonly<Record<string, Rule>> = {
  aid: { required: true, hex: { min: 5, max: 16 } },
  kernel: { required: false },
  tac_default: hex(5, true),
  tac_denial: hex(5, true),
  tac_online: hex(5, true),
  floor_limit: hex(4),
  contactless_limit: { required: false },
  cvm_limit: { required: false },
  no_oda_limit: { required: false },
  ddol: { required: false, hex: { min: 0, max: 252 } },
  tdol: { required: false, hex: { min: 0, max: 252 } },
  application_version: hex(2),
};
const CAPK_FIELDS: Readonly<Record<string, Rule>> = {
  rid: hex(5, true),
  index: hex(1, true),
  modulus: { required: true, hex: { min: 64, max: 248 } },
  exponent: { required: true, hex: { min: 1, max: 3 } },
  sha1: hex(20, true),
  expiry: { required: false },
};

export function emvFiles(content: ExactObject): { files: SourceFile[]; problems: string[] } {
  const problems: string[] = [];
  const terminal = objectOf(content['terminal']);
  const picked: ExactObject = {};
  for (const [tag, { bytes, what }] of Object.entries(TERMINAL_TAGS)) {
    const value = exactText(terminal[tag]);
    if (value === null) problems.push(`terminal ${tag} (${what}) is missing`);
    else if (!isHex(value, bytes, bytes))
      problems.push(`terminal ${tag} (${what}) is not ${bytes} bytes of hexadecimal`);
    else picked[tag] = value.toUpperCase();
  }
  const aids = rowsOf(content['aids']).map((row, i) => pick(row, AID_FIELDS, `aid ${nameOf(row['aid'], i)}`, problems));
  if (aids.length === 0) problems.push('there are no AIDs');
  const capks = rowsOf(content['capks']).map((row, i) => {
    const label = `public key ${nameOf(row['rid'], i)}/${exactText(row['index']) ?? '?'}`;
    const before = problems.length;
    const key = pick(row, CAPK_FIELDS, label, problems);
    if (problems.length === before && checkSum(key) !== key['sha1'])
      problems.push(`${label}: the check sum does not fit the key`);
    return key;
  });
  const files: SourceFile[] = [
    { name: 'aids.json', text: writeExact(aids) },
    { name: 'capks.json', text: writeExact(capks) },
    { name: 'terminal.json', text: writeExact(picked) },
  ];
  const exclusions = content['exclusions'] ?? [];
  if (!Array.isArray(exclusions) || !exclusions.every((entry) => /^\d{6,8}$/.test(exactText(entry) ?? ''))) {
    problems.push('exclusions are not a list of BINs of 6 to 8 digits');
  } else if (exclusions.length > 0) files.push({ name: 'exclusions.json', text: writeExact(exclusions) });
  return { files, problems };
}

function pick(
  row: ExactObject,
  fields: Readonly<Record<string, Rule>>,
  label: string,
  problems: string[],
): ExactObject {
  const out: ExactObject = {};
  for (const [name, rule] of Object.entries(fields)) {
    const value = row[name];
    if (value === undefined || value === null) {
      if (rule.required) problems.push(`${label}: ${name} is missing`);
      continue;
    }
    if (!rule.hex) {
      out[name] = value;
      continue;
    }
    const text = exactText(value);
    if (text === null || !isHex(text, rule.hex.min, rule.hex.max)) {
      problems.push(
        `${label}: ${name} is not ${rule.hex.min === rule.hex.max ? rule.hex.min : `${rule.hex.min} to ${rule.hex.max}`} bytes of hexadecimal`,
      );
    } else out[name] = text.toUpperCase();
  }
  return out;
}

function checkSum(key: ExactObject): string {
  const parts = ['rid', 'index', 'modulus', 'exponent'].map((name) => exactText(key[name]) ?? '');
  return createHash('sha1')
    .update(Buffer.from(parts.join(''), 'hex'))
    .digest('hex')
    .toUpperCase();
}

const isHex = (text: string, min: number, max: number): boolean =>
  /^(?:[0-9A-Fa-f]{2})*$/.test(text) && text.length >= 2 * min && text.length <= 2 * max;
const nameOf = (value: ExactValue | undefined, i: number): string => exactText(value) ?? `number ${i + 1}`;
const isObject = (value: ExactValue | undefined): value is ExactObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const objectOf = (value: ExactValue | undefined): ExactObject => (isObject(value) ? value : {});
const rowsOf = (value: ExactValue | undefined): ExactObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
