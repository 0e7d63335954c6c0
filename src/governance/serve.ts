import { randomUUID } from 'node:crypto';
import type { Catalogue } from '../kit/catalogue.ts';
import type { Principal } from '../kit/principal.ts';
import type { Resource } from '../kit/server.ts';
import { scopeFor } from './access.ts';
import type { AuditEntry } from './audit/entry.ts';
import { createCallPath } from './call.ts';
import type { CallParts } from './call-state.ts';
import type {
  Caller,
  Gateway,
  ListedPrompt,
  ListedTool,
  PromptAnswer,
  ReadAnswer,
  Refusal,
  ServerFace,
} from './gateway.ts';
import { scrubText } from './redaction/index.ts';
import { matchTemplate } from './uri-template.ts';
import { watchCall } from './watch.ts';

/**
 * The gates as the protocol room sees them: calls, lists, resources and prompts of every server.
 * Guarantees: a list holds what the same caller may call, by the same decision; a resource or a prompt is served to those who may call at least one tool
 * of its server; documents are searched for card data like every answer; each of these reads is counted and recorded. Leaves to others: the wire.
 */
export function createGateway(
  parts: CallParts,
  ready: () => Promise<{ ok: boolean; reasons: readonly string[] }>,
): Gateway {
  const { access, audit, catalogues, metrics } = parts;
  const callTool = createCallPath(parts);

  const visible = (server: string, principal: Principal): ListedTool[] => {
    const catalogue = catalogues.get(server);
    if (!catalogue) return [];
    return (
      [...catalogue.tools.values()]
        .filter(
          (entry) =>
            access.decide(principal, catalogue.server, entry).allowed &&
            parts.disabled(server, entry.tool.name) === null,
        )
        // Compiled from the tool's own texts and schemas into exactly this form.
        .map((entry) => entry.listed as unknown as ListedTool)
    );
  };

  const mayRead = (catalogue: Catalogue, principal: Principal): boolean =>
    [...catalogue.tools.values()].some((entry) => access.decide(principal, catalogue.server, entry).allowed);

  const documents = (server: string, caller: Caller): readonly Resource[] => {
    const catalogue = catalogues.get(server);
    return catalogue && mayRead(catalogue, caller.principal) ? catalogue.server.resources : [];
  };

  function recordRead(
    server: string,
    what: string,
    caller: Caller,
    outcome: 'allow' | 'deny' | 'error',
    code: string | null,
  ): Promise<void> {
    const entry: AuditEntry = {
      ...blank,
      kind: 'call',
      callId: randomUUID(),
      requestId: caller.requestId,
      principal: caller.principal,
      profile: caller.principal.roles.join('+').slice(0, 64) || null,
      policyVersion: access.policyVersion,
      server,
      tool: what,
      tier: 'read',
      status: outcome === 'allow' ? 'success' : outcome === 'deny' ? 'denied' : 'error',
      errorCode: code,
      catalogueDigest: catalogues.get(server)?.digest ?? null,
      outcome,
    };
    return audit.queue(entry).catch(() => metrics.auditFailed());
  }

  return {
    callTool,
    listTools: (server, caller) => visible(server, caller.principal),
    servers: () => [...catalogues.values()].map(faceOf),
    ready,

    listResources: (server, caller) =>
      documents(server, caller)
        .filter((resource) => !resource.uri.includes('{'))
        .map(({ uri, name, title, description, mimeType }) => ({ uri, name, title, description, mimeType })),
    listTemplates: (server, caller) =>
      documents(server, caller)
        .filter((resource) => resource.uri.includes('{'))
        .map(({ uri, name, title, description, mimeType }) => ({
          uriTemplate: uri,
          name,
          title,
          description,
          mimeType,
        })),

    async readResource({ server, uri, caller, signal }): Promise<ReadAnswer> {
      const found = findResource(documents(server, caller), uri);
      if (!found) {
        await recordRead(server, 'resources/read', caller, 'deny', 'NOT_FOUND');
        return { kind: 'unknown-resource' };
      }
      const allowance = parts.rateLimiter.checkRead(caller.principal.id, server, 'resources/read');
      if (allowance.kind !== 'allowed') {
        await recordRead(server, 'resources/read', caller, 'deny', 'RATE_LIMITED');
        return { kind: 'refused', message: 'Too many reads. Try again in a minute.' };
      }
      const watch = watchCall(signal, parts.settings.readDeadlineMs);
      try {
        const text = await found.resource.read(
          { server, principal: caller.principal, signal: watch.signal },
          found.variables,
        );
        await recordRead(
          server,
          'resources/read',
          caller,
          text === null ? 'deny' : 'allow',
          text === null ? 'NOT_FOUND' : null,
        );
        return text === null
          ? { kind: 'unknown-resource' }
          : { kind: 'document', mimeType: found.resource.mimeType, text: scrubText(text).text };
      } catch (error) {
        parts.log.error('a resource failed', { error, server });
        await recordRead(server, 'resources/read', caller, 'error', 'INTERNAL');
        return { kind: 'refused', message: 'The resource could not be read.' };
      } finally {
        watch.done();
      }
    },

    listPrompts: (server, caller): ListedPrompt[] => {
      const catalogue = catalogues.get(server);
      if (!catalogue || !mayRead(catalogue, caller.principal)) return [];
      return catalogue.server.prompts.map(({ name, title, description, arguments: args }) => ({
        name,
        title,
        description,
        arguments: args,
      }));
    },
    async getPrompt({ server, name, args, caller }): Promise<PromptAnswer> {
      const catalogue = catalogues.get(server);
      const prompt =
        catalogue && mayRead(catalogue, caller.principal)
          ? catalogue.server.prompts.find((one) => one.name === name)
          : undefined;
      await recordRead(server, 'prompts/get', caller, prompt ? 'allow' : 'deny', prompt ? null : 'NOT_FOUND');
      if (!prompt) return { kind: 'unknown-prompt' };
      const missing = prompt.arguments.filter((argument) => argument.required && !args[argument.name]);
      if (missing.length > 0)
        return {
          kind: 'refused',
          message: `Missing arguments: ${missing.map((argument) => argument.name).join(', ')}`,
        };
      return {
        kind: 'prompt',
        description: prompt.description,
        messages: prompt.render(args).map(({ role, text }) => ({ role, text: scrubText(text).text })),
      };
    },

    missingScopes(server, tool, principal) {
      const catalogue = catalogues.get(server);
      const entry = catalogue?.tools.get(tool);
      if (!catalogue || !entry) return null;
      const decision = access.decide(principal, catalogue.server, entry);
      return !decision.allowed && decision.why === 'scope' ? [scopeFor(catalogue.server, entry)] : null;
    },

    recordRefusal(refusal: Refusal) {
      metrics.refused(refusal.stage);
      void audit
        .queue({
          ...blank,
          kind: 'refusal',
          callId: randomUUID(),
          requestId: refusal.requestId,
          principal: refusal.principal,
          policyVersion: access.policyVersion,
          server: refusal.server,
          tool: refusal.tool,
          status: 'refused',
          errorCode: refusal.reason.toUpperCase(),
          detail: { stage: refusal.stage, http_status: refusal.status },
          outcome: 'deny',
        })
        .catch(() => metrics.auditFailed());
    },
  };
}

const blank = {
  phase: 'completed',
  traceId: null,
  principal: null,
  profile: null,
  policyVersion: null,
  server: null,
  tool: null,
  tier: null,
  argsDigest: null,
  auditable: null,
  catalogueDigest: null,
  rows: null,
  redactions: null,
  approvalId: null,
  approvers: [],
  idempotencyKey: null,
  durationMs: null,
} as const;

const faceOf = ({ server }: Catalogue): ServerFace => ({
  name: server.name,
  announcedAs: server.announcedAs,
  title: server.title,
  version: server.version,
  instructions: server.instructions,
  ...(server.bodyLimit === undefined ? {} : { bodyLimit: server.bodyLimit }),
  hasResources: server.resources.length > 0,
  hasPrompts: server.prompts.length > 0,
});

/** A fixed URI wins over a template that would match it too. */
function findResource(
  resources: readonly Resource[],
  uri: string,
): { resource: Resource; variables: Record<string, string> } | null {
  const fixed = resources.find((resource) => resource.uri === uri);
  if (fixed) return { resource: fixed, variables: {} };
  for (const resource of resources) {
    const variables = resource.uri.includes('{') ? matchTemplate(resource.uri, uri) : null;
    if (variables) return { resource, variables };
  }
  return null;
}
