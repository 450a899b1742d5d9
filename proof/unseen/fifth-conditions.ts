import {
  changing,
  changingRows,
  good,
  numberFaults,
  type OddRow,
  type ProxiedCall,
  type ProxyDistortion,
  seconds,
  type UnseenEntry,
  withContent,
  withHeaders,
} from './fault.ts';
import { inUsd } from './fifth-plain.ts';
import { changingTokens, showTokens, withParts } from './part-faults.ts';
import { inTurn, keepAnswers, readKeyHeader } from './remembering.ts';
import { askParts, eachRow, mapPrices, month, newest, partsOf, sum, width } from './row-faults.ts';

const day = 86_400;

const addVolumes = (rows: readonly OddRow[]) => ({
  volume: String(rows.reduce((total, { volume }) => total + BigInt(volume), 0n)),
  volumeUsd: inUsd(sum(rows.map(({ volumeUsd }) => Number(volumeUsd)))),
});

const meanAverage = (parts: readonly OddRow[]) => sum(parts.map(({ avg }) => avg)) / parts.length;

const traded = ({ volume }: OddRow) => Number(volume) > 0;

/** Adds the hour in which a past range ends, made of its parts up to there. */
const endWithRange = inTurn(() => async (call, ask) => {
  const reply = await ask();
  const start = Math.floor(call.to / 3600) * 3600;
  const isPast = start + 3600 <= call.now;
  if (!good(call, reply) || call.operation !== 'history' || call.interval !== 'HOUR' || !isPast) return reply;
  const rows = JSON.parse(reply.body) as OddRow[];
  const last = rows.at(-1);
  if (last?.timestampSeconds !== start) return reply;
  const hour = { ...last, startTimestampSeconds: start, timestampSeconds: start + 3600 };
  const parts = partsOf(hour, await askParts(call, ask, 'FIVEMIN', [hour]));
  const within = parts.filter(({ timestampSeconds }) => timestampSeconds <= call.to);
  const end = within.at(-1);
  if (!end) return reply;
  const { close, liquidity, liquidityUsd } = end;
  const cut: OddRow = {
    ...hour,
    ...addVolumes(within),
    open: within[0]?.open ?? close,
    high: Math.max(...within.map(({ high }) => high)),
    low: Math.min(...within.map(({ low }) => low)),
    avg: meanAverage(within),
    close,
    liquidity,
    liquidityUsd,
  };
  return withContent(reply, [...rows, cut]);
});

/** Answers a GET soon after a HEAD of its address from what the HEAD has left in a cache. */
function keepHeads(): ProxyDistortion {
  const headed = new Map<string, number>();
  return async (call, ask) => {
    const reply = await ask();
    if (call.method === 'HEAD' && reply.status === 200) headed.set(call.url, call.now);
    const kept = call.now - (headed.get(call.url) ?? Number.NEGATIVE_INFINITY) < 30;
    return good(call, reply) && kept ? { ...reply, body: '' } : reply;
  };
}

const sameDays = (call: ProxiedCall) => {
  const { url, interval, inverted, from, to } = call;
  return [url.split('?')[0], interval, inverted, Math.floor(from / day), Math.floor(to / day)].join();
};

/** Counts each refusal of a good key as a request beyond the limit. */
function countRefusals(): ProxyDistortion {
  let refused = 0;
  return async (call, ask) => {
    const reply = await ask();
    if (readKeyHeader(call) !== call.issued) return reply;
    if (reply.status >= 400) refused += 1;
    return refused ? withHeaders(reply, { 'x-ratelimit-additional-total': String(refused) }) : reply;
  };
}

/** Answers each seventh history from a replica that lags. */
function lag(): ProxyDistortion {
  let histories = 0;
  return async (call, ask) => {
    const reply = await ask();
    if (!good(call, reply) || call.operation !== 'history' || width(call) > 3600) return reply;
    histories += 1;
    if (histories % 7) return reply;
    const rows = JSON.parse(reply.body) as OddRow[];
    return withContent(
      reply,
      rows.filter(({ timestampSeconds }) => timestampSeconds <= call.now - 7200),
    );
  };
}

/** Returns the start of the week of a time, of weeks that begin on Sunday. */
const sundayBefore = (time: number) => time - ((time - 3 * day) % (7 * day));

const entries: readonly UnseenEntry[] = [
  [
    'The volume of a week has passed through a number of single precision (§2.2 volume)',
    eachRow(({ volume }, { interval }) =>
      interval === 'WEEK' ? { volume: String(BigInt(Math.fround(Number(volume)))) } : {},
    ),
    newest('WEEK', 3),
  ],
  [
    'A week that two months share has the volume of its days in the first month only (§2.2 volume)',
    withParts((row, parts) => {
      if (row.timestampSeconds - row.startTimestampSeconds <= day) return {};
      const first = month(row.startTimestampSeconds);
      const mine = parts.filter(({ startTimestampSeconds }) => month(startTimestampSeconds) === first);
      return mine.length < parts.length ? addVolumes(mine) : {};
    }),
    newest('WEEK', 4),
  ],
  [
    'The first hour, or five minutes, of a UTC day has no volume, since the counter of the day begins there (§2.2 volume)',
    eachRow(
      (row, call) =>
        width(call) < day && row.startTimestampSeconds % day === 0 ? { volume: '0', volumeUsd: '0' } : {},
      ['history'],
    ),
    newest('HOUR', 24),
  ],
  [
    'While a pool has no trades, its liquidity in USD stays at the HBAR price of the last trade (§2.2 liquidityUsd)',
    changingRows(
      (rows) => {
        let last: string | undefined;
        return rows.map((row) => {
          if (traded(row)) last = row.liquidityUsd;
          return { ...row, liquidityUsd: last ?? row.liquidityUsd };
        });
      },
      ['history'],
    ),
    newest('HOUR', 48, '', 3),
  ],
  [
    'The average of an hour, day or week leaves out its parts without a trade (§2.2 avg)',
    withParts((_, parts) => {
      const mine = parts.filter(traded);
      return mine.length && mine.length < parts.length ? { avg: meanAverage(mine) } : {};
    }),
    newest('DAY', 3, '', 3),
  ],
  [
    'Inverted prices have six decimals, which are few for a dear token (§2.2; §4.2 inverted)',
    eachRow((row, call) => (call.inverted ? mapPrices(row, (price) => Number(price.toFixed(6))) : {})),
    newest('HOUR', 6, '&inverted=true', 3),
  ],
  [
    'In histories of more than 256 candles, the first of each further page of 256 is lost (§4.2 one per INTERVAL)',
    changingRows((rows) => rows.filter((_, at) => at === 0 || at % 256 > 0), ['history']),
    newest('HOUR', 400),
  ],
  [
    'A past range that ends within an hour has that hour too, of the trades before the end only (§2.2 INTERVAL)',
    endWithRange,
    ({ now, history }) => [{ path: history('HOUR', now - 20 * 3600, now - 10 * 3600 + 1000) }],
  ],
  [
    'Hours, and five minutes, that end at midnight end at 23:59:59 (§2.2 timestampSeconds)',
    eachRow(
      ({ timestampSeconds }, call) =>
        width(call) < day && timestampSeconds % day === 0 ? { timestampSeconds: timestampSeconds - 1 } : {},
      ['history'],
    ),
    newest('HOUR', 24),
  ],
  [
    'The price of a token of more than eight decimals is a whole number of its units of eight decimals (§2.1 price)',
    changingTokens((tokens) =>
      tokens.map((token) => {
        const { decimals } = token as unknown as { decimals: number };
        const unit = 10n ** BigInt(Math.max(0, decimals - 8));
        return { ...token, price: String((BigInt(token.price) / unit) * unit) };
      }),
    ),
    showTokens(),
  ],
  [
    'A GET within half a minute after a HEAD of the same address has the empty body of the HEAD (§4)',
    keepHeads,
    ({ latest }) => [{ path: latest('HOUR'), method: 'HEAD' }, { path: latest('HOUR') }],
  ],
  [
    'For two seconds, a history is answered as the one before it if the ranges touch the same UTC days (§4.2 from, to)',
    keepAnswers(
      2,
      (call, reply) => (good(call, reply) && call.operation === 'history' ? sameDays(call) : undefined),
      () => true,
    ),
    ({ now, history }) => [
      { path: history('HOUR', now - 4 * 3600, now) },
      { path: history('HOUR', now - 2 * 3600, now) },
    ],
  ],
  [
    'The pool of the number 0 has no poolId in its candle (§2.2 all fields are required)',
    changing(['latest'], (reply) => {
      const { poolId, ...others } = JSON.parse(reply.body) as OddRow;
      return poolId === 0 ? withContent(reply, others) : reply;
    }),
    ({ latest }) => [{ path: latest('HOUR') }],
  ],
  [
    'Amounts in USD have a decimal comma if the request prefers German (§2.2 decimal text)',
    changingRows((rows, { headers }) =>
      /^de\b/.test(headers['accept-language'] ?? '')
        ? rows.map((row) => ({
            ...row,
            volumeUsd: row.volumeUsd.replace('.', ','),
            liquidityUsd: row.liquidityUsd.replace('.', ','),
          }))
        : rows,
    ),
    ({ latest }) => [{ path: latest('DAY'), headers: { 'accept-language': 'de-DE,de;q=0.9' } }],
  ],
  [
    'A symbol outside the basic plane is cut in the middle of a character (§2.1 symbol)',
    changingTokens((tokens) =>
      tokens.map((token) => ({
        ...token,
        symbol: token.symbol.replace(/[\u{10000}-\u{10ffff}]/gu, (pair) => pair.charAt(0)),
      })),
    ),
    showTokens(),
  ],
  [
    'Requests that were refused count as beyond the limit, while the limit is far (§8 x-ratelimit-additional-total)',
    inTurn(countRefusals),
    ({ now, history }) => [{ path: history('MONTH', now - 3600, now) }],
  ],
  [
    'The latest week begins on Sunday, the weeks of histories on Monday (§2.2 INTERVAL)',
    eachRow(
      (row, { interval }) =>
        interval === 'WEEK' ? { startTimestampSeconds: sundayBefore(row.timestampSeconds) } : {},
      ['latest'],
    ),
    ({ latest }) => [{ path: latest('WEEK') }],
  ],
  [
    'Each seventh history of hours or five minutes comes from a replica two hours behind (§4.2 one per INTERVAL)',
    lag,
    ({ now, history }) => [{ path: history('HOUR', now - 6 * (seconds.HOUR ?? 0), now), times: 7 }],
  ],
];

export const fifthConditions = numberFaults('B', 13, entries);
