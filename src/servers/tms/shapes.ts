import { z } from 'zod';
import { fields } from '../../kit/index.ts';

/** Shapes and word lists that several of this server's tools share. */
export const TERMINAL_STATUSES = ['online', 'offline', 'unknown', 'maintenance', 'decommissioned'] as const;
export const CONFIG_TYPES = ['parameter', 'emv_config', 'keys_config', 'application'] as const;
export type ConfigType = (typeof CONFIG_TYPES)[number];
export const PUSH_STATUSES = [
  'queued',
  'sent',
  'accepted',
  'in_progress',
  'succeeded',
  'failed',
  'expired',
  'superseded',
] as const;
export const OPEN_PUSH_STATUSES = ['queued', 'sent', 'accepted', 'in_progress'] as const;
export const TRIGGER_SOURCES = ['mcp', 'portal', 'scheduler', 'terminal'] as const;
export const OPEN_DEPLOYMENT_STATUSES = ['queued', 'sent', 'accepted', 'downloading', 'installing'] as const;

/** Text from the database that may be absent. What a column holds beyond the known words is shown as it is. */
export const maybeText = z.string().nullable();
export const maybeInstant = fields.instant.nullable();
export const serial = fields.identifier;

export const pushSummary = z.object({
  push_log_id: z.int(),
  config_type: z.string(),
  version: maybeText,
  status: z.string(),
  requested_at: fields.instant,
});

export const pushResult = z.object({
  push_log_id: z.int(),
  command_id: fields.uuid.nullable(),
  serial_number: serial,
  config_type: z.enum(CONFIG_TYPES),
  version: maybeText,
  artifact_sha256: fields.identifier.nullable(),
  /** `queued` or `sent`; an answer that names an earlier push may be further on. */
  status: z.enum(PUSH_STATUSES),
  delivery: z.enum(['published', 'queued']),
  terminal_status: z.string(),
  expires_at: fields.instant,
  duplicate: z.boolean(),
});
export type PushResult = z.input<typeof pushResult>;
