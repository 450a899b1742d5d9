import {
  changing,
  changingRows,
  numberFaults,
  type OddRow,
  type UnseenEntry,
  type UnseenFault,
  withContent,
  withHeaders,
} from './fault.ts';

const hours: UnseenFault['shows'] = (market) => [
  { path: market.history('HOUR', market.now - 20_000, market.now) },
  { path: market.history('HOUR', market.now - 400_000, market.now - 300_000) },
];
const latest: UnseenFault['shows'] = (market) => [
  { path: market.latest('HOUR') },
  { path: market.latest('DAY') },
];
const tokens: UnseenFault['shows'] = () => [{ path: '/tokens' }];

const each = (change: (row: OddRow) => Partial<OddRow>) =>
  changingRows((rows) => rows.map((row) => ({ ...row, ...change(row) })));

const everywhere = ['tokens', 'history', 'latest'] as const;

const plain: readonly UnseenEntry[] = [
  ['High is the greater of open and close', each((row) => ({ high: Math.max(row.open, row.close) })), hours],
  [
    'Volume and liquidity in USD are exchanged',
    each((row) => ({ volumeUsd: row.liquidityUsd, liquidityUsd: row.volumeUsd })),
    hours,
  ],
  [
    'A candle starts an interval too early',
    each((row) => ({
      startTimestampSeconds: 2 * row.startTimestampSeconds - row.timestampSeconds,
    })),
    hours,
  ],
  [
    'The last token has the id of the first',
    changing(['tokens'], (reply) => {
      const list = JSON.parse(reply.body) as { id: string }[];
      return withContent(
        reply,
        list.map((token, at) => (at === list.length - 1 ? { ...token, id: list[0]?.id } : token)),
      );
    }),
    tokens,
  ],
  [
    'Decimals of a token are text',
    changing(['tokens'], (reply) =>
      withContent(
        reply,
        (JSON.parse(reply.body) as { decimals: number }[]).map((token) => ({
          ...token,
          decimals: String(token.decimals),
        })),
      ),
    ),
    tokens,
  ],
  [
    'The latest candle comes in an array',
    changing(['latest'], (reply) => ({ ...reply, body: `[${reply.body}]` })),
    latest,
  ],
  ['Volume is in whole coins', each((row) => ({ volume: String(BigInt(row.volume) / 100_000_000n) })), hours],
  [
    'Each latest candle names pool 0',
    changingRows((rows) => rows.map((row) => ({ ...row, poolId: 0 })), ['latest']),
    (market) => [{ path: market.latest('HOUR').replace('latest/0', 'latest/1') }],
  ],
  ['The average is the middle of high and low', each((row) => ({ avg: (row.high + row.low) / 2 })), hours],
  [
    'The reset of the quota is in seconds',
    changing(everywhere, (reply) =>
      withHeaders(reply, {
        'x-ratelimit-reset': String(Math.floor(Number(reply.headers['x-ratelimit-reset']) / 1000)),
      }),
    ),
    tokens,
  ],
  [
    'Remaining holds the requests that were used',
    changing(everywhere, (reply) =>
      withHeaders(reply, {
        'x-ratelimit-remaining': String(
          Number(reply.headers['x-ratelimit-limit']) - Number(reply.headers['x-ratelimit-remaining']),
        ),
      }),
    ),
    tokens,
  ],
  [
    'Good answers are called text/html',
    changing(everywhere, (reply) => withHeaders(reply, { 'content-type': 'text/html; charset=utf-8' })),
    tokens,
  ],
];

/** Wrong in every answer of an operation. */
export const plainFaults = numberFaults('A', 1, plain);
