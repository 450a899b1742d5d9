import { createHash } from 'node:crypto';
import type { Outcome, Run } from '@candleproof/law/judge/verdict';
import type { Level } from '@candleproof/law/rules/facts';
import { causeHeadline, findCauses, findLeading } from '@candleproof/reports/words/causes';
import { clip } from '@candleproof/reports/words/escape';
import { countMusts, type MustCounts } from '@candleproof/reports/words/tally';

/** A run as the lists of the site have it; api/targets/TARGET.json holds all runs of a target. */
export type RunRecord = Pick<Run, 'startedAt' | 'finishedAt' | 'verdict' | 'versions' | 'requests'> & {
  readonly id: string;
  readonly reason?: string;
  /** Says what is wrong, as the run's page does; absent unless something decides that it is nonconformant. */
  readonly cause?: string;
  readonly musts: MustCounts;
  readonly unchosen?: number;
  /** Names the parts of the ground that the run did not request, as on its page. */
  readonly notRequested?: string;
  readonly label?: string;
  readonly commit?: string;
  /** The list of `ruleLists` that `outcomes` follows. */
  readonly rules: string;
  /** A letter for each rule of that list: p(assed) f(ailed) k(nown) s(urprised) i(nconclusive) u(nexercised). */
  readonly outcomes: string;
  readonly findings: readonly { readonly rule: string; readonly fingerprint: string }[];
  /** The run that this one is compared with: the last conclusive one before it. */
  readonly before?: string;
};

export type ListedRule = { readonly id: string; readonly level: Level };

export type TargetRecord = {
  readonly name: string;
  readonly slug: string;
  readonly ruleLists: Readonly<Record<string, readonly ListedRule[]>>;
  /** Oldest first. */
  readonly runs: readonly RunRecord[];
};

const longestCause = 240;

const letters: Readonly<Record<Outcome, string>> = {
  passed: 'p',
  failed: 'f',
  known: 'k',
  surprised: 's',
  inconclusive: 'i',
  unexercised: 'u',
};
const outcomeOfLetter = new Map(
  Object.entries(letters).map(([outcome, letter]) => [letter, outcome as Outcome]),
);

/** Returns a run's record, and the list of rules that it refers to; questions of the document are only in run.json. */
export function makeRecord(run: Run, id: string): { record: RunRecord; rules: readonly ListedRule[] } {
  const { startedAt, finishedAt, verdict, reason, versions, requests, unchosen, label, commit } = run;
  const judged = run.rules.filter(({ level }) => level !== 'observe');
  const rules = judged.map(({ id: rule, level }) => ({ id: rule, level }));
  const causes = findCauses(run);
  const record = {
    ...{ id, startedAt, finishedAt, verdict, versions, requests, musts: countMusts(run) },
    reason,
    cause: findLeading(run, causes) && clip(causeHeadline(run, causes), longestCause),
    unchosen,
    notRequested: run.ground?.notRequested.join('; ') || undefined,
    label,
    commit,
    rules: contentId(rules),
    outcomes: judged.map(({ outcome }) => letters[outcome]).join(''),
    findings: run.findings.map(({ rule, fingerprint }) => ({ rule, fingerprint })),
  };
  return { record, rules };
}

/** Returns the outcomes of a run by the ids of its rules. */
export function listOutcomes(
  { ruleLists }: TargetRecord,
  { rules, outcomes }: RunRecord,
): (ListedRule & { outcome: Outcome })[] {
  return (ruleLists[rules] ?? []).map((listedRule, at) => ({
    ...listedRule,
    outcome: outcomeOfLetter.get(outcomes.charAt(at)) ?? 'unexercised',
  }));
}

/** Sorts runs by time, each with the run that it is compared with. */
export function sortByTime(runs: readonly RunRecord[]): RunRecord[] {
  const sorted = runs.toSorted((a, b) => compareTexts(instantKey(a), instantKey(b)));
  let judged: string | undefined;
  return sorted.map(({ before: _, ...run }) => {
    const placed = { ...run, before: judged };
    if (run.verdict !== 'inconclusive') judged = run.id;
    return placed;
  });
}

/** Returns a sortable key: instants of different precision sort by their number. */
export function instantKey({ startedAt, id }: Pick<RunRecord, 'startedAt' | 'id'>): string {
  return `${String(Date.parse(startedAt) || 0).padStart(16, '0')} ${id}`;
}

/** Compares two texts by their code units. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns the id of some content: the first 16 hexadecimal digits of its SHA-256. */
export function contentId(content: object): string {
  return digest(JSON.stringify(content)).slice(0, 16);
}

const plainName = /^[a-z0-9](?:[a-z0-9._-]{0,46}[a-z0-9])?$/;

/**
 * Returns a target's name as a folder name: unchanged if every disk and address allows it, else shortened with a
 * checksum.
 */
export function slugify(name: string): string {
  if (plainName.test(name)) return name;
  const left = name
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 30);
  return `${left || 'target'}-${digest(name).slice(0, 8)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
