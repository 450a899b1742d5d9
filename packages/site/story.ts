import type { Outcome, Verdict } from '@candleproof/law/judge/verdict';
import { compareRuns, type Difference } from './difference.ts';
import { type ListedRule, listOutcomes, type RunRecord, type TargetRecord } from './records.ts';

type Judged = ReadonlyMap<string, ListedRule & { readonly outcome: Outcome }>;

/** A target's runs, and the headline about them. A run without a verdict is neither news nor green. */
export type Story = {
  readonly target: TargetRecord;
  /** Outcomes of every run by rule. */
  readonly outcomes: ReadonlyMap<string, Judged>;
  readonly latest: RunRecord;
  /** The newest conclusive run. */
  readonly judged?: RunRecord;
  /** The first run of the current verdict. */
  readonly since?: RunRecord;
  /** The newest run that differs from the one before it. */
  readonly news?: { readonly run: RunRecord; readonly difference: Difference };
};

/** Returns the history of a target; undefined if it has no run. */
export function readStory(target: TargetRecord): Story | undefined {
  const { runs } = target;
  const latest = runs.at(-1);
  if (!latest) return undefined;
  const outcomes: Story['outcomes'] = new Map(
    runs.map((run) => [run.id, new Map(listOutcomes(target, run).map((rule) => [rule.id, rule]))]),
  );
  const decided = runs.filter(({ verdict }) => verdict !== 'inconclusive');
  const judged = decided.at(-1);
  const since = decided[decided.findLastIndex(({ verdict }) => verdict !== judged?.verdict) + 1];
  return { target, outcomes, latest, judged, since, news: findNews(runs, outcomes) };
}

/** Returns the verdict of a target: an inconclusive newest run replaces a green verdict, but not a red one. */
export function verdictNow({ judged, latest }: Pick<Story, 'judged' | 'latest'>): Verdict {
  return judged?.verdict === 'nonconformant' ? judged.verdict : latest.verdict;
}

function findNews(runs: readonly RunRecord[], outcomes: Story['outcomes']): Story['news'] {
  for (const run of runs.toReversed()) {
    const difference = run.verdict === 'inconclusive' ? undefined : findChange(run, outcomes);
    if (difference && difference.failing.length + difference.mended.length > 0) return { run, difference };
  }
  return undefined;
}

/** Compares the rules of a run with those of the run before it; undefined for the first. */
export function findChange({ id, before }: RunRecord, outcomes: Story['outcomes']): Difference | undefined {
  const [a, b] = [outcomes.get(before ?? ''), outcomes.get(id)];
  return a && b && compareRuns({ rules: [...a.values()] }, { rules: [...b.values()] });
}
