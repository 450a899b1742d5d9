import {
  changing,
  editRows,
  good,
  type OddRow,
  type ProxiedCall,
  type ProxyDistortion,
  withContent,
} from './fault.ts';
import { inTurn } from './remembering.ts';
import {
  askParts,
  eachRow,
  mapPrices,
  newest,
  numberSecond,
  partsOf,
  rate,
  rowsOf,
  weighByVolume,
} from './row-faults.ts';

type Change = (row: OddRow, parts: readonly OddRow[]) => Partial<OddRow>;

/** Computes rows of histories of an interval from those of a smaller one. */
const fromParts = (applies: (call: ProxiedCall) => boolean, interval: string, change: Change) =>
  inTurn(() => async (call, ask) => {
    const reply = await ask();
    if (!good(call, reply) || call.operation !== 'history' || !applies(call)) return reply;
    const parts = await askParts(call, ask, interval, rowsOf(reply));
    return editRows(reply, call, (rows) =>
      rows.map((row) => ({ ...row, ...change(row, partsOf(row, parts)) })),
    );
  });

const decimals = (value: number, count: number) => Math.round(value * 10 ** count) / 10 ** count;

/** Gives liquidity of any age the USD rate of now. */
const todaysRate: () => ProxyDistortion = () => async (call, ask) => {
  const reply = await ask();
  if (!good(call, reply) || call.operation !== 'history') return reply;
  const [now] = rowsOf(await ask({ url: '/pools/conversionRates/latest/0?interval=FIVEMIN' }));
  return editRows(reply, call, (rows) =>
    rows.map((row) => ({
      ...row,
      liquidityUsd: now ? (Number(row.liquidity) * rate(now)).toFixed(2) : row.liquidityUsd,
    })),
  );
};

/** Values that are computed wrongly. */
export const secondValues = numberSecond('D', 1, [
  {
    name: 'inverted from rounded prices',
    title: 'Inverted prices are the reciprocals of prices that were rounded to six decimals',
    breaks: '§4.2 inverted: Inverts the data.',
    make: eachRow((row, call) =>
      call.inverted ? mapPrices(row, (price) => 1 / decimals(1 / price, 6)) : {},
    ),
    shows: newest('HOUR', 5, '&inverted=true'),
  },
  {
    name: 'average weighted by volume',
    title: 'The average of a day is that of its hours, weighted by their volume',
    breaks: '§2.2 avg: Average of the minutely prices over the INTERVAL.',
    make: fromParts((call) => call.interval === 'DAY', 'HOUR', weighByVolume),
    shows: newest('DAY', 5),
  },
  {
    name: 'week closes on Saturday',
    title: 'A week has the close of the day before its last',
    breaks: '§2.2 close: Close price over the INTERVAL.',
    make: fromParts(
      (call) => call.interval === 'WEEK',
      'DAY',
      (row, parts) => ({ close: parts.at(-2)?.close ?? row.close }),
    ),
    shows: newest('WEEK', 3),
  },
  {
    name: 'week sold at its last rate',
    title: 'The volume of a week in USD is its volume at the rate of its end',
    breaks: '§2.2 volumeUsd: Sum of total volume traded over the INTERVAL, in USD.',
    make: eachRow((row, call) =>
      call.interval === 'WEEK' ? { volumeUsd: (Number(row.volume) * rate(row)).toFixed(2) } : {},
    ),
    shows: newest('WEEK', 3),
  },
  {
    name: 'large volumes as floats',
    title: 'Volumes above 10^12 have the precision of a float of 32 bits',
    breaks: '§2.2 volume: Sum of total volume traded over the INTERVAL, in tinybars (decimal text).',
    make: eachRow((row) =>
      Number(row.volume) > 1e12 ? { volume: String(Math.fround(Number(row.volume))) } : {},
    ),
    shows: newest('HOUR', 5),
  },
  {
    name: 'large prices in cents',
    title: 'Prices above 1,000 are rounded to two decimals',
    breaks: '§4.2 inverted: Inverts the data (the plain price is not the reciprocal any more).',
    make: eachRow((row) => mapPrices(row, (price) => (price > 1000 ? decimals(price, 2) : price))),
    shows: newest('HOUR', 5, '', 3),
  },
  {
    name: 'zero in exponents',
    title: 'The volume in USD of a row without a trade is "0E-8"',
    breaks: '§2.2 volumeUsd: (decimal text).',
    make: eachRow((row) => (row.volume === '0' ? { volumeUsd: '0E-8' } : {})),
    shows: newest('HOUR', 40, '', 3),
  },
  {
    name: 'token scaled twice',
    title: 'The USD price of a token with more than eight decimals is that of a part of the token',
    breaks: '§2.1 priceUsd: Price in USD.',
    make: changing(['tokens'], (reply) =>
      withContent(
        reply,
        (JSON.parse(reply.body) as { decimals: number; priceUsd: number }[]).map((token) =>
          token.decimals > 8 ? { ...token, priceUsd: token.priceUsd / 10 ** (token.decimals - 8) } : token,
        ),
      ),
    ),
    shows: () => [{ path: '/tokens' }],
  },
  {
    name: 'average of six minutes',
    title: 'The average of five minutes counts the minute before them',
    breaks: '§2.2 avg: Average of the minutely prices over the INTERVAL.',
    make: eachRow((row, call, rows, at) => {
      const before = rows[at - 1];
      return call.interval === 'FIVEMIN' && before ? { avg: (row.avg * 5 + before.close) / 6 } : {};
    }),
    shows: newest('FIVEMIN', 5),
  },
  {
    name: 'one row in 500',
    title: 'One in 500 rows of five minutes has open and close exchanged',
    breaks: '§2.2 open: the first minutely observation in the INTERVAL.',
    make: eachRow((row, call) =>
      call.interval === 'FIVEMIN' && (row.startTimestampSeconds / 300) % 500 === 7
        ? { open: row.close, close: row.open }
        : {},
    ),
    shows: newest('FIVEMIN', 1500),
  },
  {
    name: "liquidity at today's rate",
    title: 'Liquidity in USD has the rate of now in candles of any age',
    breaks: '§2.2 liquidityUsd: Point-in-time liquidity as of timestampSeconds, in USD.',
    make: inTurn(todaysRate),
    shows: newest('DAY', 5),
  },
  {
    name: 'inverted latest reversed',
    title: 'The inverted latest candle has open and close exchanged',
    breaks: '§4.3 inverted: Inverts the data.',
    make: eachRow((row, call) => (call.inverted ? { open: row.close, close: row.open } : {}), ['latest']),
    shows: (market) => [{ path: `${market.latest('DAY')}&inverted=true` }],
  },
]);
