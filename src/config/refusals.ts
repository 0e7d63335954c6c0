import type { Config } from './schema.ts';

/**
 * Combinations of settings that are each legal and together unsafe or impossible. One finding a line, naming the setting and the remedy.
 * Guarantees: a gateway that anyone but this machine can reach has authentication. Leaves to others: profile names (profiles.ts).
 */
export function refusals(config: Config): string[] {
  const out: string[] = [];
  const { http, identity, databases } = config;
  if (!isLoopback(http.host) && !identity.enabled) {
    out.push(
      `http.host is ${http.host}, which other machines can reach, and identity.enabled is false: turn authentication on or bind to 127.0.0.1`,
    );
  }
  if (http.publicUrl && !identity.enabled && !isLoopback(new URL(http.publicUrl).hostname)) {
    out.push('http.publicUrl names another machine and identity.enabled is false: turn authentication on');
  }
  if (identity.enabled && !identity.issuer && identity.apiKeys.length === 0) {
    out.push('identity.enabled needs identity.issuer, or at least one of identity.apiKeys');
  }
  if (identity.enabled && identity.issuer && !http.publicUrl) {
    out.push('identity.issuer needs http.publicUrl: tokens are checked for the address clients call');
  }
  if (
    identity.issuer &&
    new URL(identity.issuer).protocol === 'http:' &&
    !isLoopback(new URL(identity.issuer).hostname)
  ) {
    out.push('identity.issuer must be https');
  }
  if (identity.apiKeys.length > 0 && !identity.apiKeyPepper) {
    out.push('identity.apiKeys needs identity.apiKeyPepper, a secret of at least 32 characters');
  }
  for (const [name, value] of [
    ['identity.apiKeyPepper', identity.apiKeyPepper],
    ['neqsim.adminToken', config.neqsim.adminToken],
    ['payments.cursorKey', config.payments.cursorKey],
  ] as const) {
    if (value && isGuessable(value)) out.push(`${name} looks like an example: use a random secret`);
  }
  if (config.mode === 'enterprise') {
    if (!identity.enabled) out.push('mode enterprise needs identity.enabled');
    if (!identity.issuer) out.push('mode enterprise needs identity.issuer');
    if (!identity.clientId) out.push('mode enterprise needs identity.clientId');
    if (!config.telemetry.otlpEndpoint) out.push('mode enterprise needs telemetry.otlpEndpoint');
  }
  const configured = [databases.productUrl, databases.settlementUrl, databases.riskUrl, databases.mmsReadUrl].some(
    (url) => url !== null,
  );
  if (configured && !databases.gatewayUrl) {
    out.push(
      'databases.gatewayUrl (PENSTOCK_DATABASES_GATEWAY_URL) is missing while other databases are configured: nothing embedded is started then',
    );
  }
  for (const role of ['product', 'settlement', 'risk'] as const) {
    if (databases[`${role}Url`] && !databases[`${role}ReadUrl`]) {
      out.push(`databases.${role}Url needs databases.${role}ReadUrl: reads run under a role that cannot write`);
    }
  }
  return out;
}

export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  return bare === 'localhost' || bare === '::1' || /^127(\.\d{1,3}){3}$/.test(bare);
}

/** Example words and single repeated characters: long enough, and guessed first. */
function isGuessable(secret: string): boolean {
  return /change.?me|example|secret.?secret|password|placeholder|your[-_ ]/i.test(secret) || new Set(secret).size < 8;
}
