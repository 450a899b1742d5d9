import type { Spec } from '../../contract/document/spec.ts';
import { type Judged, withoutEvidence } from '../../contract/judge/judge.ts';
import type { Catalogue } from '../../contract/law/catalogue.ts';
import type { Need } from '../../contract/law/needs.ts';
import type { TargetFacts } from '../../contract/reading/exchange.ts';
import { listRequestKeys } from '../plan/plan.ts';
import { type Scope, whyOutOfScope } from '../plan/scope.ts';

/** The requests that a run planned, and those that it sent. */
export type RunCoverage = {
  readonly spec: Spec;
  readonly law: Catalogue;
  readonly target: TargetFacts;
  readonly scope: Scope;
  /** Keys of the requests that the budget did not keep from being sent. */
  readonly reached: ReadonlySet<string>;
  /** Most requests of the run. */
  readonly budget: number;
  /** Requests were left unsent for the budget's sake, and for nothing else. */
  readonly isCurbed: boolean;
};

/** The judgement with the reason at each rule that had no evidence because the run did not ask for it. */
export function withUnsent(judged: Judged, asking: RunCoverage): Judged {
  const needs = new Map(asking.law.rules.map((rule) => [rule.id, rule.needs]));
  const rules = judged.rules.map((result) => {
    const ruleNeeds = needs.get(result.id);
    return ruleNeeds && result.reason === withoutEvidence
      ? { ...result, ...whyUnsent(ruleNeeds, asking) }
      : result;
  });
  return { ...judged, rules };
}

function whyUnsent(
  needs: readonly Need[],
  { spec, target, scope, reached, budget, isCurbed }: RunCoverage,
): { reason: string; beyondBudget?: true } | undefined {
  const keys = listRequestKeys(spec, needs, target, scope);
  if (isCurbed && keys.some((key) => !reached.has(key))) {
    const reason = `not requested within ${budget} request${budget === 1 ? '' : 's'}`;
    return { reason, beyondBudget: true };
  }
  if (keys.length > 0) return undefined;
  const barred = needs.map(whyOutOfScope(target, scope)).find((reason) => reason !== undefined);
  return barred === undefined ? undefined : { reason: barred };
}
