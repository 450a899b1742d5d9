import { type Indicator, indicators, rateIndicator, type SlotRecord } from '../results/probe-record.ts';
import type { IncidentRecord, Json, Span } from '../results/results-store.ts';

/** Failures of different kinds that an incident names. */
const mostFailures = 20;

/** Planned instants of the last good slots of one probe, Unix ms; absent if none is known. */
type LastGood = Readonly<Partial<Record<Indicator, number>>>;

/** The state of a probe before its slot; `unwatched`: ms without a run just before. */
export type ProbeHistory = LastGood & { readonly unwatched?: number };

/**
 * Returns the incidents that a slot opened, extended or closed. The slots of each probe must come in the order of their
 * planned instants. An incident ends when every probe that failed in it has succeeded again, so that one broken
 * operation is one incident even while others succeed; `known` therefore belongs to the slot's probe. Slots that are no
 * evidence about the service change nothing. Evidence is requested only if the slot opens an incident.
 */
export function advance(
  open: readonly IncidentRecord[],
  slot: SlotRecord,
  known: ProbeHistory,
  evidenceOf: () => Json | undefined = () => undefined,
): readonly IncidentRecord[] {
  const { target, location } = slot.series;
  return indicators.flatMap((indicator) => {
    const said = rateIndicator(slot, indicator);
    if (said === undefined) return [];
    const before = open.find(
      (incidentRecord) =>
        incidentRecord.indicator === indicator &&
        incidentRecord.target === target &&
        incidentRecord.location === location,
    );
    if (said === 'good')
      return before?.broken?.includes(probeName(slot)) ? [recoverIncident(before, slot)] : [];
    const incident = before
      ? extendIncident(before, slot)
      : openIncident(slot, indicator, known, evidenceOf());
    return [{ ...incident, ...failedSpan(before, slot, indicator) }];
  });
}

/** Names the bad probe, as `probe/operation`. */
export function probeName({ series }: Pick<SlotRecord, 'series'>): string {
  return `${series.probe}/${series.operation}`;
}

/** Returns the incident, ended at its last bad slot because no probe ran for some ms after that. */
export function markUnwatched(incident: IncidentRecord, unwatched: number): IncidentRecord {
  return { ...endIncident(incident, incident.lastBad), unwatched };
}

/**
 * Returns the incident without probes that no longer run, because they can never succeed again. Without any probe left
 * it ends, unwatched until `now`. Undefined if nothing changes.
 */
export function withoutForgotten(
  incident: IncidentRecord,
  isWatched: (probe: string) => boolean,
  now: number,
): IncidentRecord | undefined {
  const { broken = [] } = incident;
  const left = broken.filter(isWatched);
  if (left.length === broken.length && left.length > 0) return undefined;
  return left.length > 0 ? { ...incident, broken: left } : markUnwatched(incident, now - incident.lastBad);
}

function openIncident(
  slot: SlotRecord,
  indicator: Indicator,
  { [indicator]: lastGood, unwatched }: ProbeHistory,
  evidence: Json | undefined,
): IncidentRecord {
  const { series, scheduledAt, failure } = slot;
  const name = [series.target, indicator, series.location, series.probe, series.operation, scheduledAt];
  return {
    id: ['incident', ...name].map((part) => encodeURIComponent(part)).join('/'),
    target: series.target,
    location: series.location,
    indicator,
    lastGood,
    unwatchedBefore: unwatched,
    begin: scheduledAt,
    lastBad: scheduledAt,
    slots: 1,
    failures: failure ? [failure] : [],
    broken: [probeName(slot)],
    evidence,
  };
}

/** For a slot that made requests: when the first and the last bad one left. */
function failedSpan(
  before: IncidentRecord | undefined,
  slot: SlotRecord,
  indicator: Indicator,
): Pick<IncidentRecord, 'firstFailed' | 'lastFailed'> {
  if (slot.state === 'overlap') return {};
  const { from, to } = failedTimes(slot, indicator);
  const { firstFailed = from, lastFailed = to } = before ?? {};
  return { firstFailed: Math.min(firstFailed, from), lastFailed: Math.max(lastFailed, to) };
}

/** Returns the first and last send times of failed requests; if those are unknown, an empty span from last to first. */
function failedTimes({ scheduledAt, samples }: SlotRecord, indicator: Indicator): Span {
  const all = samples.map(({ at }) => at);
  if (all.length === 0) return { from: scheduledAt, to: scheduledAt };
  const failed = samples.filter(({ status = 599 }) => status >= 500).map(({ at }) => at);
  return indicator === 'availability' && failed.length > 0
    ? { from: Math.min(...failed), to: Math.max(...failed) }
    : { from: Math.max(...all), to: Math.min(...all) };
}

/** Probes overlap: a slot may be done after one that was planned later. */
function extendIncident(before: IncidentRecord, slot: SlotRecord): IncidentRecord {
  const { failure, scheduledAt } = slot;
  const { failures, broken = [], begin, lastBad } = before;
  const isNew =
    failure &&
    !failures.some(
      (probeFailure) => probeFailure.phase === failure.phase && probeFailure.class === failure.class,
    );
  return {
    ...before,
    begin: Math.min(begin, scheduledAt),
    lastBad: Math.max(lastBad, scheduledAt),
    slots: before.slots + 1,
    failures: isNew && failures.length < mostFailures ? [...failures, failure] : failures,
    broken: [...new Set([...broken, probeName(slot)])].toSorted(),
  };
}

function recoverIncident(before: IncidentRecord, slot: SlotRecord): IncidentRecord {
  const left = before.broken?.filter((name) => name !== probeName(slot)) ?? [];
  return left.length > 0 ? { ...before, broken: left } : endIncident(before, answerTime(slot));
}

/** Returns when the answer arrived: the service was not known to be good before that. */
export function answerTime({ scheduledAt, samples }: SlotRecord): number {
  return Math.max(scheduledAt, ...samples.map(({ at, timings }) => Math.ceil(at + timings.total)));
}

function endIncident({ broken: _, period: __, ...incident }: IncidentRecord, at: number): IncidentRecord {
  return { ...incident, end: Math.max(at, incident.lastBad) };
}
