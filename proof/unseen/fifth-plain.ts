import {
  changing,
  changingRows,
  good,
  numberFaults,
  type OddRow,
  type ProxiedReply,
  type ProxyDistortion,
  type UnseenEntry,
  withContent,
  withHeaders,
} from './fault.ts';
import { changingTokens, showTokens, withParts } from './part-faults.ts';
import { eachRow, newest, rate, weighByVolume, width } from './row-faults.ts';

/** Writes an amount in USD as the service does. */
export const inUsd = (amount: number) => String(Number(amount.toFixed(2)));

const shift = (reply: ProxiedReply, header: string, milliseconds: number) =>
  withHeaders(reply, { [header]: String(Number(reply.headers[header]) + milliseconds) });

/** Tells the time of a place four hours behind Greenwich, as if that were Greenwich's. */
function tellLocalTime(): ProxyDistortion {
  return async (_, ask) => {
    const reply = await ask();
    const date = new Date(Date.parse(reply.headers.date ?? '') - 4 * 3_600_000);
    return Number.isNaN(date.getTime()) ? reply : withHeaders(reply, { date: date.toUTCString() });
  };
}

/** Lets the count of requests left follow only at each fifth request. */
function countByFives(): ProxyDistortion {
  return async (_, ask) => {
    const reply = await ask();
    const left = Number(reply.headers['x-ratelimit-remaining']);
    if (!(left > 0)) return reply;
    return withHeaders(reply, { 'x-ratelimit-remaining': String(Math.ceil(left / 5) * 5) });
  };
}

/** The share of a pool's liquidity that is there at the start of an interval. */
const before: Record<string, number> = { FIVEMIN: 1, HOUR: 0.9985, DAY: 0.993, WEEK: 0.98 };

const entries: readonly UnseenEntry[] = [
  [
    'The liquidity in USD of a history is at the HBAR price of the start of the interval, not of its end (§2.2 liquidityUsd)',
    changingRows(
      (rows) =>
        rows.map((row, at) => {
          const last = rows[at - 1];
          return last ? { ...row, liquidityUsd: inUsd(Number(row.liquidity) * rate(last)) } : row;
        }),
      ['history'],
    ),
    newest('HOUR', 12),
  ],
  [
    'The average of hours, days and weeks is weighted by volume, not by minutes (§2.2 avg)',
    withParts(weighByVolume),
    newest('HOUR', 6),
  ],
  [
    'The volume in USD of a history is the whole volume at the closing HBAR price, not the sum of the trades (§2.2 volumeUsd)',
    eachRow((row) => ({ volumeUsd: inUsd(Number(row.volume) * rate(row)) }), ['history']),
    newest('DAY', 5),
  ],
  [
    'The highs and lows of hours, days and weeks are those of the averages of their parts (§2.2 high, low)',
    withParts(({ open, close }, parts) => ({
      high: Math.max(open, close, ...parts.map(({ avg }) => avg)),
      low: Math.min(open, close, ...parts.map(({ avg }) => avg)),
    })),
    newest('DAY', 3),
  ],
  [
    "The token list's month ends at midnight of another time zone than that of the candles (§8 x-ratelimit-reset)",
    changing(['tokens'], (reply) => shift(reply, 'x-ratelimit-reset', 4 * 3_600_000)),
    showTokens(),
  ],
  [
    'The requests left are brought up to date at each fifth request only (§8 x-ratelimit-remaining)',
    countByFives,
    showTokens({}, 5),
  ],
  [
    'The token list is priced with an HBAR price three percent below that of the candles (§2.1 priceUsd)',
    changingTokens((tokens) =>
      tokens.map((token) => {
        const { priceUsd } = token as unknown as { priceUsd: number };
        return { ...token, priceUsd: Number((priceUsd * 0.97).toFixed(8)) };
      }),
    ),
    showTokens(),
  ],
  ['The Date of each answer is a local time under the name GMT (HTTP Date)', tellLocalTime, showTokens()],
  [
    'The body of each history begins with a byte order mark (§4.2; JSON text must not have one)',
    changing(['history'], (reply) => ({ ...reply, body: `\uFEFF${reply.body}` })),
    newest('HOUR', 3),
  ],
  [
    'The volume in USD leaves out the fee of 0.3 %, which the volume contains (§2.2 volumeUsd)',
    eachRow((row) => ({ volumeUsd: inUsd(Number(row.volumeUsd) * 0.997) })),
    newest('HOUR', 6),
  ],
  [
    'The close of hours, days and weeks is that of their last part but one (§2.2 close)',
    withParts(({ close }, parts) => ({ close: parts.at(-2)?.close ?? close })),
    newest('HOUR', 6),
  ],
  [
    'The liquidity of a latest candle is as of its start, so that candles of one end differ (§2.2 liquidity)',
    () => async (call, ask) => {
      const reply = await ask();
      const part = before[call.interval ?? ''];
      if (!good(call, reply) || call.operation !== 'latest' || !part || !width(call)) return reply;
      const row = JSON.parse(reply.body) as OddRow;
      const liquidity = String(BigInt(Math.round(Number(row.liquidity) * part)));
      return withContent(reply, { ...row, liquidity, liquidityUsd: inUsd(Number(row.liquidityUsd) * part) });
    },
    ({ latest }) => [{ path: latest('DAY') }],
  ],
];

export const fifthPlain = numberFaults('A', 1, entries);
