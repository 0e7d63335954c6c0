import {
  type CryptoKey,
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWTHeaderParameters,
} from 'jose';
import { z } from 'zod';
import { fetchJson } from './fetch-json.ts';
import { isSafeUrl, type TokenSettings } from './settings.ts';

/**
 * The issuer's signing keys.
 * Guarantees: at most one fetch at a time and one per cooldown, whatever tokens arrive and whether fetches succeed; an unknown key id causes at most one
 * fetch; keys come only from the issuer whose metadata names itself exactly as configured; when the issuer is silent the last good keys serve until they
 * are stale, then nothing verifies. Leaves to others: the verdict on a token (tokens.ts).
 */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable';
}

const METADATA = z.object({ issuer: z.string(), jwks_uri: z.string() });
const KEYS = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(100) });

type LocalKeys = ReturnType<typeof createLocalJWKSet>;

export class KeySet {
  readonly #settings: TokenSettings;
  readonly #now: () => number;
  #keys: LocalKeys | null = null;
  #text = '';
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #attemptedAt = Number.NEGATIVE_INFINITY;
  #pending: Promise<void> | null = null;
  #generation = 0;

  constructor(settings: TokenSettings, now: () => number) {
    this.#settings = settings;
    this.#now = now;
  }

  /** Grows when the keys change; what was verified under another generation must be verified again. */
  get generation(): number {
    return this.#generation;
  }

  /** Fetches the keys when they are too old, as far as the cooldown allows. Throws IssuerUnavailable when there are none that may be used. */
  async freshen(): Promise<void> {
    if (this.#now() - this.#fetchedAt > this.#settings.keysMaxAgeMs) await this.#refresh();
    if (this.#keys === null || this.#now() - this.#fetchedAt > this.#settings.keysStaleMs)
      throw new IssuerUnavailable('no usable key set');
  }

  async find(header: JWTHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> {
    await this.freshen();
    const before = this.#keys!;
    try {
      return await before(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await this.#refresh();
      if (this.#keys === before) throw error;
      return await this.#keys!(header, token);
    }
  }

  async #refresh(): Promise<void> {
    if (this.#pending) return this.#pending;
    if (this.#now() - this.#attemptedAt < this.#settings.cooldownMs) return;
    this.#attemptedAt = this.#now();
    this.#pending = this.#fetch()
      .then((set) => {
        const text = JSON.stringify(set);
        if (text !== this.#text) {
          this.#keys = createLocalJWKSet(set);
          this.#text = text;
          this.#generation++;
        }
        this.#fetchedAt = this.#now();
      })
      // The caller sees an old or missing key set; the reason is of no use to it.
      .catch(() => undefined)
      .finally(() => {
        this.#pending = null;
      });
    return this.#pending;
  }

  async #fetch(): Promise<JSONWebKeySet> {
    const limits = { timeoutMs: this.#settings.fetchTimeoutMs, maxBytes: this.#settings.fetchMaxBytes };
    const url = this.#settings.jwksUri ?? (await this.#discover(limits));
    const { body } = await fetchJson(url, limits);
    const { keys } = KEYS.parse(body);
    // Symmetric keys have no business in a public set; leaving them out keeps them from ever verifying anything.
    return { keys: keys.filter((key) => key.kty !== 'oct') } as JSONWebKeySet;
  }

  async #discover(limits: { timeoutMs: number; maxBytes: number }): Promise<string> {
    const issuer = this.#settings.issuer;
    const { origin, pathname } = new URL(issuer);
    const path = pathname.replace(/\/$/, '');
    const places = [
      `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
      `${origin}/.well-known/oauth-authorization-server${path}`,
    ];
    for (const place of places) {
      const { body } = await fetchJson(place, limits);
      if (body === null) continue;
      const metadata = METADATA.parse(body);
      if (metadata.issuer !== issuer) throw new Error('the metadata names another issuer');
      if (!isSafeUrl(metadata.jwks_uri)) throw new Error('the key set address is not https');
      return metadata.jwks_uri;
    }
    throw new Error('the issuer publishes no metadata');
  }
}
