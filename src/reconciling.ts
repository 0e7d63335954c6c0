import type { AuditLog } from './governance/audit/log.ts';
import type { Claims } from './governance/claims.ts';
import { reconcile } from './governance/reconcile.ts';
import type { Catalogue } from './kit/catalogue.ts';
import type { Connections, WritableDatabase } from './storage/connections.ts';
import type { Pool } from './storage/pool.ts';
import type { Log } from './telemetry/log.ts';

export interface ReconcilingOptions {
  readonly connections: Connections;
  readonly gatewayPool: Pool;
  readonly audit: AuditLog;
  readonly claims: ReadonlyMap<string, Claims>;
  readonly catalogues: ReadonlyMap<string, Catalogue>;
  readonly log: Log;
  readonly limits: { readonly actuatorDeadlineMs: number };
}

const EVERY_MS = 60_000;
/** Added to the longest deadline before a call counts as ended without a word. */
const MARGIN_S = 15;

/** Looks for writes that ended without a record, at start and each minute, and removes intents whose keys have expired. */
export function startReconciling(options: ReconcilingOptions): { stop(): Promise<void> } {
  const { connections, gatewayPool, audit, claims, catalogues, log } = options;
  const stopping = new AbortController();
  const longest = Math.max(
    options.limits.actuatorDeadlineMs,
    ...[...catalogues.values()].flatMap((catalogue) =>
      [...catalogue.tools.values()]
        .filter(({ tool }) => tool.access.risk !== 'read')
        .map(({ tool }) => tool.deadlineMs ?? 0),
    ),
  );

  async function once(): Promise<void> {
    try {
      const found = await reconcile({
        stores: [...claims.keys()].map((database) => ({
          database,
          pool: connections.ownTables(database as WritableDatabase),
        })),
        gateway: gatewayPool,
        audit,
        staleS: Math.ceil(longest / 1_000) + MARGIN_S,
        keepsIntent: (server, tool) => catalogues.get(server)?.tools.get(tool)?.tool.access.risk !== 'read',
        signal: stopping.signal,
      });
      const total = found.failed + found.done + found.orphaned;
      if (total > 0)
        log.warn('writes that ended without a record were reconciled', {
          failed: found.failed,
          done: found.done,
          orphaned: found.orphaned,
        });
      for (const each of claims.values()) await each.removeExpired();
    } catch (error) {
      if (!stopping.signal.aborted) log.error('reconciliation failed; it runs again in a minute', { error });
    }
  }

  let running = once();
  const timer = setInterval(() => {
    running = running.then(once);
  }, EVERY_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
