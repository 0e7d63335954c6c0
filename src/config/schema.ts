import { z } from 'zod';

/**
 * All configuration, in one schema. Every value has a default here or in config/default.yaml, and a wrong one stops the start.
 * Secrets are marked with `secret`, so that `penstock check` can print everything else.
 */
const secretMark = z.registry<{ secret: true }>();
const secret = <S extends z.ZodType>(schema: S): S => {
  const copy = schema.clone() as S;
  secretMark.add(copy, { secret: true });
  return copy;
};
export const isSecret = (schema: z.ZodType): boolean => secretMark.has(schema);

const url = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol.replace(':', '')), {
    message: `must be a URL of ${protocols.join(' or ')}`,
  });
const postgresUrl = secret(url('postgres', 'postgresql')).nullable().default(null);
const positive = z.coerce.number().int().positive();
const switchable = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);
/** A list may come from the environment as comma-separated text. */
const list = z
  .union([
    z.array(z.string()),
    z.string().transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    ),
  ])
  .default([]);
/** A static secret under 32 characters is a guess away. */
const strongSecret = secret(z.string().min(32, 'must have at least 32 characters')).nullable().default(null);

const serverAccess = z.enum(['full', 'read-only', 'off']);

const timeZone = z.string().refine(
  (name) => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
    } catch {
      return false;
    }
  },
  { message: 'must be an IANA time zone name such as Asia/Dubai' },
);

export const configSchema = z.strictObject({
  mode: z.enum(['default', 'enterprise']).default('default'),
  http: z
    .strictObject({
      host: z.string().default('127.0.0.1'),
      port: z.coerce.number().int().min(0).max(65535).default(8080),
      /** What clients call this gateway; `aud` of tokens and resource metadata are built from it. */
      publicUrl: url('http', 'https').nullable().default(null),
      /** Host names accepted beside this listener's own loopback names. */
      allowedHosts: list,
      allowedOrigins: list,
      shutdownMs: positive.default(10_000),
    })
    .prefault({}),
  dataDir: z.string().default('.data'),
  demo: switchable.default(true),
  databases: z
    .strictObject({
      gatewayUrl: postgresUrl,
      /** The role that migrates; defaults to gatewayUrl. */
      gatewayOwnerUrl: postgresUrl,
      productUrl: postgresUrl,
      productReadUrl: postgresUrl,
      settlementUrl: postgresUrl,
      settlementReadUrl: postgresUrl,
      riskUrl: postgresUrl,
      riskReadUrl: postgresUrl,
      mmsReadUrl: postgresUrl,
      poolSize: positive.max(200).default(10),
      /** Refuse a server whose read role could write (payments contract, section 12.7). */
      strictRoles: switchable.default(false),
    })
    .prefault({}),
  mqtt: z
    .strictObject({
      url: secret(url('mqtt', 'mqtts', 'ws', 'wss'))
        .nullable()
        .default(null),
      prefix: z
        .string()
        .regex(/^[A-Za-z0-9._~-]+(\/[A-Za-z0-9._~-]+)*$/, 'must be topic levels of letters, digits and ._~-')
        .default('tms/v1'),
      /** A name that is this replica's alone and stays the same over restarts: the broker then keeps acks for it while it is away. */
      clientId: z
        .string()
        .regex(/^[A-Za-z0-9_-]{1,64}$/)
        .nullable()
        .default(null),
    })
    .prefault({}),
  identity: z
    .strictObject({
      enabled: switchable.default(false),
      issuer: url('http', 'https').nullable().default(null),
      clientId: z.string().min(1).nullable().default(null),
      rolesClaim: z.string().default('roles'),
      /** OAuth client id -> role profile, for machines whose tokens carry no roles. */
      clients: z.record(z.string(), z.string()).default({}),
      clockSkewS: z.coerce.number().int().min(0).max(60).default(30),
      apiKeys: z
        .array(
          z.strictObject({
            id: z.string().regex(/^[a-z0-9-]{3,64}$/),
            /** HMAC-SHA256 (hex) of the key under `apiKeyPepper`; the key itself is never in the configuration. */
            hash: z.string().regex(/^[0-9a-f]{64}$/),
            roles: z.array(z.string()).min(1),
          }),
        )
        .default([]),
      apiKeyPepper: strongSecret,
    })
    .prefault({}),
  profiles: z
    .strictObject({
      dir: z.string().default('config/profiles'),
      /** The deployment profile in force. */
      deployment: z.string().default('DESKTOP_ENGINEER'),
    })
    .prefault({}),
  servers: z
    .strictObject({
      tms: serverAccess.default('full'),
      settlement: serverAccess.default('full'),
      risk: serverAccess.default('full'),
      switch: serverAccess.default('full'),
      infra: serverAccess.default('full'),
      neqsim: serverAccess.default('full'),
    })
    .prefault({}),
  limits: z
    .strictObject({
      readsPerMinute: positive.default(1200),
      /** Actuators: (principal, tool) a minute; (tool, target) an hour; tool an hour. */
      writesPerMinute: positive.default(30),
      writesPerTargetPerHour: positive.default(6),
      writesPerToolPerHour: positive.default(600),
      /** What reads do while the shared counters cannot be reached. Writes are refused then, always. */
      readsWithoutStore: z.enum(['allow', 'refuse']).default('allow'),
      readDeadlineMs: positive.default(10_000),
      actuatorDeadlineMs: positive.default(15_000),
      calculationDeadlineMs: positive.default(120_000),
      redactionMs: positive.default(200),
    })
    .prefault({}),
  approvals: z
    .strictObject({
      t2Minutes: positive.default(30),
      t3Minutes: positive.default(60),
      deniedCooldownMinutes: positive.default(15),
    })
    .prefault({}),
  audit: z
    .strictObject({
      /** `writes`: a write waits for its record, reads are recorded within milliseconds. `all`: every answer waits. */
      strict: z.enum(['writes', 'all']).default('writes'),
    })
    .prefault({}),
  telemetry: z
    .strictObject({
      otlpEndpoint: url('http', 'https').nullable().default(null),
      logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
    })
    .prefault({}),
  payments: z
    .strictObject({
      businessTimeZone: timeZone.default('UTC'),
      cutover: z
        .string()
        .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be HH:mm')
        .default('00:00'),
      artifactDir: z.string().nullable().default(null),
      obanDatabase: z.enum(['product', 'settlement']).default('product'),
      obanPrefix: z
        .string()
        .regex(/^[a-z_][a-z0-9_]{0,62}$/)
        .default('public'),
      prometheusUrl: url('http', 'https').nullable().default(null),
      alertmanagerUrl: url('http', 'https').nullable().default(null),
      cursorKey: strongSecret,
    })
    .prefault({}),
  tms: z
    .strictObject({
      keysConfigTrigger: z.enum(['notify_only', 'blocked']).default('notify_only'),
      deploy: z
        .strictObject({
          t3Floor: positive.default(5),
          t3Cap: positive.default(50),
          t3Fraction: z.coerce.number().positive().max(1).default(0.01),
          windowH: positive.default(24),
          t3AlwaysForTiers: list,
        })
        .prefault({}),
    })
    .prefault({}),
  switch: z.strictObject({ failedTransactionVerified: switchable.default(false) }).prefault({}),
  neqsim: z
    .strictObject({
      adminToken: strongSecret,
    })
    .prefault({}),
});

export type Config = z.output<typeof configSchema>;
