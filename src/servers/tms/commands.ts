import { z } from 'zod';
import { fields, type Issue, type JsonObject, ToolError } from '../../kit/index.ts';

/** The device commands that a person may approve one at a time, and what may be in them. */
const COMMANDS = {
  reboot: z.strictObject({ delay_s: z.int().min(0).max(300) }),
  sync_time: z.strictObject({}),
  report_status: z.strictObject({}),
  report_versions: z.strictObject({}),
  clear_cache: z.strictObject({ scope: z.enum(['logs', 'temp']) }),
  display_message: z.strictObject({ text: fields.text(64), seconds: z.int().min(5).max(120) }),
  set_heartbeat_interval: z.strictObject({ seconds: z.int().min(30).max(3600) }),
  network_diagnostics: z.strictObject({}),
  sync_parameters: z.strictObject({}),
} as const satisfies Record<string, z.ZodObject>;

export const COMMAND_TYPES = Object.keys(COMMANDS) as (keyof typeof COMMANDS)[];

/** Words of what is never done through a tool: keys and their slots, card data, wiping, running code; firmware and apps go through deploy. */
const NEVER = /key|kek|kcv|rki|slot|pan|track|pin|wipe|factory|shell|exec|firmware|install/i;
const MAX_PARAMS_BYTES = 4096;

/**
 * Checks a command before anything else looks at it, and returns its parameters. The forbidden words come first, so that a forbidden command
 * is told apart from a misspelt one. Errors: T4_FORBIDDEN, INVALID_ARGUMENT.
 */
export function checkCommand(type: string, params: JsonObject, enabled: readonly string[]): JsonObject {
  const word = NEVER.test(type) ? type : forbiddenName(params);
  if (word !== null) {
    throw new ToolError('T4_FORBIDDEN', {
      message:
        'Commands about keys, card data, wiping, running code, firmware or installation are never sent through a tool.',
    });
  }
  const schema =
    enabled.includes(type) && Object.hasOwn(COMMANDS, type) ? COMMANDS[type as keyof typeof COMMANDS] : null;
  if (!schema) {
    throw refused([{ path: 'command_type', rule: 'enum', message: `must be one of ${enabled.join(', ')}` }]);
  }
  if (Buffer.byteLength(JSON.stringify(params)) > MAX_PARAMS_BYTES) {
    throw refused([{ path: 'params', rule: 'too_big', message: 'must be at most 4 KiB' }]);
  }
  const parsed = schema.safeParse(params);
  if (!parsed.success) {
    throw refused(
      parsed.error.issues.map((issue) => ({
        path: ['params', ...issue.path.map(String)].join('.'),
        rule: issue.code === 'unrecognized_keys' ? 'unknown_field' : issue.code,
        message:
          issue.code === 'unrecognized_keys'
            ? `${type} takes ${Object.keys(schema.shape).join(' and ') || 'no parameters'} only`
            : issue.message,
      })),
    );
  }
  return parsed.data;
}

/** A member name anywhere inside that holds a forbidden word. */
function forbiddenName(value: unknown): string | null {
  if (value === null || typeof value !== 'object') return null;
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(value) && NEVER.test(name)) return name;
    const inside = forbiddenName(member);
    if (inside !== null) return inside;
  }
  return null;
}

function refused(issues: Issue[]): ToolError {
  return new ToolError('INVALID_ARGUMENT', {
    message: issues
      .map((issue) => `${issue.path}: ${issue.message}`)
      .slice(0, 3)
      .join('; '),
    details: { issues: issues.map((issue) => ({ ...issue })) },
  });
}
