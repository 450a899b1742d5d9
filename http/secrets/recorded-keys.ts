import { type Credential, type Exchange, headerValues } from '../../contract/reading/exchange.ts';
import { KEY_HEADER } from './redaction.ts';

const MARKER = /^\[redacted:(api-key|trial:.+)\]$/;

/** The credential whose marker stands in a key header, undefined for any other text. */
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
