import { changeJson, withHeader } from './bending/bent-reply.ts';
import { bendAt, bendReplies, isGranted, isHistory, isLatest, isTokenList } from './bending/places.ts';
import { declareFaults } from './fault.ts';

export const schemaFaults = declareFaults('schema', {
  'F1 missing-liquidity-usd': {
    title: 'liquidityUsd is missing from every candle',
    breaks: ['candle/all-fields-present'],
    make: () => ({ form: ({ liquidityUsd: _missing, ...rest }) => rest }),
  },
  'F2 renamed-start': {
    title: 'startTimestampSeconds is called startTimestamp',
    breaks: ['candle/all-fields-present'],
    make: () => ({
      form: ({ startTimestampSeconds: startTimestamp, ...rest }) => ({ ...rest, startTimestamp }),
    }),
  },
  'F3 latest-in-a-list': {
    title: 'the latest candle comes in a list of one',
    breaks: ['latest/answer-is-one-candle'],
    make: () => bendAt('body', isLatest, (body) => `[${body}]`),
  },
  'F4 history-in-an-envelope': {
    title: 'a history comes as the member data of an object',
    breaks: ['history/answer-is-a-list'],
    make: () => bendAt('body', isHistory, (body) => `{"data":${body}}`),
  },
  'F5 single-row-unwrapped': {
    title: 'a history of one candle is that candle, without the list around it',
    breaks: ['history/answer-is-a-list'],
    make: () => bendAt('body', isHistory, (body) => changeJson(body, unwrapped)),
  },
  'F6 tokens-as-map': {
    title: 'the token list is an object whose names are the ids',
    breaks: ['tokens/answer-is-a-list'],
    make: () => bendAt('body', isTokenList, (body) => changeJson(body, indexById)),
  },
  'F126 new-field': {
    class: 'drift',
    title: 'every candle and token has a field that was not there before',
    alters: ['candle/extra-fields'],
    shows: 'two checks',
    make: () => ({
      form: (form) => ({ ...form, source: 'aggregate' }),
      tokens: (tokens) => tokens.map((token) => ({ ...token, source: 'aggregate' })),
    }),
  },
});

function unwrapped(rows: unknown): unknown {
  return Array.isArray(rows) && rows.length === 1 ? rows[0] : rows;
}

function indexById(tokens: unknown): unknown {
  if (!Array.isArray(tokens)) return tokens;
  return Object.fromEntries(tokens.map((token: { readonly id?: unknown }) => [String(token.id), token]));
}

export const jsonFaults = declareFaults('JSON', {
  'F20 duplicate-key': {
    title: 'every candle names its poolId twice, with different values',
    breaks: ['transport/strict-json'],
    make: () => ({ body: (body) => body.replaceAll('"poolId":', '"poolId":-1,"poolId":') }),
  },
  'F20b byte-order-mark': {
    title: 'the token list begins with a byte order mark',
    breaks: ['transport/strict-json'],
    make: () => bendAt('body', isTokenList, (body) => `\uFEFF${body}`),
  },
  'F21 truncated-text': {
    title: 'the last third of a history is missing, under status 200 and a length that agrees',
    breaks: ['transport/strict-json'],
    sizes: { unit: 'percent that are missing', usual: 33, scale: [0.001, 1, 33, 99] },
    make: (percent) => bendAt('body', isHistory, (body) => body.slice(0, lengthWithout(body, percent))),
  },
  'F22 labelled-plain-text': {
    class: 'media',
    title: 'answers are labelled text/plain',
    breaks: ['transport/media-type-is-json'],
    make: () =>
      bendReplies(isGranted, (reply) => withHeader(reply, 'Content-Type', 'text/plain; charset=utf-8')),
  },
});

/** At least the last character is cut off. */
function lengthWithout(body: string, percent: number): number {
  return Math.max(0, Math.min(body.length - 1, Math.floor(body.length * (1 - percent / 100))));
}
