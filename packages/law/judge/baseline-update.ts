import { type Baseline, pinAfter } from './baseline.ts';
import { coversPlace, listPlaces } from './known-failings.ts';
import type { Finding, Judgement, KnownFailing } from './verdict.ts';

/** Days for which a new known failing is accepted. */
const grace = 90;

export type BaselineUpdate = {
  readonly baseline: Baseline;
  /** Failings that were not listed. */
  readonly added: readonly string[];
  /** Listed failings that are gone. */
  readonly dropped: readonly string[];
  /** Listed failings that are still there after their last day, which stays. */
  readonly expired: readonly string[];
  /** Ids of questions whose pinned answer is another now. */
  readonly repinned: readonly string[];
};

/**
 * The baseline after a run that was measured by `old`. What the run did not judge stays as it was; an inconclusive
 * run takes nothing away, for want of evidence. New entries have no reason yet. `today` is YYYY-MM-DD in UTC.
 */
export function updateBaseline(judgement: Judgement, old: Baseline, today: string): BaselineUpdate {
  const { verdict, findings, observations, baseline } = judgement;
  const withStatus = (status: string): string[] =>
    (baseline?.known ?? [])
      .filter((acceptance) => acceptance.status === status)
      .map((acceptance) => acceptance.fingerprint);
  const dropped = verdict === 'inconclusive' ? [] : withStatus('surprised');
  const until = daysAfter(today, grace);
  const kept = old.known
    .filter(({ fingerprint }) => !dropped.includes(fingerprint))
    .map((failing) => addPlaces(failing, findings));
  const added = listUnknown(findings, kept);
  const known = [
    ...kept,
    ...added.map(([fingerprint, met]) => ({ fingerprint, met: [...met].sort(), reason: '', until })),
  ];
  const pins = new Map(Object.entries(old.observations));
  for (const { id, answer } of observations) pins.set(id, pinAfter(id, pins.get(id), answer));
  return {
    baseline: {
      target: old.target,
      known: known.sort(compareFingerprints),
      observations: Object.fromEntries([...pins].sort(([a], [b]) => compare(a, b))),
    },
    added: added.map(([fingerprint]) => fingerprint),
    dropped,
    expired: withStatus('expired'),
    repinned: observations.filter((observation) => observation.changed).map((observation) => observation.id),
  };
}

/** Adds the places where a run met a known failing to those where it was met before. */
function addPlaces(failing: KnownFailing, findings: readonly Finding[]): KnownFailing {
  const { met } = failing;
  if (!met) return failing;
  const places = findings.flatMap((finding) =>
    listPlaces(finding).flatMap((place) =>
      place.met.filter((one) => coversPlace(failing, finding, { ...place, met: [one] })),
    ),
  );
  return { ...failing, met: [...new Set([...met, ...places])].sort() };
}

/** Lists the failings that no known one stands for, with the places where they were met. */
function listUnknown(
  findings: readonly Finding[],
  known: readonly KnownFailing[],
): [failing: string, met: ReadonlySet<string>][] {
  const unknown = new Map<string, Set<string>>();
  for (const finding of findings)
    for (const { failing, met } of listPlaces(finding)) {
      const isCovered = (one: string): boolean =>
        known.some((entry) => coversPlace(entry, finding, { failing, met: [one] }));
      if (met.every(isCovered)) continue;
      const places = unknown.get(failing) ?? new Set();
      unknown.set(failing, places);
      for (const one of met) places.add(one);
    }
  return [...unknown];
}

/** Returns the day, as YYYY-MM-DD in UTC, `count` days after another. */
function daysAfter(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10);
}

function compareFingerprints(a: KnownFailing, b: KnownFailing): number {
  return compare(a.fingerprint, b.fingerprint);
}

/** By code units: the same order on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
