import { day, hour, minute, week } from '../../contract/document/interval.ts';

/** Seconds of a month where one has to be said: its longest. */
export const month = 31 * day;

const units: Readonly<Record<string, number>> = {
  ...{ s: 1, sec: 1, m: minute, min: minute, h: hour, d: day, w: week },
  ...{ M: month, mo: month, mon: month, month },
};

/** Seconds of `5m`, `1h`, `1d`, `1w`, `1M` or a number of seconds; undefined for anything else. */
export function readInterval(text: string): number | undefined {
  const found = /^(\d{1,6})?\s*([a-zA-Z]+)?$/.exec(text.trim());
  if (!found?.[0]) return undefined;
  const [, count = '1', unit = 's'] = found;
  const length = Number(count) * (units[unit] ?? units[unit.toLowerCase()] ?? Number.NaN);
  return length > 0 ? length : undefined;
}

const names: readonly (readonly [seconds: number, name: string])[] = [
  ...([
    [week, 'w'],
    [day, 'd'],
    [hour, 'h'],
    [minute, 'm'],
  ] as const),
];

/** `5m`, `1h`, `1d`, `1w`, `1M`. */
export function nameOfInterval(seconds: number): string {
  if (isCalendar(seconds)) return seconds <= month ? '1M' : `${Math.round(seconds / (30.4 * day))}M`;
  const [unit, name] = names.find(([each]) => seconds % each === 0) ?? [1, 's'];
  return `${Number((seconds / unit).toPrecision(6))}${name}`;
}

/** Months, quarters and years are of unequal length: their starts lie on no grid of seconds. */
export function isCalendar(seconds: number): boolean {
  const days = seconds / day;
  return [
    [28, 31],
    [89, 92],
    [181, 184],
    [365, 366],
  ].some(([least = 0, most = 0]) => days >= least && days <= most);
}
