import { createHash } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { IssuerUnavailable, type KeySet } from './key-set.ts';
import type { TokenSettings } from './settings.ts';

/**
 * The verdict on an access token (a signed JWT, RFC 9068 and RFC 8707).
 * Guarantees: a token passes only with a signature by a current key of the issuer in an allowed algorithm, the issuer's exact name, this resource as
 * audience, `exp` in the future and `nbf` in the past within the skew, a subject, and no binding to a key that the caller would have to prove.
 * A remembered verdict ends with the token, with the memory's own age limit, and with any change of the issuer's keys; the memory holds no token.
 * Leaves to others: withdrawal of a single token before its end (short lifetimes), scopes and roles (principal.ts and the gates).
 */
export type TokenReason =
  | 'malformed'
  | 'bad_algorithm'
  | 'bad_signature'
  | 'unknown_key'
  | 'wrong_type'
  | 'wrong_issuer'
  | 'wrong_audience'
  | 'expired'
  | 'not_yet_valid'
  | 'missing_claim'
  | 'bound_token'
  | 'issuer_unavailable';
export type TokenVerdict =
  | { readonly ok: true; readonly claims: JWTPayload & { readonly sub: string; readonly exp: number } }
  | { readonly ok: false; readonly reason: TokenReason };

const MAX_TOKEN_LENGTH = 16 * 1024;
const TYPES = ['at+jwt', 'application/at+jwt', 'jwt', 'application/jwt'];

interface Remembered {
  readonly claims: JWTPayload & { readonly sub: string; readonly exp: number };
  readonly generation: number;
  readonly until: number;
}

export class TokenVerifier {
  readonly #settings: TokenSettings;
  readonly #keys: KeySet;
  readonly #now: () => number;
  readonly #memory = new Map<string, Remembered>();

  constructor(settings: TokenSettings, keys: KeySet, now: () => number) {
    this.#settings = settings;
    this.#keys = keys;
    this.#now = now;
  }

  async verify(token: string, resource: string): Promise<TokenVerdict> {
    if (token.length > MAX_TOKEN_LENGTH) return { ok: false, reason: 'malformed' };
    try {
      await this.#keys.freshen();
    } catch {
      return { ok: false, reason: 'issuer_unavailable' };
    }
    const place = createHash('sha256').update(token).digest('base64');
    const known = this.#memory.get(place);
    if (
      known &&
      known.generation === this.#keys.generation &&
      this.#now() < known.until &&
      !this.#ended(known.claims.exp)
    )
      return this.#forResource(known.claims, resource);
    this.#memory.delete(place);
    const verdict = await this.#check(token);
    if (!verdict.ok) return verdict;
    if (this.#memory.size >= this.#settings.cacheEntries) {
      const oldest = this.#memory.keys().next();
      if (!oldest.done) this.#memory.delete(oldest.value);
    }
    this.#memory.set(place, {
      claims: verdict.claims,
      generation: this.#keys.generation,
      until: this.#now() + this.#settings.cacheMaxAgeMs,
    });
    return this.#forResource(verdict.claims, resource);
  }

  #ended(exp: number): boolean {
    return exp <= Math.floor(this.#now() / 1000) - this.#settings.clockSkewSeconds;
  }

  /** One trailing slash makes no difference between two names of a resource; anything else does. */
  #forResource(claims: Remembered['claims'], resource: string): TokenVerdict {
    const audience = typeof claims.aud === 'string' ? [claims.aud] : (claims.aud ?? []);
    const ours = audience.some((name) => name === resource || name === `${resource}/`);
    return ours ? { ok: true, claims } : { ok: false, reason: 'wrong_audience' };
  }

  async #check(token: string): Promise<TokenVerdict> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, (header, jws) => this.#keys.find(header, jws), {
        issuer: this.#settings.issuer,
        algorithms: [...this.#settings.algorithms],
        clockTolerance: this.#settings.clockSkewSeconds,
        currentDate: new Date(this.#now()),
        requiredClaims: ['exp', 'sub', 'aud'],
      });
      const type = protectedHeader.typ?.toLowerCase();
      if (type !== undefined && !TYPES.includes(type)) return { ok: false, reason: 'wrong_type' };
      // A token bound to a key or a certificate is worth nothing without the proof, and the Bearer scheme carries none (RFC 9449, RFC 8705).
      if (payload.cnf !== undefined) return { ok: false, reason: 'bound_token' };
      const { sub, exp } = payload;
      if (typeof sub !== 'string' || sub === '' || typeof exp !== 'number')
        return { ok: false, reason: 'missing_claim' };
      return { ok: true, claims: { ...payload, sub, exp } };
    } catch (error) {
      return { ok: false, reason: reasonOf(error) };
    }
  }
}

function reasonOf(error: unknown): TokenReason {
  if (error instanceof IssuerUnavailable) return 'issuer_unavailable';
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported) return 'bad_algorithm';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'bad_signature';
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return 'unknown_key';
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.reason === 'missing') return error.claim === 'aud' ? 'wrong_audience' : 'missing_claim';
    if (error.claim === 'iss') return 'wrong_issuer';
    if (error.claim === 'nbf') return 'not_yet_valid';
  }
  return 'malformed';
}
