import type { Finding, OperationId, Outcome, RuleResult, Run } from '../../contract/judge/verdict.ts';
import { inOrder } from './finding-order.ts';

/** What a CI system counts as one test: a rule, and the operation where it concerns one. */
export type RuleCase = {
  readonly rule: RuleResult;
  readonly operation?: OperationId;
  readonly findings: readonly Finding[];
  /** What became of the rule at this operation: one broken elsewhere has passed here. */
  readonly outcome: Outcome;
};

/**
 * The cases of a run in the order of its rules: one per operation that a rule judged or found something in, one in
 * all for a rule that concerns none and for a question of the document.
 */
export function casesOf(run: Run): RuleCase[] {
  const byRule = Map.groupBy(inOrder(run), (each) => each.rule);
  return run.rules.flatMap((rule) => split(rule, byRule.get(rule.id) ?? []));
}

function split(rule: RuleResult, findings: readonly Finding[]): RuleCase[] {
  const operations = concerned(rule, findings);
  if (operations.length === 0) return [{ rule, findings, outcome: rule.outcome }];
  return operations.map((operation) => {
    const own = findings.filter((each) => each.operation === operation);
    const outcome = findings.length > 0 ? outcomeAt(own) : rule.outcome;
    return { rule, operation, findings: own, outcome };
  });
}

function outcomeAt(findings: readonly Finding[]): Outcome {
  if (findings.length === 0) return 'passed';
  return findings.every((each) => each.known) ? 'known' : 'failed';
}

function concerned(rule: RuleResult, findings: readonly Finding[]): OperationId[] {
  if (rule.level === 'observe') return [];
  const named = new Set<OperationId>([...rule.operations, ...findings.map((each) => each.operation)]);
  return [...named].sort();
}
