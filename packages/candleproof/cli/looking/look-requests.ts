import { readAnswerUrl, requestOnce } from '@candleproof/check/target/request-once';
import { isLoopback } from '@candleproof/client/send/base-url';
import { USUAL_MAX_BODY_BYTES } from '@candleproof/client/send/kept-bodies';
import { splitBody } from '@candleproof/drafting/body-values';
import type { ApiDraft } from '@candleproof/drafting/draft';
import { isLongProbe, nextProbe, type Settling, takeProbe } from '@candleproof/drafting/settle-draft';
import { readNamedFile } from '@candleproof/files/read-file';
import { UsageError } from '@candleproof/files/usage-error';
import {
  type Exchange,
  type HeaderLine,
  headerValues,
  type TransportFailure,
} from '@candleproof/law/reading/exchange';
import { makeVisible } from '@candleproof/reports/words/escape';
import { findLedger } from '../database/read-ledger.ts';
import { printText, warnUnbooked } from '../words/output.ts';
import type { LookKeyFlags, LookKeys } from './look-keys.ts';
import { parseAnswer } from './parse-answer.ts';

/** Flags of `look` by which it sends requests. */
export type LookRequestFlags = LookKeyFlags & {
  readonly keys: LookKeys;
  readonly caFile?: string;
  /** The JSON body of a POST. */
  readonly data?: string;
  /** Sends further requests for what one leaves open. */
  readonly settle?: true;
  readonly allowOverage?: boolean;
};

/** An answer, and the URL that it answers if that is known. */
export type LookedAnswer = {
  readonly name: string;
  readonly body: Uint8Array;
  readonly url?: URL;
  readonly now?: number;
  readonly exchange?: Exchange;
};

/** Longest wait for an answer, in ms. */
const timeout = 10_000;

/** The largest certificate. */
const mostBytes = 1 << 20;

/** Characters of a refusal that are repeated. */
const mostQuoted = 200;

/** Characters; a longer answer holds more than a message. */
const longestRefusal = 2000;

/** Sends one request to a URL, and returns its answer. Throws a UsageError for none, or a refusal. */
export async function requestAnswer(source: string, flags: LookRequestFlags): Promise<LookedAnswer> {
  const url = readAnswerUrl(source);
  const data = readData(flags);
  printText(`${data === undefined ? 'GET' : 'POST'} ${makeVisible(url.href)} (1 request)\n`, { json: true });
  const terms = sendTerms(url, flags, data);
  if (terms.keys?.some(({ in: place }) => place === 'query'))
    printText('a key in a query reaches the logs of the target and of what is between\n', { json: true });
  const exchange = await requestOnce(url, terms);
  const { response, failure } = exchange;
  if (!response) {
    const mend =
      failure?.kind === 'certificate'
        ? '; name the authority of its certificate with --ca-file'
        : '; is the address right, and can this machine reach it?';
    throw new UsageError(`look: no answer came: ${failure?.message ?? 'unknown'}${mend}`);
  }
  const body = response.body?.encoding === 'utf8' ? response.body.text : '';
  if (response.status < 200 || response.status > 299) {
    const [location] = headerValues(response.headers, 'location');
    const said = location === undefined ? body : `it leads to ${location}; give the URL of the answer itself`;
    const answer = [
      `status ${response.status}`,
      ...(said === '' ? [] : [makeVisible(said.slice(0, mostQuoted))]),
    ];
    throw new UsageError(`look: ${answer.join(': ')}${keyAdvice(response.status, flags)}`);
  }
  if (failure) throw incompleteError(failure);
  if (isRefusal(body))
    throw new UsageError(
      `look: status ${response.status}, but no row: ${makeVisible(body.slice(0, mostQuoted))}; mend the request`,
    );
  const now = readDate(response.headers);
  return { name: url.hostname, body: Buffer.from(body), url, exchange, ...(now !== undefined && { now }) };
}

/** Returns what to do about a refusal for want of a key. */
function keyAdvice(status: number, { keys }: LookRequestFlags): string {
  if (status !== 401 && status !== 403) return '';
  if (keys.sent.keys?.length)
    return '; the key was refused: is it whole, and its place that of the vendor’s page?';
  return '; give the key with --api-key-file or CANDLEPROOF_API_KEY, and its place with --key-header or --key-query';
}

/** Returns whether a body is a JSON object with a message and without a row, as some APIs refuse with status 200. */
function isRefusal(text: string): boolean {
  const body = text.length > longestRefusal ? undefined : parseBody(text, 'the answer');
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  const isMessage = (name: string): boolean => /^(errors?|error_?message|message|msg|detail)$/i.test(name);
  const members = Object.entries(body);
  const hasRow = members.some(
    ([name, value]) => !isMessage(name) && /[[{]/.test(JSON.stringify(value).slice(1)),
  );
  return !hasRow && members.some(([name, value]) => isMessage(name) && value && String(value) !== '');
}

/** Reads the server's time in Unix seconds. */
function readDate(headers: readonly HeaderLine[]): number | undefined {
  const now = Date.parse(headerValues(headers, 'date')[0] ?? '') / 1000;
  return now > 0 ? now : undefined;
}

/** Returns the error for an answer without its end: whether that is our limit or its server's doing. */
function incompleteError({ kind, message }: TransportFailure): UsageError {
  if (kind !== 'too-large') return new UsageError(`look: the answer broke off: ${message}; send it again`);
  const limit = `the answer is larger than ${USUAL_MAX_BODY_BYTES >> 20} MB, our limit, which no flag raises`;
  return new UsageError(`look: ${limit}; request fewer rows, or save it to a file and look at that`);
}

/** A settled draft, and the exchanges of its look by which it can be judged. */
export type SettledLook = { readonly draft: ApiDraft; readonly exchanges: readonly Exchange[] };

/** Sends the requests that settle what one answer leaves open, each announced. */
export async function settleOpen(draft: ApiDraft, flags: LookRequestFlags): Promise<SettledLook> {
  let settling: Settling = { draft, sent: [] };
  const exchanges: Exchange[] = [];
  for (let probe = nextProbe(settling); probe !== undefined; probe = nextProbe(settling)) {
    const { url, body } = splitBody(probe.url, draft.body);
    const method = body === undefined ? 'GET' : 'POST';
    printText(`${method} ${makeVisible(url.href)} (${probe.purpose})\n`, { json: true });
    const exchange = await requestOnce(url, sendTerms(url, flags, body));
    if (!isLongProbe(probe)) exchanges.push(exchange);
    settling = takeProbe(settling, probe, {
      status: exchange.response?.status,
      body: parseBody(exchange.response?.body?.text, probe.url.hostname),
      now: exchange.response && readDate(exchange.response.headers),
    });
  }
  return { draft: settling.draft, exchanges };
}

function parseBody(text = '', name: string): unknown {
  try {
    return parseAnswer(Buffer.from(text), name);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/** Reads the body of a POST. Throws a UsageError for what is no JSON object. */
export function readData({ data }: Pick<LookRequestFlags, 'data'>): unknown {
  if (data === undefined) return undefined;
  try {
    const body: unknown = JSON.parse(data);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  } catch {
    // Refused below, as are other values.
  }
  throw new UsageError(
    'look: --data: this is no JSON object; give the body of the POST, such as \'{"symbol":"X"}\'',
  );
}

function sendTerms(url: URL, flags: LookRequestFlags, body: unknown): Parameters<typeof requestOnce>[1] {
  const ca = flags.caFile === undefined ? undefined : readNamedFile(flags.caFile, '--ca-file', mostBytes);
  const { sent } = flags.keys;
  const [key] = sent.keys ?? [];
  const ledger = key && findLedger({ apiKey: key.text, isLoopback: isLoopback(url.href) }, process.env);
  const posted = body === undefined ? {} : { body: JSON.stringify(body) };
  return {
    timeout,
    ca,
    ...sent,
    ...posted,
    ledger,
    onUnbooked: warnUnbooked,
    allowOverage: flags.allowOverage,
  };
}
