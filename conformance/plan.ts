import type { Catalogue } from '../contract/catalogue.ts';
import type { TargetFacts } from '../contract/exchange.ts';
import type { Need } from '../contract/rule.ts';
import { credentialOf } from '../contract/trials.ts';
import { chooseNeeds } from './afford.ts';
import { isInWeek, rank } from './order.ts';
import type { PlannedRequest } from './planned-request.ts';
import { inScope, isUnrestrained, type Scope } from './scope.ts';

export type Plan = {
  readonly requests: readonly PlannedRequest[];
  /** Requests that the budget left no room for. */
  readonly left: number;
};

/** Most requests that a run plans when nobody says otherwise, and what it may add to ask again. */
export const defaultBudget = { planned: 48, again: 12 };

/** A given budget keeps a sixth for asking again. */
export function budgetFor(given: number | undefined): { planned: number; budget: number } {
  if (given === undefined) {
    return { planned: defaultBudget.planned, budget: defaultBudget.planned + defaultBudget.again };
  }
  return { planned: given - Math.min(defaultBudget.again, Math.floor(given / 6)), budget: given };
}

/** The union of all that the rules need, as the fewest requests, in the order in which they prove most. */
export function makePlan(
  law: Catalogue,
  target: TargetFacts,
  most: number,
  scope: Scope = { seed: 1 },
): Plan {
  const whole = bind(needsOf(law), target, scope);
  if (whole.length <= most) return { requests: whole, left: 0 };
  const keysOf = (need: Need): string[] => requestKeysOf([need], target, scope);
  const affordable = chooseNeeds(law, keysOf, most);
  const requests = bind(affordable, target, scope);
  return { requests, left: whole.length - requests.length };
}

export function needsOf({ rules, questions }: Catalogue): Need[] {
  return [...rules, ...questions].flatMap((each) => each.needs);
}

/** Each need as a request to its pool or pools; equal requests become one. */
function bind(needs: readonly Need[], target: TargetFacts, scope: Scope): PlannedRequest[] {
  const requests = new Map<string, PlannedRequest>();
  const isFree = isUnrestrained(target, scope);
  for (const need of needs.filter(inScope(target, scope))) {
    for (const pool of poolsFor(need, target)) {
      const { everyPool: _, thoroughly: __, ...own } = need;
      const request: PlannedRequest = {
        need: own,
        credential: credentialFor(need),
        ...(pool !== undefined && { pool }),
        ...(isFree && isInWeek(need) && { together: true }),
      };
      requests.set(keyOf(request), request);
    }
  }
  return [...requests.values()].sort((a, b) => rank(a, target) - rank(b, target));
}

/** The requests that meet some needs, by the keys that `keyOf` gives them. */
export function requestKeysOf(needs: readonly Need[], target: TargetFacts, scope: Scope): string[] {
  return bind(needs, target, scope).map(keyOf);
}

/** Equal for needs that one request meets, whatever they are made of. */
export function keyOf({ need, pool }: PlannedRequest): string {
  return JSON.stringify([...Object.entries(need).sort(), pool]);
}

function credentialFor({ unkeyed, trial, errorCase, plainHttp }: Need): PlannedRequest['credential'] {
  if (trial) return credentialOf(trial);
  return unkeyed || plainHttp || errorCase?.startsWith('unkeyed') ? 'none' : 'api-key';
}

function poolsFor(need: Need, target: TargetFacts): (number | undefined)[] {
  if (need.role === 'tokens') return [undefined];
  const pools = need.role === 'history' ? target.poolsV2 : target.poolsV1;
  return need.everyPool ? [...pools] : pools.slice(0, 1);
}
