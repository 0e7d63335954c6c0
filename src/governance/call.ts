import { randomUUID } from 'node:crypto';
import type { Catalogue, CompiledTool } from '../kit/catalogue.ts';
import type { ToolContext } from '../kit/context.ts';
import type { CallFacts } from '../kit/envelope/format.ts';
import { ToolError } from '../kit/errors.ts';
import { digest } from '../kit/json.ts';
import type { CallResult } from '../kit/result.ts';
import { startCallSpan } from '../telemetry/spans.ts';
import type { Decision } from './access.ts';
import { actuate } from './actuate.ts';
import type { Call, CallParts } from './call-state.ts';
import type { Claims } from './claims.ts';
import { failure, toFailure } from './failure.ts';
import type { CallAnswer, CallRequest } from './gateway.ts';
import { InputRefused, readInput } from './input.ts';
import { limited } from './limited.ts';
import { type Output, renderOutput } from './output.ts';
import { entryOf, outcomeOf, rowsOf, unknownEntry } from './record.ts';
import { aborted, watchCall } from './watch.ts';

/**
 * The way of a call: nine gates in one order, for every tool of every server and both protocol eras.
 * Guarantees: no handler runs before gates 1 to 6 let it; whatever happens, the answer passes gate 8 and the decision is recorded at gate 9.
 * Leaves to others: who the caller is (identity), what arrived on the wire (protocol), and what a handler computes (servers).
 */
export function createCallPath(parts: CallParts): (request: CallRequest) => Promise<CallAnswer> {
  const { access, audit, log, metrics, settings } = parts;

  return async function callTool(request) {
    // Gate 1: find. A name that does not exist and a name outside the profile answer alike.
    const catalogue = parts.catalogues.get(request.server);
    const entry = catalogue?.tools.get(request.name);
    if (!catalogue || !entry) return unknown(request, catalogue, undefined, 'unknown_tool');

    // Gate 2: access.
    const decision = access.decide(request.caller.principal, catalogue.server, entry);
    if (!decision.allowed && decision.why !== 'scope' && catalogue.server.envelope.outsideProfile === 'hide') {
      return unknown(request, catalogue, entry, decision.why);
    }

    const watch = watchCall(request.signal, deadlineOf(entry));
    const call = open(request, catalogue, entry, decision, watch.signal);
    metrics.running.inc();
    try {
      const result = await call.span
        .run(() => governed(call))
        .catch((thrown: unknown) => {
          if (thrown instanceof InputRefused) return refused(call, thrown);
          const known = toFailure(thrown, watch.reason());
          if (known.code === 'INTERNAL') log.error('a tool failed', { error: thrown, ...named(call) });
          return known;
        });
      return await finish(call, result);
    } finally {
      metrics.running.dec();
      watch.done();
    }
  };

  async function governed(call: Call): Promise<CallResult> {
    const { entry, decision, catalogue, request } = call;
    const { tool } = entry;
    if (!decision.allowed) throw forbidden(decision);
    const missing = parts.disabled(request.server, tool.name);
    if (missing) throw new ToolError('TOOL_DISABLED', { details: { missing } });

    // Gate 3: rate limit.
    const principal = request.caller.principal.id;
    const claims = tool.access.risk === 'read' ? null : claimsOf(entry);
    const allowance = claims
      ? await parts.rateLimiter.checkWrite(claims, { tool: tool.name, principal, key: keyIn(request.args) })
      : parts.rateLimiter.checkRead(principal, request.server, tool.name);
    if (allowance.kind !== 'allowed') throw limited(allowance);

    // Gate 4: input.
    const read = readInput(entry, request.args, catalogue.server.envelope, settings.redactionMs);
    call.controls = read.controls;
    call.auditable = read.auditable;
    call.argsDigest = digest(read.input);
    const context = contextFor(call);

    // Gates 5 to 7: idempotency, approval, run.
    if (claims) return actuate(parts, call, context, read.input, claims);
    // A reader that does not listen to its signal must not hold the answer back: nothing it does can have an effect.
    return Promise.race([tool.run(context, read.input), aborted(call.signal)]);
  }

  /** Gates 8 and 9: the answer, then the record. Both always happen. */
  async function finish(call: Call, given: CallResult): Promise<CallAnswer> {
    const { entry, catalogue, request } = call;
    const durationMs = performance.now() - call.startedAt;
    const facts: CallFacts = {
      announcedAs: catalogue.server.announcedAs,
      tool: entry.tool.name,
      requestId: request.caller.requestId,
      traceId: call.span.traceId,
      generatedAt: new Date().toISOString(),
      durationMs,
      mode: access.deployment,
      trust: entry.tool.access.trust,
      ...(call.idempotency ? { idempotency: call.idempotency } : {}),
      ...(call.approval ? { approval: call.approval } : {}),
    };
    const output = renderOutput(entry, given, facts, catalogue.server.envelope, settings.redactionMs);
    report(call, output);
    const { result } = output;
    const failed = result.status === 'error' || result.status === 'blocked';
    const code = result.status === 'error' || result.status === 'blocked' ? result.code : null;
    const rows = result.status === 'success' ? rowsOf(result) : null;

    const record = {
      ...entryOf(call, access.policyVersion, {
        phase: 'completed',
        status: result.status,
        errorCode: code,
        outcome: call.outcome ?? outcomeOf(result),
      }),
      rows,
      redactions: output.redactions,
      durationMs: Math.round(durationMs),
    };
    await (entry.tool.access.risk === 'read' ? audit.queue(record) : audit.write(record)).catch((error: unknown) => {
      // The effect, if any, is committed and its intent names it: reconciliation completes the record.
      metrics.auditFailed();
      log.error('an audit record could not be written', { error, ...named(call) });
    });
    metrics.call(
      { server: request.server, tool: entry.tool.name, tier: call.tier, status: result.status, code: code ?? '' },
      durationMs / 1000,
    );
    call.span.end({
      status: result.status,
      code,
      tier: call.tier,
      rows,
      truncated: output.truncated,
      redactions: output.redactions,
      failed,
    });
    return { kind: 'answer', envelope: output.envelope, text: output.text, isError: failed };
  }

  function report(call: Call, output: Output): void {
    if (output.withheld) log.error('an answer was withheld', { why: output.withheld, ...named(call) });
    if (output.redactions > 0) metrics.redacted(call.request.server, output.redactions);
    if (output.forbiddenNames.length > 0) {
      metrics.forbiddenNames(call.request.server, output.forbiddenNames.length);
      log.error('fields of the never-return list reached the serialiser', {
        names: output.forbiddenNames,
        ...named(call),
      });
    }
  }

  async function unknown(
    request: CallRequest,
    catalogue: Catalogue | undefined,
    entry: CompiledTool | undefined,
    why: string,
  ): Promise<CallAnswer> {
    metrics.call(
      {
        server: catalogue ? request.server : '_unknown',
        tool: entry?.tool.name ?? '_unknown',
        tier: entry?.tool.access.risk ?? '_unknown',
        status: 'denied',
        code: 'UNKNOWN_TOOL',
      },
      0,
    );
    await audit
      .queue(unknownEntry(request, access.policyVersion, { catalogue, entry, why }))
      .catch(() => metrics.auditFailed());
    return { kind: 'unknown-tool' };
  }

  function open(
    request: CallRequest,
    catalogue: Catalogue,
    entry: CompiledTool,
    decision: Decision,
    signal: AbortSignal,
  ): Call {
    const id = randomUUID();
    const { caller } = request;
    return {
      id,
      request,
      catalogue,
      entry,
      decision,
      startedAt: performance.now(),
      signal,
      span: startCallSpan({
        server: request.server,
        tool: entry.tool.name,
        callId: id,
        jsonRpcId: caller.jsonRpcId,
        protocolVersion: caller.protocolVersion,
        clientAddress: caller.clientAddress,
        ...(caller.traceparent ? { traceparent: caller.traceparent } : {}),
      }),
      tier: entry.tool.access.risk,
      tierReason: null,
      argsDigest: null,
      auditable: null,
      controls: null,
      idempotency: undefined,
      approval: undefined,
      outcome: null,
    };
  }

  function contextFor(call: Call): ToolContext {
    const { entry, request, id, signal } = call;
    return {
      server: request.server,
      tool: entry.tool.name,
      callId: id,
      principal: request.caller.principal,
      signal,
      deadline: call.startedAt + deadlineOf(entry),
      // The needs of the tool decide what is built; the erased type of Tool cannot say so.
      use: parts.resources(entry.tool.needs, { signal, callId: id }) as never,
      approval: null,
      reason: call.controls?.reason ?? null,
      tier: call.tier,
      keyed: call.controls?.idempotencyKey != null,
      drift: parts.drift(request.server, entry.tool.name),
      progress: request.progress ?? (() => {}),
      log: (message, fields) => log.info(message, { ...named(call), ...fields }),
      effect: () => Promise.reject(new Error('context.effect is for actuators, while they run')),
    };
  }

  function claimsOf(entry: CompiledTool): Claims {
    const db = entry.tool.writes[0]?.db;
    const claims = db ? parts.claims.get(db) : undefined;
    if (!claims) throw new ToolError('DEPENDENCY_UNAVAILABLE');
    return claims;
  }

  function deadlineOf({ tool }: CompiledTool): number {
    if (tool.deadlineMs !== undefined) return tool.deadlineMs;
    if (tool.access.risk !== 'read') return settings.actuatorDeadlineMs;
    return tool.access.category === 'CALCULATION' ? settings.calculationDeadlineMs : settings.readDeadlineMs;
  }

  function forbidden(decision: Decision & { allowed: false }): ToolError {
    if (decision.why === 'deployment-profile') {
      return new ToolError('FORBIDDEN', {
        message: `The deployment profile ${access.deployment} does not allow this tool.`,
        remediation: 'Use a tool of the active profile, or ask an administrator to change the profile.',
      });
    }
    return new ToolError('FORBIDDEN', {
      message:
        decision.why === 'scope'
          ? `The token lacks the scope ${decision.scopes.join(' ')}.`
          : 'This tool is not in your profile.',
    });
  }
}

const named = (call: Call) => ({ server: call.request.server, tool: call.entry.tool.name, callId: call.id });

function refused(call: Call, thrown: InputRefused): CallResult & { code: string } {
  const format = call.catalogue.server.envelope;
  const { message, details } = format.refusal(thrown.issues);
  return failure(format.refusalCode, message, details);
}

/** The idempotency key before the arguments are read: a call that only asks for its stored answer is not limited. */
function keyIn(args: unknown): string | null {
  if (args === null || typeof args !== 'object' || !('idempotency_key' in args)) return null;
  return typeof args.idempotency_key === 'string' ? args.idempotency_key : null;
}
