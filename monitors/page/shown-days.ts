import { mergeAll, percentile } from '@candleproof/law/planning/histogram';
import { day, hour, monthBegin, roundToBegin } from '../results/calendar.ts';
import type { Span } from '../results/results-store.ts';
import { addIndicators, addUp, countStretches, measureCoverage, type Totals } from './coverage.ts';
import { daysJudged, daysShown, lastDays } from './days.ts';
import { estimateShare } from './estimates.ts';
import type { WatchFacts } from './judged-days.ts';
import { countOutages } from './outages.ts';
import type { DayCounts, HourCounts } from './page-facts.ts';
import { measureWatched } from './watches.ts';

/** A rule's id, or the indicator of a missed objective, and the number of slots that it marked. */
export type RuleSlots = readonly [rule: string, slots: number];

/** The good and bad slots of each indicator within a window of time, such as `7 d`. */
export type WindowTotals = { readonly name: string; readonly indicators: Totals['indicators'] };

/** Returns what the 90 days of one watch come to, from its first slot until now. */
export function shownDays(watchFacts: WatchFacts, now: number) {
  const { days, hours, newestRuns } = watchFacts;
  const runs = newestRuns.map((run) => ({ ...run, begin: run.scheduledAt }));
  return {
    windows: listWindows(watchFacts, now),
    days: countStretches(days, listBegins(watchFacts, now)),
    rules: mostFirst(addUp(days.map(({ rules }) => rules))),
    degradedBy: mostFirst(addUp(days.map(({ degradedBy }) => degradedBy))),
    // An hour keeps the end of the certificate before, too.
    certificate: findCertificate(runs) ?? findCertificate(hours) ?? findCertificate(days),
  };
}

/** Returns what is drawn of the 90 days hour by hour or as a curve, and the months before them. */
export function shownDetails(watchFacts: WatchFacts, now: number) {
  const { days, hours, past } = watchFacts;
  const first = firstSlot(watchFacts, now);
  const begins = listBegins(watchFacts, now);
  const begun = begins
    .flatMap((begin) => Array.from({ length: 24 }, (_, index) => begin + index * hour))
    .filter((begin) => begin + hour > first && begin <= now);
  const byDay = Map.groupBy(days, ({ begin }) => begin);
  return {
    hours: countStretches(hours, begun),
    trend: begins.map((begin) => dayFigures(begin, byDay.get(begin) ?? [])),
    months: listMonths([...past, ...days], watchFacts, now),
  };
}

function listBegins(watchFacts: WatchFacts, now: number): number[] {
  const first = firstSlot(watchFacts, now);
  return lastDays(now, daysShown).filter((begin) => begin + day > first);
}

function firstSlot({ extents }: WatchFacts, now: number): number {
  return extents.reduce((least, { from }) => Math.min(least, from), now);
}

/** Adds up the hours of the last day, and UTC days including the current one. */
function listWindows({ days, hours }: WatchFacts, now: number): WindowTotals[] {
  const lastDay = hours.filter(({ begin }) => begin > now - day);
  const daily = [7, daysJudged, daysShown].map((count) => {
    const from = roundToBegin(now, day) - (count - 1) * day;
    return { name: `${count} d`, indicators: addIndicators(days.filter(({ begin }) => begin >= from)) };
  });
  return [{ name: '24 h', indicators: addIndicators(lastDay) }, ...daily];
}

/** Returns the p95 of a day: over new connections in microseconds, and of the age in ms. */
function dayFigures(begin: number, records: WatchFacts['days']) {
  const latency = mergeAll(records.map(({ cold }) => cold.total ?? {}));
  const age = mergeAll(records.map((hourRecord) => hourRecord.age));
  return { begin, latency: percentile(latency, 0.95), age: percentile(age, 0.95) };
}

function mostFirst(rules: Readonly<Record<string, number>>): RuleSlots[] {
  return Object.entries(rules).sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
}

/** Returns the newest known expiry of the served certificate, Unix ms, and when it was seen. */
function findCertificate(hours: readonly Pick<HourCounts, 'begin' | 'certificateEnd'>[]) {
  const served = hours.filter((hour) => hour.certificateEnd !== undefined);
  const seen = served.reduce((latest, { begin }) => Math.max(latest, begin), 0);
  const ends = served.filter(({ begin }) => begin === seen).flatMap((hour) => hour.certificateEnd ?? []);
  return ends.length === 0 ? undefined : { end: Math.min(...ends), seen };
}

/** One calendar month (UTC) of a watch, such as `2026-11`. */
export type MonthFigures = ReturnType<typeof listMonths>[number];

/** Lists every watched month, newest first, the current one until `now`. */
function listMonths(
  days: readonly DayCounts[],
  { extents, incidents }: Pick<WatchFacts, 'extents' | 'incidents'>,
  now: number,
) {
  const months = Map.groupBy(days, ({ begin }) => new Date(begin).toISOString().slice(0, 7));
  return [...months]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([month, records]) => {
      const window = monthSpan(month, now);
      const outages = countOutages(incidents, window);
      const watched = measureWatched(window, extents, records)?.share;
      const indicators = addIndicators(records);
      const { failed = 0, degraded = 0 } = addUp(records.map((record) => record.outcomes));
      return {
        month,
        availability: estimateShare(indicators.availability, outages.availability),
        correctness: estimateShare(indicators.correctness, outages.correctness),
        coverage: measureCoverage({ states: addUp(records.map((record) => record.states)) }, watched),
        failed,
        degraded,
      };
    });
}

function monthSpan(month: string, now: number): Span {
  const from = Date.parse(`${month}-01T00:00:00Z`);
  return { from, to: Math.min(now, monthBegin(from, 1)) };
}
