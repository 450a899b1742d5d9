import { changing, changingRows, type ProxyDistortion, withHeaders } from './fault.ts';
import type { HealthyOddity } from './healthy.ts';
import { inTurn } from './remembering.ts';
import { eachRow, keepRows, mapPrices, width } from './second-fault.ts';
import { changingTokens } from './third-fault.ts';

/** Adds the requests of another client with the same key, two at a time. */
function shareKey(): ProxyDistortion {
  let others = 0;
  return async (call, ask) => {
    const reply = await ask();
    const left = Number(reply.headers['x-ratelimit-remaining']);
    if (!(left > 0)) return reply;
    if (call.n % 7 === 0) others += 2;
    return withHeaders(reply, { 'x-ratelimit-remaining': String(left - others) });
  };
}

export const thirdHealthy: readonly HealthyOddity[] = [
  {
    title: 'An unfinished candle has the end that it will have',
    make: eachRow((row, call) => ({ timestampSeconds: row.startTimestampSeconds + width(call) })),
  },
  {
    title: 'Rows come by volume',
    make: changingRows((rows) => rows.sort((a, b) => Number(a.volume) - Number(b.volume)), ['history']),
  },
  {
    title: 'Histories hold whole intervals within the range only',
    make: keepRows(
      (row, call) =>
        row.startTimestampSeconds >= call.from &&
        row.timestampSeconds <= call.to &&
        row.timestampSeconds - row.startTimestampSeconds === width(call),
    ),
  },
  {
    title: 'Prices have ten digits',
    make: eachRow((row) => mapPrices(row, (price) => Number(price.toPrecision(10)))),
  },
  {
    title: 'Prices are written with an exponent',
    make: changing(['history', 'latest'], (reply) => ({
      ...reply,
      body: reply.body.replace(/(?<="(?:open|high|low|close|avg)":)[^,]+/g, (price) =>
        Number(price).toExponential(),
      ),
    })),
  },
  {
    title: 'Decimal texts end in zeros',
    make: eachRow(({ volume, liquidity, volumeUsd, liquidityUsd }) => ({
      volume: `${volume}.00`,
      liquidity: `${liquidity}.00`,
      volumeUsd: Number(volumeUsd).toFixed(4),
      liquidityUsd: Number(liquidityUsd).toFixed(4),
    })),
  },
  {
    title: 'The token list begins elsewhere in each answer',
    make: changingTokens((tokens, n) => {
      const at = n % tokens.length;
      return [...tokens.slice(at), ...tokens.slice(0, at)];
    }),
  },
  { title: 'Another client uses the same key', make: inTurn(shareKey) },
];
