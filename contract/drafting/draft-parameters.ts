import { guessUnit, parseTime } from '../layout/written-times.ts';

/** A parameter of a draft, as OpenAPI writes it, and why it was given its role. */
export type DraftParameter = {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly role?: string;
  readonly value: string;
  readonly tags: Readonly<Record<string, unknown>>;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly guess?: string;
};

/** The parameters that a URL shows, and its path as a template. */
export type DraftRequest = { readonly path: string; readonly parameters: readonly DraftParameter[] };

/** The seconds of the interval in which the rows lie; NaN if they show none. */
type Facts = { readonly step: number };

const names: Readonly<Record<string, RegExp>> = {
  interval:
    /^(interval|granularity|resolution|timeframe|tf|period|bar|type|step|candle_?type|kline_?type|unit|frequency|timespan)$/i,
  from: /^(from|start|since|after|begin|min)([-_]?(time|date|at|timestamp|ts|datetime|iso))?$|^(time|period)_?start$|^period1$/i,
  to: /^(to|end|until|before|till|max)([-_]?(time|date|at|timestamp|ts|datetime|iso))?$|^(time|period)_?end$|^period2$/i,
  limit: /^(limit|count|size|num|n|bars|countback|outputsize|max_?results|per_?page)$/i,
  pool: /^(symbol|symbols|pair|market|instrument|instrument_?name|inst_?id|product|product_?id|pool|coin|ticker|asset|currency_?pair|contract|s|id|address|network)$/i,
};

const intervalWord =
  /^(\d{1,4}[-_]?)?(s|sec|second|m|min|minute|h|hr|hour|d|day|w|week|mon|month|mth|y|year)(s|ly)?$|^(one|five|fifteen|thirty)?(minute|hour|day|week)s?$|^(daily|hourly|weekly)$|^\d+(min|m|hour|h|day|d)utc$/i;

/** Reads the meaning of a URL's parameters from their names and values. */
export function draftRequest(url: URL, facts: Facts): DraftRequest {
  const query = [...url.searchParams].map(([name, value]) => describe(name, value, facts, 'query'));
  const parameters = onlyOnce(query);
  const has = (role: string): boolean => parameters.some((parameter) => parameter.role === role);
  const steps = url.pathname.split('/').map(decodeURIComponent);
  const inPath: DraftParameter[] = [];
  const path = steps.map((step) => {
    const role =
      [...inPath.map((parameter) => parameter.role)].includes('pool') || has('pool') ? 'interval' : 'pool';
    const isInterval =
      !has('interval') &&
      !inPath.some((parameter) => parameter.role === 'interval') &&
      intervalWord.test(step) &&
      /\d|minute|hour|day|week/i.test(step);
    const isPool =
      role === 'pool' &&
      /[A-Z]{2}|[a-z0-9]+[-_:][a-z0-9]+|^0x|[A-Z]\d|^[A-Za-z0-9]{32,}$/.test(step) &&
      !/^v\d/i.test(step) &&
      !/^[a-z]+(-[a-z]+)*$/.test(step);
    if (!isInterval && !isPool) return encodeURI(step);
    const name = isInterval ? 'interval' : 'pool';
    inPath.push(
      withRole({ name, in: 'path', value: step }, name, facts, 'by the form of this step of the path'),
    );
    return `{${name}}`;
  });
  return { path: path.join('/'), parameters: [...inPath, ...parameters] };
}

type Plain = Pick<DraftParameter, 'name' | 'in' | 'value'>;

function describe(name: string, value: string, facts: Facts, place: 'path' | 'query'): DraftParameter {
  const plain: Plain = { name, in: place, value };
  const isTime = looksLikeTime(value);
  const byName = Object.entries(names).find(([role, pattern]) => {
    if (!pattern.test(name)) return false;
    if (role === 'from' || role === 'to') return isTime;
    if (role === 'limit') return /^\d{1,5}$/.test(value);
    return (
      role !== 'interval' ||
      intervalWord.test(value) ||
      Number(value) * 60 === facts.step ||
      Number(value) === facts.step
    );
  });
  if (byName) return withRole(plain, byName[0], facts, 'by its name and value');
  if (intervalWord.test(value) && /\d/.test(value)) return withRole(plain, 'interval', facts, 'by its value');
  return { ...plain, tags: {}, schema: { type: 'string', const: value } };
}

function looksLikeTime(value: string): boolean {
  const unit = guessUnit([value]) ?? 'dmy';
  const time = parseTime(value, unit);
  return time > 31_536_000 && time < 7_258_118_400;
}

function withRole(plain: Plain, role: string, { step }: Facts, why: string): DraftParameter {
  const guess = `x-role ${role} ${why}`;
  if (role === 'interval') {
    const seconds = { [plain.value]: step };
    return {
      ...plain,
      role,
      tags: { 'x-seconds': seconds },
      schema: { type: 'string', enum: [plain.value] },
      guess: `${guess}; its length is the step between the rows`,
    };
  }
  if (role === 'from' || role === 'to') {
    const unit = guessUnit([plain.value]);
    const isCount = unit === 's' || unit === 'ms';
    return {
      ...plain,
      role,
      tags: isCount && unit === 's' ? {} : { 'x-unit': isCount ? unit : 'iso' },
      schema: { type: isCount ? 'integer' : 'string' },
      guess,
    };
  }
  if (role === 'limit')
    return {
      ...plain,
      role,
      tags: {},
      schema: { type: 'integer', minimum: 1, maximum: Number(plain.value) },
      guess: `${guess}; no more than were requested here`,
    };
  return { ...plain, role, tags: {}, schema: { type: 'string' }, guess };
}

/** Keeps each role for the first parameter that has it; further ones are fixed. */
function onlyOnce(parameters: readonly DraftParameter[]): DraftParameter[] {
  return parameters.map((parameter, at) => {
    const isFirst = parameters.findIndex(({ role }) => role === parameter.role) === at;
    if (parameter.role === undefined || isFirst) return parameter;
    const { role: _, guess: __, ...plain } = parameter;
    return { ...plain, tags: {}, schema: { type: 'string', const: parameter.value } };
  });
}
