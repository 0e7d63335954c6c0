import { z } from 'zod';
import {
  type BusinessCalendar,
  boundaryInstant,
  defineTool,
  fields,
  page,
  schemaDrift,
  success,
} from '../../../kit/index.ts';
import { READ } from '../access.ts';
import { maybeInstant, maybeText, serial, TERMINAL_STATUSES } from '../shapes.ts';
import { TERMINAL_LIST } from '../tables.ts';
import { countTerminals, findTerminals as findRows, type TerminalFilters } from '../terminals.repository.ts';

const any = fields.textFilter;
const status = z.enum(TERMINAL_STATUSES);
const filterShape = z.strictObject({
  vendor: any(64).optional(),
  model: any(64).optional(),
  area: any(64).optional(),
  merchant: any(32).describe('Merchant id or acquirer merchant number (mid).').optional(),
  group: any(64).optional(),
  tier: any(16).optional(),
  status: z.union([status, z.array(status).min(1).max(TERMINAL_STATUSES.length)]).optional(),
  serial_prefix: any(64).describe('Serials that begin with this text.').optional(),
  app_version: any(32).optional(),
  last_seen_before: fields.boundary
    .describe('Last contact before this RFC 3339 instant or before this business date began.')
    .optional(),
  last_seen_after: fields.boundary
    .describe('Last contact at or after this RFC 3339 instant or the start of this business date.')
    .optional(),
});

export const findTerminals = defineTool({
  name: 'find_terminals',
  title: 'Find terminals',
  description:
    'Terminals that fit all given filters; a list inside a filter means any of its values. Exact, case-sensitive values. sort last_seen_at lists the newest contact first and those never seen last. total is counted up to 10,000 (total_is_exact).',
  access: READ,
  input: z.strictObject({
    filters: filterShape,
    limit: fields.rowLimit(100),
    cursor: fields.pageCursor,
    sort: z.enum(['serial_number', 'last_seen_at']).default('serial_number'),
  }),
  output: z.object({
    terminals: z.array(
      z.object({
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
        app_version: maybeText,
      }),
    ),
    total: z.int(),
    total_is_exact: z.boolean(),
  }),
  reads: [TERMINAL_LIST],
  writes: [],
  needs: ['product', 'calendar', 'cursors'],
  async run(context, input) {
    const { calendar, cursors, product } = context.use;
    const selection = { filters: input.filters, sort: input.sort };
    const position = input.cursor === undefined ? null : cursors.decode(context.tool, selection, input.cursor);
    const filters = readFilters(input.filters, calendar);
    const { count, fetched } = await product.read(async (db) => ({
      count: await countTerminals(db, context.drift, filters),
      fetched: await findRows(db, context.drift, filters, {
        sort: input.sort,
        after: position?.key ?? null,
        limit: input.limit,
      }),
    }));
    const { rows, caps, warnings } = page(fetched, input.limit, (last) =>
      cursors.encode(context.tool, selection, {
        key: input.sort === 'serial_number' ? [last.serialNumber] : [last.lastSeenExact, last.id],
      }),
    );
    return success(
      {
        terminals: rows.map((row) => ({
          serial_number: row.serialNumber,
          vendor: row.vendor,
          model: row.model,
          area: row.area,
          merchant_id: row.merchantId,
          mid: row.mid,
          tid: row.tid,
          group: row.group,
          tier: row.tier,
          status: row.status,
          last_seen_at: row.lastSeenAt,
          app_version: row.appVersion,
        })),
        total: count.total,
        total_is_exact: count.exact,
      },
      {
        warnings: [...schemaDrift(context), ...warnings],
        provenance: {
          as_of: count.asOf,
          sources: [{ system: 'product', object: 'tms_terminals', rows: rows.length }],
          caps,
        },
      },
    );
  },
});

function readFilters(given: z.output<typeof filterShape>, calendar: BusinessCalendar): TerminalFilters {
  const instant = (name: 'last_seen_before' | 'last_seen_after') => {
    const text = given[name];
    return text === undefined ? null : boundaryInstant(calendar, text, `filters.${name}`);
  };
  const prefixes = fields.asList(given.serial_prefix);
  return {
    vendor: fields.asList(given.vendor),
    model: fields.asList(given.model),
    area: fields.asList(given.area),
    merchant: fields.asList(given.merchant),
    group: fields.asList(given.group),
    tier: fields.asList(given.tier),
    status: fields.asList(given.status),
    serialPrefix: prefixes?.map((prefix) => prefix.normalize('NFC')) ?? null,
    appVersion: fields.asList(given.app_version),
    lastSeenBefore: instant('last_seen_before'),
    lastSeenAfter: instant('last_seen_after'),
  };
}
