import { guessUnit } from '@candleproof/document/layout/written-times';
import { nameRole, readGivenTime } from './parameter-names.ts';

/** A parameter of a draft, as OpenAPI writes it, and why it was given its role. */
export type DraftParameter = {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly role?: 'pool' | 'interval' | 'from' | 'to' | 'since' | 'limit';
  readonly value: string;
  readonly tags: Readonly<Record<string, unknown>>;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly guess?: string;
  /** It is never sent, since the answer shows that it means something else. */
  readonly isIdle?: true;
};

/** Facts of the answer to the URL. */
export type SeenAnswer = {
  /** Seconds between the rows; NaN if they show none. */
  readonly step: number;
  /** Starts of the rows in Unix seconds, oldest first. */
  readonly starts: readonly number[];
  /** Returns whether the answer names a market beside its rows. */
  readonly names: (market: string) => boolean;
};

/** A value of a request before its role is known. */
export type GivenValue = {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly value: string;
  readonly before?: string;
};
/** A value whose role is known, or which is never sent. */
export type FoundValue = Omit<GivenValue, 'before'> &
  Pick<DraftParameter, 'role' | 'isIdle'> & { readonly why?: string };

/** Finds the times of a range by their order and by the rows that came, then by their names. */
export function findTimes(
  all: readonly GivenValue[],
  { starts, step }: SeenAnswer,
): [GivenValue, FoundValue][] {
  const times = all.flatMap((given) => {
    const time = readGivenTime(given.value);
    const named = given.in === 'query' ? nameRole(given.name) : undefined;
    const isTime = time !== undefined && (named === undefined || named === 'from' || named === 'to');
    return isTime ? [{ given, time, named }] : [];
  });
  const [first, last] = [starts[0] ?? Number.NaN, starts.at(-1) ?? Number.NaN];
  const slack = Number.isFinite(step) ? step : 0;
  const mark = (
    { given, time }: (typeof times)[number],
    role: 'from' | 'to' | 'since',
    why: string,
  ): [GivenValue, FoundValue] => {
    const { before: _, ...plain } = given;
    const strays = role === 'to' ? last > time + slack : first < time - slack;
    if (!strays) return [given, { ...plain, role, why }];
    const side = role === 'to' ? 'after' : 'before';
    return [given, { ...plain, isIdle: true, why: `no role, and never sent: rows ${side} it came` }];
  };
  if (times.length === 2) {
    const [from, to] = times.toSorted((one, other) => one.time - other.time) as [
      (typeof times)[0],
      (typeof times)[0],
    ];
    const why =
      from.named === 'to' || to.named === 'from' ? 'by its value, the ' : 'by its name and value, the ';
    return [mark(from, 'from', `${why}earlier time`), mark(to, 'to', `${why}later time`)];
  }
  const [only] = times;
  if (times.length !== 1 || !only) return [];
  // A time that all rows follow begins their range, whatever its name.
  const isFrom = first >= only.time - slack && last > only.time;
  const isTo = last <= only.time + slack;
  const side = isFrom === isTo ? only.named : isFrom ? 'from' : 'to';
  if (side === undefined) return [];
  return [
    side === 'to'
      ? mark(only, 'to', 'by its value, and no row follows it')
      : mark(only, 'since', 'by its value: all rows follow it, and no parameter is the end'),
  ];
}

/** Returns the unit and the form of a time, so that requests write it as the URL does. */
export function writeTimeSchema(value: string): Pick<DraftParameter, 'tags' | 'schema'> {
  const unit = guessUnit([value]);
  if (unit === 's') return { tags: {}, schema: { type: 'integer' } };
  if (unit === 'ms') return { tags: { 'x-unit': 'ms' }, schema: { type: 'integer' } };
  const isZoned = /(Z|UTC|[+-]\d\d:?\d\d)$/i.test(value);
  const pattern = `^${value.replace(/[.+*?()[\]{}|\\^$]/g, '\\$&').replace(/\d/g, '\\d')}$`;
  return {
    tags: { 'x-unit': 'iso', ...(!isZoned && { 'x-zone': 'UTC' }) },
    schema: {
      type: 'string',
      ...(/^\d{4}-\d\d-\d\d$/.test(value) ? { format: 'date' } : !isZoned && { pattern }),
    },
  };
}
