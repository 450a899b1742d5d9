import type { Distortion } from '../api/distortion.ts';
import type { ApiRequest } from '../api/message.ts';
import { declareFaults } from './fault.ts';

const WRONG_KEYS = 'authentication/wrong-keys-are-refused';
const NO_WAY_AROUND = 'authentication/no-way-around-the-key';

/** Ways past the key that a run tries in turn. */
export const keyBypassFaults = declareFaults('auth', {
  'F165 key-is-a-pattern': {
    title: 'a key is looked up as a pattern: signs of per cent stand for any',
    breaks: [WRONG_KEYS],
    drawn: 'wildcards',
    make: () => ({ admitted: (admitted, { request }) => admitted || /^%+$/.test(request.apiKey ?? '') }),
  },
  'F166 key-in-a-list': {
    title: 'of several keys with commas between them one good one is enough',
    breaks: [WRONG_KEYS],
    drawn: 'in-a-list',
    make: () => withKey((key) => key.split(',').at(-1) ?? key),
  },
  'F167 blanks-in-keys-are-dropped': {
    title: 'blanks inside a key are dropped',
    breaks: [WRONG_KEYS],
    drawn: 'blank-inserted',
    make: () => withKey((key) => key.replaceAll(' ', '')),
  },
  'F168 key-by-its-end': {
    title: 'a key is good that ends with the same sixteen characters as one that was used',
    breaks: [WRONG_KEYS],
    drawn: 'good-ending',
    make: () => rememberKeys((key) => (key.length >= 16 ? key.slice(-16) : undefined)),
  },
  'F169 key-in-lower-case': {
    title: 'a key that was used is good in lower case, too',
    breaks: [WRONG_KEYS],
    drawn: 'lower-case',
    make: () => rememberKeys((key, isGood) => (isGood ? key.toLowerCase() : key)),
  },
  'F170 doubled-slash-is-open': {
    title: 'a path with a doubled slash leads past the key',
    breaks: [NO_WAY_AROUND],
    drawn: 'unkeyed-slash-doubled',
    make: () =>
      admitAsOther((request) =>
        request.target.startsWith('//')
          ? { ...request, target: request.target.replace(/^\/+/, '/') }
          : undefined,
      ),
  },
  'F171 head-takes-no-key': {
    title: 'HEAD is answered without a key',
    breaks: [NO_WAY_AROUND],
    drawn: 'unkeyed-method-head',
    make: () => ({ admitted: (admitted, { request }) => admitted || request.method === 'HEAD' }),
  },
  'F172 options-is-answered-with-data': {
    title: 'OPTIONS is answered like GET, and without a key',
    breaks: [NO_WAY_AROUND],
    drawn: 'unkeyed-method-options',
    make: () =>
      admitAsOther((request) => (request.method === 'OPTIONS' ? { ...request, method: 'GET' } : undefined)),
  },
});

/** Lets in what is taken for another request. */
function admitAsOther(taken: (request: ApiRequest) => ApiRequest | undefined): Distortion {
  const open = new WeakSet<ApiRequest>();
  return {
    request: (request) => {
      const other = taken(request);
      if (other) open.add(other);
      return other ?? request;
    },
    admitted: (admitted, { request }) => admitted || open.has(request),
  };
}

/** Takes what a request brings as its key for another text. */
function withKey(taken: (key: string) => string): Distortion {
  return {
    request: (request: ApiRequest) =>
      request.apiKey === undefined ? request : { ...request, apiKey: taken(request.apiKey) },
  };
}

/** Accepts any key that shares a trait with a valid key that was used before. */
export function rememberKeys(trait: (key: string, isGood: boolean) => string | undefined): Distortion {
  const used = new Map<string | undefined, string>();
  return {
    request: (request) => {
      const good = request.apiKey === undefined ? undefined : used.get(trait(request.apiKey, false));
      return good === undefined ? request : { ...request, apiKey: good };
    },
    admitted: (admitted, { request, key }) => {
      if (key !== undefined && request.apiKey) {
        const known = trait(request.apiKey, true);
        if (known !== undefined) used.set(known, request.apiKey);
      }
      return admitted;
    },
  };
}
