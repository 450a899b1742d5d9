import { asJson } from './bending/bent-reply.ts';
import type { Fault } from './fault.ts';

export const schemaFaults: readonly Fault[] = [
  {
    id: 'missing-liquidity-usd',
    number: 'F1',
    class: 'schema',
    title: 'liquidityUsd is missing from every candle',
    breaks: ['candle/all-fields-present'],
    shows: 'one check',
    make: () => ({ form: ({ liquidityUsd: _missing, ...rest }) => rest }),
  },
  {
    id: 'renamed-start',
    number: 'F2',
    class: 'schema',
    title: 'startTimestampSeconds is called startTimestamp',
    breaks: ['candle/all-fields-present'],
    shows: 'one check',
    make: () => ({
      form: ({ startTimestampSeconds: startTimestamp, ...rest }) => ({ ...rest, startTimestamp }),
    }),
  },
  {
    id: 'latest-in-a-list',
    number: 'F3',
    class: 'schema',
    title: 'the latest candle comes in a list of one',
    breaks: ['latest/answer-is-one-candle'],
    shows: 'one check',
    make: () => ({
      body: (body, { operation }) => (operation === 'getLatestV1PoolCandle' ? `[${body}]` : body),
    }),
  },
  {
    id: 'history-in-an-envelope',
    number: 'F4',
    class: 'schema',
    title: 'a history comes as the member data of an object',
    breaks: ['history/answer-is-a-list'],
    shows: 'one check',
    make: () => ({
      body: (body, { operation }) => (operation === 'listV2PoolCandles' ? `{"data":${body}}` : body),
    }),
  },
  {
    id: 'single-row-unwrapped',
    number: 'F5',
    class: 'schema',
    title: 'a history of one candle is that candle, without the list around it',
    breaks: ['history/answer-is-a-list'],
    shows: 'one check',
    make: () => ({
      body: (body, { operation }) => (operation === 'listV2PoolCandles' ? asJson(body, unwrapped) : body),
    }),
  },
  {
    id: 'tokens-as-map',
    number: 'F6',
    class: 'schema',
    title: 'the token list is an object whose names are the ids',
    breaks: ['tokens/answer-is-a-list'],
    shows: 'one check',
    make: () => ({
      body: (body, { operation }) => (operation === 'listTokens' ? asJson(body, byId) : body),
    }),
  },
  {
    id: 'new-field',
    number: 'F126',
    class: 'drift',
    title: 'every candle and token has a field that was not there before',
    breaks: [],
    alters: ['candle/extra-fields'],
    shows: 'two checks',
    make: () => ({
      form: (form) => ({ ...form, source: 'aggregate' }),
      tokens: (tokens) => tokens.map((token) => ({ ...token, source: 'aggregate' })),
    }),
  },
];

function unwrapped(rows: unknown): unknown {
  return Array.isArray(rows) && rows.length === 1 ? rows[0] : rows;
}

function byId(tokens: unknown): unknown {
  if (!Array.isArray(tokens)) return tokens;
  return Object.fromEntries(tokens.map((token: { readonly id?: unknown }) => [String(token.id), token]));
}
