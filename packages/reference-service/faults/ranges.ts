import type { ApiRequest } from '../api/message.ts';
import { bucketStart, INTERVALS, LENGTH, MONDAY } from '../market/candle.ts';
import { changeQuery } from './bending/bent-request.ts';
import { all, bendAt, dropRows, hasInterval, intervalLength, isHistory } from './bending/places.ts';
import { declareFaults } from './fault.ts';

export const rangeFaults = declareFaults('range', {
  'F46 last-row-lost': {
    title: 'the last row of a range is missing',
    breaks: ['history/split-loses-nothing'],
    alters: ['history/open-candle', 'history/edges-of-the-range'],
    sizes: { unit: 'rows', usual: 1, scale: [1, 2, 10] },
    make: (size) => ({ rows: (rows) => rows.slice(0, Math.max(0, rows.length - Math.round(size))) }),
  },
  'F47 first-row-lost': {
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
  'F48 instant-has-no-row': {
    title: 'a range whose ends are equal holds nothing',
    alters: ['history/range-of-an-instant'],
    make: () => dropRows((_row, { poolQuery }) => poolQuery?.from === poolQuery?.to),
  },
  'F49 rows-before-the-range': {
    title: 'a history begins two rows too early',
    breaks: ['history/candles-meet-the-range'],
    sizes: { unit: 'rows', usual: 2, scale: [1, 2, 10] },
    make: (size) => ({ request: (request) => extendBackwards(request, Math.round(size)) }),
  },
  'F50 truncated-history': {
    title: 'a history ends after 500 rows, and does not say so',
    breaks: ['history/complete'],
    alters: ['history/most-rows'],
    sizes: { unit: 'rows', usual: 500, scale: [5000, 2000, 1000, 500, 100] },
    make: (size) => ({ rows: (rows) => rows.slice(0, Math.round(size)) }),
  },
  'F137 edges-left-out': {
    title: 'a range holds what begins after from and ends before to, both edges left out',
    breaks: ['history/adjoining-ranges-lose-nothing'],
    alters: ['history/edges-of-the-range'],
    make: () =>
      dropRows(({ startTimestampSeconds: start }, requested) => {
        const { from = 0, to = 0 } = requested.poolQuery ?? {};
        return start <= from || start + intervalLength(requested) >= to;
      }),
  },
  'F146 long-ranges-lose-their-middle': {
    title: 'where a range holds more than 150 rows, the one in the middle is missing',
    breaks: ['history/wider-range-holds-more'],
    sizes: { unit: 'rows', usual: 150, scale: [2000, 160, 150] },
    make: (size) => ({
      rows: (rows) => (rows.length > size ? rows.toSpliced(rows.length >> 1, 1) : rows),
    }),
  },
  'F180 wide-ranges-begin-late': {
    title: 'a range of more than ten days begins ten days before its end',
    breaks: ['rollup/parents-and-parts'],
    sizes: { unit: 'days', usual: 10, scale: [20, 15, 10] },
    make: (days) =>
      dropRows((row, { poolQuery: { to = 0 } = {} }) => row.timestampSeconds <= to - days * 86_400),
  },
  'F147 to-before-from-is-exclusive': {
    title: 'the first row is missing where the query names to before from',
    breaks: ['history/spelling-changes-nothing'],
    make: () => ({
      rows: (rows, { request: { target } }) => (/[?&]to=.*[?&]from=/.test(target) ? rows.slice(1) : rows),
    }),
  },
});

function extendBackwards(request: ApiRequest, rows: number): ApiRequest {
  return changeQuery(request, (query) => {
    const interval = INTERVALS.find((name) => name === query.get('interval'));
    const from = Number(query.get('from') ?? Number.NaN);
    if (interval && from >= 0) query.set('from', String(Math.max(0, from - rows * LENGTH[interval])));
  });
}

export const intervalFaults = declareFaults('enum', {
  'F23 unknown-interval-is-hour': {
    title: 'an interval that is missing, unknown or in lower case is taken for HOUR',
    breaks: ['errors/no-rows-without-an-interval'],
    alters: ['errors/catalogue'],
    make: () => ({ request: fallBackToHour }),
  },
  'F24 days-are-hours': {
    title: 'DAY histories hold hours',
    breaks: ['candle/closed-lasts-its-interval'],
    make: () =>
      bendAt('poolQuery', all(isHistory, hasInterval('DAY')), (poolQuery) => ({
        ...poolQuery,
        interval: 'HOUR',
      })),
  },
});

function fallBackToHour(request: ApiRequest): ApiRequest {
  return changeQuery(request, (query) => {
    if (!INTERVALS.some((name) => name === query.get('interval'))) query.set('interval', 'HOUR');
  });
}
