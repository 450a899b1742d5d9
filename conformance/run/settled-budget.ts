import { isDeepStrictEqual } from 'node:util';
import type { QuotaHeaders } from '../../contract/document/roles.ts';
import type { Reason } from '../../contract/judge/reason.ts';
import { type Exchange, headerValues } from '../../contract/reading/exchange.ts';
import { isWholeQuota, readQuota } from '../../contract/reading/quota.ts';
import type { MonthAccount } from '../../planning/allowance.ts';
import { type Plan, splitBudget } from '../plan/plan.ts';
import type { PlannedRequest } from '../plan/planned-request.ts';
import type { Fetcher } from './fetch.ts';

/** Requests that a key's month has free for a run at `now` (Unix ms). */
export type FreeOf = (account: MonthAccount, now: number) => number;

/** A plan, the most requests for it, what of it is still to be sent, and why nothing may be. */
export type SettledPlan = {
  readonly plan: Plan;
  readonly budget: number;
  readonly rest: readonly PlannedRequest[];
  readonly refusal?: Reason;
};

/**
 * Sends the first request of a plan to learn what the key's month has free, and plans anew where that is less. An
 * answer that does not tell it changes nothing.
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

/** A key's month as an answer tells it, at the target's time. */
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
