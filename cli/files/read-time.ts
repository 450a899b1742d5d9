import { UsageError } from '../../files/usage-error.ts';

/** A zone is requested where there is a time of day: the machine's own must not decide. */
const iso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/;

/** Unix seconds of what a flag holds: a UTC day, an instant, or Unix seconds. */
export function readTime(text: string, flag: string): number {
  const isSeconds = /^\d{1,10}$/.test(text);
  const seconds = isSeconds ? Number(text) : iso.test(text) ? Date.parse(text) / 1000 : Number.NaN;
  if (Number.isNaN(seconds)) {
    throw new UsageError(`${flag}: "${text}" is no time: give 2026-03-01, 2026-03-01T12:00Z or Unix seconds`);
  }
  return seconds;
}
