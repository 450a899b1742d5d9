import { operationOf } from '../document/operation.ts';
import { escapePointer } from '../document/place.ts';
import { isRespelt, type Requested, recognise } from '../document/requested.ts';
import { contextOfValues, type Departure, departureOf, departures, errorsOf } from '../document/shape.ts';
import type { Operation, Spec } from '../document/spec.ts';
import { type Candle, sortByTime } from './candle.ts';
import { describe } from './describe.ts';
import {
  type Body,
  type Exchange,
  type HeaderLine,
  headerValues,
  type PoolId,
  type TargetFacts,
} from './exchange.ts';
import { type Quota, readQuota } from './quota.ts';
import { readCandles } from './read-candles.ts';
import { parseStrictly } from './strict-json.ts';

/** A departure from the schema at its place in the answer; the last one that is kept stands for all after it. */
export type Misshapen = Departure & {
  readonly pointer: string;
  readonly row?: number;
  readonly times?: number;
};

/** Departures of one kind in one field that are kept of an answer: more of them tell nothing, and fill the memory. */
const mostAlike = 1000;

/** An exchange, read once: what was requested, and what the answer says in the contract's own terms. */
export type Answer = {
  /** Position in the recording. */
  readonly index: number;
  readonly exchange: Exchange;
  /** Undefined for a URL that is none of the three operations. */
  readonly requested?: Requested;
  /** The answer arrived whole, so that its status stands; a recording may hold it without its headers or its body. */
  readonly complete: boolean;
  readonly status?: number;
  /** Every header line that the target sent; undefined where a recording left some out, or where a cache answered. */
  readonly headers?: readonly HeaderLine[];
  /** Undefined where no recording holds it whole. */
  readonly body?: Body;
  /** A cache had a hand in it: its counters are old, and it is not the latest. */
  readonly fromCache: boolean;
  /** A proper request for what the target is known to have, with a key where one is needed: owed a 200 (§4). */
  readonly entitled: boolean;
  /** A complete 200 to one of the three operations: its body, where there is one, is judged as a success (§4), with and without a key. */
  readonly success: boolean;
  /** The Date header in Unix seconds; absent where it cannot be read, or contradicts the candles. */
  readonly serverNow?: number;
  /** Unix seconds between which the server's clock stood; absent where no clock bounds it. */
  readonly nowWithin?: { readonly from: number; readonly to: number };
  readonly quota: Quota;
  /** Why a success is not one JSON value. */
  readonly broken?: string;
  /** Undefined unless `success` and strict JSON that is held. */
  readonly value?: unknown;
  readonly misshapen: readonly Misshapen[];
  /** JSON pointer to the records: to their list, or to the one that there is; empty where that is the body itself. */
  readonly rowsAt: string;
  /** The records are a list. */
  readonly isList: boolean;
  /** The answer's records: tokens or candles; one for an answer that is a single record. */
  readonly records: readonly unknown[];
  /** Empty for tokens. */
  readonly candles: readonly Candle[];
  /** The same in the order of time, those without a readable start left out. */
  readonly inTime: readonly Candle[];
  /** Rows whose start or prices cannot be read; 0 for tokens. */
  readonly unreadable: number;
};

/** A successful answer of candles, with the interval that was requested. */
export type CandleAnswer = Answer & {
  readonly requested: { readonly interval: string; readonly length: number; readonly pool: PoolId };
};

/** A successful answer of the history operation, with the range that was requested. */
export type HistoryAnswer = CandleAnswer & {
  readonly requested: { readonly from: number; readonly to: number };
};

export function isCandleAnswer(answer: Answer): answer is CandleAnswer {
  const { requested } = answer;
  return holdsSuccess(answer) && requested?.proper === true && requested.role !== 'tokens';
}

type HeldAnswer = Answer & { readonly body: Body };

/** A success whose body can be judged. */
export function holdsSuccess(answer: Answer): answer is HeldAnswer {
  return answer.success && answer.body !== undefined;
}

/** No candle's start is unreadable, so that none is left out of those in the order of time. */
export function hasEveryStart({ candles, inTime }: Answer): boolean {
  return inTime.length === candles.length;
}

/** A header's values in the order of arrival; undefined where nobody knows whether it was sent. */
export function headersNamed({ headers }: Answer, name: string): readonly string[] | undefined {
  return headers && headerValues(headers, name);
}

/** Reads an exchange; everything that rules look at is derived here, once. */
export function read(
  spec: Spec,
  target: TargetFacts,
  exchange: Exchange,
  index: number,
  parse = parseStrictly,
): Answer {
  const { response } = exchange;
  const requested = recognise(spec, target.baseUrl, exchange.request);
  const complete = response !== undefined && exchange.failure === undefined;
  const success = requested !== undefined && complete && response.status === 200;
  const headers = knownHeaders(exchange);
  return {
    index,
    exchange,
    ...(requested && { requested }),
    complete,
    ...(response && { status: response.status }),
    ...(headers && { headers }),
    ...(complete && response.body && { body: response.body }),
    fromCache: exchange.recorder?.fromCache === true,
    entitled:
      requested?.proper === true && isKeyed(exchange, target) && isOffered(spec, requested, exchange, target),
    success,
    ...serverClock(response?.headers ?? []),
    quota: readQuota(spec.quota, headers ?? []),
    ...(success && response.body && exchange.request.method === 'GET'
      ? readBody(spec, requested, response.body, parse)
      : noContent),
  };
}

function knownHeaders({ response, recorder }: Exchange): readonly HeaderLine[] | undefined {
  return recorder?.headersLeftOut || recorder?.fromCache ? undefined : response?.headers;
}

function serverClock(headers: readonly HeaderLine[]): Pick<Answer, 'serverNow' | 'nowWithin'> {
  const [date] = headerValues(headers, 'date');
  if (!isHttpDate(date)) return {};
  const serverNow = Date.parse(date) / 1000;
  return { serverNow, nowWithin: { from: serverNow, to: serverNow } };
}

/** Date.parse alone would take any number for a year. */
export function isHttpDate(text: string | undefined): text is string {
  return text !== undefined && /^[A-Z][a-z]{2}.* GMT$/.test(text) && !Number.isNaN(Date.parse(text));
}

function isKeyed({ request }: Exchange, target: TargetFacts): boolean {
  return request.credential === 'api-key' || request.credential === 'unknown' || target.keyless;
}

/** A pool that the target was said to have, under the very path of the document and in its usual spelling. */
function isOffered(spec: Spec, requested: Requested, { request }: Exchange, target: TargetFacts): boolean {
  if (request.url.split('?', 1)[0]?.endsWith('/') || isRespelt(request.url)) return false;
  if (requested.pool === undefined) return true;
  return (target.pools[operationOf(spec, requested.operation).space] ?? []).includes(requested.pool);
}

/** A single record that has none of its fields is not an incomplete one, but something else around it. */
function wrapping({ answersList, recordFields }: Operation, value: unknown): Departure[] {
  if (answersList || typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  if (recordFields.some((each) => each in value)) return [];
  const expected = `an object with ${recordFields.slice(0, 3).join(', ')}, …`;
  return [{ keyword: 'required', field: '', expected, actual: describe(value) }];
}

type Content = Pick<
  Answer,
  'broken' | 'value' | 'misshapen' | 'records' | 'rowsAt' | 'isList' | 'candles' | 'inTime' | 'unreadable'
>;

const noContent: Content = {
  misshapen: [],
  records: [],
  rowsAt: '',
  isList: false,
  candles: [],
  inTime: [],
  unreadable: 0,
};

function readBody(spec: Spec, requested: Requested, body: Body, parse: typeof parseStrictly): Content {
  const parsed = body.encoding === 'utf8' ? parse(body.text) : { broken: 'the body is not UTF-8 text' };
  if ('broken' in parsed) return { ...noContent, broken: parsed.broken };
  const operation = operationOf(spec, requested.operation);
  const { acceptsShape, answersList: isList, rowsAt } = operation;
  const { value } = parsed;
  const inner = memberAt(value, rowsAt);
  const shape = [...departures(acceptsShape, value), ...wrapping(operation, inner)];
  if (isList && shape.length === 0 && !Array.isArray(inner)) shape.push(withoutRows(operation, inner));
  if (shape.length > 0)
    return { ...noContent, value, misshapen: shape.map((each) => ({ ...each, pointer: '' })) };
  const records = isList ? (inner as unknown[]) : [inner];
  const place = { rowsAt: rowsAt.map((each) => `/${escapePointer(each)}`).join(''), isList };
  const misshapen = misshapenIn(records, operation, place);
  const { candles: all, unreadable } =
    requested.role === 'tokens'
      ? noContent
      : readCandles(records, { ...operation, length: requested.length ?? 0 });
  const candles = hasFrom(operation) ? all : meant(all, requested);
  return { value, misshapen, records, ...place, candles, inTime: sortByTime(candles), unreadable };
}

function memberAt(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[step] : undefined,
    value,
  );
}

/** An envelope need not require its list. */
function withoutRows({ rowsAt }: Operation, inner: unknown): Departure {
  return { keyword: 'type', field: '', expected: `a list at ${rowsAt.join('.')}`, actual: describe(inner) };
}

function hasFrom({ parameters, role }: Operation): boolean {
  return role !== 'history' || parameters.some((each) => each.role === 'from');
}

/** Rows from before the range that was meant come where idle intervals are left out: nothing is judged of them. */
function meant(candles: readonly Candle[], { from = 0 }: Requested): readonly Candle[] {
  return candles.filter((each) => !(each.start < from));
}

/** All departures of the records, row by row. */
function misshapenIn(
  records: readonly unknown[],
  { acceptsRecord }: Operation,
  { rowsAt, isList }: Pick<Answer, 'rowsAt' | 'isList'>,
): Misshapen[] {
  const all: Misshapen[] = [];
  const alike = new Map<string, { kept: number; last: Misshapen & { times?: number } }>();
  const context = contextOfValues();
  for (let row = 0; row < records.length; row++) {
    for (const error of errorsOf(acceptsRecord, records[row], context)) {
      const kind = `${error.schemaPath} ${error.params.missingProperty ?? ''}`;
      const known = alike.get(kind);
      if (known && known.kept >= mostAlike) {
        known.last.times = (known.last.times ?? 1) + 1;
        continue;
      }
      const departure = departureOf(error, records[row]);
      const base = isList ? `${rowsAt}/${row}` : rowsAt;
      const pointer = departure.field === '' ? base : `${base}/${departure.field}`;
      const last = { ...departure, row, pointer };
      all.push(last);
      alike.set(kind, { kept: (known?.kept ?? 0) + 1, last });
    }
  }
  return all;
}
