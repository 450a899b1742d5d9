import { type Credential, type Exchange, headerValues } from '../contract/exchange.ts';
import { KEY_HEADER } from './redaction.ts';

const MARKER = /^\[redacted:(api-key|trial:.+)\]$/;

/** The credential whose marker stands in a key header, undefined for any other text. */
export function credentialOfMarker(value: string): Credential | undefined {
  return MARKER.exec(value)?.[1] as Credential | undefined;
}

/** Texts of keys that a recording still holds in its requests, each once. */
export function recordedKeys(exchanges: readonly Exchange[]): string[] {
  const values = exchanges.flatMap(({ request }) => headerValues(request.headers, KEY_HEADER));
  return [...new Set(values)].filter((value) => value !== '' && credentialOfMarker(value) === undefined);
}
