import type { Config } from '../config/schema.ts';
import type { HttpSettings } from './http.ts';
import type { MountSettings } from './mount.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** The listener's settings that a configuration means. The public URL's own host and origin are always allowed. */
export function httpSettings(config: Config): HttpSettings {
  const { http, limits } = config;
  const own = http.publicUrl === null ? null : new URL(http.publicUrl);
  return {
    hosts: [...LOOPBACK, ...(own ? [own.hostname] : []), ...http.allowedHosts],
    origins: [...new Set([...(own ? [own.origin] : []), ...http.allowedOrigins])],
    trustedProxies: [],
    https: own?.protocol === 'https:',
    requestTimeoutMs: 60_000,
    idleTimeoutMs: 60_000 + Math.max(limits.calculationDeadlineMs, limits.actuatorDeadlineMs, limits.readDeadlineMs),
  };
}

/** A request body may hold 1 MiB unless its server says otherwise. */
export function mountSettings(config: Config): MountSettings {
  return {
    publicUrl: config.http.publicUrl?.replace(/\/$/, '') ?? 'http://localhost',
    bodyLimit: 1024 * 1024,
    drainMs: config.http.shutdownMs,
  };
}
