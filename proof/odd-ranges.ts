import type { Distortion } from '../service/api/distortion.ts';
import { bitesIn, lostInTheMiddle, type RequestedRange, rowsWhere } from './hidden-faults.ts';

const [minute, hour, day] = [60, 3600, 86_400] as const;
const lengths: Readonly<Record<string, number>> = {
  FIVEMIN: 5 * minute,
  HOUR: hour,
  DAY: day,
  WEEK: 7 * day,
};

/** Unix milliseconds. Behind it lie two clock changes, a leap day, a year's end and four more borders of months. */
export const springEvening = Date.parse('2024-04-20T15:32:20Z');

/** Age of the market in days at that instant. */
export const springDays = 145;

export type OddRange = { readonly title: string; readonly distortion: Distortion };

const seconds = (text: string): number => Date.parse(text) / 1000;

const monthBorders = ['2023-12-01', '2024-01-01', '2024-02-01', '2024-03-01', '2024-04-01'].map(seconds);
const [leapDay, lastOfYear] = [seconds('2024-02-29'), seconds('2023-12-31')];
/** Clocks of New York and Berlin are put forward. */
const [american, european] = [seconds('2024-03-10T07:00Z'), seconds('2024-03-31T01:00Z')];

const crosses =
  (instant: number) =>
  ({ from, to }: RequestedRange): boolean =>
    from < instant && instant < to;

const lacking =
  (...starts: readonly number[]): Parameters<typeof rowsWhere>[1] =>
  (rows) =>
    rows.filter((row) => !starts.includes(row.startTimestampSeconds));

const isOf =
  (...intervals: readonly string[]) =>
  ({ interval }: RequestedRange): boolean =>
    intervals.includes(interval);

const rowsOf = ({ interval, from, to }: RequestedRange): number => (to - from) / (lengths[interval] ?? hour);

/** Seconds since an interval began. */
const late = (instant: number, interval: string): number => instant % (lengths[interval] ?? hour);

/** Faults that bite in ranges which no check asks for, each in a way that some rule would see. */
export const oddRanges: readonly OddRange[] = [
  {
    title: 'hours and five minutes that begin with a month are lost from ranges across its border',
    distortion: rowsWhere(
      (range) => isOf('HOUR', 'FIVEMIN')(range) && monthBorders.some((border) => crosses(border)(range)),
      lacking(...monthBorders),
    ),
  },
  {
    title: 'the hour after an American clock change is lost',
    distortion: rowsWhere((range) => isOf('HOUR')(range) && crosses(american)(range), lacking(american)),
  },
  {
    title: 'five minutes after a European clock change are lost',
    distortion: rowsWhere((range) => isOf('FIVEMIN')(range) && crosses(european)(range), lacking(european)),
  },
  {
    title: 'an hour is lost from ranges that begin more than ninety days ago',
    distortion: rowsWhere(
      (range) => isOf('HOUR')(range) && range.from < springEvening / 1000 - 90 * day,
      lostInTheMiddle,
    ),
  },
  {
    title: 'a row is lost from more five minutes than a week has',
    distortion: rowsWhere((range) => isOf('FIVEMIN')(range) && rowsOf(range) > 2100, lostInTheMiddle),
  },
  {
    title: 'dollars of inverted weeks are others where there are more than eight',
    distortion: rowsWhere(
      (range) => isOf('WEEK')(range) && range.isInverted === true && rowsOf(range) > 8,
      bitesIn('liquidityUsd'),
    ),
  },
  {
    title: 'dollars of inverted five minutes are others',
    distortion: rowsWhere(
      (range) => isOf('FIVEMIN')(range) && range.isInverted === true,
      bitesIn('volumeUsd'),
    ),
  },
  {
    title: 'a row is lost where a range of hours or days begins on a boundary and ends off one',
    distortion: rowsWhere(
      ({ interval, from, to }) =>
        ['HOUR', 'DAY'].includes(interval) && late(from, interval) === 0 && late(to, interval) % minute > 0,
      lostInTheMiddle,
    ),
  },
  {
    title: 'a row is lost where a range of hours begins at an odd minute',
    distortion: rowsWhere(
      ({ interval, from }) => interval === 'HOUR' && from % (2 * minute) === minute,
      lostInTheMiddle,
    ),
  },
  {
    title: 'days and weeks hold other liquidity where the range is shorter than one of them',
    distortion: rowsWhere(
      (range) => isOf('DAY', 'WEEK')(range) && range.to > range.from && rowsOf(range) < 1,
      bitesIn('liquidity'),
    ),
  },
  {
    title: 'the leap day is lost from days',
    distortion: rowsWhere(isOf('DAY'), lacking(leapDay)),
  },
  {
    title: 'the last day of a year is lost from ranges that go on into the next',
    distortion: rowsWhere((range) => isOf('DAY')(range) && crosses(lastOfYear)(range), lacking(lastOfYear)),
  },
  {
    title: 'the first hours of a pool are lost from ranges that begin before its birth',
    distortion: {
      rows: (rows, { question }) => {
        const first = rows[0]?.startTimestampSeconds ?? 0;
        const isBefore = question?.interval === 'HOUR' && (question.from ?? first) < first - 2 * hour;
        return isBefore ? rows.slice(3) : rows;
      },
    },
  },
  {
    title: 'a day is lost from inverted days of the second pool',
    distortion: rowsWhere(
      (range) => isOf('DAY')(range) && range.poolId === 3 && range.isInverted === true,
      lostInTheMiddle,
    ),
  },
];
