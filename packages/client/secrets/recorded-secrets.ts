import {
  type Credential,
  type Exchange,
  headerValues,
  type SentRequest,
} from '@candleproof/law/reading/exchange';
import { Mask } from './mask.ts';
import { KEY_HEADER, Redaction } from './redaction.ts';

/** A recorded exchange. One that we recorded has no secrets, except a key that was put back by hand. */
export type RecordedExchange = { readonly exchange: Exchange; readonly isOurs: boolean };

/** Texts of a request that the document explains. */
export type KnownTexts = {
  /** Lists the texts of a request that are not secret, whatever their form. */
  readonly listPlain?: (request: SentRequest) => readonly string[];
  /** Lists the keys in all places of a request. */
  readonly listKeys?: (request: SentRequest) => readonly string[];
};

/** Returns the exchanges with keys, cookies, authorizations and similar texts replaced everywhere. */
export function withoutSecrets(
  recorded: readonly RecordedExchange[],
  { listPlain = () => [], listKeys = () => [] }: KnownTexts = {},
): Exchange[] {
  const redaction = new Redaction();
  const [ours, ...others] = recordedKeys(recorded.map((recordedExchange) => recordedExchange.exchange));
  if (ours !== undefined) redaction.conceal({ credential: 'api-key', text: ours });
  for (const text of others) redaction.conceal({ credential: OTHER_KEY, text });
  for (const { exchange, isOurs } of recorded)
    for (const text of isOurs ? [] : listKeys(exchange.request))
      redaction.conceal({ credential: 'api-key', text });
  const plain = recorded.flatMap(({ exchange }) => listPlain(exchange.request));
  const mask = new Mask(redaction, new Set(plain));
  const masked = recorded.map(({ exchange, isOurs }) => {
    const credited = withCredential(exchange, others);
    return isOurs ? credited : mask.exchange(credited);
  });
  return masked.map((exchange) => redaction.clean(exchange));
}

/** Every key has separate counters, so all keys except the most frequent are marked as another's. */
function withCredential(exchange: Exchange, others: readonly string[]): Exchange {
  const { request } = exchange;
  const [key = ''] = headerValues(request.headers, KEY_HEADER);
  return others.includes(key) ? { ...exchange, request: { ...request, credential: OTHER_KEY } } : exchange;
}

const MARKER = /^\[redacted:(api-key|trial:.+)\]$/;

/** Returns the credential whose marker a key header contains; undefined for any other text. */
export function credentialOfMarker(value: string): Credential | undefined {
  return MARKER.exec(value)?.[1] as Credential | undefined;
}

/** The credential of keys other than the one that a recording is about. */
const OTHER_KEY: Credential = 'trial:other-key';

/** Lists the distinct keys that remain in a recording's requests, the most frequent first. */
function recordedKeys(exchanges: readonly Exchange[]): string[] {
  const values = exchanges.flatMap(({ request }) => headerValues(request.headers, KEY_HEADER));
  const counts = Map.groupBy(values, (value) => value);
  return [...counts]
    .filter(([value]) => value !== '' && credentialOfMarker(value) === undefined)
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([value]) => value);
}
