import { z } from 'zod';
import { defineTool, fields, schemaDrift, success, type Warning } from '../../../kit/index.ts';
import { READ } from '../access.ts';
import { unknownTerminal } from '../refusals.ts';
import { maybeInstant, maybeText, pushSummary, serial } from '../shapes.ts';
import { LOG_SESSIONS, OPEN_PUSHES, TERMINAL_FULL } from '../tables.ts';
import { newestOpenPush, openLogSession, terminalBySerial } from '../terminals.repository.ts';

/** A terminal that calls itself online and has been silent for longer is not to be believed. */
const STALE_AFTER_S = 900;

export const getTerminal = defineTool({
  name: 'get_terminal',
  title: 'Get terminal',
  description:
    'One payment terminal by its exact serial number: place, merchant, status, last contact, versions, battery and signal (dBm), and what is in flight (open_push, open_log_session_id). stale = says online but silent for over 15 minutes.',
  access: READ,
  input: z.strictObject({ serial_number: fields.serialNumber }),
  output: z.object({
    terminal: z.object({
      serial_number: serial,
      vendor: maybeText,
      model: maybeText,
      area: maybeText,
      merchant_id: maybeText,
      mid: fields.identifier.nullable(),
      tid: maybeText,
      group: maybeText,
      tier: maybeText,
      status: z.string(),
      last_seen_at: maybeInstant,
      seconds_since_seen: z.int().nullable(),
      stale: z.boolean(),
      app_version: maybeText,
      firmware_version: maybeText,
      parameter_version: maybeText,
      emv_config_version: maybeText,
      battery_level: z.int().nullable(),
      signal_dbm: z.int().nullable(),
      location: z.object({ lat: z.number(), lon: z.number() }).nullable(),
      open_push: pushSummary.nullable(),
      open_log_session_id: fields.uuid.nullable(),
    }),
  }),
  reads: [TERMINAL_FULL, OPEN_PUSHES, LOG_SESSIONS],
  writes: [],
  needs: ['product'],
  async run(context, { serial_number }) {
    const { drift } = context;
    const found = await context.use.product.read(async (db) => {
      const terminal = await terminalBySerial(db, drift, serial_number);
      if (!terminal) return null;
      const push = await newestOpenPush(db, drift, serial_number);
      const session = await openLogSession(db, serial_number);
      return { terminal, push, session };
    });
    if (!found) throw unknownTerminal(serial_number);
    const { terminal, push, session } = found;
    // A device clock ahead of ours is not a contact in the future.
    const silent = terminal.secondsSinceSeen === null ? null : Math.max(0, terminal.secondsSinceSeen);
    const stale = terminal.status === 'online' && silent !== null && silent > STALE_AFTER_S;
    const warnings: Warning[] = schemaDrift(context);
    if (stale) {
      warnings.push({
        code: 'STALE_DATA',
        severity: 'WARNING',
        message: `The terminal is registered as online but was last seen ${silent} seconds ago.`,
        details: { seconds_since_seen: silent },
      });
    }
    return success(
      {
        terminal: {
          serial_number: terminal.serialNumber,
          vendor: terminal.vendor,
          model: terminal.model,
          area: terminal.area,
          merchant_id: terminal.merchantId,
          mid: terminal.mid,
          tid: terminal.tid,
          group: terminal.group,
          tier: terminal.tier,
          status: terminal.status,
          last_seen_at: terminal.lastSeenAt,
          seconds_since_seen: silent,
          stale,
          app_version: terminal.appVersion,
          firmware_version: terminal.firmwareVersion,
          parameter_version: terminal.parameterVersion,
          emv_config_version: terminal.emvConfigVersion,
          battery_level: terminal.batteryLevel,
          signal_dbm: terminal.signalDbm,
          location: place(terminal.latitude, terminal.longitude),
          open_push: push && {
            push_log_id: push.id,
            config_type: push.configType,
            version: push.version,
            status: push.status,
            requested_at: push.requestedAt,
          },
          open_log_session_id: session,
        },
      },
      {
        warnings,
        provenance: {
          as_of: terminal.asOf,
          sources: [
            { system: 'product', object: 'tms_terminals', rows: 1 },
            { system: 'product', object: 'parameter_push_logs', rows: push ? 1 : 0 },
            { system: 'product', object: 'remote_log_sessions', rows: session ? 1 : 0 },
          ],
        },
      },
    );
  },
});

/** Three decimals are about 100 m: enough to find a shop, not a till. */
function place(latitude: string | null, longitude: string | null): { lat: number; lon: number } | null {
  if (latitude === null || longitude === null) return null;
  return { lat: Math.round(Number(latitude) * 1000) / 1000, lon: Math.round(Number(longitude) * 1000) / 1000 };
}
