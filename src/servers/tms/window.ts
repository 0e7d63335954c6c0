import { Temporal } from 'temporal-polyfill';
import {
  type BusinessCalendar,
  type PagePosition,
  resolveWindow,
  type TimeWindow,
  type WindowRules,
} from '../../kit/index.ts';

/**
 * The window of a paged read: that of the first page, carried by the cursor, because a window that ends "now" would end elsewhere on each
 * page and drop rows between them.
 */
export function pagedWindow(
  calendar: BusinessCalendar,
  asked: { readonly from?: string | undefined; readonly to?: string | undefined },
  position: PagePosition | null,
  rules: WindowRules = {},
): TimeWindow {
  return resolveWindow(
    calendar,
    position?.window ?? asked,
    now(),
    position?.window ? { ...rules, maxDays: 92 } : rules,
  );
}

export const now = (): Temporal.Instant => Temporal.Now.instant();
