import { listBodyValues, nameBodyValue } from './body-values.ts';
import { readIntervalWord } from './interval-words.ts';
import { isLimitName, nameRole, rateMarket } from './parameter-names.ts';
import {
  type DraftParameter,
  type FoundValue,
  findTimes,
  type GivenValue,
  type SeenAnswer,
  writeTimeSchema,
} from './request-times.ts';

/** The parameters that a URL shows, and its path as a template. */
export type DraftRequest = { readonly path: string; readonly parameters: readonly DraftParameter[] };

/** Reads the meaning of a URL's parameters from their names and values, and from the rows that came. */
export function draftRequest(url: URL, seen: SeenAnswer): DraftRequest {
  const tokens = readPathTokens(url.pathname, seen.step);
  const inQuery = [...url.searchParams].map(([name, value]): GivenValue => ({ name, value, in: 'query' }));
  const inPath = tokens.map(
    ({ text, before }, at): GivenValue => ({ name: String(at), value: text, in: 'path', before }),
  );
  const all = [...inQuery, ...inPath];
  const found = new Map<GivenValue, FoundValue>();
  const take = (given: GivenValue | undefined, role: DraftParameter['role'], why: string): void => {
    const { before: _, ...plain } = given ?? { name: '', value: '', in: 'query' as const };
    if (given) found.set(given, { ...plain, role, why });
  };
  take(...findInterval(all, seen));
  for (const [given, mark] of findTimes(
    all.filter((each) => !found.has(each)),
    seen,
  ))
    found.set(given, mark);
  const limit = findLimit(
    inQuery.filter((each) => !found.has(each)),
    seen,
  );
  if (limit) found.set(limit, readLimit(limit, seen));
  take(
    ...findPool(
      all.filter((each) => !found.has(each)),
      seen,
    ),
  );
  const template = tokens.map(({ text, separator }, at): [string, string] => {
    const given = inPath[at] as GivenValue;
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
      ...inQuery.map((each) => placeInBody(describe(found.get(each) ?? each, seen), seen.body)),
    ],
  };
}

/** Puts a parameter into the body that it comes from, where a number or a text stays one. */
function placeInBody(parameter: DraftParameter, body: unknown): DraftParameter {
  const value = listBodyValues(body).find((each) => nameBodyValue(each) === parameter.name);
  if (!value) return parameter;
  const { role, schema } = parameter;
  const isText = typeof value.value === 'string';
  const digits = { type: 'string', pattern: '^\\d+$' };
  const fixed = { const: value.value };
  const typed = isText && schema.type === 'integer' && role !== 'limit' ? digits : schema;
  return { ...parameter, in: 'body', schema: role === undefined ? fixed : typed };
}

type Choice = [given: GivenValue | undefined, role: DraftParameter['role'], why: string];

function findInterval(all: readonly GivenValue[], { step }: SeenAnswer): Choice {
  const fits = ({ value }: GivenValue): boolean => readIntervalWord(value, step)?.seconds === step;
  const isWord = ({ value }: GivenValue): boolean =>
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

/** Fewer rows may be as many as some other number by chance. */
const fewestRows = 5;

/** Finds the number of rows by its name, else by the answer, which holds as many. */
function findLimit(inQuery: readonly GivenValue[], { starts }: SeenAnswer): GivenValue | undefined {
  const numbers = inQuery.filter(({ value }) => /^[1-9]\d{0,4}$/.test(value));
  const isShown = ({ name, value }: GivenValue): boolean =>
    Number(value) === starts.length && starts.length >= fewestRows && nameRole(name) === undefined;
  return numbers.find(({ name }) => isLimitName(name)) ?? numbers.find(isShown);
}

function readLimit({ before: _, ...given }: GivenValue, { starts }: SeenAnswer): FoundValue {
  const isKept = starts.length <= Number(given.value);
  return isKept
    ? {
        ...given,
        role: 'limit',
        why: `by its name and value; its maximum ${given.value} is that of this URL`,
      }
    : { ...given, isIdle: true, why: 'no role, and never sent: more rows came' };
}

function findPool(all: readonly GivenValue[], { names, pool }: SeenAnswer): Choice {
  if (pool !== undefined) return [all.find(({ value }) => value === pool), 'pool', 'by --pool'];
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

function describe({ role, why, isIdle, ...plain }: FoundValue, { step, zone }: SeenAnswer): DraftParameter {
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
  return { ...plain, role, ...writeTimeSchema(plain.value, zone), guess };
}

/** A part of a path: the text between separators, and the step before it. */
type PathToken = {
  readonly text: string;
  /** The separator before it: a slash, or a colon inside a step. */
  readonly separator: string;
  readonly before: string;
};

/** Splits a path where values may begin: at slashes, and at colons; a number and its unit in two steps are one part. */
function readPathTokens(pathname: string, step: number): PathToken[] {
  const tokens: PathToken[] = [];
  for (const [at, part] of pathname.split('/').entries())
    for (const [index, text] of decode(part).split(':').entries()) {
      const last = tokens.at(-1);
      const joined = `${last?.text}/${text}`;
      if (last && index === 0 && last.separator === '/' && readIntervalWord(joined)?.seconds === step)
        tokens[tokens.length - 1] = { ...last, text: joined };
      else tokens.push({ text, separator: index > 0 ? ':' : at > 0 ? '/' : '', before: last?.text ?? '' });
    }
  return tokens;
}

/** Joins the parts of a path, with the values among them as `{name}`. */
function writeTemplate(parts: readonly (readonly [separator: string, text: string])[]): string {
  return parts
    .map(([separator, text]) => `${separator}${/^\{\w+\}$/.test(text) ? text : encodeURI(text)}`)
    .join('');
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
