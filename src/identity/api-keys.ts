import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * API keys: `pk_<id>_<secret>`. The id finds the record, the whole key is compared.
 * Guarantees: only the HMAC-SHA-256 of a key under the configured secret is ever stored or compared, in constant time, and a key with an unknown id takes
 * the same comparison as a wrong one. Leaves to others: where the records lie and who may make them.
 */
export interface ApiKeyRecord {
  readonly id: string;
  /** Hex of `hashApiKey`. */
  readonly hash: string;
  readonly roles: readonly string[];
  readonly scopes: readonly string[];
  /** Servers the key may be used for; null for all. */
  readonly servers: readonly string[] | null;
  /** Milliseconds since 1970, or null. */
  readonly expiresAt: number | null;
}
export interface ApiKeySettings {
  /** Key of the hash under which API keys are stored; at least 32 characters. */
  readonly secret: string;
  /** Looks a key record up by its id. The place of the records is the caller's choice. */
  find(id: string): ApiKeyRecord | null | Promise<ApiKeyRecord | null>;
}

export type KeyVerdict =
  | { readonly ok: true; readonly record: ApiKeyRecord }
  | { readonly ok: false; readonly reason: 'malformed' | 'unknown_key' | 'expired' | 'wrong_audience' };

const FORM = /^pk_([A-Za-z0-9-]{1,64})_([A-Za-z0-9-]{32,128})$/;
export const isApiKey = (token: string): boolean => token.startsWith('pk_');

export const hashApiKey = (secret: string, key: string): string =>
  createHmac('sha256', secret).update(key).digest('hex');

/** A new key with 256 random bits, and what to store of it. The key is shown once. */
export function createApiKey(secret: string, id: string): { key: string; hash: string } {
  const key = `pk_${id}_${randomBytes(32).toString('hex')}`;
  if (!FORM.test(key)) throw new Error('The id of an API key may hold letters, digits and dashes, at most 64.');
  return { key, hash: hashApiKey(secret, key) };
}

export async function verifyApiKey(
  settings: ApiKeySettings,
  key: string,
  server: string,
  now: number,
): Promise<KeyVerdict> {
  const id = FORM.exec(key)?.[1];
  if (id === undefined) return { ok: false, reason: 'malformed' };
  const record = await settings.find(id);
  const given = Buffer.from(hashApiKey(settings.secret, key), 'hex');
  const stored = Buffer.from(record?.hash ?? '', 'hex');
  // A record that is missing or broken is compared with something that can't match.
  const against = stored.length === given.length ? stored : Buffer.alloc(given.length);
  const same = timingSafeEqual(given, against);
  if (!record || !same || stored.length !== given.length) return { ok: false, reason: 'unknown_key' };
  if (record.expiresAt !== null && record.expiresAt <= now) return { ok: false, reason: 'expired' };
  if (record.servers !== null && !record.servers.includes(server)) return { ok: false, reason: 'wrong_audience' };
  return { ok: true, record };
}
