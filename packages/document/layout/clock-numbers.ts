/** Forms of a time of day that is a number: its digits, as in 930 or 93000, or a count since midnight. */
export type ClockForm = 'hhmm' | 'hhmmss' | 'm' | 's' | 'ms' | 'us' | 'ns';

/** Milliseconds of each count. */
const counts: Readonly<Partial<Record<ClockForm, number>>> = {
  ...{ m: 60_000, s: 1000, ms: 1, us: 1e-3, ns: 1e-6 },
};

const dayInMs = 86_400_000;

/** Names of columns that hold a time of day, in letters and digits only. */
const clockName = /time|clock|ofday|^(hours?|minutes?|seconds?|ms|millis|milliseconds)$/;

/** Returns whether a name, in letters and digits, is that of a time of day. */
export function isClockName(name: string): boolean {
  return clockName.test(name);
}

/**
 * Finds the form of times of day beside their dates; undefined for other numbers. They rise, or fall, within each date,
 * and begin again with the next; in rows of one date only the name of the column, in letters and digits, tells them.
 */
export function findClock(
  texts: readonly string[],
  dates: readonly string[],
  name?: string,
): ClockForm | undefined {
  if (texts.length === 0 || !texts.every((text) => /^\d+(\.0*)?$/.test(text))) return undefined;
  const values = texts.map(Number);
  const steps = values.slice(1).map((value, at) => value - (values[at] as number));
  const within = steps.filter((_, at) => dates[at] === dates[at + 1]);
  const between = steps.filter((_, at) => dates[at] !== dates[at + 1]);
  const direction = Math.sign(within[0] ?? 0);
  const isOneWay = within.every((step) => step * direction > 0);
  const beginsAgain = between.every((step) => step * direction < 0);
  if (!isOneWay || !beginsAgain || direction === 0) return undefined;
  if (between.length === 0 && !(name !== undefined && isClockName(name))) return undefined;
  return findForm(values);
}

function findForm(values: readonly number[]): ClockForm | undefined {
  const most = Math.max(...values);
  const areDigits = (size: number): boolean =>
    most < 24 * size && values.every((value) => value % 100 < 60 && (value % size) / (size / 100) < 60);
  if (areDigits(100)) return 'hhmm';
  if (areDigits(10_000)) return 'hhmmss';
  const found = Object.entries(counts).find(([, size]) => most * size < dayInMs);
  return found?.[0] as ClockForm | undefined;
}

/** Writes a time of day as `09:30:00.000`. */
export function writeClock(text: string, form: ClockForm): string {
  const value = Number(text);
  const size = counts[form];
  if (size !== undefined) return new Date(Math.round(value * size)).toISOString().slice(11, 23);
  const digits = String(value).padStart(form.length, '0');
  return digits.replace(/(\d\d)(?=\d)/g, '$1:');
}
