import type { Distortion } from '@candleproof/reference-service/api/distortion';
import { changeRows, corruptField, dropMiddleRow, type RequestedRange } from './hidden-faults.ts';

const [minute, hour, day] = [60, 3600, 86_400] as const;
const lengths: Readonly<Record<string, number>> = {
  FIVEMIN: 5 * minute,
  HOUR: hour,
  DAY: day,
  WEEK: 7 * day,
};

/** Unix milliseconds. Preceded by two clock changes, a leap day, the end of a year and four other ends of months. */
export const springEvening = Date.parse('2024-04-20T15:32:20Z');

/** Age of the market in days at that time. */
export const springDays = 145;

export type OddRange = { readonly title: string; readonly distortion: Distortion };

const seconds = (text: string): number => Date.parse(text) / 1000;

const monthBorders = ['2023-12-01', '2024-01-01', '2024-02-01', '2024-03-01', '2024-04-01'].map(seconds);
const [leapDay, lastOfYear] = [seconds('2024-02-29'), seconds('2023-12-31')];

/** Clock changes of New York and Berlin. */
const [american, european] = [seconds('2024-03-10T07:00Z'), seconds('2024-03-31T01:00Z')];

const crosses =
  (instant: number) =>
  ({ from, to }: RequestedRange): boolean =>
    from < instant && instant < to;

const dropRowsAt =
  (...starts: readonly number[]): Parameters<typeof changeRows>[1] =>
  (rows) =>
    rows.filter((row) => !starts.includes(row.startTimestampSeconds));

const hasInterval =
  (...intervals: readonly string[]) =>
  ({ interval }: RequestedRange): boolean =>
    intervals.includes(interval);

const countRows = ({ interval, from, to }: RequestedRange): number =>
  (to - from) / (lengths[interval] ?? hour);

/** Returns the seconds since the start of an interval. */
const secondsIntoInterval = (instant: number, interval: string): number =>
  instant % (lengths[interval] ?? hour);

/** Faults in ranges that no check requests. Every one breaks a rule. */
export const oddRanges: readonly OddRange[] = [
  {
    title: 'hours and five minutes that begin with a month are lost from ranges across its border',
    distortion: changeRows(
      (range) =>
        hasInterval('HOUR', 'FIVEMIN')(range) && monthBorders.some((border) => crosses(border)(range)),
      dropRowsAt(...monthBorders),
    ),
  },
  {
    title: 'the hour after an American clock change is lost',
    distortion: changeRows(
      (range) => hasInterval('HOUR')(range) && crosses(american)(range),
      dropRowsAt(american),
    ),
  },
  {
    title: 'five minutes after a European clock change are lost',
    distortion: changeRows(
      (range) => hasInterval('FIVEMIN')(range) && crosses(european)(range),
      dropRowsAt(european),
    ),
  },
  {
    title: 'an hour is lost from ranges that begin more than ninety days ago',
    distortion: changeRows(
      (range) => hasInterval('HOUR')(range) && range.from < springEvening / 1000 - 90 * day,
      dropMiddleRow,
    ),
  },
  {
    title: 'a row is lost from more five minutes than a week has',
    distortion: changeRows(
      (range) => hasInterval('FIVEMIN')(range) && countRows(range) > 2100,
      dropMiddleRow,
    ),
  },
  {
    title: 'dollars of inverted weeks are others where there are more than eight',
    distortion: changeRows(
      (range) => hasInterval('WEEK')(range) && range.isInverted === true && countRows(range) > 8,
      corruptField('liquidityUsd'),
    ),
  },
  {
    title: 'dollars of inverted five minutes are others',
    distortion: changeRows(
      (range) => hasInterval('FIVEMIN')(range) && range.isInverted === true,
      corruptField('volumeUsd'),
    ),
  },
  {
    title: 'a row is lost where a range of hours or days begins on a boundary and ends off one',
    distortion: changeRows(
      ({ interval, from, to }) =>
        ['HOUR', 'DAY'].includes(interval) &&
        secondsIntoInterval(from, interval) === 0 &&
        secondsIntoInterval(to, interval) % minute > 0,
      dropMiddleRow,
    ),
  },
  {
    title: 'a row is lost where a range of hours begins at an odd minute',
    distortion: changeRows(
      ({ interval, from }) => interval === 'HOUR' && from % (2 * minute) === minute,
      dropMiddleRow,
    ),
  },
  {
    title: 'days and weeks hold other liquidity where the range is shorter than one of them',
    distortion: changeRows(
      (range) => hasInterval('DAY', 'WEEK')(range) && range.to > range.from && countRows(range) < 1,
      corruptField('liquidity'),
    ),
  },
  {
    title: 'the leap day is lost from days',
    distortion: changeRows(hasInterval('DAY'), dropRowsAt(leapDay)),
  },
  {
    title: 'the last day of a year is lost from ranges that go on into the next',
    distortion: changeRows(
      (range) => hasInterval('DAY')(range) && crosses(lastOfYear)(range),
      dropRowsAt(lastOfYear),
    ),
  },
  {
    title: 'the first hours of a pool are lost from ranges that begin before its birth',
    distortion: {
      rows: (rows, { poolQuery }) => {
        const first = rows[0]?.startTimestampSeconds ?? 0;
        const isBefore = poolQuery?.interval === 'HOUR' && (poolQuery.from ?? first) < first - 2 * hour;
        return isBefore ? rows.slice(3) : rows;
      },
    },
  },
  {
    title: 'a day is lost from inverted days of the second pool',
    distortion: changeRows(
      (range) => hasInterval('DAY')(range) && range.poolId === 3 && range.isInverted === true,
      dropMiddleRow,
    ),
  },
];
