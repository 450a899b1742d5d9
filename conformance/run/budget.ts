import { isDeepStrictEqual } from 'node:util';
import type { QuotaHeaders } from '../../contract/document/roles.ts';
import type { Spec } from '../../contract/document/spec.ts';
import { lacksEvidence } from '../../contract/judge/apply-rule.ts';
import type { Judged } from '../../contract/judge/judge.ts';
import type { Reason } from '../../contract/judge/reason.ts';
import type { Catalogue } from '../../contract/law/catalogue.ts';
import type { Need } from '../../contract/law/needs.ts';
import { type Exchange, headerValues, type TargetFacts } from '../../contract/reading/exchange.ts';
import { isWholeQuota, readQuota } from '../../contract/reading/quota.ts';
import type { MonthAccount } from '../../planning/allowance.ts';
import { listRequestKeys, type Plan, splitBudget } from '../plan/plan.ts';
import type { PlannedRequest } from '../plan/planned-request.ts';
import { type Scope, scopeReasons } from '../plan/scope.ts';
import type { Fetcher } from './fetch.ts';

/** Requests that a key's month has free for a run at `now` (Unix ms). */
export type FreeOf = (account: MonthAccount, now: number) => number;

/** A plan, its limit of requests, those that are still unsent, and the reason if none may be sent. */
export type SettledPlan = {
  readonly plan: Plan;
  readonly budget: number;
  readonly rest: readonly PlannedRequest[];
  readonly refusal?: Reason;
};

/**
 * Sends the first request of a plan to learn what the key's month has free, and plans anew if that is less. An answer
 * that does not show it changes nothing.
 */
export async function settle(
  names: QuotaHeaders,
  fetcher: Fetcher,
  whole: SettledPlan,
  freeOf: FreeOf,
  planFor: (most: number) => Plan,
): Promise<SettledPlan> {
  const [first] = whole.rest;
  if (!first) return whole;
  await fetcher.fetch([first]);
  const account = readAccount(names, fetcher.recording().exchanges.at(-1));
  if (!account) return { ...whole, rest: whole.rest.slice(1) };
  const free = freeOf(account.account, account.now);
  const budget = free + fetcher.sent;
  if (budget >= whole.budget) return { ...whole, rest: whole.rest.slice(1) };
  fetcher.limitTo(budget);
  if (free === 0) {
    const { limit, remaining } = account.account;
    return { ...whole, budget, rest: [], refusal: { code: 'month-spent', remaining, limit } };
  }
  const plan = planFor(splitBudget(budget).planned);
  return { plan, budget, rest: plan.requests.filter((request) => !isDeepStrictEqual(request, first)) };
}

/** Reads a key's month from an answer, at the target's time. */
function readAccount(
  names: QuotaHeaders,
  exchange: Exchange | undefined,
): { account: MonthAccount; now: number } | undefined {
  const headers = exchange?.response?.headers ?? [];
  const quota = readQuota(names, headers);
  if (!isWholeQuota(quota) || quota.limit === 0) return undefined;
  const reported = Date.parse(headerValues(headers, 'date')[0] ?? '');
  const { limit, remaining, reset } = quota;
  return { account: { limit, remaining, reset }, now: Number.isNaN(reported) ? Date.now() : reported };
}

/** The requests that a run planned, and those that it sent. */
export type RunCoverage = {
  readonly spec: Spec;
  readonly law: Catalogue;
  readonly target: TargetFacts;
  readonly scope: Scope;
  /** Keys of the requests that the budget did not keep from being sent. */
  readonly reached: ReadonlySet<string>;
  readonly budget: number;
  /** True if requests stayed unsent only because of the budget. */
  readonly isCurbed: boolean;
};

/** Returns the judgement with the reason at each rule that had no evidence because the run did not request it. */
export function withUnsent(judged: Judged, asking: RunCoverage): Judged {
  const needs = new Map(asking.law.rules.map((rule) => [rule.id, rule.needs]));
  const lacking = new Set(judged.appliedRules.filter(lacksEvidence).map(({ rule }) => rule.id));
  const rules = judged.rules.map((result) => {
    const ruleNeeds = needs.get(result.id);
    return ruleNeeds && lacking.has(result.id) && result.hiddenBy === undefined
      ? { ...result, ...explainUnsent(ruleNeeds, asking) }
      : result;
  });
  return { ...judged, rules };
}

function explainUnsent(
  needs: readonly Need[],
  { spec, target, scope, reached, budget, isCurbed }: RunCoverage,
): { reason: string; beyondBudget?: true } | undefined {
  const keys = listRequestKeys(spec, needs, target, scope);
  if (isCurbed && keys.some((key) => !reached.has(key))) {
    const reason = `not requested within ${budget} request${budget === 1 ? '' : 's'}`;
    return { reason, beyondBudget: true };
  }
  if (keys.length > 0) return undefined;
  const barred = needs.map(scopeReasons(target, scope)).find((reason) => reason !== undefined);
  return barred === undefined ? undefined : { reason: barred };
}
