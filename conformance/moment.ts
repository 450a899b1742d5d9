import { isPlausibleTime } from '../contract/candle.ts';
import { gatherEvidence } from '../contract/evidence.ts';
import type { Recording } from '../contract/exchange.ts';
import { headerValues } from '../contract/exchange.ts';
import { type Interval, intervalSeconds } from '../contract/interval.ts';
import { largest } from '../contract/largest.ts';
import type { Need } from '../contract/rule.ts';
import { isClosed } from '../contract/series.ts';
import type { Spec } from '../contract/spec.ts';
import { settlingSeconds } from '../contract/tolerances.ts';

/** What the times of a request are made of. */
export type Moment = {
  /** The target's own clock, Unix seconds. */
  readonly now: number;
  /** Start of the newest closed week as the target cuts its weeks. */
  readonly weekStart: () => number;
  readonly seed: number;
};

type Range = { readonly from: number; readonly to: number };

/** Intervals that a recent range reaches back: enough to show gaps, few enough to stay small. */
const recentIntervals: Readonly<Record<Interval, number>> = { FIVEMIN: 48, HOUR: 48, DAY: 14, WEEK: 6 };

const { HOUR: hour, DAY: day, WEEK: week } = intervalSeconds;

/** Half a year before any pool of such an exchange was born. */
const prehistory: Range = { from: Date.UTC(2017, 8, 1) / 1000, to: Date.UTC(2018, 2, 1) / 1000 };

/** Unix seconds of a request's range. */
export function rangeOf(range: NonNullable<Need['range']>, interval: Interval, moment: Moment): Range {
  if (range === 'recent') return recentRange(interval, moment);
  if (range === 'before any pool') return prehistory;
  if (range === 'after now') return { from: moment.now + 2 * hour + 150, to: moment.now + 5 * hour + 150 };
  const from = moment.weekStart();
  const middle = from + 3 * day;
  switch (range) {
    case 'closed week':
      return { from, to: from + week };
    case 'first half':
      return { from, to: middle + hour / 2 };
    case 'second half':
      return { from: middle - 1.5 * hour, to: from + week };
    case 'one candle':
      return { from: from - intervalSeconds[interval], to: from };
    case 'instant':
      return { from: middle, to: middle };
  }
}

/**
 * It starts at an odd second, as a client's would, and ends in the future, so that the present is inside however the
 * target reads its edges.
 */
function recentRange(interval: Interval, { now, seed }: Moment): Range {
  const length = intervalSeconds[interval];
  const odd = 1 + ((Math.imul(seed, 2_654_435_761) >>> 0) % (length - 1));
  return { from: now - recentIntervals[interval] * length - odd, to: now + 60 };
}

/** Unix seconds by the newest Date header; before the first answer, by our own clock. */
export function serverTime({ exchanges }: Recording): number {
  const date = exchanges.flatMap(({ response }) => headerValues(response?.headers ?? [], 'date')).at(-1);
  const told = Date.parse(date ?? '') / 1000;
  return Math.floor(isPlausibleTime(told) ? told : Date.now() / 1000);
}

/** Start of the newest week that no longer changes, as the target cuts its weeks. */
export function newestClosedWeek(spec: Spec, recording: Recording): number {
  const weeks = gatherEvidence(spec, recording).histories.filter((each) => each.asked.interval === 'WEEK');
  const closed = weeks.flatMap((answer) => answer.candles.filter((each) => isClosed(each, answer)));
  if (closed.length === 0) return lastSevenDays(serverTime(recording));
  return largest(closed.map((each) => each.start));
}

/** Where the target shows no week: whole days of UTC, the last of them settled. */
function lastSevenDays(now: number): number {
  const settled = now - settlingSeconds;
  return settled - (settled % day) - week;
}
