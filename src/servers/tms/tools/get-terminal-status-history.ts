import { z } from 'zod';
import { defineTool, fields, page, schemaDrift, success, windowFacts } from '../../../kit/index.ts';
import { READ } from '../access.ts';
import { unknownTerminal } from '../refusals.ts';
import { maybeText, serial, TERMINAL_STATUSES } from '../shapes.ts';
import { statusLog, statusSummary, wholeSeconds } from '../status-logs.repository.ts';
import { STATUS_HISTORY, TERMINAL_EXISTS } from '../tables.ts';
import { pagedWindow } from '../window.ts';

export const getTerminalStatusHistory = defineTool({
  name: 'get_terminal_status_history',
  title: 'Get terminal status history',
  description:
    'Status reports of one terminal in a window of at most 90 days (default: the last 24 h), newest first. summary covers the whole window, whatever status filter or page is shown: seconds in each state and the longest time offline.',
  access: READ,
  input: z.strictObject({
    serial_number: fields.serialNumber,
    from: fields.windowFrom,
    to: fields.windowTo,
    status: z.enum(TERMINAL_STATUSES).describe('Only entries with this status.').optional(),
    limit: fields.rowLimit(500),
    cursor: fields.pageCursor,
  }),
  output: z.object({
    serial_number: serial,
    entries: z.array(
      z.object({
        id: z.int(),
        status: z.string(),
        previous_status: maybeText,
        reason: maybeText,
        battery_level: z.int().nullable(),
        signal_dbm: z.int().nullable(),
        app_version: maybeText,
        reported_at: fields.instant,
      }),
    ),
    summary: z.object({
      transitions: z.int(),
      online_seconds: z.int(),
      offline_seconds: z.int(),
      maintenance_seconds: z.int(),
      unknown_seconds: z.int(),
      longest_offline: z.object({ from: fields.instant, to: fields.instant, seconds: z.int() }).nullable(),
    }),
  }),
  reads: [TERMINAL_EXISTS, STATUS_HISTORY],
  writes: [],
  needs: ['product', 'calendar', 'cursors'],
  async run(context, input) {
    const { calendar, cursors, product } = context.use;
    const { limit, cursor, ...selection } = input;
    const position = cursor === undefined ? null : cursors.decode(context.tool, selection, cursor);
    const window = pagedWindow(calendar, input, position);
    const { summary, fetched } = await product.read(async (db) => ({
      summary: await statusSummary(db, input.serial_number, window),
      fetched: await statusLog(db, context.drift, input.serial_number, window, {
        status: input.status ?? null,
        after: position?.key ?? null,
        limit,
      }),
    }));
    if (!summary.known) throw unknownTerminal(input.serial_number);
    const { rows, caps, warnings } = page(fetched, limit, (last) =>
      cursors.encode(context.tool, selection, {
        key: [last.exact, last.id],
        window: { from: window.from, to: window.to },
      }),
    );
    const [online, offline, maintenance, unknown] = wholeSeconds([
      summary.online,
      summary.offline,
      summary.maintenance,
      summary.unknown,
    ]) as [number, number, number, number];
    return success(
      {
        serial_number: input.serial_number,
        entries: rows.map((row) => ({
          id: row.id,
          status: row.status,
          previous_status: row.previousStatus,
          reason: row.reason,
          battery_level: row.batteryLevel,
          signal_dbm: row.signalDbm,
          app_version: row.appVersion,
          reported_at: row.reportedAt,
        })),
        summary: {
          transitions: summary.transitions,
          online_seconds: online,
          offline_seconds: offline,
          maintenance_seconds: maintenance,
          unknown_seconds: unknown,
          longest_offline:
            summary.longestFrom !== null && summary.longestTo !== null && summary.longestSeconds !== null
              ? { from: summary.longestFrom, to: summary.longestTo, seconds: summary.longestSeconds }
              : null,
        },
      },
      {
        warnings: [...schemaDrift(context), ...warnings],
        provenance: {
          as_of: summary.asOf,
          sources: [{ system: 'product', object: 'tms_terminal_status_logs', rows: rows.length }],
          window: windowFacts(window, calendar),
          caps,
        },
      },
    );
  },
});
