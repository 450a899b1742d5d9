import { readCandlesticks } from './gate.double.ts';
import { Refused, type Venue } from './venue.ts';

const contracts = ['BTC_USDT', 'ETH_USDT'] as const;

/** Plays Gate's candlesticks of perpetual contracts, each a ten-thousandth of a coin. */
export const gateFutures: Venue = {
  pools: contracts,
  listings: [
    { price: 300_000, tradesPerMinute: 2, priceScale: 1, amountScale: 0 },
    { price: 12_340, tradesPerMinute: 0.5, priceScale: 2, amountScale: 0 },
  ],
  forms: { numbers: 'text', unit: 's', times: 'json' },
  idle: 'flat',
  order: 'oldest first',
  headers: () => ({ 'cache-control': 'no-store' }),
  read: (request) => {
    if (request.path !== '/api/v4/futures/usdt/candlesticks') throw new Refused(404);
    return readCandlesticks(request, { name: 'contract', pools: contracts, most: 2000 });
  },
  write: (row, { time, price, amount, number }) => ({
    t: time(row.start),
    v: amount(row.volume),
    c: price(row.close),
    h: price(row.high),
    l: price(row.low),
    o: price(row.open),
    sum: number(Math.abs(row.quote) / 1e5),
  }),
  wrap: (rows) => rows,
};
