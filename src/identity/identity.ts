import type { Principal } from '../kit/principal.ts';
import { isApiKey, verifyApiKey } from './api-keys.ts';
import { KeySet } from './key-set.ts';
import { LOCAL_PRINCIPAL, principalOfClaims, principalOfKey } from './principal.ts';
import { checkSettings, type IdentitySettings } from './settings.ts';
import { type TokenReason, TokenVerifier } from './tokens.ts';

/**
 * Who calls: turns the Authorization header of one request into a principal, or into a refusal that is ready to send.
 * Guarantees: the decision is made for each request from that header alone (never from a query, a body, a cookie or another header), for the one server
 * that the request is for; every refusal with 401 or 403 carries a challenge (RFC 6750, RFC 9728); without authentication only loopback callers pass.
 * Leaves to others: what the principal may do (the gates).
 */
export interface Credentials {
  readonly authorization: string | undefined;
  /** How many Authorization headers the request had; the parsed headers keep one. */
  readonly headerCount: number;
  readonly server: string;
  /** The path of the resource that a token must be issued for; `/mcp/<server>` when left out. */
  readonly path?: string;
  readonly clientAddress: string;
}

export interface Refused {
  readonly ok: false;
  readonly status: 401 | 403 | 503;
  /** A stable word for the record. */
  readonly reason: RefusalReason;
  /** The value of WWW-Authenticate; null where no challenge helps. */
  readonly challenge: string | null;
  readonly error: string;
  readonly description: string;
  /** Known when a verified caller lacks scopes. */
  readonly principal: Principal | null;
}
export type RefusalReason =
  | TokenReason
  | 'no_credentials'
  | 'bad_scheme'
  | 'repeated_header'
  | 'bad_delegation'
  | 'insufficient_scope'
  | 'not_loopback';
export type Resolution =
  | { readonly ok: true; readonly principal: Principal; readonly expiresAt: number | null }
  | Refused;

/** RFC 9728, section 2. */
export interface ResourceMetadata {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly scopes_supported: readonly string[];
  readonly bearer_methods_supported: readonly ['header'];
  readonly resource_name: string;
}

export interface Identity {
  /** True when callers must show who they are. */
  readonly enabled: boolean;
  resolve(credentials: Credentials): Promise<Resolution>;
  /** The refusal of a verified caller whose token lacks scopes; `scopes` are all that the call takes. */
  insufficientScope(server: string, scopes: readonly string[], principal: Principal): Refused;
  /** The metadata document of a mounted server, or null when there is no authorization server to name. */
  metadata(server: string, title: string): ResourceMetadata | null;
}

export const METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';

const LOOPBACK = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|::ffff:127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

const DESCRIPTIONS: Partial<Record<RefusalReason, string>> = {
  no_credentials: 'An access token is required.',
  bad_scheme: 'An access token is required, with the scheme Bearer.',
  repeated_header: 'The Authorization header may be sent once only.',
  expired: 'The access token has expired.',
  not_yet_valid: 'The access token is not valid yet.',
  wrong_audience: 'The access token was not issued for this server.',
  insufficient_scope: 'The access token lacks a scope that this call takes.',
  bound_token: 'The access token is bound to a key and is not accepted as a bearer token.',
};

export function createIdentity(settings: IdentitySettings, now: () => number = Date.now): Identity {
  checkSettings(settings);
  if (settings.mode === 'none') return withoutAuthentication();

  const { tokens, apiKeys, publicUrl } = settings;
  const verifier = tokens ? new TokenVerifier(tokens, new KeySet(tokens, now), now) : null;
  const scopesOf = (server: string): readonly string[] =>
    Object.hasOwn(settings.scopes, server) ? settings.scopes[server]! : [];

  const refuse = (
    server: string,
    reason: RefusalReason,
    parts: { status?: 401 | 403; error?: string; scopes?: readonly string[]; principal?: Principal } = {},
  ): Refused => {
    const description = DESCRIPTIONS[reason] ?? 'The access token is not valid.';
    const scopes = parts.scopes ?? scopesOf(server);
    const fields = [
      parts.error && `error="${parts.error}"`,
      parts.error && `error_description="${description}"`,
      scopes.length > 0 && `scope="${scopes.join(' ')}"`,
      tokens && `resource_metadata="${publicUrl}${METADATA_PATH}/${server}"`,
    ].filter(Boolean);
    return {
      ok: false,
      status: parts.status ?? 401,
      reason,
      challenge: fields.length > 0 ? `Bearer ${fields.join(', ')}` : 'Bearer',
      error: parts.error ?? 'unauthorized',
      description,
      principal: parts.principal ?? null,
    };
  };
  const invalid = (server: string, reason: RefusalReason): Refused =>
    refuse(server, reason, { error: 'invalid_token' });
  const lacking = (server: string, scopes: readonly string[], principal: Principal): Refused => ({
    ...refuse(server, 'insufficient_scope', { status: 403, error: 'insufficient_scope', scopes, principal }),
  });
  const admit = (server: string, principal: Principal, expiresAt: number | null): Resolution => {
    const needed = scopesOf(server);
    return needed.every((scope) => principal.scopes.includes(scope))
      ? { ok: true, principal, expiresAt }
      : lacking(server, needed, principal);
  };

  return {
    enabled: true,
    async resolve({ authorization, headerCount, server, path }) {
      if (headerCount > 1) return invalid(server, 'repeated_header');
      // Without any usable credentials a challenge names no error (RFC 6750, section 3.1).
      if (authorization === undefined || authorization.trim() === '') return refuse(server, 'no_credentials');
      if (!/^bearer(?: |$)/i.test(authorization)) return refuse(server, 'bad_scheme');
      const token = BEARER.exec(authorization)?.[1];
      if (token === undefined) return invalid(server, 'malformed');
      if (isApiKey(token)) {
        if (!apiKeys) return invalid(server, 'unknown_key');
        const verdict = await verifyApiKey(apiKeys, token, server, now());
        if (!verdict.ok) return invalid(server, verdict.reason);
        return admit(server, principalOfKey(verdict.record), verdict.record.expiresAt);
      }
      if (!verifier || !tokens) return invalid(server, 'malformed');
      const verdict = await verifier.verify(token, `${publicUrl}${path ?? `/mcp/${server}`}`);
      if (!verdict.ok) return verdict.reason === 'issuer_unavailable' ? unavailable() : invalid(server, verdict.reason);
      const principal = principalOfClaims(verdict.claims, tokens);
      if (!principal) return invalid(server, 'bad_delegation');
      return admit(server, principal, verdict.claims.exp * 1000);
    },
    insufficientScope: lacking,
    metadata: (server, title) =>
      tokens
        ? {
            resource: `${publicUrl}/mcp/${server}`,
            authorization_servers: [tokens.issuer],
            scopes_supported: scopesOf(server),
            bearer_methods_supported: ['header'],
            resource_name: title,
          }
        : null,
  };
}

/** Sending a client through a new sign-in would not help while the issuer's keys cannot be had, so this is no 401. */
const unavailable = (): Refused => ({
  ok: false,
  status: 503,
  reason: 'issuer_unavailable',
  challenge: null,
  error: 'temporarily_unavailable',
  description: 'Access tokens cannot be checked at the moment.',
  principal: null,
});

function withoutAuthentication(): Identity {
  const refusal: Refused = {
    ok: false,
    status: 403,
    reason: 'not_loopback',
    challenge: null,
    error: 'access_denied',
    description: 'Without authentication only this machine may call.',
    principal: null,
  };
  return {
    enabled: false,
    resolve: async ({ clientAddress }) =>
      LOOPBACK.test(clientAddress) ? { ok: true, principal: LOCAL_PRINCIPAL, expiresAt: null } : refusal,
    insufficientScope: () => refusal,
    metadata: () => null,
  };
}
