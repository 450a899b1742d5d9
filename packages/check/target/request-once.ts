import { isLoopback } from '@candleproof/client/send/base-url';
import { createClient } from '@candleproof/client/send/client';
import { version } from '@candleproof/files/package-files';
import { UsageError } from '@candleproof/files/usage-error';
import type { Exchange, HeaderLine } from '@candleproof/law/reading/exchange';
import { readSpec } from './accepted-spec.ts';
import { type Booking, type GuardedKey, openGuard } from './client.ts';

/** Names of parameters that carry keys, which go into no document and no report. */
const keyName = /key|token|secret|signature|^sign$|auth|passphrase/i;

/** Names and values of tokens that are traded, such as the address of a contract. */
const tradedName = /^((base|quote|from|to|in|out|sell|buy)_?)token(_?(address|id|symbol))?$/i;
const contract = /^0x[0-9a-f]{40}$/i;

/** Names of parameters and headers that carry the signature of a request. */
export const signatureName = /sign(ature|ed)?$|hmac/i;

/** Words why a signed request is refused. */
export const signedWords =
  'a signed request (HMAC) cannot be sent, since each needs a signature of its own; look at an endpoint that needs none, or save an answer to a file and look at that';

/** Returns whether a parameter or a header of a name carries a secret. */
export function isSecretName(name: string): boolean {
  return keyName.test(name);
}

/** Reads the URL of an answer to look at. Throws a UsageError for one that cannot be requested, or that holds a key. */
export function readAnswerUrl(text: string): URL {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`look: "${text}" is no URL; give one such as https://HOST/candles?symbol=X`);
  const [key] =
    [...url.searchParams].find(
      ([name, value]) => keyName.test(name) && !tradedName.test(name) && !contract.test(value),
    ) ?? [];
  if (key !== undefined && signatureName.test(key)) throw new UsageError(`look: ${key}: ${signedWords}`);
  if (key !== undefined)
    throw new UsageError(
      `look: the URL seems to hold a key (${key}); leave it out, and give it by --api-key-file and --key-query ${key}`,
    );
  if (url.password !== '')
    throw new UsageError(
      'look: the URL seems to hold a key; leave it out, and give user:password by --api-key-file and --key-header "Authorization: Basic"',
    );
  if (url.protocol === 'http:' && !isLoopback(url.href))
    throw new UsageError('look: http: is for this machine only; give an https: URL');
  return url;
}

/** The key of a request, and its place: a header after a prefix, or the query. */
export type PlacedKey = {
  readonly in: 'header' | 'query';
  readonly name: string;
  readonly prefix: string;
  readonly text: string;
};

/** Parts of a request beside its URL: the keys, the first of which counts, and further headers. */
export type RequestParts = {
  readonly keys?: readonly PlacedKey[];
  readonly headers?: readonly HeaderLine[];
  /** The JSON body of a POST that only reads. */
  readonly body?: string;
};

/**
 * Sends one GET, or a POST with a body, with the keys that are given for it, and returns the exchange.
 * @throws MonthSpent
 */
export async function requestOnce(
  url: URL,
  terms: { readonly timeout: number; readonly ca?: string | undefined } & RequestParts & Booking,
): Promise<Exchange> {
  const { timeout, ca, keys = [], body } = terms;
  const headers = [...(terms.headers ?? []), ...(body === undefined ? [] : [jsonLine])];
  const [key, ...further] = keys;
  const client = createClient({
    baseUrl: url.origin,
    ca,
    ...(key && { apiKey: key.text, keyPlace: placeKey(key) }),
    furtherKeys: further.map((each) => ({ place: placeKey(each), text: each.text })),
    deadlines: { connectMs: timeout / 2, headersMs: timeout, bodyMs: timeout },
    ...(!isLoopback(url.href) && { proxyEnv: process.env }),
    version,
    longestWaitMs: timeout,
  });
  const path = `${url.pathname}${url.search}`;
  const sent = { path, headers, ...(body !== undefined && { method: 'POST', body }) };
  const guarded = key && (await openGuard(describeKey(url, key), { ...terms, budget: 1 }));
  try {
    if (!guarded) return await client.send({ ...sent, credential: 'none' });
    return await guarded.guard.client(client).send({ ...sent, credential: 'api-key' });
  } finally {
    await client.close();
    await guarded?.close();
  }
}

const jsonLine: HeaderLine = ['content-type', 'application/json'];

function placeKey({ in: place, name, prefix }: PlacedKey) {
  return { in: place, name: place === 'header' ? name.toLowerCase() : name, prefix };
}

/** Without a document, the headers of the month are those of ours. */
function describeKey(url: URL, { text }: PlacedKey): GuardedKey {
  return { baseUrl: url.origin, text, quota: readSpec().quota };
}
