import { z } from 'zod';
import {
  defineTool,
  fields,
  formatInstant,
  MAX_ROWS,
  page,
  resolveWindow,
  schemaDrift,
  success,
  windowFacts,
} from '../../../kit/index.ts';
import { READ } from '../access.ts';
import { pushGroups, pushTotals, STAT_DIMENSIONS, type StatFilters, type StatRow } from '../push-stats.repository.ts';
import { CONFIG_TYPES, TRIGGER_SOURCES } from '../shapes.ts';
import { PUSH_STATS, TERMINAL_DIMENSIONS } from '../tables.ts';
import { now } from '../window.ts';

const oneOrMore = <T extends readonly [string, ...string[]]>(words: T) =>
  z.union([z.enum(words), z.array(z.enum(words)).min(1).max(words.length)]);
const any = fields.textFilter;
const count = z.int().min(0);
const measures = {
  total: count,
  succeeded: count,
  failed: count,
  expired: count,
  superseded: count,
  pending: count,
  success_rate: z.number().nullable(),
  p50_ms: z.int().nullable(),
  p95_ms: z.int().nullable(),
};

export const getPushOutcomeStats = defineTool({
  name: 'get_push_outcome_stats',
  title: 'Get push outcome statistics',
  description:
    'How configuration pushes ended, in groups (default by config_type; [] for totals alone), over a window of at most 90 days (default: the last 7 days). success_rate = succeeded / (succeeded + failed + expired), null when none has ended; pending and superseded do not count. Durations (ms) are of succeeded pushes. Days are business days.',
  access: READ,
  input: z.strictObject({
    filters: z
      .strictObject({
        from: fields.windowFrom,
        to: fields.windowTo,
        config_type: oneOrMore(CONFIG_TYPES).optional(),
        vendor: any(64).optional(),
        model: any(64).optional(),
        area: any(64).optional(),
        group: any(64).optional(),
        template_id: fields.recordId.optional(),
        version: any(32).optional(),
        trigger_source: oneOrMore(TRIGGER_SOURCES).optional(),
      })
      .prefault({}),
    group_by: z
      .array(z.enum(STAT_DIMENSIONS))
      .max(3)
      .refine((list) => new Set(list).size === list.length, { error: 'Each dimension once.' })
      .default(['config_type']),
  }),
  output: z.object({
    rows: z.array(z.object({ key: z.record(z.string(), z.union([z.string(), z.int()]).nullable()), ...measures })),
    totals: z.object(measures),
  }),
  reads: [PUSH_STATS, TERMINAL_DIMENSIONS],
  writes: [],
  needs: ['product', 'calendar'],
  async run(context, input) {
    const { calendar, product } = context.use;
    const { filters, group_by } = input;
    const window = resolveWindow(calendar, filters, now(), { defaultHours: 7 * 24, within: 'filters' });
    const days = group_by.includes('day') ? calendar.buckets('day', window.start, window.end) : [];
    const selection: StatFilters = {
      from: window.from,
      to: window.to,
      configType: fields.asList(filters.config_type),
      vendor: fields.asList(filters.vendor),
      model: fields.asList(filters.model),
      area: fields.asList(filters.area),
      group: fields.asList(filters.group),
      version: fields.asList(filters.version),
      triggerSource: fields.asList(filters.trigger_source),
      templateId: filters.template_id ?? null,
      dayStarts: days.map((day) => formatInstant(day.start)),
    };
    const { totals, groups } = await product.read(async (db) => {
      const totals = await pushTotals(db, context.drift, selection);
      const groups = group_by.length === 0 ? [] : await pushGroups(db, context.drift, selection, group_by, MAX_ROWS);
      return { totals, groups };
    });
    // The groups after the 500 largest are small ones; totals count them all, so no cursor leads to them.
    const { rows, caps, warnings } = page(groups, MAX_ROWS, () => null);
    const keyOf = (row: (typeof rows)[number]) =>
      Object.fromEntries(
        group_by.map((dimension, i) => {
          const value = row[`k${i}`] ?? null;
          return [dimension, dimension === 'day' ? (days[Number(value) - 1]?.date.toString() ?? null) : value];
        }),
      );
    return success(
      { rows: rows.map((row) => ({ key: keyOf(row), ...measured(row) })), totals: measured(totals) },
      {
        warnings: [
          ...schemaDrift(context),
          ...warnings.map((warning) => ({
            ...warning,
            message: `Only the ${MAX_ROWS} largest groups are shown; totals cover all.`,
          })),
        ],
        provenance: {
          as_of: totals.as_of,
          sources: [{ system: 'product', object: 'parameter_push_logs', rows: totals.total }],
          window: windowFacts(window, calendar),
          caps,
        },
      },
    );
  },
});

function measured(row: StatRow) {
  const ended = row.succeeded + row.failed + row.expired;
  return {
    total: row.total,
    succeeded: row.succeeded,
    failed: row.failed,
    expired: row.expired,
    superseded: row.superseded,
    pending: row.pending,
    success_rate: ended === 0 ? null : Math.round((row.succeeded / ended) * 10_000) / 10_000,
    p50_ms: row.p50_ms,
    p95_ms: row.p95_ms,
  };
}
