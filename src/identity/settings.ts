import type { ApiKeySettings } from './api-keys.ts';

/** What the identity room is told. All of it comes from configuration; `createIdentity` refuses combinations that would weaken a check. */
export interface TokenSettings {
  /** The issuer exactly as its metadata and its tokens spell it. https, or http on loopback. */
  readonly issuer: string;
  /** Skips discovery when the key set's address is known. */
  readonly jwksUri?: string;
  /** Signature algorithms that are accepted: asymmetric ones only. */
  readonly algorithms: readonly string[];
  /** Seconds by which clocks may differ; at most 60. */
  readonly clockSkewSeconds: number;
  /** Claim with the roles: the name of a member, or a path with dots such as `realm_access.roles`. */
  readonly rolesClaim: string;
  /** Translates values of the roles claim. When given, values that it does not name give no role. */
  readonly roleMap?: Readonly<Record<string, string>>;
  /** OAuth client id -> role, for machines whose tokens carry no roles. */
  readonly clientRoles: Readonly<Record<string, string>>;
  /** When given, only tokens that carry this claim (with this value, if one is given) count as a signed-in human. */
  readonly humanClaim?: { readonly name: string; readonly value?: string | boolean };
  readonly fetchTimeoutMs: number;
  /** Longest answer of the issuer that is read, in bytes. */
  readonly fetchMaxBytes: number;
  /** Least time between two fetches of the key set, successful or not. */
  readonly cooldownMs: number;
  /** Age at which the key set is fetched again, and with it the longest time a withdrawn key still counts while the issuer answers. */
  readonly keysMaxAgeMs: number;
  /** Age up to which the last good key set is used while the issuer does not answer. */
  readonly keysStaleMs: number;
  /** How many verified tokens are remembered, and for how long at most. */
  readonly cacheEntries: number;
  readonly cacheMaxAgeMs: number;
}

export const TOKEN_DEFAULTS = {
  algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
  clockSkewSeconds: 30,
  rolesClaim: 'roles',
  clientRoles: {},
  fetchTimeoutMs: 5_000,
  fetchMaxBytes: 512 * 1024,
  cooldownMs: 10_000,
  keysMaxAgeMs: 600_000,
  keysStaleMs: 3_600_000,
  cacheEntries: 10_000,
  cacheMaxAgeMs: 300_000,
} as const satisfies Partial<TokenSettings>;

export type IdentitySettings =
  /** No authentication: every loopback caller is the local principal. */
  | { readonly mode: 'none' }
  | {
      readonly mode: 'required';
      /** Origin under which clients reach the gateway, such as `https://gateway.example.com`; tokens need it. Resource URLs are `<publicUrl>/mcp/<server>`. */
      readonly publicUrl: string | null;
      readonly tokens?: TokenSettings;
      readonly apiKeys?: ApiKeySettings;
      /** Scopes that every call of a server takes; also what its metadata and its challenges name. */
      readonly scopes: Readonly<Record<string, readonly string[]>>;
    };

/** A setting that cannot be served safely. The message is one line for the person who starts the process. */
export class IdentitySettingsError extends Error {
  override readonly name = 'IdentitySettingsError';
}

const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** True for https, and for http where it cannot leave the machine. */
export const isSafeUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.hash !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK_NAMES.includes(url.hostname));
};

export function checkSettings(settings: IdentitySettings): void {
  if (settings.mode === 'none') return;
  const fail = (text: string): never => {
    throw new IdentitySettingsError(text);
  };
  if (settings.tokens && settings.publicUrl === null)
    fail('Tokens are checked for the address clients call: publicUrl is missing.');
  const { publicUrl } = settings;
  if (publicUrl !== null && (!isSafeUrl(publicUrl) || new URL(publicUrl).origin !== publicUrl))
    fail(
      'publicUrl must be an https origin without a path, such as https://gateway.example.com (http only on loopback).',
    );
  if (!settings.tokens && !settings.apiKeys)
    fail('Authentication is on but neither an issuer nor API keys are configured.');
  if (settings.apiKeys && (settings.apiKeys.secret.length < 32 || new Set(settings.apiKeys.secret).size < 8))
    fail('The secret of the API keys must be random and at least 32 characters long.');
  for (const [server, scopes] of Object.entries(settings.scopes)) {
    const bad = scopes.find(
      (scope) => !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope) || scope.includes('*') || scope === 'offline_access',
    );
    if (bad !== undefined) fail(`The scope ${JSON.stringify(bad)} of server ${server} may not be asked for.`);
  }
  const tokens = settings.tokens;
  if (!tokens) return;
  if (!isSafeUrl(tokens.issuer)) fail('The issuer must be an https URL (http only on loopback).');
  if (tokens.jwksUri !== undefined && !isSafeUrl(tokens.jwksUri))
    fail('The key set URL must be https (http only on loopback).');
  const weak = tokens.algorithms.find((name) => !ALGORITHMS.includes(name));
  if (weak !== undefined || tokens.algorithms.length === 0)
    fail(`The token algorithm ${JSON.stringify(weak ?? '')} is not accepted; use some of ${ALGORITHMS.join(', ')}.`);
  if (!(tokens.clockSkewSeconds >= 0 && tokens.clockSkewSeconds <= 60))
    fail('The clock skew must lie between 0 and 60 seconds.');
}
