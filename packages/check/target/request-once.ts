import { isLoopback } from '@candleproof/client/send/base-url';
import { createClient } from '@candleproof/client/send/client';
import { version } from '@candleproof/files/package-files';
import { UsageError } from '@candleproof/files/usage-error';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { readSpec } from './accepted-spec.ts';
import { type Booking, type GuardedKey, openGuard } from './client.ts';

/** Names of parameters that carry keys, which go into no document and no report. */
const keyName = /key|token|secret|signature|^sign$|auth|passphrase/i;

/** Reads the URL of an answer to look at. Throws a UsageError for one that cannot be requested, or that holds a key. */
export function readAnswerUrl(text: string): URL {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`look: "${text}" is no URL; give one such as https://HOST/candles?symbol=X`);
  const key = [...url.searchParams.keys()].find((name) => keyName.test(name));
  if (key !== undefined || url.password !== '')
    throw new UsageError(
      `look: the URL seems to hold a key${key === undefined ? '' : ` (${key})`}; give a key of a header by --api-key-file and --key-header, or save an answer to a file and look at that`,
    );
  if (url.protocol === 'http:' && !isLoopback(url.href))
    throw new UsageError('look: http: is for this machine only; give an https: URL');
  return url;
}

/** The key of a request, and the header that carries it after a prefix. */
export type HeaderKey = { readonly name: string; readonly prefix: string; readonly text: string };

/**
 * Sends one GET, with a key if one is given for it, and returns the exchange.
 * @throws MonthSpent
 */
export async function requestOnce(
  url: URL,
  terms: {
    readonly timeout: number;
    readonly ca?: string | undefined;
    readonly key?: HeaderKey | undefined;
  } & Booking,
): Promise<Exchange> {
  const { timeout, ca, key } = terms;
  const client = createClient({
    baseUrl: url.origin,
    ca,
    ...(key && {
      apiKey: key.text,
      keyPlace: { in: 'header' as const, name: key.name.toLowerCase(), prefix: key.prefix },
    }),
    deadlines: { connectMs: timeout / 2, headersMs: timeout, bodyMs: timeout },
    ...(!isLoopback(url.href) && { proxyEnv: process.env }),
    version,
    longestWaitMs: timeout,
  });
  const path = `${url.pathname}${url.search}`;
  const guarded = key && (await openGuard(describeKey(url, key), { ...terms, budget: 1 }));
  try {
    if (!guarded) return await client.send({ path, credential: 'none' });
    return await guarded.guard.client(client).send({ path, credential: 'api-key' });
  } finally {
    await client.close();
    await guarded?.close();
  }
}

/** Without a document, the headers of the month are those of ours. */
function describeKey(url: URL, { text }: HeaderKey): GuardedKey {
  return { baseUrl: url.origin, text, quota: readSpec().quota };
}
