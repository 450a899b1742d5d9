import {
  changingRows,
  editRows,
  good,
  type HealthyOddity,
  type OddRow,
  type ProxyDistortion,
  withHeaders,
} from './fault.ts';
import { inTurn, readKeyHeader } from './remembering.ts';
import { eachRow, keepRows, mapPrices, rowsOf, width } from './row-faults.ts';

/** Inverts the average as it inverts the other prices. */
const reciprocal: () => ProxyDistortion = () => async (call, ask) => {
  const reply = await ask();
  if (!good(call, reply) || !call.inverted) return reply;
  const plain = await ask({ url: call.url.replace('inverted=true', 'inverted=false') });
  const averages = new Map(rowsOf(plain).map((row) => [row.startTimestampSeconds, row.avg]));
  return editRows(reply, call, (rows) =>
    rows.map((row) => ({ ...row, avg: 1 / (averages.get(row.startTimestampSeconds) ?? 1 / row.avg) })),
  );
};

/** Counts only answered requests. */
const freeRefusals = (): ProxyDistortion => {
  let free = 0;
  return async (call, ask) => {
    const reply = await ask();
    const left = Number(reply.headers['x-ratelimit-remaining']);
    if (readKeyHeader(call) !== call.issued || !(left > 0)) return reply;
    if (reply.status >= 400) free += 1;
    return withHeaders(reply, { 'x-ratelimit-remaining': String(left + free) });
  };
};

const padded = (row: OddRow, name: 'volume' | 'liquidity' | 'volumeUsd' | 'liquidityUsd') => {
  const [whole = '0', part = ''] = row[name].split('.');
  return `${whole}.${part.padEnd(8, '0')}`;
};

/** Differ from the service only in what the document leaves open. */
export const secondHealthy: readonly HealthyOddity[] = [
  { title: 'The inverted average is the reciprocal of the average', make: inTurn(reciprocal) },
  {
    title: 'Prices have nine significant digits',
    make: eachRow((row) => mapPrices(row, (price) => Number(price.toPrecision(9)))),
  },
  { title: 'Refused requests are not counted', make: inTurn(freeRefusals) },
  {
    title: 'The open candle ends with its interval',
    make: changingRows((rows, call) =>
      rows.map((row) => ({ ...row, timestampSeconds: row.startTimestampSeconds + width(call) })),
    ),
  },
  {
    title: 'Only candles that lie wholly in the range are served',
    make: keepRows((row, call) => row.startTimestampSeconds >= call.from && row.timestampSeconds <= call.to),
  },
  {
    title: 'Decimal texts have eight decimals',
    make: eachRow((row) => ({
      volume: padded(row, 'volume'),
      liquidity: padded(row, 'liquidity'),
      volumeUsd: padded(row, 'volumeUsd'),
      liquidityUsd: padded(row, 'liquidityUsd'),
    })),
  },
];
