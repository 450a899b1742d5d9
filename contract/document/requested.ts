import type { OperationId } from '../judge/verdict.ts';
import type { PoolId, SentRequest } from '../reading/exchange.ts';
import { plausibleSeconds } from '../reading/tolerances.ts';
import type { OperationRole } from './roles.ts';
import { type Rung, rungNames } from './rungs.ts';
import type { Operation, Parameter, Spec } from './spec.ts';
import { timeOf, timeText } from './times.ts';

/** What a request means, read back from its URL: a recording of others has nothing else. */
export type Requested = {
  readonly operation: OperationId;
  readonly role: OperationRole;
  /**
   * The request keeps to the document: GET, each required parameter once, every value within its schema and within
   * reason. Queries of the token list are none that the document shows.
   */
  readonly proper: boolean;
  readonly pool?: PoolId;
  /** Its name in the document. */
  readonly interval?: string;
  /** Seconds of that interval. */
  readonly length?: number;
  /** The length of the law that it stands for. */
  readonly rung?: Rung;
  /** Unix seconds; of a request without one, where so many rows back from `to` would begin. */
  readonly from?: number;
  readonly to?: number;
  /** The whole range lies before any pool had a row. */
  readonly prehistoric?: true;
  /** Most rows that were requested. */
  readonly limit?: number;
  /** Undefined where the parameter was left out. */
  readonly inverted?: boolean;
};

/** The operation that a request meant, or undefined for a URL that is none of the three (§4). */
export function recognise(spec: Spec, baseUrl: string, request: SentRequest): Requested | undefined {
  if (!URL.canParse(request.url) || !request.url.startsWith(`${baseUrl}/`)) return undefined;
  const url = new URL(`https://target.invalid${request.url.slice(baseUrl.length)}`);
  for (const operation of spec.operations) {
    const path = matchPath(operation.path, url.pathname);
    if (path) return readParameters(spec, operation, path, url.searchParams, request.method);
  }
  return undefined;
}

/** Codes of characters that RFC 3986 lets nobody write so: letters, digits and -._~ mean the same without. */
const codes = /%(3\d|[46][1-9A-F]|[57][\dA]|2[DE]|5F|7E)/gi;

/** Tells whether a URL spells a character as a code that it need not. */
export function isRespelt(url: string): boolean {
  return url.search(codes) >= 0;
}

/** Path parameters by name, or undefined when the path is another. One trailing slash makes no difference. */
export function matchPath(template: string, path: string): Map<string, string> | undefined {
  const wanted = template.split('/');
  const given = path.replace(/\/$/, '').replace(codes, decodeURIComponent).split('/');
  if (wanted.length !== given.length) return undefined;
  const found = new Map<string, string>();
  for (const [index, step] of wanted.entries()) {
    const text = given[index] ?? '';
    const name = /^\{(.+)\}$/.exec(step)?.[1];
    if (name === undefined && step !== text) return undefined;
    if (name !== undefined) found.set(name, text);
  }
  return found;
}

function readParameters(
  spec: Spec,
  operation: Operation,
  path: Map<string, string>,
  query: URLSearchParams,
  method: string,
): Requested {
  const values: Record<string, unknown> = {};
  let proper = method === 'GET';
  for (const parameter of operation.parameters) {
    const given = parameter.in === 'path' ? [path.get(parameter.name) ?? ''] : query.getAll(parameter.name);
    if (given.length === 0 && !parameter.required) continue;
    const value = readValue(parameter, given[0] ?? '');
    if (given.length === 1 && value !== undefined) values[keyOf(parameter)] = value;
    else proper = false;
  }
  if (values.interval !== undefined) values.interval = String(values.interval);
  const requested = { ...values, ...lengthOf(spec, values.interval) } as Omit<
    Requested,
    'operation' | 'role' | 'proper'
  >;
  const isShown = operation.role !== 'tokens' || query.size === 0;
  const range = operation.role === 'history' ? rangeOf(operation, requested) : {};
  return {
    ...requested,
    ...range,
    operation: operation.id,
    role: operation.role,
    proper: proper && isShown && range !== undefined && isReasonable(operation, { ...requested, ...range }),
  };
}

function lengthOf({ intervals, rungs }: Spec, name: unknown): Pick<Requested, 'length' | 'rung'> {
  const known = intervals.find((each) => each.name === name);
  if (!known) return {};
  const rung = rungNames.find((each) => rungs[each]?.name === name);
  return { length: known.seconds, ...(rung && { rung }) };
}

/**
 * The range that an answer can be held to; undefined where a range was left open, or asks for more rows than the answer
 * may hold: which of them are left out nobody knows.
 */
function rangeOf(
  { parameters, since, maxRows = Number.POSITIVE_INFINITY }: Operation,
  { from, to, limit, length = 0 }: Partial<Requested>,
): Pick<Requested, 'from' | 'prehistoric'> | undefined {
  if (to === undefined) return undefined;
  const most = Math.min(limit ?? parameters.find(({ role }) => role === 'limit')?.usual ?? maxRows, maxRows);
  const age = since !== undefined && to <= since ? { prehistoric: true as const } : {};
  if (from === undefined) return Number.isFinite(most) ? { from: to - most * length, ...age } : undefined;
  return (to - from) / length <= most ? age : undefined;
}

/** What the schema cannot say: a range has an order and lies in this age, pools are counted from zero, lengths are known. */
function isReasonable(
  { role }: Operation,
  { pool = 0, length, from = plausibleSeconds.from, to = from }: Partial<Requested>,
): boolean {
  if (role !== 'tokens' && length === undefined) return false;
  if (typeof pool === 'number' && pool < 0) return false;
  return from >= plausibleSeconds.from && from <= to && to < plausibleSeconds.to;
}

/** What a parameter's text stands for; undefined where its schema does not take it. */
function readValue({ accepts, role, unit }: Parameter, text: string): unknown {
  const isTime = role === 'from' || role === 'to';
  const value = [fromText(text), text].find((each) => accepts(each));
  return isTime && value !== undefined ? timeOf(value, unit ?? 's') : value;
}

/** The value that a parameter's text stands for, as JSON would write it. */
function fromText(text: string): unknown {
  if (/^(0|-?[1-9]\d{0,14})$/.test(text)) return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  return text;
}

/** What the judge's value of a parameter is called: by its role, else by its name. */
export function keyOf({ role, name }: Parameter): string {
  return role ?? name;
}

/** The path and query of a request with these values, parameters in the order of the spec. */
export function pathOf(operation: Operation, values: Readonly<Record<string, unknown>>): string {
  const text = (parameter: Parameter): string => encodeURIComponent(textOf(parameter, values));
  const path = operation.parameters
    .filter((each) => each.in === 'path')
    .reduce((whole, each) => whole.replace(`{${each.name}}`, text(each)), operation.path);
  const query = operation.parameters
    .filter((each) => each.in === 'query' && (values[keyOf(each)] ?? each.fixed) !== undefined)
    .map((each) => `${each.name}=${text(each)}`);
  return query.length > 0 ? `${path}?${query.join('&')}` : path;
}

/** Times are given in Unix seconds; text instead of one is sent as it is. */
function textOf(parameter: Parameter, values: Readonly<Record<string, unknown>>): string {
  const { role, unit = 's', fixed } = parameter;
  const value = values[keyOf(parameter)] ?? fixed;
  const isTime = role === 'from' || role === 'to';
  return isTime && typeof value === 'number' ? timeText(value, unit) : String(value);
}
