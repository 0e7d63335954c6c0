import type { Config } from '../config/schema.ts';
import type { ApiKeyRecord } from './api-keys.ts';
import { type IdentitySettings, TOKEN_DEFAULTS } from './settings.ts';

/** The identity settings that a configuration means. */
export function identitySettings(config: Config): IdentitySettings {
  const { identity, http } = config;
  if (!identity.enabled) return { mode: 'none' };
  const keys = new Map<string, ApiKeyRecord>(
    identity.apiKeys.map((key) => [key.id, { ...key, scopes: [], servers: null, expiresAt: null }]),
  );
  return {
    mode: 'required',
    publicUrl: http.publicUrl === null ? null : http.publicUrl.replace(/\/$/, ''),
    ...(identity.issuer !== null && {
      tokens: {
        ...TOKEN_DEFAULTS,
        issuer: identity.issuer,
        rolesClaim: identity.rolesClaim,
        clientRoles: identity.clients,
        clockSkewSeconds: identity.clockSkewS,
      },
    }),
    ...(keys.size > 0 && {
      apiKeys: { secret: identity.apiKeyPepper ?? '', find: (id: string) => keys.get(id) ?? null },
    }),
    scopes: {},
  };
}
