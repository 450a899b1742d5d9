import { type Baseline, isSameFailing, pinAfter } from './baseline.ts';
import type { Judgement, KnownFailing } from './verdict.ts';

/** Days for which a new known failing is accepted. */
const grace = 90;

export type BaselineUpdate = {
  readonly baseline: Baseline;
  /** Fingerprints of findings that were not listed. */
  readonly added: readonly string[];
  /** Fingerprints of listed failings that are gone. */
  readonly dropped: readonly string[];
  /** Fingerprints of listed failings that are still there after their last day, which stays. */
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
  const added = findings
    .map((finding) => finding.fingerprint)
    .filter((candidate) => !old.known.some(({ fingerprint }) => isSameFailing(fingerprint, candidate)));
  const until = daysAfter(today, grace);
  const kept = old.known.filter(({ fingerprint }) => !dropped.includes(fingerprint));
  const known = [...kept, ...added.map((fingerprint) => ({ fingerprint, reason: '', until }))];
  const pins = new Map(Object.entries(old.observations));
  for (const { id, answer } of observations) pins.set(id, pinAfter(id, pins.get(id), answer));
  return {
    baseline: {
      target: old.target,
      known: known.sort(compareFingerprints),
      observations: Object.fromEntries([...pins].sort(([a], [b]) => compare(a, b))),
    },
    added,
    dropped,
    expired: withStatus('expired'),
    repinned: observations.filter((observation) => observation.changed).map((observation) => observation.id),
  };
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
