import type { Exchange } from '@candleproof/law/reading/exchange';
import { parseHar } from '../har/har.ts';

/** A HAR entry as parsed JSON. */
export type HarEntry = Record<string, unknown>;

/** Returns the exchanges of a file with these entries. */
export function readEntries(...entries: HarEntry[]): readonly Exchange[] {
  return parseHar(`\uFEFF${JSON.stringify({ log: { version: '1.2', pages: [], entries } })}`, 'browser.har')
    .exchanges;
}

/** Returns the exchange of one entry, by default a plain request with a plain answer. */
export function readEntry(entry: HarEntry): Exchange {
  const [exchange] = readEntries({
    request: { method: 'GET', url: 'https://host/tokens', headers: [] },
    response: { status: 200 },
    ...entry,
  });
  if (exchange === undefined) throw new Error('no exchange was read');
  return exchange;
}
