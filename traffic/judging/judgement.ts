import { questionResult, withoutEvidence } from '../../contract/judge/judge.ts';
import { type VerdictReason, withReason } from '../../contract/judge/reach-verdict.ts';
import type { Finding, Judgement, Outcome, RuleResult } from '../../contract/judge/verdict.ts';
import { levelRank } from '../../contract/law/facts.ts';
import type { Rule } from '../../contract/law/rule.ts';
import type { Exchange } from '../../contract/reading/exchange.ts';
import type { PassingLaw } from './passing-law.ts';
import type { TrafficTally } from './report.ts';
import type { SeenTraffic } from './streaming-judge.ts';

/** The judgement of traffic in the form of a run, and the exchanges that its findings show. */
export type TrafficJudgement = { readonly judgement: Judgement; readonly exchanges: readonly Exchange[] };

/**
 * Judges what was seen of traffic.
 * @param replay the command line that judges what was kept of a rule's findings again
 */
export function judgeTraffic(
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
    ...whole.rules.map((rule) => ruleResult(rule, tallies.of(rule.id), failed)),
    ...whole.questions.map((question) => questionResult(question, observations)),
  ];
  return {
    judgement: { ...trafficVerdict(rules), rules, findings: all, observations, transient: [] },
    exchanges: kept.map(([, exchange]) => exchange),
  };
}

function placeFinding(finding: Finding, indexOf: ReadonlyMap<number, number>, replay: string): Finding {
  const at = (ordinal: number): number => indexOf.get(ordinal) ?? 0;
  const examples = finding.examples.map((example) => ({ ...example, exchange: at(example.exchange) }));
  return { ...finding, replay, exchange: examples[0]?.exchange ?? at(finding.exchange), examples };
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
  if (failed.length > 0) return withReason('nonconformant', { code: 'musts-failed', rules: failed });
  if (musts.some(({ outcome }) => outcome === 'passed')) return { verdict: 'conformant' };
  return withReason('inconclusive', { code: 'no-evidence-passed' });
}
