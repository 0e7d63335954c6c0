import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/**
 * What /metrics shows. Label values come from the catalogue and closed lists only: a name that a caller made up becomes `_unknown`,
 * so no caller can grow the number of series.
 */
export interface Metrics {
  readonly registry: Registry;
  call(labels: { server: string; tool: string; tier: string; status: string; code: string }, seconds: number): void;
  refused(stage: string): void;
  redacted(server: string, count: number): void;
  forbiddenNames(server: string, count: number): void;
  auditFailed(): void;
  readonly running: Gauge;
}

/** Bucket bounds of the OpenTelemetry convention for `mcp.server.operation.duration`, in seconds. */
const BUCKETS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'mcp_server_operation_duration_seconds',
    help: 'Duration of tool calls.',
    labelNames: ['server', 'tool', 'tier', 'status', 'code'],
    buckets: BUCKETS,
    registers: [registry],
  });
  const refusals = new Counter({
    name: 'penstock_refusals_total',
    help: 'Requests refused before the gates.',
    labelNames: ['stage'],
    registers: [registry],
  });
  const redactions = new Counter({
    name: 'penstock_redactions_total',
    help: 'Values masked or removed from answers.',
    labelNames: ['server'],
    registers: [registry],
  });
  const forbidden = new Counter({
    name: 'penstock_forbidden_names_total',
    help: 'Fields of the never-return list that reached the serialiser: each is a defect.',
    labelNames: ['server'],
    registers: [registry],
  });
  const auditFailures = new Counter({
    name: 'penstock_audit_failures_total',
    help: 'Audit records that could not be written in time.',
    registers: [registry],
  });
  const running = new Gauge({
    name: 'penstock_calls_running',
    help: 'Tool calls being served.',
    registers: [registry],
  });
  return {
    registry,
    running,
    call: (labels, seconds) => duration.observe(labels, seconds),
    refused: (stage) => refusals.inc({ stage }),
    redacted: (server, count) => redactions.inc({ server }, count),
    forbiddenNames: (server, count) => forbidden.inc({ server }, count),
    auditFailed: () => auditFailures.inc(),
  };
}
