import { sql } from 'drizzle-orm';
import { z } from 'zod';
import {
  ApprovalOutdated,
  defineServer,
  defineTool,
  type JsonObject,
  mark,
  paymentsEnvelope,
  type RiskTier,
  type Server,
  success,
  ToolError,
  type WriteTarget,
} from '../../src/kit/index.ts';
import { parameterPushLogs } from '../../src/storage/schema/product.ts';
import { utcNow } from '../../src/storage/writer.ts';

/** A server whose tools do one plain thing each over the product database, so that what the gates do shows. */
const READ = { category: 'ADVISORY', trust: null, risk: 'read', readOnly: true, destructive: false } as const;
const act = (risk: RiskTier) =>
  ({ category: 'EXECUTION', trust: null, risk, readOnly: false, destructive: risk !== 'T1' }) as const;
const WRITES: readonly WriteTarget[] = [
  {
    db: 'product',
    table: 'parameter_push_logs',
    columns: [
      'serial_number',
      'config_type',
      'status',
      'trigger_source',
      'requested_by',
      'requested_at',
      'inserted_at',
      'updated_at',
    ],
    operation: 'insert',
  },
];

/** What the tests turn while calls run. */
export interface DeskState {
  tier: RiskTier;
  condition: string;
  /** Makes a note's effect find, under its lock, that the world has changed. */
  outdated: JsonObject | null;
  fault: Error | null;
  /** Runs inside the transaction of a note's effect. */
  inside: (() => Promise<void>) | null;
}

export function deskServer(): { server: Server; state: DeskState } {
  const state: DeskState = { tier: 'T2', condition: 'calm', outdated: null, fault: null, inside: null };

  const note = (name: string, risk: 'T1' | 'T2' | 'T3', rises = false) =>
    defineTool({
      name,
      title: name,
      description: 'Leaves a note for a terminal.',
      access: act(risk),
      input: z.strictObject({ serial: mark(z.string().max(64), 'auditable'), text: z.string().max(256).default('') }),
      output: z.object({ serial: z.string(), notes: z.int(), text: z.string() }),
      reads: [],
      writes: WRITES,
      needs: ['product'],
      target: (input) => input.serial,
      ...(rises ? { tier: async () => ({ tier: state.tier, reason: 'as the test says' }) } : {}),
      approval: {
        summary: (input) => `Leave a note for ${input.serial}`,
        preconditions: async () => ({ condition: state.condition }),
      },
      check: async (_context, input) => {
        if (input.serial === 'nobody') throw new ToolError('NOT_FOUND', { details: { serial: input.serial } });
      },
      async run(context, { serial, text }) {
        if (state.fault) throw state.fault;
        const data = await context.effect(async (tx) => {
          await tx.serialise(`desk:${serial}`);
          if (state.outdated) throw new ApprovalOutdated(state.outdated);
          await tx.insert(parameterPushLogs, {
            serialNumber: serial,
            configType: 'parameter',
            status: 'queued',
            triggerSource: 'mcp',
            requestedBy: context.principal.id,
            requestedAt: utcNow,
            insertedAt: utcNow,
            updatedAt: utcNow,
          } as never);
          await state.inside?.();
          const [row] = await tx
            .select({ notes: sql<number>`count(*)::int` })
            .from(parameterPushLogs)
            .where(sql`serial_number = ${serial}`);
          return { serial, notes: row!.notes, text };
        });
        return success(data);
      },
    });

  const reader = (name: string, run: (input: { text: string }, signal: AbortSignal) => Promise<unknown>) =>
    defineTool({
      name,
      title: name,
      description: 'Answers with what the test wants.',
      access: READ,
      input: z.strictObject({ text: z.string().max(2000).default('') }),
      output: z.object({ text: z.string() }),
      reads: [],
      writes: [],
      needs: [],
      deadlineMs: 400,
      run: async (context, input) => success((await run(input, context.signal)) as { text: string }),
    });

  const server = defineServer({
    name: 'desk',
    announcedAs: 'desk-mcp',
    title: 'Desk',
    version: '1.0.0',
    instructions: 'For tests.',
    envelope: paymentsEnvelope,
    tools: [
      note('leave_note', 'T1'),
      note('leave_checked_note', 'T2', true),
      note('leave_grave_note', 'T3'),
      defineTool({
        name: 'count_notes',
        title: 'Count notes',
        description: 'How many notes a terminal has.',
        access: READ,
        input: z.strictObject({ serial: z.string().max(64) }),
        output: z.object({ notes: z.int() }),
        reads: [],
        writes: [],
        needs: ['product'],
        async run(context, { serial }) {
          const rows = await context.use.product.read((db) =>
            db.execute<{ notes: number }>(
              sql`select count(*)::int as notes from parameter_push_logs where serial_number = ${serial}`,
            ),
          );
          return success(
            { notes: rows[0]!.notes },
            { provenance: { sources: [{ system: 'product', object: 'parameter_push_logs', rows: rows[0]!.notes }] } },
          );
        },
      }),
      defineTool({
        name: 'try_to_write',
        title: 'Try to write',
        description: 'A reader that tries to change something.',
        access: READ,
        input: z.strictObject({}),
        output: z.object({}),
        reads: [],
        writes: [],
        needs: ['product'],
        async run(context) {
          await context.use.product.read((db) => db.execute(sql`delete from parameter_push_logs`));
          return success({});
        },
      }),
      reader('say', async ({ text }) => ({ text })),
      reader('break', async () => {
        throw new Error('select * from secrets failed at /srv/app on db7.internal');
      }),
      reader('lie', async () => ({ wrong: 1 })),
      reader('hang', () => new Promise(() => {})),
    ],
    resources: [],
    prompts: [],
  });
  return { server, state };
}
