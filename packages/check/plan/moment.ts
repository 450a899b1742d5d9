import { day, hour, week } from '@candleproof/document/spec/interval';
import { findMaxRows } from '@candleproof/document/spec/operation';
import type { Operation, Spec } from '@candleproof/document/spec/spec';
import { realSpan } from '@candleproof/law/reading/candle';
import type { Recording } from '@candleproof/law/reading/exchange';
import { headerValues } from '@candleproof/law/reading/exchange';
import { plausibleSeconds, settlingSeconds } from '@candleproof/law/reading/tolerances';
import { isPrehistoric } from '@candleproof/law/relations/conventions';
import { gatherEvidence } from '@candleproof/law/relations/evidence';
import { isClosed, isInverted } from '@candleproof/law/relations/series';
import type { Need } from '@candleproof/law/rules/rule';

/** The instants from which a request's range is computed. */
export type Moment = {
  /** The target's clock, Unix seconds. */
  readonly now: number;
  /** Start of the closed week that the run reads, as the target cuts its weeks. */
  readonly weekStart: () => number;
  /** Start of the oldest week of whose days a pool has all; default: that of the closed week. */
  readonly firstWeek?: () => number;
  /** Returns the start of the oldest row of the weeks, undefined if none is closed; default: the newest closed week. */
  readonly firstRow?: () => number | undefined;
  readonly seed: number;
  /** Number of hours in a recent range, for one that is requested often and so never widened; eight days by default. */
  readonly hours?: number;
  /** The limits of ranges that the target's refusals have shown so far. */
  readonly limits?: RangeLimits;
};

/** The most rows that a target answers in a range of a length, and whether it refuses a range that ends ahead of now. */
export type RangeLimits = {
  readonly rows: (range: NonNullable<Need['range']>, length: number) => number;
  readonly endsNow: boolean;
};

type Range = { readonly from: number; readonly to: number };

/**
 * Intervals in a recent range: enough to show gaps, few enough to stay small. Hours begin before the end
 * of the newest closed week, wherever the target cuts its weeks, so that no day lies between the two; days go back no further
 * than they do, since a pool may be young.
 */
function recentIntervals(length: number, { hours = (week + day) / hour }: Moment): number {
  if (length < hour) return 48;
  if (length < day) return Math.ceil((hours * hour) / length);
  return length < week ? 7 : 6;
}

/** Half a year that ends four weeks before any pool had a row. */
const prehistory = { ends: 28 * day, lasts: 153 * day };

type Ranged = Pick<Operation, 'since' | 'maxRows' | 'maxRowsOf'>;

/** Unix seconds of a request's range: as much of its end as one answer may hold; `length` is the interval's, in seconds. */
export function computeRange(
  range: NonNullable<Need['range']>,
  length: number,
  moment: Moment,
  operation: Ranged = {},
): Range {
  const { since = 0 } = operation;
  const declared = findMaxRows(operation, length);
  const maxRows = Math.min(declared, moment.limits?.rows(range, length) ?? declared);
  const whole = wholeRange(range, length, moment, since);
  const most = (maxRows - 2) * length;
  if (whole.to - whole.from <= most) return whole;
  // Whole hours or days, so that longer candles are made of it.
  const unit = [day, hour, length].find((candidate) => candidate <= most && candidate >= length) ?? length;
  const from = whole.to - Math.max(length, most - (most % unit));
  // All weeks are those since 1970, or else since the exchange began: a range from in between is no proper one.
  return { from: range === 'all' ? Math.max(from, since) : from, to: whole.to };
}

/** The second in which a signed number of 32 bits ends: one seed in four asks for all up to it. */
const endOf32Bits = 2 ** 31;

function wholeRange(range: NonNullable<Need['range']>, length: number, moment: Moment, since: number): Range {
  if (range === 'recent') return recentRange(length, recentIntervals(length, moment), moment);
  if (range === 'since the week')
    return recentRange(length, Math.ceil((week + weekOverlap) / length), moment);
  if (range === 'all') {
    const { to } = recentRange(length, 1, moment);
    return { from: 0, to: moment.seed % 4 === 3 && !moment.limits?.endsNow ? endOf32Bits : to };
  }
  if (range === 'before any pool') {
    const to = since - prehistory.ends;
    return { from: to - prehistory.lasts, to };
  }
  if (range === 'after now') return { from: moment.now + 2 * hour + 150, to: moment.now + 5 * hour + 150 };
  if (range === 'around the first row') return rangeAroundFirstRow(moment);
  const from = moment.weekStart();
  const firstWeek = moment.firstWeek?.() ?? from;
  const middle = from + 3 * day;
  switch (range) {
    case 'closed week':
      return { from, to: from + week };
    case 'first half':
      return { from, to: middle + hour / 2 + oddSecond(moment, hour / 2) };
    case 'second half':
      return { from: middle - 1.5 * hour + oddSecond(moment, hour / 2), to: from + week };
    case 'some minutes': {
      const begins = from + day + hour * oddSecond(moment, day / hour) + oddSecond(moment, 300);
      return { from: begins, to: begins + someMinutes };
    }
    case 'before the week':
      return { from: Math.min(firstWeek, from - length), to: from };
    case 'long ago':
      return { from: firstWeek, to: firstWeek + day };
    case 'instant':
      return { from: middle, to: middle };
  }
}

/** Seconds of the range that is shorter than the shortest interval but one. */
const someMinutes = 35 * 60;

/** By how much the rows since the newest whole week reach into it. */
const weekOverlap = 2 * hour;

/**
 * It starts at an odd second, as a client's would, and ends in the future, so that the present is inside however the
 * target reads its edges and however long the run lasts: ten minutes ahead, or, for other intervals with each second seed,
 * two intervals.
 */
function recentRange(length: number, intervals: number, moment: Moment): Range {
  const { now, limits, seed } = moment;
  const from = now - intervals * length - oddSecond(moment, length);
  const ahead = (Math.floor(length / fiveMinutes) + seed) % 2 === 0 ? 2 * length : 2 * fiveMinutes;
  return { from, to: limits?.endsNow ? now : now + ahead };
}

const fiveMinutes = 300;

/**
 * The week before the oldest row and the one that begins with it. If no week was shown, the five weeks before the
 * newest: in shorter candles, they show whether the pool had any.
 */
function rangeAroundFirstRow(moment: Moment): Range {
  const odd = oddSecond(moment, day);
  const newest = moment.weekStart();
  const start = moment.firstRow ? moment.firstRow() : newest;
  if (start === undefined) return { from: newest - 5 * week, to: newest + odd };
  return { from: Math.max(0, start - week - odd), to: start + week + odd };
}

/** A number of seconds above 0 and below `most`, the same for the same seed. */
function oddSecond({ seed }: Moment, most: number): number {
  return 1 + ((Math.imul(seed, 2_654_435_761) >>> 0) % (most - 1));
}

/** Unix seconds by the newest Date header; before the first answer, by our clock. */
export function serverTime({ exchanges }: Recording): number {
  const date = exchanges.flatMap(({ response }) => headerValues(response?.headers ?? [], 'date')).at(-1);
  const reported = Date.parse(date ?? '') / 1000;
  return Math.floor(
    reported > plausibleSeconds.from && reported < plausibleSeconds.to ? reported : Date.now() / 1000,
  );
}

/** The weeks that a target shows as it cuts them: starts of those that no longer change, newest first, and the start of the oldest row. */
export type ShownWeeks = {
  readonly closed: readonly [number, ...number[]];
  readonly firstRow: number | undefined;
};

/** Most weeks before the newest closed one from which a run takes the week that it reads in every interval. */
const mostWeeksBack = 3;

/** Returns the start of the week that a run reads in every interval: each second seed's is older than the newest. */
export function chooseWeek({ closed, firstRow }: ShownWeeks, seed: number): number {
  const back = seed % 2 === 0 ? 1 + ((seed / 2) % mostWeeksBack) : 0;
  const whole = listWhole({ closed, firstRow });
  return whole.at(Math.min(back, whole.length - 1)) ?? closed[0];
}

/** Most weeks of which a run reads all days, however many it was shown. */
const maxWeeks = 5;

/** Returns the start of the oldest of the newest weeks of whose days a pool has all. */
export function findFirstWeek(weeks: ShownWeeks): number {
  return listWhole(weeks).slice(0, maxWeeks).at(-1) ?? weeks.closed[0];
}

/** Lists the weeks without the oldest, which may hold the pool's birth. */
function listWhole({ closed, firstRow }: ShownWeeks): number[] {
  return closed.filter((start) => firstRow === undefined || start > firstRow);
}

/** Reads the weeks of a recording's answers; if there are none, the last seven whole days of UTC replace the newest. */
export function readWeeks(spec: Spec, recording: Recording): ShownWeeks {
  const weeks = gatherEvidence(spec, recording).histories.filter(
    (history) => history.requested.rung === 'week',
  );
  const closed = weeks.flatMap((answer) => answer.candles.filter((candle) => isClosed(candle, answer)));
  if (closed.length === 0) {
    return { closed: [lastSevenDays(serverTime(recording))], firstRow: undefined };
  }
  const starts = new Set(closed.map((candle) => realSpan(candle, 0).start));
  const [newest = 0, ...older] = [...starts].sort((a, b) => b - a);
  const shown = weeks.find(
    (historyAnswer) =>
      historyAnswer.inTime.length > 0 && !isInverted(historyAnswer) && !isPrehistoric(historyAnswer),
  );
  const [oldest] = shown?.inTime ?? [];
  return { closed: [newest, ...older], firstRow: oldest ? realSpan(oldest, 0).start : newest };
}

/** Returns the start of the newest week that no longer changes, as the target cuts its weeks. */
export function newestClosedWeek(spec: Spec, recording: Recording): number {
  return readWeeks(spec, recording).closed[0];
}

/** Returns the start of the last seven settled days of UTC, for a target that shows no week. */
function lastSevenDays(now: number): number {
  const settled = now - settlingSeconds;
  return settled - (settled % day) - week;
}
