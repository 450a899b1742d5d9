import type { ApiRequest, Reply } from '../api/message.ts';
import { problemReply, Refusal } from '../api/refusal.ts';
import { changeJson, JSON_TYPE, withText } from './bending/bent-reply.ts';
import { bendAt, bendReplies, isError, isLatest } from './bending/places.ts';
import { declareFaults } from './fault.ts';
import { rememberKeys } from './key-bypasses.ts';

const OF_DATA = ['Content-Type', 'ETag', 'Cache-Control'];
const LOOKS_LIKE_A_KEY = /^[A-Za-z0-9]{32}$/;

export const keyFaults = declareFaults('auth', {
  'F94 keyless-latest': {
    title: 'the latest candle is served without looking at the key',
    breaks: ['authentication/key-is-required'],
    make: () => bendAt('admitted', isLatest, () => true),
  },
  'F95 key-by-its-beginning': {
    title: 'a key that shares its first sixteen characters with a used one is accepted',
    breaks: ['authentication/wrong-keys-are-refused'],
    drawn: 'good-beginning',
    sizes: { unit: 'characters', usual: 16, scale: [31, 24, 16, 8, 1] },
    make: (length) =>
      rememberKeys((key) => (key.length >= length ? key.slice(0, Math.round(length)) : undefined)),
  },
  'F95b any-key-of-the-right-length': {
    title: 'any text of 32 characters is a good key',
    breaks: ['authentication/wrong-keys-are-refused'],
    make: () => ({ admitted: (admitted, { request }) => admitted || request.apiKey?.length === 32 }),
  },
  'F96 key-in-the-query': {
    title: 'a key in the query is as good as one in its header',
    breaks: ['authentication/key-only-in-its-header'],
    make: () => ({ request: takeKeyFromQuery }),
  },
  'F97 strangers-see-nothing': {
    title: 'without a key, the response is an empty list with status 200',
    breaks: ['authentication/key-is-required'],
    make: () => bendReplies(isRefusedKey, (reply) => withText(reply, 200, JSON_TYPE, '[]')),
  },
  'F98 refusal-as-success': {
    title: 'without a key the answer is an error in words, under status 200',
    breaks: ['authentication/key-is-required'],
    make: () =>
      bendReplies(isRefusedKey, (reply) => withText(reply, 200, JSON_TYPE, '{"error":"a key is needed"}')),
  },
  'F99 refusal-repeats-the-key': {
    title: 'an error repeats the key that came with the request',
    breaks: ['authentication/no-answer-tells-the-key'],
    make: () =>
      bendReplies(
        (reply, { request }) => isError(reply) && Boolean(request.apiKey),
        (reply, { request: { apiKey: key } }) => ({
          ...reply,
          body: changeJson(String(reply.body), (error) => Object.assign({}, error, { key })),
        }),
      ),
  },
  'F100 key-after-parameters': {
    title: 'parameters and pools are looked at before the key, and strangers learn of them',
    alters: ['authentication/order-of-checks'],
    drawn: 'unkeyed-pool-unknown',
    make: () => ({
      admitted: () => true,
      reply: (reply, { key, operation }) =>
        key === undefined && operation && reply.status < 400 ? refuseLate(reply) : reply,
    }),
  },
});

function isRefusedKey({ status }: Reply): boolean {
  return status === 401 || status === 403;
}

/** The reply to a client without a key, after all other checks. */
function refuseLate(reply: Reply): Reply {
  const refusal = new Refusal(401, 'key-required', 'The x-api-key header must carry a key that was issued.', {
    headers: [['WWW-Authenticate', 'ApiKey realm="market data"']],
  });
  const [, requestId = ''] = reply.headers.find(([name]) => name === 'X-Request-Id') ?? [];
  const refused = problemReply(refusal, requestId, 'problem');
  const others = reply.headers.filter(([name]) => !OF_DATA.includes(name));
  return { ...refused, headers: [...refused.headers, ...others] };
}

function takeKeyFromQuery(request: ApiRequest): ApiRequest {
  if (request.apiKey) return request;
  const query = new URLSearchParams(request.target.split('?')[1] ?? '');
  const apiKey = [...query.values()].find((value) => LOOKS_LIKE_A_KEY.test(value));
  return apiKey === undefined ? request : { ...request, apiKey };
}
