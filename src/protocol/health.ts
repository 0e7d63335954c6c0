import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../governance/gateway.ts';

/** What `/metrics` needs of a metrics registry (prom-client's has this form). */
export interface MetricsSource {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/**
 * `/livez` answers as long as the process can answer, `/readyz` says whether a call would be served, `/metrics` gives the counters.
 * They carry no identity and tell nothing about callers. The gateway stops being ready before it stops serving, so that a balancer can take it out.
 */
export function mountHealth(
  app: FastifyInstance,
  parts: { readonly gateway: Gateway; readonly metrics: MetricsSource; readonly draining: () => boolean },
): void {
  app.get('/livez', async (_request, reply) => reply.type('application/json').send('{"status":"ok"}'));
  app.get('/readyz', async (_request, reply) => {
    const state = parts.draining() ? { ok: false, reasons: ['stopping'] } : await parts.gateway.ready();
    return reply
      .code(state.ok ? 200 : 503)
      .type('application/json')
      .send(JSON.stringify({ status: state.ok ? 'ready' : 'not ready', reasons: state.reasons }));
  });
  app.get('/metrics', async (_request, reply) =>
    reply.header('content-type', parts.metrics.contentType).send(await parts.metrics.metrics()),
  );
}
