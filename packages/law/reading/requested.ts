import { dropKeys, matchPath, readRequestTime } from '@candleproof/document/spec/request-path';
import type { OperationRole } from '@candleproof/document/spec/roles';
import { type Rung, rungNames } from '@candleproof/document/spec/roles';
import { moveParameters } from '@candleproof/document/spec/sent-request';
import type { Operation, OperationId, Parameter, Spec } from '@candleproof/document/spec/spec';
import { parameterTexts, type SentRequest } from './exchange.ts';
import { findRange, isReasonable, type RequestedSpan } from './requested-range.ts';

/** The meaning of a request, read from what the document says that it is made of. */
export type Requested = RequestedSpan & {
  readonly operation: OperationId;
  readonly role: OperationRole;
  /**
   * The request follows the document: its method, each required parameter once, every value within its schema and within
   * reason. The document shows no query for the token list, so one with a query is not proper.
   */
  readonly proper: boolean;
  /**
   * Not proper for its range alone: pool, interval and side are written as the document does. The rows of an answer are
   * candles of that series, though the document leaves open which of them are due.
   */
  readonly oddRange?: true;
  /** The method is another than the operation's. */
  readonly otherMethod?: true;
  /** The interval's name in the document. */
  readonly interval?: string;
  /** The length that it represents in rules. */
  readonly rung?: Rung;
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
  const meant = spec.operations.flatMap((operation) => {
    const path = matchPath(operation.path, url.pathname);
    return path ? [{ operation, path }] : [];
  });
  const [found] = [...meant.filter(({ operation }) => isOfMethod(operation, request)), ...meant];
  return found && readParameters(spec, found.operation, found.path, url.searchParams, request, now);
}

/** Returns whether a request has an operation's method. */
function isOfMethod(operation: Operation, { method }: Pick<SentRequest, 'method'>): boolean {
  return method === (operation.method ?? 'GET');
}

/** Returns the request that a path of ours becomes, without a key. */
export function writeRequest(spec: Spec, baseUrl: string, given: string): SentRequest {
  const { path, method = 'GET', headers, ...parts } = moveParameters(spec, given);
  return { method, url: `${baseUrl}${path}`, headers, ...parts, credential: 'none' };
}

function readParameters(
  spec: Spec,
  operation: Operation,
  path: Map<string, string>,
  query: URLSearchParams,
  request: SentRequest,
  now: number,
): Requested {
  const values: Record<string, unknown> = {};
  let proper = isOfMethod(operation, request);
  const paired: { parts: Readonly<Record<string, string>>; text: string }[] = [];
  let namesSeries = proper && operation.role === 'history';
  for (const parameter of operation.parameters) {
    const given = parameterTexts(parameter, { ...request, path, query });
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
    } else if (parameter.parts) paired.push({ parts: parameter.parts, text: given[0] ?? '' });
    else values[parameter.role === 'since' ? 'from' : parameter.role] = value;
  }
  if (paired.length > 0) values.interval = joinParts(paired);
  if (values.interval !== undefined) values.interval = String(values.interval);
  const late = operation.lateBy?.[String(values.interval)] ?? 0;
  for (const role of ['from', 'to'])
    if (late > 0 && role in values) values[role] = Number(values[role]) - late;
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
    ...(!isOfMethod(operation, request) && { otherMethod: true as const }),
    ...(!proper &&
      namesSeries &&
      isReasonable(operation, { ...requested, from: undefined, to: undefined }) && { oddRange: true }),
  };
}

/** Returns the interval that the texts of several parameters make; all of them if they make none. */
function joinParts(paired: readonly { parts: Readonly<Record<string, string>>; text: string }[]): string {
  const names = Object.keys(paired[0]?.parts ?? {});
  const found = names.find((name) => paired.every(({ parts, text }) => parts[name] === text));
  return found ?? paired.map(({ text }) => text).join('-');
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

/** Reads a parameter's text; undefined if its schema refuses it. */
function readValue(parameter: Parameter, text: string): unknown {
  const { accepts, role } = parameter;
  const isTime = role === 'from' || role === 'to' || role === 'since';
  const value = [parseText(text), text].find((candidate) => accepts(candidate));
  return !isTime || value === undefined ? value : readRequestTime(parameter, value);
}

/** Parses a parameter's text as JSON would write its value. */
function parseText(text: string): unknown {
  if (/^(0|-?[1-9]\d{0,14})$/.test(text)) return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  return text;
}
