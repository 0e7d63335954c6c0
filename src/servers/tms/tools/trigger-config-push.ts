import { z } from 'zod';
import { defineTool, fields, success, ToolError } from '../../../kit/index.ts';
import { OUTBOX_WRITES } from '../../../messaging/outbox.ts';
import { T1 } from '../access.ts';
import { actorName } from '../actor.ts';
import { lockTerminal, pushConfig, suppressedDuplicate } from '../config-push.ts';
import { CONFIG_TYPES, pushResult } from '../shapes.ts';
import {
  ARTIFACTS,
  DEPLOYMENTS,
  PACKAGES,
  PUSH_ACTION,
  TEMPLATES,
  TERMINAL_PARAMETERS,
  TERMINAL_PUSH,
  WRITE_ARTIFACT,
  WRITE_PUSH,
} from '../tables.ts';

/** How long an answer waits for the broker. */
export const BROKER_WAIT_MS = 2000;

export const triggerConfigPush = defineTool({
  name: 'trigger_config_push',
  title: 'Trigger configuration push',
  description:
    'Sends a terminal its current configuration of one type, building the file first when its source changed. An offline terminal is not an error: the command waits up to 24 h. A push in flight, or one by this tool in the last 10 minutes, is answered instead of sending again. application pushes the last deployed package; keys_config only asks the terminal to run its own check.',
  access: T1,
  input: z.strictObject({ serial_number: fields.serialNumber, config_type: z.enum(CONFIG_TYPES) }),
  output: pushResult,
  reads: [TERMINAL_PUSH, PUSH_ACTION, TEMPLATES, TERMINAL_PARAMETERS, ARTIFACTS, DEPLOYMENTS, PACKAGES],
  writes: [...WRITE_PUSH, WRITE_ARTIFACT, ...OUTBOX_WRITES],
  needs: ['artifacts', 'outbox', 'tmsSettings'],
  target: (input) => input.serial_number,
  async check(context, { config_type }) {
    if (config_type === 'keys_config' && context.use.tmsSettings.keysConfigTrigger === 'blocked') {
      throw new ToolError('T4_FORBIDDEN', { message: 'Key checks are not triggered from here.' });
    }
  },
  async run(context, { serial_number, config_type }) {
    const { artifacts, outbox } = context.use;
    await outbox.refuseWhenOverloaded(context.signal);
    let asOf: string | null = null;
    const data = await context.effect(async (tx) => {
      const terminal = await lockTerminal(tx, serial_number);
      asOf = terminal.asOf;
      return pushConfig(tx, { artifacts, outbox }, terminal, {
        serialNumber: serial_number,
        configType: config_type,
        requestedBy: actorName(context.principal),
        keyed: context.keyed,
      });
    });
    const provenance = {
      as_of: asOf,
      sources: [{ system: 'product' as const, object: 'parameter_push_logs', rows: 1 }],
    };
    if (data.duplicate || data.command_id === null) {
      return success(data, {
        suppressed: true,
        warnings: [suppressedDuplicate('The same push is in flight or was made in the last 10 minutes.')],
        provenance,
      });
    }
    const { delivery, warnings } = await outbox.waitPublished(data.command_id, BROKER_WAIT_MS, context.signal);
    const status = delivery === 'published' ? ('sent' as const) : ('queued' as const);
    return success({ ...data, delivery, status }, { warnings, provenance });
  },
});
