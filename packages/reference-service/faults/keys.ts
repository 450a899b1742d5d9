import type { ApiRequest, Reply } from '../api/message.ts';
import { problemReply, Refusal } from '../api/refusal.ts';
import { changeJson, JSON_TYPE, withText } from './bending/bent-reply.ts';
import { declareFaults } from './fault.ts';

const OF_DATA = ['Content-Type', 'ETag', 'Cache-Control'];
const LOOKS_LIKE_A_KEY = /^[A-Za-z0-9]{32}$/;

export const keyFaults = declareFaults('auth', [
  {
    id: 'keyless-latest',
    number: 'F94',
    title: 'the latest candle is served without looking at the key',
    breaks: ['authentication/key-is-required'],
    make: () => ({
      admitted: (admitted, { operation }) => admitted || operation === 'getLatestV1PoolCandle',
    }),
  },
  {
    id: 'key-by-its-beginning',
    number: 'F95',
    title: 'a key that shares its first sixteen characters with a used one is accepted',
    breaks: ['authentication/wrong-keys-are-refused'],
    drawn: 'good-beginning',
    sizes: { unit: 'characters', usual: 16, scale: [31, 24, 16, 8, 1] },
    make: (length) => {
      const used = new Map<string, string>();
      const beginning = (key: string): string => key.slice(0, Math.round(length));
      return {
        request: (request) => {
          const good = used.get(beginning(request.apiKey ?? ''));
          const isLong = (request.apiKey?.length ?? 0) >= length;
          return good !== undefined && isLong ? { ...request, apiKey: good } : request;
        },
        admitted: (admitted, { request, key }) => {
          if (key !== undefined && request.apiKey) used.set(beginning(request.apiKey), request.apiKey);
          return admitted;
        },
      };
    },
  },
  {
    id: 'any-key-of-the-right-length',
    number: 'F95b',
    title: 'any text of 32 characters is a good key',
    breaks: ['authentication/wrong-keys-are-refused'],
    make: () => ({ admitted: (admitted, { request }) => admitted || request.apiKey?.length === 32 }),
  },
  {
    id: 'key-in-the-query',
    number: 'F96',
    title: 'a key in the query is as good as one in its header',
    breaks: ['authentication/key-only-in-its-header'],
    make: () => ({ request: takeKeyFromQuery }),
  },
  {
    id: 'strangers-see-nothing',
    number: 'F97',
    title: 'without a key, the response is an empty list with status 200',
    breaks: ['authentication/key-is-required'],
    make: () => ({
      reply: (reply) => (isRefusedKey(reply) ? withText(reply, 200, JSON_TYPE, '[]') : reply),
    }),
  },
  {
    id: 'refusal-as-success',
    number: 'F98',
    title: 'without a key the answer is an error in words, under status 200',
    breaks: ['authentication/key-is-required'],
    make: () => ({
      reply: (reply) =>
        isRefusedKey(reply) ? withText(reply, 200, JSON_TYPE, '{"error":"a key is needed"}') : reply,
    }),
  },
  {
    id: 'refusal-repeats-the-key',
    number: 'F99',
    title: 'an error repeats the key that came with the request',
    breaks: ['authentication/no-answer-tells-the-key'],
    make: () => ({
      reply: (reply, { request }) =>
        reply.status >= 400 && request.apiKey
          ? {
              ...reply,
              body: changeJson(String(reply.body), (error) =>
                Object.assign({}, error, { key: request.apiKey }),
              ),
            }
          : reply,
    }),
  },
  {
    id: 'key-after-parameters',
    number: 'F100',
    title: 'parameters and pools are looked at before the key, and strangers learn of them',
    alters: ['authentication/order-of-checks'],
    drawn: 'unkeyed-pool-unknown',
    make: () => ({
      admitted: () => true,
      reply: (reply, { key, operation }) =>
        key === undefined && operation && reply.status < 400 ? refuseLate(reply) : reply,
    }),
  },
]);

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
