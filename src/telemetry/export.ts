import { NodeSDK } from '@opentelemetry/sdk-node';

/**
 * Sends spans to an OTLP endpoint. Without an endpoint nothing is started and a span costs next to nothing.
 * Instrumentations are off: the spans are ours, so that no library attribute can carry an argument out.
 */
export async function startTraceExport(endpoint: string | null): Promise<{ stop(): Promise<void> }> {
  if (!endpoint) return { stop: async () => {} };
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = endpoint;
  process.env['OTEL_TRACES_EXPORTER'] ??= 'otlp';
  process.env['OTEL_METRICS_EXPORTER'] ??= 'none';
  process.env['OTEL_LOGS_EXPORTER'] ??= 'none';
  const sdk = new NodeSDK({ serviceName: 'penstock', instrumentations: [] });
  sdk.start();
  return { stop: () => sdk.shutdown().catch(() => {}) };
}
