import type { NamedInterval } from './roles.ts';

/** Seconds. Observations are a minute apart (§2.2: minutely). */
export const minute = 60;
export const hour = 3600;
export const day = 86_400;
export const week = 604_800;

/** Returns the document's name for the interval of `length` seconds. */
export function intervalName(intervals: readonly NamedInterval[], length: number): string {
  return intervals.find(({ seconds }) => seconds === length)?.name ?? `${length} s`;
}

/** Words an interval: its name in the document, or `5-minute` where that is a bare number. */
export function describeInterval(name: string, length: number): string {
  if (!/^\d+$/.test(name)) return name;
  const units = [
    ['week', week],
    ['day', day],
    ['hour', hour],
    ['minute', minute],
  ] as const;
  const [unit, seconds] = units.find(([, seconds]) => length % seconds === 0) ?? ['second', 1];
  return `${length / seconds}-${unit}`;
}

const numbers: Readonly<Record<number, string>> = {
  ...{
    1: 'one',
    2: 'two',
    3: 'three',
    4: 'four',
    5: 'five',
    6: 'six',
    8: 'eight',
    12: 'twelve',
    15: 'fifteen',
  },
  30: 'thirty',
};

/** Words the candles of an interval: `hourly`, `daily`, `five-minute`. */
export function lengthAdjective(length: number): string {
  const whole: Readonly<Record<number, string>> = { [hour]: 'hourly', [day]: 'daily', [week]: 'weekly' };
  const [, count = '', unit = ''] = /^(\d+)-(.*)/.exec(describeInterval('1', length)) ?? [];
  return whole[length] ?? `${numbers[Number(count)] ?? count}-${unit}`;
}

/** Formats Unix seconds as ISO 8601 in UTC. */
export function stamp(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.valueOf()) ? String(seconds) : date.toISOString().replace('.000Z', 'Z');
}

/** Returns the seconds since the last multiple of `length`, to the microsecond; never negative. */
export function intervalPhase(seconds: number, length: number): number {
  const phase = seconds - Math.floor(seconds / length) * length;
  return Number.isInteger(phase) ? phase : Math.round(phase * 1e6) / 1e6;
}
