import { minute } from '../document/interval.ts';
import { endsNow } from '../document/operation.ts';
import { dropKeys, excludedSeconds, matchPath } from '../document/request-path.ts';
import type { OperationRole } from '../document/roles.ts';
import { type Rung, rungNames } from '../document/roles.ts';
import type { Operation, OperationId, Parameter, PoolId, Spec } from '../document/spec.ts';
import { readTime } from '../document/times.ts';
import { plausibleBounds } from './candle.ts';
import { parameterTexts, type SentRequest } from './exchange.ts';

/** The meaning of a request, read from its URL alone: foreign recordings have nothing else. */
export type Requested = {
  readonly operation: OperationId;
  readonly role: OperationRole;
  /**
   * The request follows the document: GET, each required parameter once, every value within its schema and within
   * reason. The document shows no query for the token list, so one with a query is not proper.
   */
  readonly proper: boolean;
  /**
   * Not proper for its range alone: pool, interval and side are written as the document does. The rows of an answer are
   * candles of that series, though the document leaves open which of them are due.
   */
  readonly oddRange?: true;
  readonly pool?: PoolId;
  /** The interval's name in the document. */
  readonly interval?: string;
  /** Seconds of that interval. */
  readonly length?: number;
  /** The length that it represents in rules. */
  readonly rung?: Rung;
  /** Unix seconds. For a request without `from`, the start of the `limit` rows before `to`. */
  readonly from?: number;
  readonly to?: number;
  /** The rows that come are the range: the request leaves an edge open, or the answer is one page of several. */
  readonly openRange?: true;
  /** The whole range lies before any pool had a row. */
  readonly prehistoric?: true;
  /** The most rows that were requested. */
  readonly limit?: number;
  /** Leads to another page than the first. */
  readonly cursor?: unknown;
  /** Undefined if the parameter was omitted. */
  readonly inverted?: boolean;
};

/**
 * Reads the operation that a request meant; undefined for a URL of none (§4). `now` is the target's time in Unix
 * seconds, for ranges that end at the present.
 */
export function recognizeRequest(
  spec: Spec,
  baseUrl: string,
  request: SentRequest,
  now = Number.NaN,
): Requested | undefined {
  if (!URL.canParse(request.url) || !request.url.startsWith(`${baseUrl}/`)) return undefined;
  const url = new URL(`https://target.invalid${request.url.slice(baseUrl.length)}`);
  dropKeys(spec, url);
  for (const operation of spec.operations) {
    const path = matchPath(operation.path, url.pathname);
    if (path) return readParameters(spec, operation, path, url.searchParams, request, now);
  }
  return undefined;
}

function readParameters(
  spec: Spec,
  operation: Operation,
  path: Map<string, string>,
  query: URLSearchParams,
  { method, headers }: SentRequest,
  now: number,
): Requested {
  const values: Record<string, unknown> = {};
  let proper = method === 'GET';
  let namesSeries = proper && operation.role === 'history';
  for (const parameter of operation.parameters) {
    const given = parameterTexts(parameter, { path, query, headers });
    if (given.length === 0 && !parameter.required) continue;
    const value = readValue(parameter, given[0] ?? '');
    if (given.length !== 1 || value === undefined) {
      proper = false;
      namesSeries &&= isOfRange(parameter);
    }
    // The effect of another value on the answer is unknown.
    else if (parameter.role === undefined) {
      proper &&= given[0] === parameter.fixed;
      namesSeries &&= given[0] === parameter.fixed;
    } else values[parameter.role === 'since' ? 'from' : parameter.role] = value;
  }
  if (values.interval !== undefined) values.interval = String(values.interval);
  const requested = { ...values, ...findLength(spec, values.interval) } as Omit<
    Requested,
    'operation' | 'role' | 'proper' | 'oddRange'
  >;
  const isShown = operation.role !== 'tokens' || query.size === 0;
  const range = operation.role !== 'history' ? {} : findRange(operation, requested, now);
  proper &&= isShown && range !== undefined && isReasonable(operation, { ...requested, ...range });
  return {
    ...requested,
    ...range,
    operation: operation.id,
    role: operation.role,
    proper,
    ...(!proper &&
      namesSeries &&
      isReasonable(operation, { ...requested, from: undefined, to: undefined }) && { oddRange: true }),
  };
}

/** Returns whether a parameter only chooses which rows of a series are due. */
function isOfRange({ role }: Parameter): boolean {
  return role === 'from' || role === 'to' || role === 'since' || role === 'limit';
}

function findLength({ intervals, rungs }: Spec, name: unknown): Pick<Requested, 'length' | 'rung'> {
  const known = intervals.find((interval) => interval.name === name);
  if (!known) return {};
  const rung = rungNames.find((rungName) => rungs[rungName]?.name === name);
  return { length: known.seconds, rung };
}

/**
 * Returns the range that an answer must cover, as far as the request states it; undefined for one of more rows than an
 * answer may hold, since it is unknown which of them are omitted.
 */
function findRange(
  operation: Operation,
  { from, to, limit, length = 0 }: Partial<Requested>,
  now: number,
): Pick<Requested, 'from' | 'to' | 'openRange' | 'prehistoric'> | undefined {
  const { parameters, since, maxRows = Number.POSITIVE_INFINITY } = operation;
  const most = Math.min(limit ?? parameters.find(({ role }) => role === 'limit')?.usual ?? maxRows, maxRows);
  if (endsNow(operation)) return findNewest(now, from, (most - 1) * length);
  if (to === undefined) return { openRange: true };
  const age = since !== undefined && to <= since ? { prehistoric: true as const } : {};
  if (from === undefined)
    return Number.isFinite(most) ? { from: to - most * length, ...age } : { openRange: true, ...age };
  return (to - from) / length <= most ? age : undefined;
}

/** Returns the range of the newest rows, which may begin an interval later than at the time of the Date header. */
function findNewest(
  now: number,
  from: number | undefined,
  seconds: number,
): Pick<Requested, 'from' | 'to'> | undefined {
  const first = Math.max(from ?? Number.NEGATIVE_INFINITY, now - seconds);
  return Number.isFinite(first) ? { from: first, to: now + minute } : undefined;
}

/** Checks what the schema cannot: a range is ordered and lies in this age, pools count from zero, lengths are known. */
function isReasonable(
  { role, earliest, parameters }: Operation,
  { pool = 0, length, from, to }: Partial<Requested>,
): boolean {
  if (role !== 'tokens' && length === undefined) return false;
  if (typeof pool === 'number' && pool < 0) return false;
  if (from !== undefined && to !== undefined && from > to) return false;
  return parameters.every(({ role: named, unit }) => {
    const bounds = plausibleBounds(unit ?? 's', earliest);
    const time = named === 'from' || named === 'since' ? from : named === 'to' ? to : undefined;
    return time === undefined || (time > bounds.from && time < bounds.to);
  });
}

/** Reads a parameter's text; undefined if its schema refuses it. */
function readValue(parameter: Parameter, text: string): unknown {
  const { accepts, role, unit = 's', zone } = parameter;
  const isTime = role === 'from' || role === 'to' || role === 'since';
  const value = [parseText(text), text].find((candidate) => accepts(candidate));
  if (!isTime || value === undefined) return value;
  const excluded = excludedSeconds(parameter);
  const time = readTime(value, unit, zone) + excluded;
  return excluded === 0 ? time : Math.round(time * 1000) / 1000;
}

/** Parses a parameter's text as JSON would write its value. */
function parseText(text: string): unknown {
  if (/^(0|-?[1-9]\d{0,14})$/.test(text)) return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  return text;
}
