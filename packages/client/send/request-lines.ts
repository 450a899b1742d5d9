import { validateHeaderValue } from 'node:http';
import type { KeyPlace } from '@candleproof/document/spec/spec';
import type { Credential, HeaderLine } from '@candleproof/law/reading/exchange';
import { KEY_HEADER } from '../secrets/redaction.ts';
import type { BaseUrl } from './base-url.ts';
import { ClientError } from './failure.ts';

export type SendRequest = {
  /** GET by default. */
  readonly method?: string;
  /** Path and query, from the slash after the base URL; sent unchanged. */
  readonly path: string;
  /** The text of a JSON body. */
  readonly body?: string;
  readonly credential: Credential;
  /** The text of a `trial:` key; required with such a credential, and only with it. */
  readonly trialKey?: string;
  /** The place of the trial key; the key's header by default. */
  readonly trialPlace?: TrialPlace;
  /** Header lines; they replace the client's lines of the same name. */
  readonly headers?: readonly HeaderLine[];
  /** Names of the client's lines that are left out, in lower case. */
  readonly withoutHeaders?: readonly string[];
  /** True to open a new connection and close it after the answer. */
  readonly freshConnection?: boolean;
  /** True to start at once despite the client's pace; a wait that the target requires is still respected. */
  readonly unpaced?: boolean;
  /** True to use http: instead of https:, which is never done with a key. */
  readonly plainHttp?: boolean;
};

/** `authorization` is that of a bearer, `basic` its user; `capitals` is the key's header in upper case. */
export type TrialPlace =
  | 'query'
  | 'cookie'
  | 'authorization'
  | 'basic'
  | 'other header'
  | 'other headers'
  | 'capitals';

/** Names under which other services take a key in a query, or in a header. */
const otherNames = { query: ['api_key', 'apikey'], header: ['api-key', 'x-auth-token'] } as const;

type KeySpot = Omit<KeyPlace, 'scheme'>;

/** The place of the API key, by default that of openapi.yaml, and further keys to send with it. */
export type KeyPlaces = {
  readonly keyPlace?: KeySpot | undefined;
  readonly furtherKeys?: readonly { readonly place: KeySpot; readonly text: string }[] | undefined;
};

const ourPlace: KeySpot = { in: 'header', name: KEY_HEADER, prefix: '' };

/** Headers that decide the destination, the framing or the authentication of a request. */
const OURS_ALONE = new Set(['host', 'connection', 'content-length', 'transfer-encoding', KEY_HEADER]);

/** Methods whose requests announce an empty body. */
const CHANGING = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Returns all header lines of a request, in the order of sending. */
export function requestLines(
  send: SendRequest,
  key: string | undefined,
  base: BaseUrl,
  { version, keyPlace = ourPlace, furtherKeys = [] }: { readonly version: string } & KeyPlaces,
): HeaderLine[] {
  const given = send.headers ?? [];
  const named = new Set(given.map(([name]) => name.toLowerCase()));
  const absent = send.withoutHeaders ?? [];
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
    ...defaults.filter(([name]) => !named.has(name) && !absent.includes(name)),
    ...given,
    ...(key === undefined ? [] : keyLines(key, send.trialPlace, keyPlace)),
    ...(key === undefined ? [] : furtherKeys.flatMap(({ place, text }) => keyLines(text, undefined, place))),
    ...(CHANGING.has(send.method ?? 'GET')
      ? [['content-length', String(Buffer.byteLength(send.body ?? ''))] as const]
      : []),
    ['connection', isSingle(send) ? 'close' : 'keep-alive'],
  ];
}

/** Returns whether a request uses a separate connection. */
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
      return place.name === 'authorization' ? [] : [['authorization', `Bearer ${key}`]];
    case 'basic':
      return place.name === 'authorization' ? [] : [['authorization', `Basic ${encodeUser(key)}`]];
    case 'other header':
      return otherNames.header.filter((name) => name !== place.name).map((name) => [name, key]);
    case 'other headers':
      return (['cookie', 'authorization', 'other header'] as const).flatMap((other) =>
        keyLines(key, other, place),
      );
    case 'capitals':
      return [[place.name.toUpperCase(), prefixKey(place, key)]];
    case undefined:
      return place.in === 'header' ? [[place.name, prefixKey(place, key)]] : [];
  }
}

/** Puts a key behind its prefix; a user and a password of Basic authorization are encoded (RFC 7617). */
function prefixKey({ prefix }: KeySpot, key: string): string {
  const isPlain = prefix === 'Basic ' && key.includes(':') && !key.startsWith('[redacted:');
  return prefix + (isPlain ? Buffer.from(key).toString('base64') : key);
}

/** Returns the user of Basic authorization, without a password (RFC 7617); a marker stays readable in the record. */
function encodeUser(user: string): string {
  return user.startsWith('[redacted:') ? user : Buffer.from(`${user}:`).toString('base64');
}

/** Returns the path with the keys in its query. */
export function keyedPath(
  { path, trialPlace }: SendRequest,
  key: string | undefined,
  { keyPlace = ourPlace, furtherKeys = [] }: KeyPlaces,
): string {
  if (key === undefined) return path;
  const names = trialPlace === 'query' ? [keyPlace.name, ...otherNames.query] : [];
  const keys = [
    ...names.map((name) => ({ place: { in: 'query', name, prefix: '' } as const, text: key })),
    ...(trialPlace === undefined ? [{ place: keyPlace, text: key }] : []),
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
 * Returns the text to send as the key; undefined for none.
 * @throws ClientError if the credential and the keys do not match
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

/** @throws ClientError if a header cannot contain the key, whose text it does not quote */
export function requireSendableKey(key: string): void {
  try {
    validateHeaderValue(KEY_HEADER, key);
  } catch {
    throw new ClientError(
      'The API key holds characters no header can carry: look for a line break in its file.',
    );
  }
}
