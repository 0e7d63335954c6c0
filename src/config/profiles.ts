import { readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { CATEGORIES, TRUST_TIERS } from '../kit/access.ts';
import { digest } from '../kit/json.ts';
import { ConfigError, HOME } from './load.ts';

/** A role profile: which tools of which servers its holders may see and call. Deny by default. */
const roleProfile = z.strictObject({
  kind: z.literal('role'),
  name: z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,31}$/),
  title: z.string(),
  /** A role for people only: a machine that holds it gets nothing from it. */
  humanOnly: z.boolean().default(false),
  /** What the role may do beside calling tools. */
  duties: z.array(z.enum(['approve', 'audit', 'administer'])).default([]),
  servers: z
    .record(
      z.string(),
      z.strictObject({
        /** Every tool of tier `read`. */
        reads: z.boolean().default(false),
        /** Every tool. */
        all: z.boolean().default(false),
        tools: z.array(z.string()).default([]),
      }),
    )
    .default({}),
});

/** A deployment profile of the NeqSim contract: rules the servers whose tools carry a trust tier. */
const deploymentProfile = z.strictObject({
  kind: z.literal('deployment'),
  name: z.string().regex(/^[A-Z][A-Z_]{2,31}$/),
  title: z.string(),
  allow: z.array(z.strictObject({ trust: z.enum(TRUST_TIERS), categories: z.array(z.enum(CATEGORIES)).min(1) })),
  /** Tools let in one by one, behind an approval. */
  approve: z.array(z.string()).default([]),
  describe: z.strictObject({
    autoValidation: z.boolean(),
    approvalGates: z.boolean(),
    auditLogging: z.boolean(),
    sessionIsolation: z.boolean(),
    rateLimiting: z.boolean(),
  }),
});

const profileFile = z.discriminatedUnion('kind', [roleProfile, deploymentProfile]);
export type RoleProfile = z.output<typeof roleProfile>;
export type DeploymentProfile = z.output<typeof deploymentProfile>;

export interface Profiles {
  readonly roles: ReadonlyMap<string, RoleProfile>;
  readonly deployment: DeploymentProfile;
  readonly deployments: ReadonlyMap<string, DeploymentProfile>;
  /** Digest of every profile and of which deployment profile is in force; approvals and audit records carry it. */
  readonly version: string;
}

/** Reads every file of the profile folder. An unknown deployment profile name stops the start: failing open is how a peer got it wrong. */
export function loadProfiles(dir: string, active: string): Profiles {
  const folder = isAbsolute(dir) ? dir : join(HOME, dir);
  const roles = new Map<string, RoleProfile>();
  const deployments = new Map<string, DeploymentProfile>();
  const problems: string[] = [];
  for (const file of readdirSync(folder).sort()) {
    if (!/\.ya?ml$/.test(file)) continue;
    const parsed = profileFile.safeParse(parse(readFileSync(join(folder, file), 'utf8')));
    if (!parsed.success) {
      for (const issue of parsed.error.issues)
        problems.push(`profiles: ${file}: ${issue.path.join('.')}: ${issue.message}`);
      continue;
    }
    const profile = parsed.data;
    const known: Map<string, unknown> = profile.kind === 'role' ? roles : deployments;
    if (known.has(profile.name)) problems.push(`profiles: ${file}: ${profile.name} is defined twice`);
    if (profile.kind === 'role') roles.set(profile.name, profile);
    else deployments.set(profile.name, profile);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  const deployment = deployments.get(active.toUpperCase());
  if (!deployment) {
    throw new ConfigError([
      `profiles: there is no deployment profile ${JSON.stringify(active)} (NEQSIM_MCP_PROFILE): use one of ${[...deployments.keys()].join(', ')}`,
    ]);
  }
  const version = digest({
    roles: [...roles.values()],
    deployments: [...deployments.values()],
    active: deployment.name,
  }).slice(0, 16);
  return { roles, deployment, deployments, version };
}
