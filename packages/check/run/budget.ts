import { isDeepStrictEqual } from 'node:util';
import type { KeyLeft } from '@candleproof/client/ledger/key-guard';
import type { QuotaHeaders } from '@candleproof/document/spec/roles';
import type { Spec } from '@candleproof/document/spec/spec';
import { lacksEvidence } from '@candleproof/law/judge/apply-rule';
import type { Judged } from '@candleproof/law/judge/judge';
import type { Reason } from '@candleproof/law/judge/reason';
import type { GuessesEnded } from '@candleproof/law/judge/verdict';
import type { MonthAccount } from '@candleproof/law/planning/allowance';
import { type Exchange, headerValues, type TargetFacts } from '@candleproof/law/reading/exchange';
import { isWholeQuota, readQuota } from '@candleproof/law/reading/quota';
import type { Catalogue } from '@candleproof/law/rules/catalogue';
import type { Need } from '@candleproof/law/rules/rule';
import type { PlanSize } from '../plan/afford.ts';
import { listRequestKeys, type Plan, splitBudget } from '../plan/plan.ts';
import type { PlannedRequest } from '../plan/planned-request.ts';
import { type Scope, scopeReasons } from '../plan/scope.ts';
import type { Fetcher } from './fetch.ts';

/** Requests that a key's month has free for a run at `now` (Unix ms). */
export type FreeOf = (account: MonthAccount, now: number) => number;

/** A plan, its limit of requests, those that are still unsent, and the reason why none, or not all, may be sent. */
export type SettledPlan = {
  readonly plan: Plan;
  readonly budget: number;
  readonly rest: readonly PlannedRequest[];
  readonly refusal?: Reason;
};

/** The bounds of a plan: what a key's month has free for checks, and what it leaves for anybody. */
type Bounds = {
  readonly freeOf?: FreeOf | undefined;
  readonly left?: (() => Promise<KeyLeft | undefined>) | undefined;
};

const unbounded = async (): Promise<KeyLeft> => ({ requests: Number.POSITIVE_INFINITY });

/**
 * Plans anew if the key's month leaves less than a plan takes; where nobody knows what it leaves, the first request of the
 * plan shows it. An answer that does not show it changes nothing.
 */
export async function settle(
  names: QuotaHeaders,
  fetcher: Fetcher,
  given: SettledPlan,
  { freeOf, left = unbounded }: Bounds,
  planFor: (most: PlanSize) => Plan,
): Promise<SettledPlan> {
  const known = await left();
  const [first] = given.rest;
  if (!first || (known && (!freeOf || known.requests === 0))) return fitMonth(fetcher, given, known, planFor);
  await fetcher.fetch([first], given.rest.length - 1);
  const whole = { ...given, rest: given.rest.slice(1) };
  const shared = freeOf ? fitShare(names, fetcher, whole, freeOf, planFor) : whole;
  return shared.refusal ? shared : fitMonth(fetcher, shared, await left(), planFor);
}

/** Plans anew if less is free for checks than a plan takes. */
function fitShare(
  names: QuotaHeaders,
  fetcher: Fetcher,
  whole: SettledPlan,
  freeOf: FreeOf,
  planFor: (most: PlanSize) => Plan,
): SettledPlan {
  const account = readAccount(names, fetcher.recording().exchanges.at(-1));
  if (!account) return whole;
  const free = freeOf(account.account, account.now);
  const budget = free + fetcher.sent;
  if (budget >= whole.budget) return whole;
  fetcher.limitTo(budget);
  if (free === 0) {
    const { limit, remaining } = account.account;
    return { ...whole, budget, rest: [], refusal: { code: 'month-spent', remaining, limit } };
  }
  return { budget, ...planRest(whole, budget, planFor) };
}

/** Plans anew if the month leaves fewer requests with the key than a plan takes, and says how many are left out. */
function fitMonth(
  fetcher: Fetcher,
  whole: SettledPlan,
  left: KeyLeft | undefined,
  planFor: (most: PlanSize) => Plan,
): SettledPlan {
  const keyed = whole.rest.filter(({ credential }) => credential === 'api-key').length;
  if (!left?.month || keyed <= left.requests) return whole;
  const budget = Math.min(whole.budget, left.requests + fetcher.sent);
  fetcher.limitTo(budget);
  const { plan, rest } =
    left.requests > 0 ? planRest(whole, budget, planFor) : { plan: whole.plan, rest: [] };
  const unsent = whole.rest.length - rest.length;
  return { plan, budget, rest, refusal: { code: 'month-short', sent: budget, unsent, ...left.month } };
}

/** Plans within a smaller budget; what was sent of the plan before is not sent again. */
function planRest(
  whole: SettledPlan,
  budget: number,
  planFor: (most: PlanSize) => Plan,
): Pick<SettledPlan, 'plan' | 'rest'> {
  const sent = whole.plan.requests.filter((request) => !whole.rest.includes(request));
  const plan = planFor(splitBudget(budget).planned);
  const isUnsent = (request: PlannedRequest): boolean =>
    !sent.some((before) => isDeepStrictEqual(request, before));
  return { plan, rest: plan.requests.filter(isUnsent) };
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
  readonly guessesEnded?: GuessesEnded | undefined;
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

/** Says why nothing more was sent without the run's key. */
function explainGuessesEnded({ status, tried }: GuessesEnded): string {
  return `requests without the key ended after ${tried}, since the last was answered ${status}`;
}

function explainUnsent(
  needs: readonly Need[],
  { spec, target, scope, reached, budget, isCurbed, guessesEnded }: RunCoverage,
): { reason: string; beyondBudget?: true } | undefined {
  const keys = listRequestKeys(spec, needs, target, scope);
  if (
    guessesEnded &&
    needs.some(({ trial, unkeyed }) => trial || unkeyed) &&
    keys.some((key) => !reached.has(key))
  )
    return { reason: explainGuessesEnded(guessesEnded) };
  if (scope.smoke && keys.some((key) => !reached.has(key)))
    return { reason: 'the tier smoke does not request it', beyondBudget: true };
  if (isCurbed && keys.some((key) => !reached.has(key))) {
    const reason = `not requested within ${budget} request${budget === 1 ? '' : 's'}`;
    return { reason, beyondBudget: true };
  }
  if (keys.length > 0) return undefined;
  const barred = needs.map(scopeReasons(target, scope)).find((reason) => reason !== undefined);
  return barred === undefined ? undefined : { reason: barred };
}
