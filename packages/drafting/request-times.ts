import { isCountUnit } from '@candleproof/document/spec/times';
import { nameRole, readGivenTime } from './parameter-names.ts';
import { documentUnit, readShownOffset } from './written-units.ts';

/** A parameter of a draft, as OpenAPI writes it, and why it was given its role. */
export type DraftParameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'body';
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
  /** The zone of text without an offset, and the seconds by which it is ahead of UTC. */
  readonly zone?: string;
  readonly ahead?: number;
  /** The market, if it was given beside the URL. */
  readonly pool?: string;
  /** The body of a POST, whose values are parameters of the URL here. */
  readonly body?: unknown;
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
  { starts, step, ahead = 0 }: SeenAnswer,
): [GivenValue, FoundValue][] {
  const read = all.flatMap((given) => {
    const named = given.in === 'query' ? nameRole(given.name) : undefined;
    const isNamed = named === 'from' || named === 'to';
    const time = readGivenTime(given.value, isNamed);
    const isLocal = isText(given.value) && readShownOffset(given.value) === undefined;
    return time !== undefined && (named === undefined || isNamed)
      ? [{ given, time: isLocal ? time - ahead : time, named }]
      : [];
  });
  // Those with such names are the range, if there are more than two.
  const times = read.length > 2 ? read.filter(({ named }) => named !== undefined) : read;
  const [first, last] = [starts[0] ?? Number.NaN, starts.at(-1) ?? Number.NaN];
  const slack = Number.isFinite(step) ? step : 0;
  const mark = (
    { given, time }: (typeof times)[number],
    role: 'from' | 'to' | 'since',
    why: string,
  ): [GivenValue, FoundValue] => {
    const { before: _, ...plain } = given;
    const until = isDay(given.value) ? time + day : time;
    const strays = role === 'to' ? last > until + slack : first < time - slack;
    if (!strays) return [given, { ...plain, role, why }];
    const side = role === 'to' ? 'after' : 'before';
    return [given, { ...plain, isIdle: true, why: `no role, and never sent: rows ${side} it came` }];
  };
  if (times.length === 2) {
    const order = (one: (typeof times)[0], other: (typeof times)[0]): number =>
      one.time - other.time || Number(one.named === 'to') - Number(other.named === 'to');
    const [from, to] = times.toSorted(order) as [(typeof times)[0], (typeof times)[0]];
    const why =
      from.named === 'to' || to.named === 'from' ? 'by its value, the ' : 'by its name and value, the ';
    return [mark(from, 'from', `${why}earlier time`), mark(to, 'to', `${why}later time`)];
  }
  const [only] = times;
  if (times.length !== 1 || !only) return [];
  // A time that all rows follow begins their range, whatever its name.
  const isFrom = first >= only.time - slack && last > only.time;
  const isTo = last <= only.time + slack + (isDay(only.given.value) ? day : 0);
  const side = isFrom === isTo ? only.named : isFrom ? 'from' : 'to';
  if (side === undefined) return [];
  return [
    side === 'to'
      ? mark(only, 'to', 'by its value, and no row follows it')
      : mark(only, 'since', 'by its value: all rows follow it, and no parameter is the end'),
  ];
}

const day = 86_400;

function isDay(value: string): boolean {
  return /^\d{4}-\d\d-\d\d$|^\d{8}$/.test(value);
}

function isText(value: string): boolean {
  const unit = documentUnit([value]);
  return unit !== undefined && !isCountUnit(unit);
}

/** Returns the unit and the form of a time, so that requests write it as the URL does; its zone if it names none. */
export function writeTimeSchema(value: string, zone = 'UTC'): Pick<DraftParameter, 'tags' | 'schema'> {
  const unit = documentUnit([value]) ?? 'iso';
  if (isCountUnit(unit)) return { tags: unit === 's' ? {} : { 'x-unit': unit }, schema: { type: 'integer' } };
  const isZoned = readShownOffset(value) !== undefined;
  const pattern = `^${value.replace(/[.+*?()[\]{}|\\^$]/g, '\\$&').replace(/\d/g, '\\d')}$`;
  return {
    tags: { 'x-unit': unit, ...(!isZoned && { 'x-zone': zone }) },
    schema: {
      type: 'string',
      ...(/^\d{4}-\d\d-\d\d$/.test(value) ? { format: 'date' } : !isZoned && { pattern }),
    },
  };
}
