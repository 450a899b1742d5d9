import {
  type Credential,
  type Exchange,
  headerValues,
  type SentRequest,
} from '../../contract/reading/exchange.ts';
import { Mask } from './mask.ts';
import { KEY_HEADER, Redaction } from './redaction.ts';

/** A recorded exchange, and whether we recorded it: then it holds no secret but perhaps a key that somebody put back. */
export type RecordedExchange = { readonly exchange: Exchange; readonly isOurs: boolean };

/** Texts of a request as the document has them. */
export type KnownTexts = {
  /** Lists those of a URL that are no secrets, whatever they look like. */
  readonly listPlain?: (url: string) => readonly string[];
  /** Lists the keys of a request, in any place. */
  readonly listKeys?: (request: SentRequest) => readonly string[];
};

/** The same exchanges with keys, cookies, authorisations and what looks like them replaced everywhere. */
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
  const plain = recorded.flatMap(({ exchange }) => listPlain(exchange.request.url));
  const mask = new Mask(redaction, new Set(plain));
  const masked = recorded.map(({ exchange, isOurs }) => {
    const credited = withCredential(exchange, others);
    return isOurs ? credited : mask.exchange(credited);
  });
  return masked.map((exchange) => redaction.clean(exchange));
}

/** Every key has separate counters: the one that was sent most is taken for ours, any other for another's. */
function withCredential(exchange: Exchange, others: readonly string[]): Exchange {
  const { request } = exchange;
  const [key = ''] = headerValues(request.headers, KEY_HEADER);
  return others.includes(key) ? { ...exchange, request: { ...request, credential: OTHER_KEY } } : exchange;
}

const MARKER = /^\[redacted:(api-key|trial:.+)\]$/;

/** The credential whose marker is in a key header, undefined for any other text. */
export function credentialOfMarker(value: string): Credential | undefined {
  return MARKER.exec(value)?.[1] as Credential | undefined;
}

/** A key beside the one that a recording is about. */
export const OTHER_KEY: Credential = 'trial:other-key';

/** Texts of keys that a recording still holds in its requests, each once, the one that was sent most before the others. */
export function recordedKeys(exchanges: readonly Exchange[]): string[] {
  const values = exchanges.flatMap(({ request }) => headerValues(request.headers, KEY_HEADER));
  const counts = Map.groupBy(values, (value) => value);
  return [...counts]
    .filter(([value]) => value !== '' && credentialOfMarker(value) === undefined)
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([value]) => value);
}
