import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { defineTool, fields, type JsonObject, success } from '../../../kit/index.ts';
import { OUTBOX_WRITES } from '../../../messaging/outbox.ts';
import { T2 } from '../access.ts';
import { sameCommand, terminalState, transactionsLastMinute } from '../commands.repository.ts';
import { COMMAND_TYPES, checkCommand } from '../commands.ts';
import { lockTerminal, suppressedDuplicate } from '../config-push.ts';
import { conflict, decommissioned, unknownTerminal } from '../refusals.ts';
import { maybeInstant, serial } from '../shapes.ts';
import { SALES, TERMINAL_COMMAND, TERMINAL_PUSH } from '../tables.ts';
import { BROKER_WAIT_MS } from './trigger-config-push.ts';

const TTL_MS = 10 * 60_000;

export const sendMqttCommand = defineTool({
  name: 'send_mqtt_command',
  title: 'Send device command',
  description:
    'Sends one command to one terminal, once a person has approved it. Commands and their params: reboot {delay_s: 0..300}; sync_time, report_status, report_versions, network_diagnostics, sync_parameters {}; clear_cache {scope: "logs"|"temp"}; display_message {text: 1..64 characters, seconds: 5..120}; set_heartbeat_interval {seconds: 30..3600}. It expires after 10 minutes. The same command within 5 minutes is answered instead of sent again.',
  access: T2,
  input: z.strictObject({
    serial_number: fields.serialNumber,
    // Checked by hand, so that a forbidden command is told apart from an unknown one; the schema that clients see lists the types.
    command_type: fields.text(64).meta({ enum: COMMAND_TYPES }),
    params: z.record(z.string(), z.json()).describe('Parameters of the command; {} where it has none.'),
  }),
  output: z.object({
    command_id: fields.uuid,
    serial_number: serial,
    command_type: z.string(),
    topic: fields.identifier,
    state: z.enum(['published', 'queued']),
    terminal_status: z.string(),
    expires_at: maybeInstant,
    duplicate: z.boolean(),
  }),
  reads: [TERMINAL_COMMAND, TERMINAL_PUSH, SALES],
  writes: [...OUTBOX_WRITES],
  needs: ['product', 'outbox', 'tmsSettings'],
  target: (input) => input.serial_number,
  async check(context, input) {
    checkCommand(input.command_type, input.params as JsonObject, context.use.tmsSettings.commandTypes);
    const terminal = await context.use.product.read((db) => terminalState(db, input.serial_number));
    if (!terminal) throw unknownTerminal(input.serial_number);
    if (terminal.status === 'decommissioned') throw decommissioned(input.serial_number);
  },
  approval: {
    summary: (input) =>
      `Send the command ${input.command_type} ${JSON.stringify(input.params)} to terminal ${input.serial_number}.`,
    binding: ['terminal_status'],
    async preconditions(context, input) {
      const { terminal, sales } = await context.use.product.read(async (db) => ({
        terminal: await terminalState(db, input.serial_number),
        sales: await transactionsLastMinute(db, context.drift, input.serial_number),
      }));
      const facts: JsonObject = {
        terminal_status: terminal?.status ?? null,
        last_seen_at: terminal?.lastSeenAt ?? null,
        transactions_last_60s: sales,
      };
      if (input.command_type === 'reboot' && sales !== 0) {
        facts['caution'] =
          sales === null
            ? 'Whether the terminal is taking transactions is not known; a reboot interrupts them.'
            : `The terminal took ${sales} transactions in the last 60 seconds; a reboot interrupts them.`;
      }
      return facts;
    },
  },
  async run(context, input) {
    const { outbox, tmsSettings } = context.use;
    const params = checkCommand(input.command_type, input.params as JsonObject, tmsSettings.commandTypes);
    await outbox.refuseWhenOverloaded(context.signal);
    let asOf: string | null = null;
    const data = await context.effect(async (tx) => {
      const terminal = await lockTerminal(tx, input.serial_number);
      asOf = terminal.asOf;
      const about = {
        serial_number: input.serial_number,
        command_type: input.command_type,
        terminal_status: terminal.status,
      };
      const earlier = await sameCommand(tx, input.serial_number, input.command_type, params);
      if (earlier?.inFlight && context.keyed) {
        throw conflict('in_flight', 'The same command to this terminal is in flight.', {
          in_flight: { command_id: earlier.commandId, state: earlier.state, expires_at: earlier.expiresAt },
        });
      }
      if (earlier?.withinWindow && !context.keyed) {
        const out = ['published', 'acked', 'nacked'].includes(earlier.state);
        return {
          ...about,
          command_id: earlier.commandId,
          topic: earlier.topic,
          state: out ? ('published' as const) : ('queued' as const),
          expires_at: earlier.expiresAt,
          duplicate: true,
        };
      }
      const commandId = randomUUID();
      const expiresAt = new Date(Date.now() + TTL_MS);
      const { topic } = await outbox.enqueue(tx, {
        commandId,
        serialNumber: input.serial_number,
        commandType: input.command_type,
        params,
        expiresAt,
        ref: null,
      });
      return {
        ...about,
        command_id: commandId,
        topic,
        state: 'queued' as const,
        expires_at: expiresAt.toISOString(),
        duplicate: false,
      };
    });
    const provenance = { as_of: asOf, sources: [{ system: 'mqtt' as const, object: input.command_type, rows: 1 }] };
    if (data.duplicate) {
      const warnings = [suppressedDuplicate('The same command was sent to this terminal in the last 5 minutes.')];
      return success(data, { suppressed: true, warnings, provenance });
    }
    const { delivery, warnings } = await outbox.waitPublished(data.command_id, BROKER_WAIT_MS, context.signal);
    return success({ ...data, state: delivery }, { warnings, provenance });
  },
});
