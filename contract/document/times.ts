import type { TimeUnit } from './roles.ts';

/** A time as a document writes it, in Unix seconds; NaN where it is none. Whole numbers may come as text. */
export function timeOf(value: unknown, unit: TimeUnit): number {
  if (unit === 'iso') return typeof value === 'string' ? Date.parse(value) / 1000 : Number.NaN;
  const isText = typeof value === 'string' && /^\d{1,16}$/.test(value);
  const number = isText ? Number(value) : value;
  if (typeof number !== 'number') return Number.NaN;
  return unit === 'ms' ? number / 1000 : number;
}

/** Unix seconds as a document writes them. */
export function timeText(seconds: number, unit: TimeUnit): string {
  if (unit === 'iso') return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
  return String(unit === 'ms' ? seconds * 1000 : seconds);
}
