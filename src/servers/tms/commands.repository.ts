import { and, desc, eq, gt, notInArray, sql } from 'drizzle-orm';
import type { JsonObject } from '../../kit/index.ts';
import type { Effect, ReadHandle } from '../../storage/connections.ts';
import { mqttOutbox } from '../../storage/schema/outbox.ts';
import { tmsTerminals as terminals } from '../../storage/schema/product.ts';
import { posTransaction } from '../../storage/schema/switch.ts';

/** Queries about device commands. */

export async function terminalState(db: Pick<ReadHandle, 'select'>, serial: string) {
  const [row] = await db
    .select({ status: terminals.status, lastSeenAt: terminals.lastSeenAt })
    .from(terminals)
    .where(eq(terminals.serialNumber, serial));
  return row ?? null;
}

/** Transactions of a terminal in the last minute; null where the switch's table does not tell serials. Index (serial_number, transaction_time). */
export async function transactionsLastMinute(
  db: ReadHandle,
  drift: ReadonlySet<string>,
  serial: string,
): Promise<number | null> {
  if (drift.has('product.pos_transaction.serial_number')) return null;
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(posTransaction)
    .where(
      and(
        eq(posTransaction.serialNumber, serial),
        sql`${posTransaction.transactionTime} > timezone('utc', now()) - interval '60 seconds'`,
      ),
    );
  return row?.count ?? 0;
}

export interface EarlierCommand {
  readonly commandId: string;
  readonly topic: string;
  readonly state: string;
  readonly expiresAt: string;
  /** It has no answer yet and can still reach the terminal. */
  readonly inFlight: boolean;
  readonly withinWindow: boolean;
}

/** The newest command with the same type and parameters to the same terminal that was not given up. Index (serial_number, id). */
export async function sameCommand(
  tx: Effect,
  serial: string,
  type: string,
  params: JsonObject,
): Promise<EarlierCommand | null> {
  const [row] = await tx
    .select({
      commandId: mqttOutbox.commandId,
      topic: mqttOutbox.topic,
      state: mqttOutbox.state,
      expiresAt: mqttOutbox.expiresAt,
      inFlight: sql<boolean>`${mqttOutbox.state} in ('pending', 'publishing', 'published')`,
      withinWindow: sql<boolean>`${mqttOutbox.createdAt} > now() - interval '5 minutes'`,
    })
    .from(mqttOutbox)
    .where(
      and(
        eq(mqttOutbox.serialNumber, serial),
        eq(mqttOutbox.commandType, type),
        sql`${mqttOutbox.payload} -> 'params' = ${JSON.stringify(params)}::jsonb`,
        gt(mqttOutbox.expiresAt, sql`now()`),
        notInArray(mqttOutbox.state, ['cancelled', 'expired', 'dead']),
      ),
    )
    .orderBy(desc(mqttOutbox.id))
    .limit(1);
  return row ?? null;
}
