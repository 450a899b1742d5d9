import { operationById } from '@candleproof/document/spec/operation';
import { hasNeedlessEscapes } from '@candleproof/document/spec/request-path';
import type { Operation, PoolId, Spec } from '@candleproof/document/spec/spec';
import { moveRange } from './calendar.ts';
import {
  type Body,
  type Exchange,
  type HeaderLine,
  headerValues,
  type ReceivedResponse,
  type SentRequest,
  type TargetFacts,
} from './exchange.ts';
import { type Quota, readQuota } from './quota.ts';
import { type AnswerContent, noContent, readBody } from './read-body.ts';
import { type Requested, recognizeRequest } from './requested.ts';
import { type Parsed, parseStrictly } from './strict-json.ts';

/** An exchange, read once: the request and the answer in the contract's terms. */
export type Answer = AnswerContent & {
  /** Position in the recording. */
  readonly index: number;
  readonly exchange: Exchange;
  /** Undefined for a URL of no operation. */
  readonly requested?: Requested;
  /** The answer arrived whole, so that its status counts; a recording may hold it without headers or body. */
  readonly complete: boolean;
  /** The HTTP status; for a 200 with a refusal in its body, that of the refusal; 200 for one that reports no rows. */
  readonly status?: number;
  /** Every header line that the target sent; undefined if a recording omits some, or a cache answered. */
  readonly headers?: readonly HeaderLine[];
  /** Undefined unless a recording holds it whole. */
  readonly body?: Body;
  /** It came through a cache: its counters are old, and it is not the latest. */
  readonly fromCache: boolean;
  /** A proper request for something that the target has, with a key if one is needed: a 200 is due (§4). */
  readonly entitled: boolean;
  /** A complete 200 to an operation: its body, if there is one, is judged as a success (§4), with or without a key. */
  readonly success: boolean;
  /** The Date header in Unix seconds; absent if it is unreadable or contradicts the candles. */
  readonly serverNow?: number;
  /** Bounds of the server's clock in Unix seconds; absent if no clock bounds it. */
  readonly nowWithin?: { readonly from: number; readonly to: number };
  readonly quota: Quota;
};

/** A successful answer of candles, with the requested interval. */
export type CandleAnswer = Answer & {
  readonly requested: { readonly interval: string; readonly length: number; readonly pool: PoolId };
};

/** A successful answer of the history operation, with the requested range. */
export type HistoryAnswer = CandleAnswer & {
  readonly requested: { readonly from: number; readonly to: number };
};

/** Returns whether an answer is a success of candles to a proper request. */
export function isCandleAnswer(answer: Answer): answer is CandleAnswer {
  const { requested } = answer;
  return holdsSuccess(answer) && requested?.proper === true && requested.role !== 'tokens';
}

type HeldAnswer = Answer & { readonly body: Body };

/** Returns whether an answer is a success whose body can be judged. */
export function holdsSuccess(answer: Answer): answer is HeldAnswer {
  return answer.success && answer.body !== undefined;
}

/**
 * Returns whether an answer is a success in the form of its document, be it an empty list. What is no JSON, or has another
 * form as a whole, shows nothing of its rows: that none could be read does not mean that none are there.
 */
export function holdsContent(answer: Answer): answer is HeldAnswer {
  const { broken, misshapen, records } = answer;
  return holdsSuccess(answer) && broken === undefined && (records.length > 0 || misshapen.length === 0);
}

/** Returns whether every candle's start is readable, so that none is missing from those sorted by time. */
export function hasEveryStart({ candles, inTime }: Answer): boolean {
  return inTime.length === candles.length;
}

/** Returns whether a request has another method than its operation, or than a GET where it has none. */
export function hasOtherMethod({ requested, exchange }: Pick<Answer, 'requested' | 'exchange'>): boolean {
  return requested ? requested.otherMethod === true : exchange.request.method !== 'GET';
}

/** Lists a header's values in order of arrival; undefined if it is unknown whether the header was sent. */
export function headersNamed({ headers }: Answer, name: string): readonly string[] | undefined {
  return headers && headerValues(headers, name);
}

/** Reads an exchange and derives, once, everything that rules use. */
export function readExchange(
  spec: Spec,
  target: TargetFacts,
  exchange: Exchange,
  index: number,
  parse = parseStrictly,
): Answer {
  const { response } = exchange;
  const clock = readServerClock(response?.headers ?? []);
  const { serverNow: now = Date.parse(exchange.startedAt) / 1000 } = clock;
  const read = recognizeRequest(spec, target.baseUrl, exchange.request, now);
  const complete = response !== undefined && exchange.failure === undefined;
  const meant = read && isPageOfOtherPath(spec, read, exchange) ? undefined : read;
  const isOk = meant !== undefined && complete && isSuccess(spec, response);
  const headers = knownHeaders(exchange);
  const content =
    isOk && response.body && !meant.otherMethod
      ? readBody(spec, meant, response.body, parse, now)
      : noContent;
  const requested = narrowToRows(meant && moveRange(meant, content.candles[0]?.reading.calendar), content);
  const refused = content.refusal?.status ?? (isOk ? 200 : response?.status);
  const isEmpty = complete && requested !== undefined && meansEmpty(spec, requested, refused);
  const success = (isOk && content.refusal === undefined) || isEmpty;
  return {
    index,
    exchange,
    requested,
    complete,
    ...(refused !== undefined && { status: isEmpty ? 200 : refused }),
    headers,
    ...(complete && response.body && { body: response.body }),
    fromCache: exchange.recorder?.fromCache === true,
    entitled:
      requested?.proper === true && isKeyed(exchange, target) && isOffered(spec, requested, exchange, target),
    success,
    ...clock,
    quota: readQuota(spec.quota, headers ?? []),
    ...content,
    ...(isEmpty && { isList: true }),
  };
}

/** A success without a body, and one with a part of it. */
const [noBody, partOfBody] = [204, 206];

/** Returns whether an answer is a success: 200, or with another document than ours any 2xx with a body. */
function isSuccess({ isOurs }: Spec, { status, body }: ReceivedResponse): boolean {
  if (status === 200) return true;
  const isOther = status > 200 && status < 300 && status !== noBody && status !== partOfBody;
  return !isOurs && isOther && body !== undefined && body.text !== '';
}

/** Returns the request with the range that an open one can be held to: from the first row of the answer to its last. */
function narrowToRows(requested: Requested | undefined, content: AnswerContent): Requested | undefined {
  if (requested?.role !== 'history') return requested;
  const isPage = requested.cursor !== undefined || content.hasNextPage === true;
  if (!isPage && !requested.openRange) return requested;
  const { from = 0, length = 0 } = requested;
  const [first, last] = [content.inTime[0]?.start ?? from, content.inTime.at(-1)?.start ?? from - length];
  return { ...requested, openRange: true, from: first, to: last + length };
}

/** Returns whether the answer to a proper request says by its status that there are no rows. */
function meansEmpty(spec: Spec, { proper, operation }: Requested, status: number | undefined): boolean {
  return proper && status !== undefined && operationById(spec, operation).empty === status;
}

function knownHeaders({ response, recorder }: Exchange): readonly HeaderLine[] | undefined {
  return recorder?.headersLeftOut || recorder?.fromCache ? undefined : response?.headers;
}

function readServerClock(headers: readonly HeaderLine[]): Pick<Answer, 'serverNow' | 'nowWithin'> {
  const [date] = headerValues(headers, 'date');
  if (!isHttpDate(date)) return {};
  const serverNow = Date.parse(date) / 1000;
  return { serverNow, nowWithin: { from: serverNow, to: serverNow } };
}

/** Returns whether a text is an HTTP date. Date.parse alone would take any number for a year. */
export function isHttpDate(text: string | undefined): text is string {
  return text !== undefined && /^[A-Z][a-z]{2}.* GMT$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** Returns whether a page came for a path that a slash at its end distinguishes from the operation's: it is of none. */
function isPageOfOtherPath(spec: Spec, { operation }: Requested, { request, response }: Exchange): boolean {
  return (
    response?.status === 200 && isMarkup(response.body) && !endsLike(operationById(spec, operation), request)
  );
}

/** Returns whether a body is markup, such as a welcome or a check for robots. */
export function isMarkup(body: Body | undefined): boolean {
  return body?.encoding === 'utf8' && body.text.trimStart().startsWith('<');
}

function endsLike({ path }: Operation, { url }: SentRequest): boolean {
  return url.split('?', 1)[0]?.endsWith('/') === path.endsWith('/');
}

function isKeyed({ request }: Exchange, target: TargetFacts): boolean {
  return request.credential === 'api-key' || request.credential === 'unknown' || target.keyless;
}

/** Returns whether the pool is one of the target's, requested under the document's exact path in the usual spelling. */
function isOffered(spec: Spec, requested: Requested, { request }: Exchange, target: TargetFacts): boolean {
  const operation = operationById(spec, requested.operation);
  if (!endsLike(operation, request) || hasNeedlessEscapes(request.url)) return false;
  return requested.pool === undefined || (target.pools[operation.space] ?? []).includes(requested.pool);
}

/** Cached texts, and their maximal length in characters: a parsed text takes about ten times as much memory. */
const mostTexts = 64;
const mostCharacters = 1 << 16;
/** Caches answers by exchange, since reading one twice costs time and memory. */
export class Readings {
  readonly #answers = new WeakMap<Exchange, Answer>();
  /** The newest texts: many clients request the same closed candles. */
  readonly #parsed = new Map<string, Parsed>();

  read(spec: Spec, target: TargetFacts, exchange: Exchange, index: number): Answer {
    const known = this.#answers.get(exchange);
    if (known) return known.index === index ? known : { ...known, index };
    const answer = readExchange(spec, target, exchange, index, (text) => this.#parse(text));
    this.#answers.set(exchange, answer);
    return answer;
  }

  #parse(text: string): Parsed {
    const known = this.#parsed.get(text);
    if (known) return known;
    const parsed = parseStrictly(text);
    if (text.length > mostCharacters) return parsed;
    this.#parsed.set(text, parsed);
    const [oldest] = this.#parsed.keys();
    if (oldest !== undefined && this.#parsed.size > mostTexts) this.#parsed.delete(oldest);
    return parsed;
  }
}
