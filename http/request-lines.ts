import { validateHeaderValue } from 'node:http';
import type { Credential, HeaderLine } from '../contract/exchange.ts';
import type { BaseUrl } from './base-url.ts';
import { ClientError } from './client-error.ts';
import { KEY_HEADER } from './redaction.ts';

export type SendRequest = {
  /** GET unless told otherwise. */
  readonly method?: string;
  /** Path and query, from the slash after the base URL; sent as it stands. */
  readonly path: string;
  readonly credential: Credential;
  /** The text of a `trial:` key, given with such a credential only. */
  readonly trialKey?: string;
  /** Replace the client's own lines of the same name. */
  readonly headers?: readonly HeaderLine[];
  /** Connects anew, and closes after the answer. */
  readonly freshConnection?: boolean;
};

/** Lines that decide where the request goes, how it is framed, or whom it authenticates. */
const OURS_ALONE = new Set(['host', 'connection', 'content-length', 'transfer-encoding', KEY_HEADER]);

/** All header lines of a request, in the order in which they are sent. */
export function requestLines(
  send: SendRequest,
  key: string | undefined,
  base: BaseUrl,
  version: string,
): HeaderLine[] {
  const own = send.headers ?? [];
  const named = new Set(own.map(([name]) => name.toLowerCase()));
  const taken = [...named].find((name) => OURS_ALONE.has(name));
  if (taken !== undefined)
    throw new ClientError(`The header ${taken} is set by the client: take it off the request.`);
  const defaults: HeaderLine[] = [
    ['user-agent', `Candleproof/${version} (API contract tests)`],
    ['accept', 'application/json'],
    ['accept-encoding', 'gzip, br'],
  ];
  return [
    ['host', base.host],
    ...defaults.filter(([name]) => !named.has(name)),
    ...own,
    ...(key === undefined ? [] : [[KEY_HEADER, key] as const]),
    ['connection', send.freshConnection === true ? 'close' : 'keep-alive'],
  ];
}

/**
 * The text to send as the key, undefined for none.
 * @throws ClientError when credential and keys do not fit together
 */
export function keyFor(send: SendRequest, apiKey: string | undefined): string | undefined {
  const { credential, trialKey } = send;
  const isTrial = credential.startsWith('trial:');
  if (isTrial !== (trialKey !== undefined)) {
    throw new ClientError(
      `The credential ${credential} ${isTrial ? 'lacks' : 'takes no'} text of a trial key.`,
    );
  }
  if (credential === 'unknown')
    throw new ClientError('The credential unknown is for recordings: send api-key or none.');
  if (credential === 'api-key' && apiKey === undefined) {
    throw new ClientError(
      'The client was made without an API key: give apiKey, or send with credential none.',
    );
  }
  return credential === 'api-key' ? apiKey : trialKey;
}

/** @throws ClientError when a key cannot stand in a header; its text is not quoted */
export function requireSendableKey(key: string): void {
  try {
    validateHeaderValue(KEY_HEADER, key);
  } catch {
    throw new ClientError(
      'The API key holds characters no header can carry: look for a line break in its file.',
    );
  }
}
