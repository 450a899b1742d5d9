import type { ApiRequest } from '../api/message.ts';
import { bucketStart, INTERVALS, LENGTH, MONDAY } from '../market/candle.ts';
import { declareFaults } from './fault.ts';

export const rangeFaults = declareFaults('range', [
  {
    id: 'last-row-lost',
    number: 'F46',
    title: 'the last row of a range is missing',
    breaks: ['history/split-loses-nothing'],
    alters: ['history/open-candle', 'history/edges-of-the-range'],
    sizes: { unit: 'rows', usual: 1, scale: [1, 2, 10] },
    make: (size) => ({ rows: (rows) => rows.slice(0, Math.max(0, rows.length - Math.round(size))) }),
  },
  {
    id: 'first-row-lost',
    number: 'F47',
    title: 'the first row is missing when from lies inside a bucket',
    alters: ['history/edges-of-the-range'],
    make: () => ({
      rows: (rows, { poolQuery }) => {
        if (poolQuery?.from === undefined) return rows;
        const { from, interval } = poolQuery;
        return bucketStart(from, interval, MONDAY) === from ? rows : rows.slice(1);
      },
    }),
  },
  {
    id: 'instant-has-no-row',
    number: 'F48',
    title: 'a range whose ends are equal holds nothing',
    alters: ['history/range-of-an-instant'],
    make: () => ({
      rows: (rows, { poolQuery }) => (poolQuery && poolQuery.from === poolQuery.to ? [] : rows),
    }),
  },
  {
    id: 'rows-before-the-range',
    number: 'F49',
    title: 'a history begins two rows too early',
    breaks: ['history/candles-meet-the-range'],
    sizes: { unit: 'rows', usual: 2, scale: [1, 2, 10] },
    make: (size) => ({ request: (request) => extendBackwards(request, Math.round(size)) }),
  },
  {
    id: 'truncated-history',
    number: 'F50',
    title: 'a history ends after 500 rows, and does not say so',
    breaks: ['history/complete'],
    alters: ['history/most-rows'],
    sizes: { unit: 'rows', usual: 500, scale: [5000, 2000, 1000, 500, 100] },
    make: (size) => ({ rows: (rows) => rows.slice(0, Math.round(size)) }),
  },
  {
    id: 'edges-left-out',
    number: 'F137',
    title: 'a range holds what begins after from and ends before to, both edges left out',
    breaks: ['history/adjoining-ranges-lose-nothing'],
    alters: ['history/edges-of-the-range'],
    make: () => ({
      rows: (rows, { poolQuery }) => {
        const { from, to, interval } = poolQuery ?? {};
        if (from === undefined || to === undefined || interval === undefined) return rows;
        return rows.filter(
          ({ startTimestampSeconds: start }) => start > from && start + LENGTH[interval] < to,
        );
      },
    }),
  },
  {
    id: 'long-ranges-lose-their-middle',
    number: 'F146',
    title: 'where a range holds more than 150 rows, the one in the middle is missing',
    breaks: ['history/wider-range-holds-more'],
    sizes: { unit: 'rows', usual: 150, scale: [2000, 160, 150] },
    make: (size) => ({
      rows: (rows) => (rows.length > size ? rows.toSpliced(rows.length >> 1, 1) : rows),
    }),
  },
  {
    id: 'wide-ranges-begin-late',
    number: 'F180',
    title: 'a range of more than ten days begins ten days before its end',
    breaks: ['rollup/parents-and-parts'],
    sizes: { unit: 'days', usual: 10, scale: [20, 15, 10] },
    make: (days) => ({
      rows: (rows, { poolQuery: { to } = {} }) =>
        to === undefined ? rows : rows.filter((row) => row.timestampSeconds > to - days * 86_400),
    }),
  },
  {
    id: 'to-before-from-is-exclusive',
    number: 'F147',
    title: 'the first row is missing where the query names to before from',
    breaks: ['history/spelling-changes-nothing'],
    make: () => ({
      rows: (rows, { request: { target } }) => (/[?&]to=.*[?&]from=/.test(target) ? rows.slice(1) : rows),
    }),
  },
]);

function extendBackwards(request: ApiRequest, rows: number): ApiRequest {
  const [path = '', search = ''] = request.target.split('?');
  const query = new URLSearchParams(search);
  const interval = INTERVALS.find((name) => name === query.get('interval'));
  const from = Number(query.get('from') ?? Number.NaN);
  if (!interval || !(from >= 0)) return request;
  query.set('from', String(Math.max(0, from - rows * LENGTH[interval])));
  return { ...request, target: `${path}?${query}` };
}

export const intervalFaults = declareFaults('enum', [
  {
    id: 'unknown-interval-is-hour',
    number: 'F23',
    title: 'an interval that is missing, unknown or in lower case is taken for HOUR',
    breaks: ['errors/no-rows-without-an-interval'],
    alters: ['errors/catalogue'],
    make: () => ({ request: fallBackToHour }),
  },
  {
    id: 'days-are-hours',
    number: 'F24',
    title: 'DAY histories hold hours',
    breaks: ['candle/closed-lasts-its-interval'],
    make: () => ({
      poolQuery: (poolQuery, { operation }) =>
        operation === 'listV2PoolCandles' && poolQuery.interval === 'DAY'
          ? { ...poolQuery, interval: 'HOUR' }
          : poolQuery,
    }),
  },
]);

function fallBackToHour(request: ApiRequest): ApiRequest {
  const [path = '', search = ''] = request.target.split('?');
  const query = new URLSearchParams(search);
  if (INTERVALS.some((name) => name === query.get('interval'))) return request;
  query.set('interval', 'HOUR');
  return { ...request, target: `${path}?${query}` };
}
