import { pathOf } from '../contract/asked.ts';
import type { Catalogue } from '../contract/catalogue.ts';
import type { TargetFacts } from '../contract/exchange.ts';
import { intervals } from '../contract/interval.ts';
import type { Need } from '../contract/rule.ts';
import { operationOf, type Spec } from '../contract/spec.ts';
import { chooseNeeds } from './afford.ts';
import { type Moment, rangeOf } from './moment.ts';

/** A request that will be sent: a need, bound to a pool. Its times are known only once the target told its own. */
export type PlannedRequest = {
  readonly need: Need;
  readonly poolId?: number;
  readonly credential: 'api-key' | 'none';
};

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
export function makePlan(law: Catalogue, target: TargetFacts, most: number): Plan {
  const whole = bind(needsOf(law), target);
  if (whole.length <= most) return { requests: whole, left: 0 };
  const affordable = chooseNeeds(law, (needs) => bind(needs, target).length, most);
  const requests = bind(affordable, target);
  return { requests, left: whole.length - requests.length };
}

/** Path and query of a planned request at this moment. */
export function pathFor(spec: Spec, { need, poolId }: PlannedRequest, moment: Moment): string {
  const { operation, interval, inverted } = need;
  return pathOf(operationOf(spec, operation), {
    poolId,
    interval,
    inverted,
    ...(need.range && interval && rangeOf(need.range, interval, moment)),
  });
}

export function needsOf({ rules, questions }: Catalogue): Need[] {
  return [...rules, ...questions].flatMap((each) => each.needs);
}

/** Each need as a request to its pool or pools; equal requests become one. */
function bind(needs: readonly Need[], target: TargetFacts): PlannedRequest[] {
  const requests = new Map<string, PlannedRequest>();
  for (const need of needs) {
    if (need.unkeyed && target.keyless) continue;
    const credential = need.unkeyed ? 'none' : 'api-key';
    for (const poolId of poolsFor(need, target)) {
      const { everyPool: _, ...own } = need;
      requests.set(
        JSON.stringify([own.operation, own.interval, own.range, own.inverted, own.again, credential, poolId]),
        {
          need: own,
          credential,
          ...(poolId !== undefined && { poolId }),
        },
      );
    }
  }
  return [...requests.values()].sort((a, b) => rank(a, target) - rank(b, target));
}

function poolsFor(need: Need, target: TargetFacts): (number | undefined)[] {
  if (need.operation === 'listTokens') return [undefined];
  const pools = need.operation === 'listV2PoolCandles' ? target.poolsV2 : target.poolsV1;
  return need.everyPool ? [...pools] : pools.slice(0, 1);
}

/**
 * The order of sending. One pool's latest candles stand together, shorter intervals first and the first of them
 * again at the end, so that they bracket one state of the market. An operation that is asked once never comes
 * first: its count could not be seen. Weeks come before the closed week, which they anchor; refusals come last,
 * since nobody knows whether they count.
 */
function rank({ need, poolId, credential }: PlannedRequest, target: TargetFacts): number {
  const place = intervals.indexOf(need.interval ?? 'FIVEMIN');
  const turned = need.inverted === undefined ? 0 : need.inverted ? 10 : 20;
  if (credential === 'none') return 9000 + place;
  if (need.operation === 'listTokens') return 1000;
  if (need.operation === 'getLatestV1PoolCandle') {
    if (poolId !== target.poolsV1[0]) return 5000;
    return need.again ? 100 : place + turned;
  }
  return (need.range === 'recent' ? 2000 : 3000) - place + turned;
}
