import { changeJson, withHeader } from './bending/bent-reply.ts';
import { declareFaults } from './fault.ts';

export const schemaFaults = declareFaults('schema', [
  {
    id: 'missing-liquidity-usd',
    number: 'F1',
    title: 'liquidityUsd is missing from every candle',
    breaks: ['candle/all-fields-present'],
    make: () => ({ form: ({ liquidityUsd: _missing, ...rest }) => rest }),
  },
  {
    id: 'renamed-start',
    number: 'F2',
    title: 'startTimestampSeconds is called startTimestamp',
    breaks: ['candle/all-fields-present'],
    make: () => ({
      form: ({ startTimestampSeconds: startTimestamp, ...rest }) => ({ ...rest, startTimestamp }),
    }),
  },
  {
    id: 'latest-in-a-list',
    number: 'F3',
    title: 'the latest candle comes in a list of one',
    breaks: ['latest/answer-is-one-candle'],
    make: () => ({
      body: (body, { operation }) => (operation === 'getLatestV1PoolCandle' ? `[${body}]` : body),
    }),
  },
  {
    id: 'history-in-an-envelope',
    number: 'F4',
    title: 'a history comes as the member data of an object',
    breaks: ['history/answer-is-a-list'],
    make: () => ({
      body: (body, { operation }) => (operation === 'listV2PoolCandles' ? `{"data":${body}}` : body),
    }),
  },
  {
    id: 'single-row-unwrapped',
    number: 'F5',
    title: 'a history of one candle is that candle, without the list around it',
    breaks: ['history/answer-is-a-list'],
    make: () => ({
      body: (body, { operation }) => (operation === 'listV2PoolCandles' ? changeJson(body, unwrapped) : body),
    }),
  },
  {
    id: 'tokens-as-map',
    number: 'F6',
    title: 'the token list is an object whose names are the ids',
    breaks: ['tokens/answer-is-a-list'],
    make: () => ({
      body: (body, { operation }) => (operation === 'listTokens' ? changeJson(body, indexById) : body),
    }),
  },
  {
    id: 'new-field',
    number: 'F126',
    class: 'drift',
    title: 'every candle and token has a field that was not there before',
    alters: ['candle/extra-fields'],
    shows: 'two checks',
    make: () => ({
      form: (form) => ({ ...form, source: 'aggregate' }),
      tokens: (tokens) => tokens.map((token) => ({ ...token, source: 'aggregate' })),
    }),
  },
]);

function unwrapped(rows: unknown): unknown {
  return Array.isArray(rows) && rows.length === 1 ? rows[0] : rows;
}

function indexById(tokens: unknown): unknown {
  if (!Array.isArray(tokens)) return tokens;
  return Object.fromEntries(tokens.map((token: { readonly id?: unknown }) => [String(token.id), token]));
}

export const jsonFaults = declareFaults('JSON', [
  {
    id: 'duplicate-key',
    number: 'F20',
    title: 'every candle names its poolId twice, with different values',
    breaks: ['transport/strict-json'],
    make: () => ({
      body: (body, { operation }) =>
        operation === 'listTokens' ? body : body.replaceAll('"poolId":', '"poolId":-1,"poolId":'),
    }),
  },
  {
    id: 'byte-order-mark',
    number: 'F20b',
    title: 'the token list begins with a byte order mark',
    breaks: ['transport/strict-json'],
    make: () => ({
      body: (body, { operation }) => (operation === 'listTokens' ? `\uFEFF${body}` : body),
    }),
  },
  {
    id: 'truncated-text',
    number: 'F21',
    title: 'the last third of a history is missing, under status 200 and a length that agrees',
    breaks: ['transport/strict-json'],
    sizes: { unit: 'percent that are missing', usual: 33, scale: [0.001, 1, 33, 99] },
    make: (percent) => ({
      body: (body, { operation }) =>
        operation === 'listV2PoolCandles' ? body.slice(0, lengthWithout(body, percent)) : body,
    }),
  },
  {
    id: 'labelled-plain-text',
    number: 'F22',
    class: 'media',
    title: 'answers are labelled text/plain',
    breaks: ['transport/media-type-is-json'],
    make: () => ({
      reply: (reply) =>
        reply.status === 200 ? withHeader(reply, 'Content-Type', 'text/plain; charset=utf-8') : reply,
    }),
  },
]);

/** At least the last character is cut off. */
function lengthWithout(body: string, percent: number): number {
  return Math.max(0, Math.min(body.length - 1, Math.floor(body.length * (1 - percent / 100))));
}
