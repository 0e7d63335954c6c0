import type { Profiles, RoleProfile } from '../config/profiles.ts';
import type { Config } from '../config/schema.ts';
import type { CompiledTool } from '../kit/catalogue.ts';
import { digest } from '../kit/json.ts';
import type { Principal } from '../kit/principal.ts';
import type { Server } from '../kit/server.ts';

/**
 * Gate 2. One decision function for lists and calls: what tools/list shows is what tools/call runs, because both ask `decide`.
 * Guarantees: deny by default; the answer depends on nothing but the principal, the profiles in force, the server's access setting and the tool.
 * Leaves to others: who the principal is (identity), approvals that a tier asks for (approvals.ts).
 */
export type Decision =
  | {
      readonly allowed: true;
      /** The role profiles that let it in, for the record. */
      readonly profile: string;
      /** The deployment profile lets the tool run only once approved by an administrator. */
      readonly approveEachRun: boolean;
    }
  | {
      readonly allowed: false;
      readonly why: 'server-off' | 'read-only' | 'deployment-profile' | 'role-profile' | 'scope';
      readonly scopes: readonly string[];
    };

export interface AccessRules {
  /** Names the profiles and settings in force; approvals and records carry it. */
  readonly policyVersion: string;
  readonly deployment: string;
  decide(principal: Principal, server: Server, entry: CompiledTool): Decision;
}

/** The scope a token needs for a tool: `<server>:read` for readers, `<server>:act` for everything else. */
export const scopeFor = (server: Server, entry: CompiledTool): string =>
  `${server.name}:${entry.tool.access.risk === 'read' ? 'read' : 'act'}`;

export function createAccessRules(profiles: Profiles, settings: Config['servers']): AccessRules {
  const serverAccess = new Map<string, string>(Object.entries(settings));
  return {
    policyVersion: digest({ profiles: profiles.version, settings }).slice(0, 16),
    deployment: profiles.deployment.name,
    decide(principal, server, entry) {
      const { access, name } = entry.tool;
      const setting = serverAccess.get(server.name) ?? 'full';
      if (setting === 'off') return denied('server-off');
      if (setting === 'read-only' && access.risk !== 'read') return denied('read-only');

      const roles = principal.roles
        .map((role) => profiles.roles.get(role))
        .filter(
          (role): role is RoleProfile =>
            role !== undefined && (!role.humanOnly || principal.human || principal.via === 'local'),
        )
        .filter((role) => grants(role, server.name, entry));
      if (roles.length === 0) return denied('role-profile');

      let approveEachRun = false;
      if (access.trust !== null) {
        const allowed = profiles.deployment.allow.some(
          (rule) => rule.trust === access.trust && rule.categories.includes(access.category),
        );
        if (!allowed) {
          if (!profiles.deployment.approve.includes(name)) return denied('deployment-profile');
          approveEachRun = true;
        }
      }
      // API keys and the local principal carry no scopes: their roles say it all.
      if (principal.via === 'token' && principal.scopes.some((scope) => scope.startsWith(`${server.name}:`))) {
        const needed = scopeFor(server, entry);
        const enough = principal.scopes.includes(needed) || principal.scopes.includes(`${server.name}:act`);
        if (!enough) return { allowed: false, why: 'scope', scopes: [needed] };
      }
      return { allowed: true, profile: roles.map((role) => role.name).join('+'), approveEachRun };
    },
  };
}

const denied = (why: 'server-off' | 'read-only' | 'deployment-profile' | 'role-profile'): Decision => ({
  allowed: false,
  why,
  scopes: [],
});

function grants(role: RoleProfile, server: string, entry: CompiledTool): boolean {
  const rule = role.servers[server];
  if (!rule) return false;
  return rule.all || (rule.reads && entry.tool.access.risk === 'read') || rule.tools.includes(entry.tool.name);
}

/** Tools named in a role profile that no mounted server has: a misspelt grant must not be silent. */
export function unknownGrants(profiles: Profiles, known: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const out: string[] = [];
  for (const role of profiles.roles.values()) {
    for (const [server, rule] of Object.entries(role.servers)) {
      const names = known.get(server);
      if (!names) out.push(`${role.name}: ${server}`);
      else for (const tool of rule.tools) if (!names.has(tool)) out.push(`${role.name}: ${server}/${tool}`);
    }
  }
  return out;
}
