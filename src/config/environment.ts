/**
 * Environment variables and the settings they stand for. The names of the contracts are honoured as they are; every other setting has a
 * `PENSTOCK_` name made from its path (`limits.readsPerMinute` -> `PENSTOCK_LIMITS_READS_PER_MINUTE`).
 */
export const CONTRACT_NAMES: Readonly<Record<string, string>> = {
  PORT: 'http.port',
  HOST: 'http.host',
  NEQSIM_MCP_PROFILE: 'profiles.deployment',
  NEQSIM_MCP_ADMIN_TOKEN: 'neqsim.adminToken',
  PAYMENTS_DB_PRODUCT_URL: 'databases.productUrl',
  PAYMENTS_DB_PRODUCT_RO_URL: 'databases.productReadUrl',
  PAYMENTS_DB_SETTLEMENT_URL: 'databases.settlementUrl',
  PAYMENTS_DB_SETTLEMENT_RO_URL: 'databases.settlementReadUrl',
  PAYMENTS_DB_RISK_URL: 'databases.riskUrl',
  PAYMENTS_DB_RISK_RO_URL: 'databases.riskReadUrl',
  PAYMENTS_DB_MMS_RO_URL: 'databases.mmsReadUrl',
  PAYMENTS_OBAN_DB: 'payments.obanDatabase',
  PAYMENTS_OBAN_PREFIX: 'payments.obanPrefix',
  PAYMENTS_MQTT_URL: 'mqtt.url',
  PAYMENTS_MQTT_PREFIX: 'mqtt.prefix',
  PAYMENTS_ARTIFACT_DIR: 'payments.artifactDir',
  PAYMENTS_BUSINESS_TZ: 'payments.businessTimeZone',
  PAYMENTS_CUTOVER: 'payments.cutover',
  PAYMENTS_STRICT_ROLES: 'databases.strictRoles',
  PROMETHEUS_URL: 'payments.prometheusUrl',
  ALERTMANAGER_URL: 'payments.alertmanagerUrl',
};

/** Names with the product's prefix that say where to look rather than what to set. */
const NOT_SETTINGS = new Set(['PENSTOCK_CONFIG']);

export const environmentName = (path: string): string =>
  `PENSTOCK_${path
    .split('.')
    .map((part) => part.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase())
    .join('_')}`;

/** Settings from the environment, by path. Names with our prefix that stand for nothing come back as `unknown`: a misspelt setting must not be silent. */
export function fromEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  paths: readonly string[],
): { values: Map<string, string>; unknown: string[] } {
  const byName = new Map<string, string>(paths.map((path) => [environmentName(path), path]));
  const values = new Map<string, string>();
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || value === '') continue;
    const path = CONTRACT_NAMES[name] ?? byName.get(name);
    if (path) values.set(path, value);
    else if (name.startsWith('PENSTOCK_') && !NOT_SETTINGS.has(name)) unknown.push(name);
  }
  return { values, unknown };
}
