import { hourMs, minuteMs } from './market.ts';
import type { OnePage } from './one-page.ts';

const range = { from: 'from', to: 'to' };
const short = { t: 't', o: 'o', h: 'h', l: 'l', c: 'c', v: 'v' };
const long = { t: 'time', o: 'open', h: 'high', l: 'low', c: 'close', v: 'volume' };
const { t: _, ...longKeyed } = long;
const json = { numbers: 'json', order: 'oldest first' } as const;
const text = { numbers: 'text', order: 'newest first' } as const;
const minutes = ['5', '60', '1D'] as const;
const words = ['5m', '1h', '1d'] as const;

/** APIs outside the gallery, each by the shape that its documentation describes. */
export const usualApis: Readonly<Record<string, OnePage>> = {
  KuCoin: {
    ...{
      path: '/api/v1/market/candles',
      query: { pool: 'symbol', interval: 'type', from: 'startAt', to: 'endAt' },
    },
    ...{ intervals: ['5min', '1hour', '1day'], unit: 's', ...text, at: 'data', row: 'tochlv' },
  },
  Bitfinex: {
    ...{
      path: '/v2/candles/trade:{interval}:{pool}/hist',
      query: { from: 'start', to: 'end', limit: 'limit' },
    },
    ...{
      intervals: ['5m', '1h', '1D'],
      unit: 'ms',
      numbers: 'json',
      order: 'newest first',
      at: '',
      row: 'tochlv',
    },
  },
  dYdX: {
    ...{ path: '/v4/candles/perpetualMarkets/{pool}', timeUnit: 'iso', unit: 'iso', ...text, at: 'candles' },
    query: { interval: 'resolution', from: 'fromISO', to: 'toISO', limit: 'limit' },
    ...{ intervals: ['5MINS', '1HOUR', '1DAY'], row: { ...long, t: 'startedAt', v: 'baseTokenVolume' } },
  },
  Alpaca: {
    ...{
      path: '/v2/stocks/{pool}/bars',
      query: { interval: 'timeframe', from: 'start', to: 'end', limit: 'limit' },
    },
    ...{ intervals: ['5Min', '1Hour', '1Day'], unit: 'iso', ...json, at: 'bars', row: short },
  },
  HTX: {
    ...{ path: '/market/history/kline', query: { pool: 'symbol', interval: 'period' } },
    ...{ intervals: ['5min', '60min', '1day'], unit: 's', ...json, order: 'newest first', at: 'data' },
    row: { ...long, t: 'id', v: 'amount' },
  },
  Birdeye: {
    ...{
      path: '/defi/ohlcv',
      query: { pool: 'address', interval: 'type', from: 'time_from', to: 'time_to' },
    },
    ...{ header: ['x-chain', 'solana'], intervals: ['5m', '1H', '1D'], unit: 's', ...json, at: 'data.items' },
    row: { ...short, t: 'unixTime' },
  },
  Gemini: {
    ...{ path: '/v2/candles/{pool}/{interval}', query: {}, intervals: ['5m', '1hr', '1day'], unit: 'ms' },
    ...{ numbers: 'json', order: 'newest first', at: '', row: 'tohlcv' },
  },
  'Crypto.com': {
    ...{ path: '/v1/public/get-candlestick', timeUnit: 'ms', unit: 'ms', ...text, order: 'oldest first' },
    query: { pool: 'instrument_name', interval: 'timeframe', from: 'start_ts', to: 'end_ts', limit: 'count' },
    ...{ intervals: ['5m', '1h', '1D'], at: 'result.data', row: short },
  },
  CryptoCompare: {
    ...{
      path: '/data/v2/{interval}',
      query: { pool: 'fsym', to: 'toTs', limit: 'limit' },
      unit: 's',
      ...json,
    },
    ...{ intervals: ['histo5', 'histohour', 'histoday'], at: 'Data.Data', row: { ...long, v: 'volumefrom' } },
  },
  'TradingView UDF': {
    ...{ path: '/history', query: { pool: 'symbol', interval: 'resolution', ...range }, intervals: minutes },
    ...{ unit: 's', ...json, at: '', row: short, isColumns: true },
  },
  Finnhub: {
    ...{ path: '/api/v1/stock/candle', query: { pool: 'symbol', interval: 'resolution', ...range } },
    ...{ intervals: ['5', '60', 'D'], unit: 's', ...json, at: '', row: short, isColumns: true },
  },
  Deribit: {
    ...{
      path: '/api/v2/public/get_tradingview_chart_data',
      intervals: minutes,
      unit: 'ms',
      ...json,
      at: 'result',
    },
    query: { pool: 'instrument_name', interval: 'resolution', from: 'start_timestamp', to: 'end_timestamp' },
    ...{ row: { ...long, t: 'ticks' }, isColumns: true },
  },
  Yahoo: {
    ...{ path: '/v8/finance/chart/{pool}', query: { interval: 'interval', from: 'period1', to: 'period2' } },
    ...{ intervals: words, unit: 's', ...json, at: 'chart', isColumns: true },
    row: {
      ...{
        t: 'result.0.timestamp',
        o: 'result.0.indicators.quote.0.open',
        h: 'result.0.indicators.quote.0.high',
      },
      ...{ l: 'result.0.indicators.quote.0.low', c: 'result.0.indicators.quote.0.close' },
      v: 'result.0.indicators.quote.0.volume',
    },
  },
  OANDA: {
    ...{ path: '/v3/instruments/{pool}/candles', query: { interval: 'granularity', ...range }, unit: 'iso' },
    ...{ intervals: ['M5', 'H1', 'D'], ...text, order: 'oldest first', at: 'candles' },
    row: { t: 'time', o: 'mid.o', h: 'mid.h', l: 'mid.l', c: 'mid.c', v: 'volume' },
  },
  CoinMarketCap: {
    ...{ path: '/v2/cryptocurrency/ohlcv/historical', unit: 'iso', ...json, at: 'data.quotes' },
    query: { pool: 'symbol', interval: 'interval', from: 'time_start', to: 'time_end' },
    intervals: ['5m', 'hourly', 'daily'],
    row: {
      ...{ t: 'time_open', o: 'quote.USD.open', h: 'quote.USD.high', l: 'quote.USD.low' },
      ...{ c: 'quote.USD.close', v: 'quote.USD.volume' },
    },
  },
  'Alpha Vantage': {
    ...{
      path: '/query',
      query: { pool: 'symbol', interval: 'interval' },
      intervals: ['5min', '60min', 'daily'],
    },
    ...{ unit: 'iso', ...text, at: 'Time Series', row: longKeyed },
  },
};

const subgraph = `query Minutes($pool: String!, $from: Int!, $to: Int!) {
  rows: candles5m(first: 1000, where: { pool: $pool, periodStartUnix_gte: $from, periodStartUnix_lte: $to }) { ...row }
}
query Hours($pool: String!, $from: Int!, $to: Int!) {
  rows: candles1h(first: 1000, where: { pool: $pool, periodStartUnix_gte: $from, periodStartUnix_lte: $to }) { ...row }
}
query Days($pool: String!, $from: Int!, $to: Int!) {
  rows: candles1d(first: 1000, where: { pool: $pool, periodStartUnix_gte: $from, periodStartUnix_lte: $to }) { ...row }
}
fragment row on Candle { periodStartUnix open high low close volume }`;

/** APIs whose requests, or the places of whose rows, are of an unusual form. */
export const unusualApis: Readonly<Record<string, OnePage>> = {
  Tiingo: {
    ...{
      path: '/tiingo/crypto/prices',
      unit: 'iso',
      ...json,
      at: '0.priceData',
      row: { ...long, t: 'date' },
    },
    query: { pool: 'tickers', interval: 'resampleFreq', from: 'startDate', to: 'endDate' },
    intervals: ['5min', '1hour', '1day'],
  },
  BitMEX: {
    ...{ path: '/api/v1/trade/bucketed', unit: 'iso', ...json, at: '', isOfEnds: true, closedOnly: true },
    query: { pool: 'symbol', interval: 'binSize', from: 'startTime', to: 'endTime', limit: 'count' },
    ...{ intervals: words, row: { ...long, t: 'timestamp' } },
  },
  'CoinGecko OHLC': {
    ...{ path: '/api/v3/coins/{pool}/ohlc', query: { interval: 'days' }, intervals: ['1', '7'] },
    ...{ lengths: [30 * minuteMs, 4 * hourMs], most: [48, 42], isOfEnds: true },
    ...{ unit: 'ms', ...json, at: '', row: 'tohlc' },
  },
  'a subgraph': {
    ...{ path: '/subgraphs/candles', query: {}, intervals: ['Minutes', 'Hours', 'Days'], unit: 's' },
    body: {
      query: subgraph,
      operationName: '{interval}',
      variables: { pool: '{pool}', from: '{from}', to: '{to}' },
    },
    ...{ ...text, order: 'oldest first', at: 'data.rows', row: { ...long, t: 'periodStartUnix' } },
  },
};
