import { validateHeaderValue } from 'node:http';
import type { KeyPlace } from '../../contract/document/spec.ts';
import type { Credential, HeaderLine } from '../../contract/reading/exchange.ts';
import { KEY_HEADER } from '../secrets/redaction.ts';
import type { BaseUrl } from './base-url.ts';
import { ClientError } from './failure.ts';

export type SendRequest = {
  /** GET unless set otherwise. */
  readonly method?: string;
  /** Path and query, from the slash after the base URL; sent unchanged. */
  readonly path: string;
  readonly credential: Credential;
  /** The text of a `trial:` key, given with such a credential only. */
  readonly trialKey?: string;
  /** The place of the trial key; its header by default. */
  readonly trialPlace?: TrialPlace;
  /** Replace the client's lines of the same name. */
  readonly headers?: readonly HeaderLine[];
  /** Connects again, and closes after the answer. */
  readonly freshConnection?: boolean;
  /** Starts at once, beside others, however the client is paced; a hold that the target requested is kept. */
  readonly unpaced?: boolean;
  /** Over http: instead of https:, and never with a key. */
  readonly plainHttp?: boolean;
};

/** `capitals` is the key's header, written so. */
export type TrialPlace = 'query' | 'cookie' | 'authorization' | 'capitals';

type KeySpot = Omit<KeyPlace, 'scheme'>;

/** The place of the API key, that of openapi.yaml where left out, and the other keys that go with it. */
export type KeyPlaces = {
  readonly keyPlace?: KeySpot | undefined;
  readonly furtherKeys?: readonly { readonly place: KeySpot; readonly text: string }[] | undefined;
};

const ourPlace: KeySpot = { in: 'header', name: KEY_HEADER, prefix: '' };

/** Lines that decide where the request goes, how it is framed, or whom it authenticates. */
const OURS_ALONE = new Set(['host', 'connection', 'content-length', 'transfer-encoding', KEY_HEADER]);

/** Methods that announce a body, and are sent without one. */
const CHANGING = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** All header lines of a request, in the order in which they are sent. */
export function requestLines(
  send: SendRequest,
  key: string | undefined,
  base: BaseUrl,
  { version, keyPlace = ourPlace, furtherKeys = [] }: { readonly version: string } & KeyPlaces,
): HeaderLine[] {
  const given = send.headers ?? [];
  const named = new Set(given.map(([name]) => name.toLowerCase()));
  const places = [keyPlace, ...furtherKeys.map(({ place }) => place)];
  const taken = [...named].find(
    (name) => OURS_ALONE.has(name) || places.some((place) => place.in === 'header' && place.name === name),
  );
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
    ...given,
    ...(key === undefined ? [] : keyLines(key, send.trialPlace, keyPlace)),
    ...(key === undefined ? [] : furtherKeys.flatMap(({ place, text }) => keyLines(text, undefined, place))),
    ...(CHANGING.has(send.method ?? 'GET') ? [['content-length', '0'] as const] : []),
    ['connection', isSingle(send) ? 'close' : 'keep-alive'],
  ];
}

/** Goes over a separate connection. */
export function isSingle({ freshConnection, plainHttp }: SendRequest): boolean {
  return freshConnection === true || plainHttp === true;
}

function keyLines(key: string, trial: TrialPlace | undefined, place: KeySpot): HeaderLine[] {
  switch (trial) {
    case 'query':
      return [];
    case 'cookie':
      return [['cookie', `${place.name}=${key}`]];
    case 'authorization':
      return [['authorization', `Bearer ${key}`]];
    case 'capitals':
      return [[place.name.toUpperCase(), place.prefix + key]];
    case undefined:
      return place.in === 'header' ? [[place.name, place.prefix + key]] : [];
  }
}

/** Returns the path to request, with the keys of its query, given or tried. */
export function keyedPath(
  { path, trialPlace }: SendRequest,
  key: string | undefined,
  { keyPlace = ourPlace, furtherKeys = [] }: KeyPlaces,
): string {
  if (key === undefined) return path;
  const trialSpot: KeySpot = trialPlace === 'query' ? { ...ourPlace, in: 'query' } : keyPlace;
  const keys = [
    ...(trialPlace === undefined || trialPlace === 'query' ? [{ place: trialSpot, text: key }] : []),
    ...furtherKeys,
  ];
  return keys.reduce(
    (whole, { place, text }) =>
      place.in === 'header'
        ? whole
        : `${whole}${whole.includes('?') ? '&' : '?'}${place.name}=${encodeURIComponent(place.prefix + text)}`,
    path,
  );
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

/** @throws ClientError when a header cannot contain a key; its text is not quoted */
export function requireSendableKey(key: string): void {
  try {
    validateHeaderValue(KEY_HEADER, key);
  } catch {
    throw new ClientError(
      'The API key holds characters no header can carry: look for a line break in its file.',
    );
  }
}
