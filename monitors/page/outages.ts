import type { Indicator } from '../results/probe-record.ts';
import type { IncidentRecord, Span } from '../results/results-store.ts';
import type { IncidentCounts } from './page-facts.ts';

/**
 * The least and the greatest downtime in ms, since the time between two probes is unobserved. Time without a probe for
 * two periods is `unwatched` and counts in neither.
 */
export type Downtime = { readonly least: number; readonly most: number; readonly unwatched: number };

export type Outage = ReturnType<typeof describeOutage>;

/**
 * Returns an incident with the bounds of its duration: `most` is absent if no good slot precedes it; `unwatched` are
 * the ms without a probe after its last bad slot, or before its first.
 */
export function describeOutage(incident: IncidentRecord, now: number) {
  const { lastGood, lastBad, end, unwatchedBefore } = incident;
  const { from, to } = possibleSpan(incident, now);
  const isKnown = lastGood !== undefined || unwatchedBefore !== undefined;
  const unwatched = incident.unwatched ?? (isLost(incident, now) ? now - lastBad : undefined);
  return {
    incident,
    least: totalLength([sureSpan(incident)], 0),
    most: isKnown ? to - from : undefined,
    isOpen: end === undefined,
    unwatched,
    unwatchedBefore,
  };
}

/** Returns the time between its first and last bad request. */
function sureSpan({ begin, lastBad, firstFailed = begin, lastFailed = lastBad }: IncidentRecord): Span {
  return { from: firstFailed, to: lastFailed };
}

/**
 * Returns the time between the good runs around it; without one before or after, between its first and last bad run.
 */
function possibleSpan(incident: IncidentRecord, now: number): Span {
  const { begin, lastBad, lastGood = begin, end = isLost(incident, now) ? lastBad : now } = incident;
  return { from: lastGood, to: end };
}

/** Returns whether it is open although the probe that could see its end has not run for two periods. */
function isLost({ end, lastBad, period }: IncidentRecord, now: number): boolean {
  return end === undefined && period !== undefined && now > lastBad + 2 * period;
}

/**
 * Lists outages, newest first; simultaneous ones by target, location and indicator, whatever the order of the store.
 */
export function listOutages(incidents: readonly IncidentRecord[], now: number): Outage[] {
  const place = ({ target, location, indicator, id }: IncidentRecord): string =>
    JSON.stringify([target, location, indicator, id]);
  return incidents
    .toSorted((a, b) => b.begin - a.begin || (place(a) < place(b) ? -1 : 1))
    .map((incident) => describeOutage(incident, now));
}

/** Counts the incidents of each indicator that have a bad slot in a time span. */
export function countOutages(
  incidents: readonly IncidentCounts[],
  { from, to }: Span,
): Readonly<Record<Indicator, number>> {
  const within = incidents.filter(({ begin, lastBad }) => begin < to && lastBad >= from);
  const counts = { availability: 0, latency: 0, freshness: 0, correctness: 0 };
  for (const { indicator } of within) counts[indicator] += 1;
  return counts;
}

/** Measures the time without answers since `from`; no moment counts twice. */
export function measureDowntime(outages: readonly Outage[], from: number, now: number): Downtime {
  const ofAvailability = outages.filter(({ incident }) => incident.indicator === 'availability');
  const sure = ofAvailability.map(({ incident }) => sureSpan(incident));
  const possible = ofAvailability.map(({ incident }) => possibleSpan(incident, now));
  const least = totalLength(sure, from);
  const most = Math.max(least, totalLength(possible, from));
  return { least, most, unwatched: totalLength(ofAvailability.flatMap(unwatchedSpans), from) };
}

function unwatchedSpans({ incident, unwatched = 0, unwatchedBefore = 0 }: Outage): Span[] {
  const { begin, lastBad } = incident;
  return [
    { from: begin - unwatchedBefore, to: begin },
    { from: lastBad, to: lastBad + unwatched },
  ];
}

function totalLength(spans: readonly Span[], since: number): number {
  let [length, counted] = [0, since];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    length += Math.max(0, to - Math.max(counted, from));
    counted = Math.max(counted, to);
  }
  return length;
}
