import { z } from 'zod';
import type { JsonObject, JsonValue } from '../kit/index.ts';

/** What goes to a terminal and what comes back. Both are JSON texts in UTF-8. */

const instant = z.iso.datetime({ offset: true });

const json: z.ZodType<JsonValue> = z.json() as z.ZodType<JsonValue>;
const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), json);

export const commandPayload = z.strictObject({
  v: z.literal(1),
  command_id: z.guid(),
  command_type: z.string().min(1).max(64),
  serial_number: z.string().min(1).max(64),
  issued_at: instant,
  /** A 3.1.1 broker has no message expiry: the terminal drops a command that comes later than this. */
  expires_at: instant,
  params: jsonObject,
});
export type CommandPayload = z.output<typeof commandPayload>;

export const ACK_STATUSES = ['accepted', 'in_progress', 'succeeded', 'failed', 'rejected'] as const;
export type AckStatus = (typeof ACK_STATUSES)[number];

/** PostgreSQL stores neither U+0000 nor half of a surrogate pair; a terminal that sends them still gets its answer recorded. */
const storable = (text: string): string => Buffer.from(text, 'utf8').toString('utf8').replaceAll('\u0000', '\ufffd');
const text = (max: number) =>
  z
    .string()
    .nullish()
    .transform((value) => (value == null ? null : Array.from(storable(value)).slice(0, max).join('')));

/** Terminals of several makes answer here, so members beyond these are ignored and over-long texts are cut, not refused. */
export const ackPayload = z.object({
  command_id: z.guid().toLowerCase(),
  /** Counts the acks of one command up; the same number again is the same ack. */
  seq: z.int().min(0).max(2_147_483_647),
  status: z.enum(ACK_STATUSES),
  code: text(64),
  message: text(2000),
  /** The terminal's own clock. Kept as said; durations are measured by ours. */
  at: instant,
  versions: z
    .record(z.string().max(64).transform(storable), text(64))
    .nullish()
    .transform((value) => value ?? null),
});
export type AckPayload = z.output<typeof ackPayload>;

/** An ack is a few hundred bytes; what is larger is not one. */
export const ACK_MAX_BYTES = 16_384;

/** Reads an ack, or null where the bytes are none. */
export function parseAckPayload(bytes: Uint8Array): AckPayload | null {
  if (bytes.byteLength > ACK_MAX_BYTES) return null;
  try {
    const result = ackPayload.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8')));
    return result.success ? result.data : null;
  } catch {
    return null;
  }
}

export const isFinal = (status: AckStatus): boolean => ackRank(status) === 3;

/** How far an ack says the command is. An ack of a lower rank than one already seen is old news. */
export function ackRank(status: AckStatus): 1 | 2 | 3 {
  if (status === 'accepted') return 1;
  return status === 'in_progress' ? 2 : 3;
}
