import { binance } from './binance.double.ts';
import { bitget } from './bitget.double.ts';
import { bitstamp } from './bitstamp.double.ts';
import { bybit } from './bybit.double.ts';
import { coinbase } from './coinbase.double.ts';
import { gate } from './gate.double.ts';
import { gateFutures } from './gate-futures.double.ts';
import { geckoterminal } from './geckoterminal.double.ts';
import { hyperliquid } from './hyperliquid.double.ts';
import { kraken } from './kraken.double.ts';
import { hourMs } from './market.ts';
import { mexc } from './mexc.double.ts';
import { okx } from './okx.double.ts';
import { listLengths, type OnePage } from './one-page.ts';
import { polygon } from './polygon.double.ts';
import { twelvedata } from './twelvedata.double.ts';
import { upbit } from './upbit.double.ts';
import type { Venue } from './venue.ts';

/** A venue, and a request of the kind that its pages show first. */
export type LookedVenue = {
  readonly venue: Venue;
  /** Path and query; `{from}` and `{to}` stand for times. */
  readonly request: string;
  /** The JSON body of a POST, with the same places. */
  readonly data?: string;
  readonly unit: 's' | 'ms' | 'iso' | 'local';
};

/** The venues of the gallery, each with a request for hours of a range. */
export const lookedVenues: Readonly<Record<string, LookedVenue>> = {
  binance: {
    ...{ venue: binance, unit: 'ms' },
    request: '/api/v3/klines?symbol=ETHUSDT&interval=1h&startTime={from}&endTime={to}&limit=500',
  },
  bitget: {
    ...{ venue: bitget, unit: 'ms' },
    request:
      '/api/v2/spot/market/candles?symbol=BTCUSDT&granularity=1h&startTime={from}&endTime={to}&limit=200',
  },
  bitstamp: {
    ...{ venue: bitstamp, unit: 's' },
    request: '/api/v2/ohlc/btcusd/?step=3600&limit=500&start={from}&end={to}',
  },
  bybit: {
    ...{ venue: bybit, unit: 'ms' },
    request: '/v5/market/kline?category=spot&symbol=BTCUSDT&interval=60&start={from}&end={to}&limit=200',
  },
  coinbase: {
    ...{ venue: coinbase, unit: 's' },
    request: '/products/BTC-USD/candles?granularity=3600&start={from}&end={to}',
  },
  gate: {
    ...{ venue: gate, unit: 's' },
    request: '/api/v4/spot/candlesticks?currency_pair=BTC_USDT&interval=1h&from={from}&to={to}',
  },
  'gate-futures': {
    ...{ venue: gateFutures, unit: 's' },
    request: '/api/v4/futures/usdt/candlesticks?contract=BTC_USDT&interval=1h&from={from}&to={to}',
  },
  geckoterminal: {
    ...{ venue: geckoterminal, unit: 's' },
    request: `/api/v2/networks/eth/pools/${geckoterminal.pools[0]}/ohlcv/hour?aggregate=1&before_timestamp={to}&limit=100&currency=usd`,
  },
  hyperliquid: {
    ...{ venue: hyperliquid, unit: 'ms', request: '/info' },
    data: '{"type":"candleSnapshot","req":{"coin":"BTC","interval":"1h","startTime":{from},"endTime":{to}}}',
  },
  kraken: {
    ...{ venue: kraken, unit: 's' },
    request: '/0/public/OHLC?pair=XXBTZUSD&interval=60&since={from}',
  },
  mexc: {
    ...{ venue: mexc, unit: 'ms' },
    request: '/api/v3/klines?symbol=BTCUSDT&interval=60m&startTime={from}&endTime={to}&limit=500',
  },
  okx: {
    ...{ venue: okx, unit: 'ms' },
    request: '/api/v5/market/history-candles?instId=BTC-USDT&bar=1H&before={from}&after={to}&limit=100',
  },
  polygon: {
    ...{ venue: polygon, unit: 'ms' },
    request: '/v2/aggs/ticker/AAPL/range/1/hour/{from}/{to}?limit=5000',
  },
  twelvedata: {
    ...{ venue: twelvedata, unit: 'local' },
    request:
      '/time_series?symbol=BTC/USD&interval=1h&start_date={from}&end_date={to}&outputsize=500&timezone=UTC',
  },
  upbit: {
    ...{ venue: upbit, unit: 'iso' },
    request: '/v1/candles/minutes/60?market=KRW-BTC&to={to}&count=90',
  },
};

/** Writes a request for hours, or for the longest interval below a day, of an API that one page describes. */
export function describeRequest(api: OnePage, pool: string): Pick<LookedVenue, 'request' | 'unit' | 'data'> {
  const { path, query, body, intervals, timeUnit: unit = api.unit } = api;
  const hourly = listLengths(api).indexOf(hourMs);
  const interval = intervals[hourly === -1 ? 0 : hourly] ?? '';
  const values: Readonly<Record<string, string>> = { pool, interval, limit: '500' };
  const fill = (role: string): string => values[role] ?? `{${role}}`;
  const written = Object.entries(query).map(([role, name]) => `${name}=${fill(role)}`);
  const filled = path.replace(/\{(\w+)\}/g, (_, role) => fill(role));
  const request = written.length === 0 ? filled : `${filled}?${written.join('&')}`;
  // Times of a body are numbers.
  const data = JSON.stringify(body)
    ?.replace(/"\{(from|to)\}"/g, '{$1}')
    .replace(/\{(pool|interval)\}/g, (_, role) => fill(role));
  return { request, unit, ...(data !== undefined && { data }) };
}

/** Writes the times of a request, or of its body, for the last hours before a time in Unix milliseconds. */
export function fillRequest(
  request: string,
  { unit }: Pick<LookedVenue, 'unit'>,
  now: number,
  hours = 90,
): string {
  const write = (time: number): string => {
    const iso = new Date(time).toISOString().replace('.000', '');
    if (unit === 'iso') return iso;
    if (unit === 'local') return encodeURIComponent(iso.replace('T', ' ').replace('Z', ''));
    return String(unit === 's' ? time / 1000 : time);
  };
  const to = now - (now % hourMs);
  return request.replace('{from}', write(to - hours * hourMs)).replace('{to}', write(to));
}
