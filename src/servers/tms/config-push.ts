import { randomUUID } from 'node:crypto';
import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import type { EffectTransaction, JsonObject, Warning } from '../../kit/index.ts';
import type { Outbox } from '../../messaging/outbox.ts';
import type { Effect } from '../../storage/connections.ts';
import { mqttOutbox, type OutboxState } from '../../storage/schema/outbox.ts';
import {
  configArtifacts,
  pushDetails,
  parameterPushLogs as pushes,
  tmsTerminals as terminals,
} from '../../storage/schema/product.ts';
import { utcNow } from '../../storage/writer.ts';
import type { ArtifactStore } from './artifacts/store.ts';
import { payloadFor } from './push-payload.ts';
import { conflict, decommissioned, unknownTerminal } from './refusals.ts';
import { type ConfigType, OPEN_PUSH_STATUSES, type PushResult } from './shapes.ts';

/**
 * One configuration push, from the terminal's lock to the outbox row, inside the effect's transaction.
 * Guarantees: of any number of concurrent pushes of one type to one terminal one makes a row and a message; a push that is in flight is never
 * overtaken; the command goes out if and only if the rows are committed. Leaves to others: publishing, and what the terminal answers (messaging).
 */
export const PUSH_TTL_MS = 24 * 3_600_000;
const DUPLICATE_WINDOW_S = 600;

export interface PushRequest {
  readonly serialNumber: string;
  readonly configType: ConfigType;
  readonly requestedBy: string;
  /** An explicit idempotency key sets the duplicate window aside. */
  readonly keyed: boolean;
}

export interface PushParts {
  readonly artifacts: ArtifactStore;
  readonly outbox: Outbox;
}

export interface PushTarget {
  readonly asOf: string;
  readonly serialNumber: string;
  readonly vendor: string | null;
  readonly model: string | null;
  readonly group: string | null;
  readonly status: string;
}

/** Locks the terminal against other actuators and reads it. Throws NOT_FOUND, or CONFLICT for a decommissioned one. */
export async function lockTerminal(tx: Effect, serialNumber: string): Promise<PushTarget> {
  await tx.serialise(`tms:${serialNumber}`);
  const [terminal] = await tx
    .select({
      asOf: sql<string>`now()`,
      serialNumber: terminals.serialNumber,
      vendor: terminals.vendor,
      model: terminals.model,
      group: terminals.groupName,
      status: terminals.status,
    })
    .from(terminals)
    .where(eq(terminals.serialNumber, serialNumber));
  if (!terminal) throw unknownTerminal(serialNumber);
  if (terminal.status === 'decommissioned') throw decommissioned(serialNumber);
  return terminal;
}

/** The push under the lock that `lockTerminal` took. */
export async function pushConfig(
  tx: EffectTransaction,
  parts: PushParts,
  terminal: PushTarget,
  request: PushRequest,
): Promise<PushResult> {
  const earlier = await earlierPushes(tx, request);
  const decision = against(earlier, request.keyed);
  if (decision.kind === 'duplicate') return asResult(decision.push, request, terminal.status);
  const payload = await payloadFor(tx, parts.artifacts, terminal, request);
  await supersede(tx, request);

  const commandId = randomUUID();
  const expiresAt = new Date(Date.now() + PUSH_TTL_MS);
  const [row] = await tx.insert(
    pushes,
    {
      serialNumber: request.serialNumber,
      templateId: payload.templateId,
      configType: request.configType,
      version: payload.version,
      status: 'queued',
      triggerSource: 'mcp',
      requestedBy: request.requestedBy,
      artifactId: payload.artifactId,
      commandId,
      requestedAt: utcNow,
      insertedAt: utcNow,
      updatedAt: utcNow,
    },
    { returning: { id: pushes.id } },
  );
  if (!row) throw new TypeError('an insert without a row');
  await tx.insert(pushDetails, {
    pushLogId: row.id,
    seq: 1,
    event: 'queued',
    message: null,
    eventAt: utcNow,
    insertedAt: utcNow,
    updatedAt: utcNow,
  });
  await parts.outbox.enqueue(tx, {
    commandId,
    serialNumber: request.serialNumber,
    commandType: payload.commandType,
    params: payload.params(commandId),
    expiresAt,
    ref: { table: 'parameter_push_logs', id: row.id },
  });
  return {
    push_log_id: row.id,
    command_id: commandId,
    serial_number: request.serialNumber,
    config_type: request.configType,
    version: payload.version,
    artifact_sha256: payload.sha256,
    status: 'queued',
    delivery: 'queued',
    terminal_status: terminal.status,
    expires_at: expiresAt.toISOString(),
    duplicate: false,
  };
}

export const suppressedDuplicate = (what: string): Warning => ({
  code: 'SUPPRESSED_DUPLICATE',
  severity: 'INFO',
  message: `${what} Nothing new was sent. Use an idempotency_key to act again within the window.`,
});

interface EarlierPush {
  readonly id: number;
  readonly status: string;
  readonly triggerSource: string;
  readonly version: string | null;
  readonly commandId: string | null;
  readonly requestedAt: string;
  readonly ageSeconds: number;
  readonly sha256: string | null;
  readonly outboxState: OutboxState | null;
  readonly outboxExpiresAt: string | null;
}

/** Pushes of the same type that are not final or that this tool made within the window, newest first. */
async function earlierPushes(tx: Effect, request: PushRequest): Promise<EarlierPush[]> {
  const age = sql<number>`extract(epoch from timezone('utc', now()) - ${pushes.requestedAt})::float8`;
  return tx
    .select({
      id: pushes.id,
      status: pushes.status,
      triggerSource: pushes.triggerSource,
      version: pushes.version,
      commandId: pushes.commandId,
      requestedAt: pushes.requestedAt,
      ageSeconds: age,
      sha256: configArtifacts.sha256,
      outboxState: mqttOutbox.state,
      outboxExpiresAt: mqttOutbox.expiresAt,
    })
    .from(pushes)
    .leftJoin(configArtifacts, eq(configArtifacts.id, pushes.artifactId))
    .leftJoin(mqttOutbox, eq(mqttOutbox.commandId, pushes.commandId))
    .where(
      and(
        eq(pushes.serialNumber, request.serialNumber),
        eq(pushes.configType, request.configType),
        sql`(${inArray(pushes.status, [...OPEN_PUSH_STATUSES])} or (${pushes.triggerSource} = 'mcp' and ${pushes.requestedAt} > timezone('utc', now()) - interval '10 minutes'))`,
      ),
    )
    .orderBy(desc(pushes.requestedAt), desc(pushes.id))
    .limit(100);
}

/**
 * What earlier pushes mean for this one. In flight = not final, and its command can still reach the terminal (24 h). Not final and older than that
 * is a push whose outcome was never reported: it is superseded, except one that the terminal had begun to install.
 */
function against(
  earlier: readonly EarlierPush[],
  keyed: boolean,
): { kind: 'push' } | { kind: 'duplicate'; push: EarlierPush } {
  const open = earlier.filter((push) => OPEN_PUSH_STATUSES.some((status) => status === push.status));
  const inFlight = open.find((push) => push.ageSeconds * 1000 < PUSH_TTL_MS);
  const reference = (push: EarlierPush): JsonObject => ({
    push_log_id: push.id,
    status: push.status,
    requested_at: push.requestedAt,
  });
  if (inFlight && keyed) {
    throw conflict('in_flight', 'A push of this type to this terminal is in flight.', {
      in_flight: reference(inFlight),
    });
  }
  if (inFlight) return { kind: 'duplicate', push: inFlight };
  const recent = earlier.find((push) => push.triggerSource === 'mcp' && push.ageSeconds < DUPLICATE_WINDOW_S);
  if (recent && !keyed) return { kind: 'duplicate', push: recent };
  const installing = open.find((push) => push.status === 'in_progress');
  if (installing) {
    throw conflict('in_progress', 'The terminal has begun an earlier push of this type and has not reported its end.', {
      in_flight: reference(installing),
    });
  }
  return { kind: 'push' };
}

function asResult(push: EarlierPush, request: PushRequest, terminalStatus: string): PushResult {
  const delivered =
    push.outboxState === null ? push.status !== 'queued' : ['published', 'acked', 'nacked'].includes(push.outboxState);
  return {
    push_log_id: push.id,
    command_id: push.commandId,
    serial_number: request.serialNumber,
    config_type: request.configType,
    version: push.version,
    artifact_sha256: push.sha256,
    status: push.status as PushResult['status'],
    delivery: delivered ? 'published' : 'queued',
    terminal_status: terminalStatus,
    expires_at: push.outboxExpiresAt ?? new Date(Date.parse(push.requestedAt) + PUSH_TTL_MS).toISOString(),
    duplicate: true,
  };
}

async function supersede(tx: Effect, request: PushRequest): Promise<void> {
  await tx.update(pushes, {
    set: { status: 'superseded', completedAt: utcNow, updatedAt: utcNow },
    where: sql`${pushes.serialNumber} = ${request.serialNumber} and ${pushes.configType} = ${request.configType} and ${pushes.status} in ('queued', 'sent', 'accepted')`,
    returning: { id: pushes.id },
  });
}
