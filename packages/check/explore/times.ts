import { day, hour, intervalPhase } from '@candleproof/document/spec/interval';
import { firstOperation, listPools } from '@candleproof/document/spec/operation';
import { buildPath } from '@candleproof/document/spec/request-path';
import type { NamedInterval } from '@candleproof/document/spec/roles';
import type { Operation, PoolId, Spec } from '@candleproof/document/spec/spec';
import type { Recording, TargetFacts } from '@candleproof/law/reading/exchange';
import { lateSeconds, plausibleSeconds } from '@candleproof/law/reading/tolerances';
import { gatherEvidence } from '@candleproof/law/relations/evidence';

/** The known bounds of the time in which ranges can lie, in Unix seconds. */
export type Times = {
  /** By the target's clock. */
  readonly now: number;
  /** Start of the first of the longest intervals that was shown of a pool. */
  readonly births: ReadonlyMap<PoolId, number>;
  /** Seconds after a multiple of its length at which the longest interval begins. */
  readonly phase: number;
};

/** Returns the times of a target before anything but its clock was read. */
export function emptyTimes(now: number): Times {
  return { now, births: new Map(), phase: 0 };
}

/** Start of the newest day (UTC) before which nothing changes any more. */
export function settledDay({ now }: Pick<Times, 'now'>): number {
  const settled = now - lateSeconds;
  return settled - intervalPhase(settled, day);
}

/** Rows of one answer that show how far a history goes back: twenty years of weeks. */
const mostOfLife = 1040;

/** One request for each pool: all of its past in the longest interval. */
export function listLifeRequests(spec: Spec, target: TargetFacts, now: number): { path: string }[] {
  const operation = firstOperation(spec, 'history');
  const longest = spec.intervals.at(-1);
  if (!operation || !longest) return [];
  return listPools(target, operation).map((pool) => ({ path: lifePath(operation, longest, pool, now) }));
}

function lifePath(operation: Operation, { name, seconds }: NamedInterval, pool: PoolId, now: number): string {
  const { since = plausibleSeconds.from, maxRows = mostOfLife } = operation;
  const most = Math.min(mostOfLife, maxRows);
  const to = settledDay({ now });
  const from = Math.max(since, to - (most - 1) * seconds);
  return buildPath(operation, { pool, interval: name, from, to, limit: most });
}

/** Reads from the answers to these requests when each pool was born, and when its longest intervals begin. */
export function readTimes(spec: Spec, recording: Recording, now: number): Times {
  const births = new Map<PoolId, number>();
  let phase = 0;
  for (const { requested, inTime } of gatherEvidence(spec, recording).histories) {
    const [first] = inTime;
    if (!first || requested.length !== spec.intervals.at(-1)?.seconds) continue;
    births.set(requested.pool, Math.min(first.start, births.get(requested.pool) ?? Number.POSITIVE_INFINITY));
    phase = intervalPhase(first.start, requested.length);
  }
  return { now, births, phase };
}

/** Days that are tried of the past, apart from those of the calendar. */
const pastDays = 6;

/** Seconds of the past that are searched for calendar marks if no pool's age is known. */
const usualPast = 40 * day;

/** Seconds between the first row that any pool is known to have and the newest settled day. */
export function pastSeconds(times: Times): number {
  const end = settledDay(times);
  const eldest = Math.min(...times.births.values());
  return Number.isFinite(eldest) ? end - eldest : usualPast;
}

/** Returns the instants that ranges are drawn around: the newest settled day first, then those that no fixed run requests. */
export function listPlaces(times: Times): number[] {
  const end = settledDay(times);
  const past = pastSeconds(times);
  const eldest = end - past;
  const step = past / pastDays;
  const spread = Array.from({ length: pastDays }, (_, index) => end - (index + 1) * step);
  const marks = listMarks({ from: eldest, to: end }).toReversed();
  const places = [end, ...marks.map((mark) => mark.from), ...times.births.values(), ...spread];
  return [...new Set(places.map((place) => place - intervalPhase(place, hour)))];
}

/** A stretch of the calendar at which services go wrong; a border is a stretch of no length. */
export type CalendarMark = {
  readonly kind: 'month' | 'year' | 'leap day' | 'American clocks' | 'European clocks';
  /** Unix seconds. */
  readonly from: number;
  readonly to: number;
};

/** Returns the marks that lie in a range of Unix seconds, in the order of time. */
export function listMarks(range: { readonly from: number; readonly to: number }): CalendarMark[] {
  const first = new Date(range.from * 1000).getUTCFullYear();
  const last = new Date(range.to * 1000).getUTCFullYear();
  const years = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return years
    .flatMap(listYearMarks)
    .filter(({ from, to }) => range.from <= from && to <= range.to)
    .sort((a, b) => a.from - b.from);
}

function listYearMarks(year: number): CalendarMark[] {
  const markMonth = (month: number): CalendarMark => {
    const at = startOfDay(year, month, 1);
    return { kind: month === 0 ? 'year' : 'month', from: at, to: at };
  };
  const markDay = (kind: CalendarMark['kind'], from: number): CalendarMark => ({
    kind,
    from,
    to: from + day,
  });
  const leapDay = startOfDay(year, 1, 29);
  return [
    ...Array.from({ length: 12 }, (_, month) => markMonth(month)),
    ...(new Date(leapDay * 1000).getUTCMonth() === 1 ? [markDay('leap day', leapDay)] : []),
    markDay('American clocks', nextSunday(startOfDay(year, 2, 8))),
    markDay('American clocks', nextSunday(startOfDay(year, 10, 1))),
    markDay('European clocks', nextSunday(startOfDay(year, 2, 25))),
    markDay('European clocks', nextSunday(startOfDay(year, 9, 25))),
  ];
}

function startOfDay(year: number, month: number, date: number): number {
  return Date.UTC(year, month, date) / 1000;
}

/** Returns the first Sunday that is not before a day. */
function nextSunday(start: number): number {
  return start + ((7 - new Date(start * 1000).getUTCDay()) % 7) * day;
}

/** Clocks of New York are put forward. */
export function isSummer(instant: number): boolean {
  const year = new Date(instant * 1000).getUTCFullYear();
  return nextSunday(startOfDay(year, 2, 8)) <= instant && instant < nextSunday(startOfDay(year, 10, 1));
}
