import type { ConfidenceInterval } from '@candleproof/law/planning/confidence';
import { formatPercent } from '@candleproof/law/planning/format-percent';
import { thousands } from '@candleproof/law/reading/thousands';
import { formatMinute } from './instant.ts';
import { day, hour, minute } from './spans.ts';

/** Shown for an unknown figure, never for 0. */
export const unknown = '–';

/** `99.3 to 99.67 %`; an upper bound is rounded up. */
export function intervalText({ low, high }: ConfidenceInterval): string {
  const decimals = high > 0.999 ? 1000 : 100;
  const upper = Math.ceil(high * 100 * decimals - 1e-6) / decimals;
  return `${formatPercent(low).slice(0, -2)} to ${upper} %`;
}

/** `6,610 of 6,641`. */
export function countText({ good, total }: { readonly good: number; readonly total: number }): string {
  return `${thousands(good)} of ${thousands(total)}`;
}

/** Microseconds as `84 ms` or `2.51 s`. */
export function timeText(micros: number): string {
  const ms = micros / 1000;
  if (ms >= 9_999.5) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${thousands(Math.round(ms))} ms`;
}

/** Milliseconds as `45 s`, `2 min 5 s`, `2 h 46 min`, `3 d 4 h`: at most two units. */
export function durationText(ms: number): string {
  const units = [
    ['d', day],
    ['h', hour],
    ['min', minute],
    ['s', 1000],
  ] as const;
  const first = units.findIndex(([, length]) => ms >= length);
  if (first < 0) return ms > 0 ? 'less than 1 s' : '0 s';
  let left = ms;
  const parts = units.slice(first, first + 2).flatMap(([name, length]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return count > 0 ? [`${count} ${name}`] : [];
  });
  return parts.join(' ');
}

/** Milliseconds in one unit that leaves about two digits: `45 s`, `7 min`, `13 h`, `12 d`. */
export function roughText(ms: number): string {
  if (ms < 2 * minute) return `${Math.round(ms / 1000)} s`;
  if (ms < 2 * hour) return `${Math.round(ms / minute)} min`;
  return ms < 2 * day ? `${Math.round(ms / hour)} h` : `${Math.round(ms / day)} d`;
}

/** `2026-11-20 09:40` in UTC, from Unix ms. */
export function instantText(ms: number): string {
  return formatMinute(Math.floor(ms / 1000));
}

/** `2026-11-20`, from Unix ms. */
export function dateText(ms: number): string {
  return instantText(ms).slice(0, -6);
}

/** Formats a figure with its unit. */
export type Write = (value: number) => string;

/** `81 to 95 ms`, with `write` formatting single values; states if there are too few samples for a side. */
export function rangeText(
  { low, high }: { readonly value: number; readonly low?: number; readonly high?: number },
  write: Write,
): string {
  if (low === undefined && high === undefined) return 'too few for an interval';
  if (high === undefined) return `at least ${write(low ?? 0)}`;
  if (low === undefined) return `at most ${write(high)}`;
  const [from, to] = [write(low), write(high)];
  if (from === to) return `within ${to}`;
  const [, number, unit] = /^(\S+) (\S+)$/.exec(from) ?? [];
  return `${unit !== undefined && to.endsWith(` ${unit}`) && !to.includes(' ', to.indexOf(' ') + 1) ? number : from} to ${to}`;
}

/** `12.5`: requests per second. */
export function formatRate(perSecond: number): string {
  return String(Number(perSecond.toPrecision(3)));
}

/** Microseconds as `84.2 ms`. */
export function formatMilliseconds(us: number | undefined): string {
  return us === undefined || Number.isNaN(us) ? 'unknown' : `${Number((us / 1000).toPrecision(3))} ms`;
}
