import {
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';

/**
 * One span a tool call, named and attributed by the OpenTelemetry conventions for MCP. No argument value ever becomes an attribute.
 * A caller's trace context is used for correlation only: it never decides whether a span is sampled, and malformed context is ignored.
 */
export interface CallSpan {
  /** The W3C trace id, or null while no exporter is configured. */
  readonly traceId: string | null;
  run<T>(work: () => Promise<T>): Promise<T>;
  end(facts: {
    status: string;
    code: string | null;
    tier: string;
    rows: number | null;
    truncated: boolean;
    redactions: number;
    failed: boolean;
  }): void;
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

export function parentContext(traceparent: string | undefined): Context {
  const match = traceparent === undefined ? null : TRACEPARENT.exec(traceparent);
  if (!match || /^0+$/.test(match[1]!) || /^0+$/.test(match[2]!)) return ROOT_CONTEXT;
  // Marked as sampled whatever the caller said: its flag is not an order, our own sampler decides.
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: match[1]!,
    spanId: match[2]!,
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  });
}

export function startCallSpan(about: {
  server: string;
  tool: string;
  callId: string;
  jsonRpcId: string;
  protocolVersion: string;
  clientAddress: string;
  traceparent?: string;
}): CallSpan {
  const parent = parentContext(about.traceparent);
  const span: Span = trace.getTracer('penstock').startSpan(
    `tools/call ${about.tool}`,
    {
      kind: SpanKind.SERVER,
      attributes: {
        'mcp.method.name': 'tools/call',
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': about.tool,
        'jsonrpc.request.id': about.jsonRpcId.slice(0, 64),
        'mcp.protocol.version': about.protocolVersion,
        'network.transport': 'tcp',
        'network.protocol.name': 'http',
        'client.address': about.clientAddress,
        'penstock.server': about.server,
        'penstock.call.id': about.callId,
      },
    },
    parent,
  );
  const traceId = span.spanContext().traceId;
  const known = span.isRecording() && !/^0+$/.test(traceId);
  const active = trace.setSpan(parent, span);
  return {
    traceId: known ? traceId : null,
    run: (work) => (known ? context.with(active, work) : work()),
    end(facts) {
      if (known) {
        span.setAttributes({
          'penstock.tier': facts.tier,
          'penstock.status': facts.status,
          'penstock.redactions': facts.redactions,
          'penstock.truncated': facts.truncated,
          ...(facts.code ? { 'penstock.code': facts.code } : {}),
          ...(facts.rows === null ? {} : { 'penstock.rows': facts.rows }),
        });
        if (facts.failed) {
          span.setAttribute('error.type', 'tool_error');
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
      }
      span.end();
    },
  };
}
