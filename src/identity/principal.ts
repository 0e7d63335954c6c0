import type { JWTPayload } from 'jose';
import type { Principal } from '../kit/principal.ts';
import type { ApiKeyRecord } from './api-keys.ts';
import type { TokenSettings } from './settings.ts';

/**
 * Makes principals. The only sources are verified claims, a verified API key, or the fact that authentication is off.
 * Whether a human signed in decides who may approve, so doubt means "no": see `isHuman`.
 */
export const LOCAL_PRINCIPAL: Principal = Object.freeze({
  id: 'local',
  subject: 'local',
  issuer: null,
  client: null,
  human: false,
  onBehalfOf: null,
  roles: Object.freeze(['operator', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A8', 'engineer']),
  scopes: Object.freeze([]),
  via: 'local',
});

export function principalOfKey(record: ApiKeyRecord): Principal {
  return {
    id: `key:${record.id}`,
    subject: record.id,
    issuer: null,
    client: null,
    human: false,
    onBehalfOf: null,
    roles: [...record.roles],
    scopes: [...record.scopes],
    via: 'api-key',
  };
}

/**
 * The principal of a verified token, or null when its `act` claim cannot be understood.
 * With `act` (RFC 8693, section 4.1) the token's subject is the human for whom the actor calls: the actor is the principal, the subject `onBehalfOf`.
 * Both are written `issuer|subject`, so that an approver can be compared with either.
 */
export function principalOfClaims(
  claims: JWTPayload & { readonly sub: string },
  settings: TokenSettings,
): Principal | null {
  const client = text(claims.client_id) ?? text(claims.azp);
  const human = claims.act === undefined && isHuman(claims, client, settings);
  const common = {
    issuer: settings.issuer,
    client,
    human,
    roles: rolesOf(claims, human ? null : client, settings),
    scopes: words(claims.scope ?? claims.scp),
    via: 'token' as const,
  };
  const owner = `${settings.issuer}|${claims.sub}`;
  if (claims.act === undefined) return { ...common, id: owner, subject: claims.sub, onBehalfOf: null };
  const act = claims.act;
  const actor = typeof act === 'object' && act !== null ? text((act as Record<string, unknown>).sub) : null;
  if (actor === null) return null;
  return { ...common, id: `${settings.issuer}|${actor}`, subject: actor, onBehalfOf: owner };
}

/**
 * A token stands for a signed-in human unless something says otherwise. It is a machine's when it names no client (nothing to compare the subject with),
 * when its subject is the client itself (RFC 9068, section 2.2) or `<client>@clients`, when a grant marker says client credentials (`gty`, `grant_type`),
 * when `idtyp` is `app`, or when the user name is that of a service account. Where an issuer marks humans, the setting `humanClaim` asks for that mark too.
 */
function isHuman(
  claims: JWTPayload & { readonly sub: string },
  client: string | null,
  settings: TokenSettings,
): boolean {
  if (client === null || claims.sub === client || claims.sub === `${client}@clients`) return false;
  const grants = [...words(claims.gty), ...words(claims.grant_type)].map((word) => word.replaceAll('_', '-'));
  if (grants.includes('client-credentials') || claims.idtyp === 'app') return false;
  if (text(claims.preferred_username)?.startsWith('service-account-')) return false;
  const wanted = settings.humanClaim;
  if (!wanted) return true;
  const value = Object.hasOwn(claims, wanted.name) ? claims[wanted.name] : undefined;
  return wanted.value === undefined ? value !== undefined && value !== false : value === wanted.value;
}

const MOST = 100;
const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= 512 ? value : null;

/** Words of a claim that is a list, or one text with spaces. */
const words = (value: unknown): string[] => {
  const list = typeof value === 'string' ? value.split(' ') : Array.isArray(value) ? value : [];
  return [...new Set(list.filter((word): word is string => text(word) !== null))].slice(0, MOST);
};

/** Roles of the claim; a machine whose token names none gets the role configured for its client. */
function rolesOf(claims: JWTPayload, machine: string | null, settings: TokenSettings): string[] {
  const values = words(claimAt(claims, settings.rolesClaim));
  if (values.length === 0 && machine !== null && Object.hasOwn(settings.clientRoles, machine))
    return [settings.clientRoles[machine]!];
  const map = settings.roleMap;
  if (!map) return values;
  return [...new Set(values.flatMap((value) => (Object.hasOwn(map, value) ? [map[value]!] : [])))];
}

/** A claim by its own name (which may hold dots, such as a URL), else by a path of members. */
function claimAt(claims: JWTPayload, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let at: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Record<string, unknown>)[part];
  }
  return at;
}
