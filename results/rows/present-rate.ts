import { beginOf, day, hour } from '../calendar.ts';
import type { HourRecord } from '../hour-record.ts';
import type { Span, StoreSize } from '../results-store.ts';

/** Days at the end of the watched time whose rate is the present one. */
const recent = 7;

/** The time whose hours make the present rate. */
export function recentSpan(extent: Span): Span {
  const to = beginOf(extent.to, hour) + hour;
  return { from: Math.max(beginOf(extent.from, hour), to - recent * day), to };
}

export function rateOf(
  hours: readonly HourRecord[],
  { from, to }: Span,
): Pick<StoreSize, 'slotsPerDay' | 'requestsPerDay'> {
  const slots = hours.flatMap(({ states }) => Object.values(states)).reduce((a, b) => a + b, 0);
  const requests = hours.reduce((count, each) => count + each.requests, 0);
  const days = (to - from) / day;
  return { slotsPerDay: slots / days, requestsPerDay: requests / days };
}
