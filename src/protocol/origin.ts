import type { IncomingMessage } from 'node:http';

/**
 * The check of Host and Origin that stands before every route.
 * Guarantees: a request passes only when it has exactly one Host header that names an allowed host, and no Origin header or exactly one that equals an
 * allowed origin byte for byte. So a page of another site cannot reach the gateway through the browser of someone who can, neither directly nor by DNS
 * rebinding. Leaves to others: callers outside browsers, who can send any Origin (identity).
 */
export interface OriginRules {
  /** `name` allows every port, `name:port` only that one. IPv6 in brackets. Empty: the loopback names. */
  readonly hosts: readonly string[];
  /** Serialized origins such as `https://console.example.com`. The listener's own loopback origins are always allowed when `hosts` allows loopback. */
  readonly origins: readonly string[];
}
export type OriginVerdict =
  | { readonly ok: true; readonly origin: string | null }
  | { readonly ok: false; readonly stage: 'host' | 'origin'; readonly reason: string };

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)(?::([0-9]{1,5}))?$/;

export function originCheck(rules: OriginRules): (request: IncomingMessage) => OriginVerdict {
  const names = new Set<string>();
  const exact = new Set<string>();
  for (const host of rules.hosts.length > 0 ? rules.hosts : LOOPBACK) {
    const parts = HOST.exec(host.toLowerCase());
    if (!parts) throw new Error(`The allowed host ${JSON.stringify(host)} is not a host name with an optional port.`);
    if (parts[2] === undefined) names.add(parts[1]!);
    else exact.add(host.toLowerCase());
  }
  const origins = new Set<string>();
  for (const text of rules.origins) {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url?.origin !== text || !['http:', 'https:'].includes(url.protocol))
      throw new Error(`The allowed origin ${JSON.stringify(text)} is not a serialized http or https origin.`);
    origins.add(text);
  }
  const loopback = LOOPBACK.filter((name) => names.has(name));

  return (request) => {
    // A target with a host of its own outranks the Host header (RFC 9112, section 3.2.2), so it would have to be checked too; no client needs one.
    if (!request.url?.startsWith('/')) return { ok: false, stage: 'host', reason: 'host_in_target' };
    const [hosts, sent] = [count(request, 'host'), count(request, 'origin')];
    if (hosts !== 1) return { ok: false, stage: 'host', reason: hosts === 0 ? 'host_missing' : 'host_repeated' };
    const host = request.headers.host!.toLowerCase();
    const parts = HOST.exec(host);
    if (!parts || !(names.has(parts[1]!) || exact.has(host)))
      return { ok: false, stage: 'host', reason: 'host_not_allowed' };
    if (sent === 0) return { ok: true, origin: null };
    if (sent > 1) return { ok: false, stage: 'origin', reason: 'origin_repeated' };
    const origin = request.headers.origin!;
    const own = request.socket.localPort;
    if (origins.has(origin) || loopback.some((name) => origin === serialized(name, own))) return { ok: true, origin };
    return { ok: false, stage: 'origin', reason: 'origin_not_allowed' };
  };
}

const serialized = (name: string, port: number | undefined): string =>
  port === 80 ? `http://${name}` : `http://${name}:${port}`;

/** Counts a header in the raw list: the parsed headers drop or join what was sent twice. */
function count(request: IncomingMessage, name: string): number {
  let found = 0;
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    if (request.rawHeaders[i]!.length === name.length && request.rawHeaders[i]!.toLowerCase() === name) found++;
  }
  return found;
}
export const headerCount = count;
