import { join } from 'node:path';
import { type RunOutcome, toRun } from '@candleproof/check/run/run-outcome';
import type { Spec } from '@candleproof/document/spec/spec';
import { version } from '@candleproof/files/package-files';
import { quoteForShell } from '@candleproof/files/shell-word';
import { questionResult, withoutEvidence } from '@candleproof/law/judge/judge';
import { decideVerdict, type VerdictReason } from '@candleproof/law/judge/reach-verdict';
import type { Finding, Judgement, Outcome, RuleResult } from '@candleproof/law/judge/verdict';
import type { Exchange, TargetFacts } from '@candleproof/law/reading/exchange';
import type { Catalogue } from '@candleproof/law/rules/catalogue';
import { levelRank } from '@candleproof/law/rules/facts';
import type { Rule } from '@candleproof/law/rules/rule';
import type { TrafficTally } from '../judging/messages.ts';
import { type PassingLaw, passingLaw } from '../judging/passing-law.ts';
import type { SeenTraffic } from '../judging/streaming-judge.ts';

export type TrafficFacts = {
  readonly facts: TargetFacts;
  readonly spec: Spec;
  readonly law: Catalogue;
  /** The folder for the exchanges of the findings. */
  readonly out: string;
};

/**
 * Returns the results of traffic as a run without sent requests; its recording holds only the exchanges of the
 * findings.
 */
export function makeTrafficRun(
  { facts, spec, law, out }: TrafficFacts,
  seen: SeenTraffic,
  startedAt: string,
): RunOutcome {
  const har = quoteForShell(join(out, 'exchanges.har'));
  const replay = (rule: string): string => `npx candleproof judge ${har} --only ${rule}`;
  const { judgement, exchanges } = judgeTraffic(seen, passingLaw(spec, law), replay);
  const recording = { target: facts, seed: 0, exchanges };
  const { counts } = seen;
  const waiting: [string, number][] = counts.waiting > 0 ? [['waiting', counts.waiting]] : [];
  const run = toRun(
    judgement,
    recording,
    { spec, version, catalogue: law },
    {
      startedAt,
      finishedAt: new Date().toISOString(),
      requests: { sent: 0, budget: 0 },
      entries: {
        recorded: counts.seen,
        judged: counts.judged,
        skipped: [...counts.unjudged, ...waiting].map(([reason, count]) => ({ reason, count })),
      },
    },
  );
  return { run, recording };
}

/** The judgement of traffic in the form of a run, and the exchanges that its findings refer to. */
type TrafficJudgement = { readonly judgement: Judgement; readonly exchanges: readonly Exchange[] };

/**
 * Judges the observed traffic.
 * @param replay the command line that judges the kept exchanges of a rule's findings again
 */
function judgeTraffic(
  { findings, tallies, observations }: SeenTraffic,
  { whole }: PassingLaw,
  replay: (rule: string) => string,
): TrafficJudgement {
  const kept = [...findings.exchanges].sort(([one], [other]) => one - other);
  const indexOf = new Map(kept.map(([ordinal], index) => [ordinal, index]));
  const all = findings.all
    .map(({ finding }) => placeFinding(finding, indexOf, replay(finding.rule)))
    .sort((one, other) => levelRank[one.level] - levelRank[other.level]);
  const failed = new Set(all.map(({ rule }) => rule));
  const rules = [
    ...whole.rules.map((rule) => ruleResult(rule, tallies.tally(rule.id), failed)),
    ...whole.questions.map((question) => questionResult(question, observations)),
  ];
  return {
    judgement: { ...trafficVerdict(rules), rules, findings: all, observations, transient: [] },
    exchanges: kept.map(([, exchange]) => exchange),
  };
}

function placeFinding(finding: Finding, indexOf: ReadonlyMap<number, number>, replay: string): Finding {
  const exchangeIndex = (ordinal: number): number => indexOf.get(ordinal) ?? 0;
  const examples = finding.examples.map((example) => ({
    ...example,
    exchange: exchangeIndex(example.exchange),
  }));
  return { ...finding, replay, exchange: examples[0]?.exchange ?? exchangeIndex(finding.exchange), examples };
}

function ruleResult(
  { id, section, level, statement, why }: Rule,
  { judged, operations, undecided, crash }: TrafficTally,
  failed: ReadonlySet<string>,
): RuleResult {
  const outcome = decideOutcome(failed.has(id), judged, undecided ?? crash);
  const reason = crash ?? undecided ?? (outcome === 'unexercised' ? withoutEvidence : undefined);
  const isOpen = outcome === 'unexercised' || outcome === 'inconclusive';
  return {
    ...{ id, section, level, statement, why, outcome, evidence: judged, operations },
    ...(isOpen && reason !== undefined && { reason }),
  };
}

function decideOutcome(isFailed: boolean, judged: number, reason: string | undefined): Outcome {
  if (isFailed) return 'failed';
  if (judged > 0) return 'passed';
  return reason === undefined ? 'unexercised' : 'inconclusive';
}

function trafficVerdict(rules: readonly RuleResult[]): VerdictReason {
  const musts = rules.filter(({ level }) => level === 'must');
  const failed = musts.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
  return decideVerdict(failed, () =>
    musts.some(({ outcome }) => outcome === 'passed') ? undefined : { code: 'no-evidence-passed' },
  );
}
