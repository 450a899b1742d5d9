import { guessUnit } from '../layout/written-times.ts';
import { readPathTokens, writeTemplate } from './draft-path.ts';
import { readIntervalWord } from './interval-words.ts';
import { nameRole, rateMarket, readGivenTime } from './parameter-names.ts';

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

/** The parameters that a URL shows, and its path as a template. */
export type DraftRequest = { readonly path: string; readonly parameters: readonly DraftParameter[] };

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
type Given = {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly value: string;
  readonly before?: string;
};
type Found = Omit<Given, 'before'> & Pick<DraftParameter, 'role' | 'isIdle'> & { readonly why?: string };

/** Reads the meaning of a URL's parameters from their names and values, and from the rows that came. */
export function draftRequest(url: URL, seen: SeenAnswer): DraftRequest {
  const tokens = readPathTokens(url.pathname, seen.step);
  const inQuery = [...url.searchParams].map(([name, value]): Given => ({ name, value, in: 'query' }));
  const inPath = tokens.map(
    ({ text, before }, at): Given => ({ name: String(at), value: text, in: 'path', before }),
  );
  const all = [...inQuery, ...inPath];
  const found = new Map<Given, Found>();
  const take = (given: Given | undefined, role: DraftParameter['role'], why: string): void => {
    const { before: _, ...plain } = given ?? { name: '', value: '', in: 'query' as const };
    if (given) found.set(given, { ...plain, role, why });
  };
  take(...findInterval(all, seen));
  for (const [given, mark] of findTimes(
    all.filter((each) => !found.has(each)),
    seen,
  ))
    found.set(given, mark);
  const limit = inQuery.find(
    (each) => !found.has(each) && nameRole(each.name) === 'limit' && isLimit(each.value),
  );
  if (limit) found.set(limit, readLimit(limit, seen));
  take(
    ...findPool(
      all.filter((each) => !found.has(each)),
      seen,
    ),
  );
  const template = tokens.map(({ text, separator }, at): [string, string] => {
    const given = inPath[at] as Given;
    const role = found.get(given)?.role;
    return [separator, role === undefined ? text : `{${role}}`];
  });
  return {
    path: writeTemplate(template),
    parameters: [
      ...inPath.flatMap((each) => {
        const mark = found.get(each);
        return mark?.role === undefined ? [] : [describe({ ...mark, name: mark.role }, seen)];
      }),
      ...inQuery.map((each) => describe(found.get(each) ?? each, seen)),
    ],
  };
}

type Choice = [given: Given | undefined, role: DraftParameter['role'], why: string];

function findInterval(all: readonly Given[], { step }: SeenAnswer): Choice {
  const fits = ({ value }: Given): boolean => readIntervalWord(value, step)?.seconds === step;
  const isWord = ({ value }: Given): boolean =>
    /\d/.test(value) && readIntervalWord(value, step) !== undefined;
  const named = all.filter(({ name, in: where }) => where === 'query' && nameRole(name) === 'interval');
  const inQuery = all.filter(({ in: where }) => where === 'query');
  const byName = named.find(fits) ?? named.find(({ value }) => readIntervalWord(value, step));
  if (byName) return [byName, 'interval', 'by its name and value'];
  const byValue = inQuery.find((each) => fits(each) && isWord(each)) ?? all.find(fits) ?? all.find(isWord);
  if (byValue)
    return [
      byValue,
      'interval',
      byValue.in === 'path' ? 'by the form of this step of the path' : 'by its value',
    ];
  const span = inQuery.find(({ name }) => /^(days|range|span|period|window)$/i.test(name));
  return [span, 'interval', 'by its name; it may be the length of the range, which decides the step'];
}

/** Finds the times of a range by their order and by the rows that came, then by their names. */
function findTimes(all: readonly Given[], { starts, step }: SeenAnswer): [Given, Found][] {
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
  ): [Given, Found] => {
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

function isLimit(value: string): boolean {
  return /^[1-9]\d{0,4}$/.test(value);
}

function readLimit({ before: _, ...given }: Given, { starts }: SeenAnswer): Found {
  const isKept = starts.length <= Number(given.value);
  return isKept
    ? { ...given, role: 'limit', why: 'by its name and value; no more than were requested here' }
    : { ...given, isIdle: true, why: 'no role, and never sent: more rows came' };
}

function findPool(all: readonly Given[], { names }: SeenAnswer): Choice {
  const inQuery = all.filter(({ in: where }) => where === 'query');
  const inPath = all.filter(({ in: where }) => where === 'path');
  const byName = inQuery.filter(({ name }) => nameRole(name) === 'pool');
  const best = byName.find(({ value }) => names(value)) ?? byName.find(({ value }) => rateMarket(value) > 0);
  if (best ?? byName[0]) return [best ?? byName[0], 'pool', 'by its name and value'];
  const echoed = inPath.find(({ value }) => value.length > 2 && names(value));
  if (echoed) return [echoed, 'pool', 'by the form of this step of the path, and the answer names it'];
  const rated = (least: number) => inPath.find(({ value, before }) => rateMarket(value, before) >= least);
  const step = rated(2) ?? rated(1);
  if (step) return [step, 'pool', 'by the form of this step of the path'];
  return [inQuery.find(({ value }) => rateMarket(value) > 0), 'pool', 'by the form of its value'];
}

function describe({ role, why, isIdle, ...plain }: Found, { step }: SeenAnswer): DraftParameter {
  if (isIdle) return { ...plain, isIdle, tags: {}, schema: { type: 'string' }, ...(why && { guess: why }) };
  if (role === undefined) return { ...plain, tags: {}, schema: { type: 'string', const: plain.value } };
  const guess = `x-role ${role} ${why}`;
  if (role === 'interval') {
    const length = Number.isFinite(step) ? step : readIntervalWord(plain.value)?.seconds;
    return {
      ...{ ...plain, role, tags: { 'x-seconds': { [plain.value]: length } } },
      schema: { type: 'string', enum: [plain.value] },
      guess: `${guess}; its length is the step between the rows`,
    };
  }
  if (role === 'limit')
    return {
      ...plain,
      role,
      tags: {},
      schema: { type: 'integer', minimum: 1, maximum: Number(plain.value) },
      guess,
    };
  if (role === 'pool') return { ...plain, role, tags: {}, schema: { type: 'string' }, guess };
  return { ...plain, role, ...describeTime(plain.value), guess };
}

/** Returns the unit and the form of a time, so that requests write it as the URL does. */
function describeTime(value: string): Pick<DraftParameter, 'tags' | 'schema'> {
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
