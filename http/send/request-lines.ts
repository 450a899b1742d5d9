import { validateHeaderValue } from 'node:http';
import type { Credential, HeaderLine } from '../../contract/reading/exchange.ts';
import { KEY_HEADER } from '../secrets/redaction.ts';
import type { BaseUrl } from './base-url.ts';
import { ClientError } from './client-error.ts';

export type SendRequest = {
  /** GET unless set otherwise. */
  readonly method?: string;
  /** Path and query, from the slash after the base URL; sent as it stands. */
  readonly path: string;
  readonly credential: Credential;
  /** The text of a `trial:` key, given with such a credential only. */
  readonly trialKey?: string;
  /** The place of the trial key; its own header by default. */
  readonly trialPlace?: TrialPlace;
  /** Replace the client's own lines of the same name. */
  readonly headers?: readonly HeaderLine[];
  /** Connects anew, and closes after the answer. */
  readonly freshConnection?: boolean;
  /** Starts at once, beside others, however the client is paced; a hold that the target requested is kept. */
  readonly unpaced?: boolean;
  /** Over http: instead of https:, and never with a key. */
  readonly plainHttp?: boolean;
};

/** `capitals` is the key's own header, written so. */
export type TrialPlace = 'query' | 'cookie' | 'authorization' | 'capitals';

/** Lines that decide where the request goes, how it is framed, or whom it authenticates. */
const OURS_ALONE = new Set(['host', 'connection', 'content-length', 'transfer-encoding', KEY_HEADER]);

/** Methods that announce a body, and are sent without one. */
const CHANGING = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** All header lines of a request, in the order in which they are sent. */
export function requestLines(
  send: SendRequest,
  key: string | undefined,
  base: BaseUrl,
  { version, keyHeader = KEY_HEADER }: { readonly version: string; readonly keyHeader?: string | undefined },
): HeaderLine[] {
  const own = send.headers ?? [];
  const named = new Set(own.map(([name]) => name.toLowerCase()));
  const taken = [...named].find((name) => OURS_ALONE.has(name) || name === keyHeader);
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
    ...(key === undefined ? [] : keyLines(key, send.trialPlace, keyHeader)),
    ...(CHANGING.has(send.method ?? 'GET') ? [['content-length', '0'] as const] : []),
    ['connection', isSingle(send) ? 'close' : 'keep-alive'],
  ];
}

/** Goes over a connection of its own. */
export function isSingle({ freshConnection, plainHttp }: SendRequest): boolean {
  return freshConnection === true || plainHttp === true;
}

function keyLines(key: string, place: TrialPlace | undefined, keyHeader: string): HeaderLine[] {
  switch (place) {
    case 'query':
      return [];
    case 'cookie':
      return [['cookie', `${keyHeader}=${key}`]];
    case 'authorization':
      return [['authorization', `Bearer ${key}`]];
    case 'capitals':
      return [[keyHeader.toUpperCase(), key]];
    case undefined:
      return [[keyHeader, key]];
  }
}

/** The path to ask for, with the key in its query where it is tried there. */
export function pathOf({ path, trialPlace }: SendRequest, key: string | undefined): string {
  if (trialPlace !== 'query' || key === undefined) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${KEY_HEADER}=${encodeURIComponent(key)}`;
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
  if (send.plainHttp === true && credential !== 'none')
    throw new ClientError('A key is never sent over plain HTTP: send with credential none.');
  if (send.trialPlace !== undefined && !isTrial)
    throw new ClientError('Only a trial key can stand elsewhere: leave out its place.');
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
