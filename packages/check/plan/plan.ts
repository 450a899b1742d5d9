import { isLoopback } from '@candleproof/client/send/base-url';
import { day } from '@candleproof/document/spec/interval';
import { endsNow, findMaxRows, listOperations, listPools } from '@candleproof/document/spec/operation';
import { rungSeconds } from '@candleproof/document/spec/roles';
import type { Operation, PoolId, Spec } from '@candleproof/document/spec/spec';
import type { TargetFacts } from '@candleproof/law/reading/exchange';
import type { Catalogue } from '@candleproof/law/rules/catalogue';
import { trialCredential } from '@candleproof/law/rules/error-cases';
import { applicableLaw, canMeet, chooseLength } from '@candleproof/law/rules/law-of';
import { smokeNeeds } from '@candleproof/law/rules/needs';
import { trialNeed } from '@candleproof/law/rules/refusal-needs';
import type { Need } from '@candleproof/law/rules/rule';
import { chooseNeeds, type PlanSize } from './afford.ts';
import { assignManners, type CombinationCounts } from './assign-manners.ts';
import type { PlannedRequest } from './planned-request.ts';
import { isInWeek, isKeyed, isUpToNow, rank } from './planned-request.ts';
import { isUnrestrained, type Scope, scopeTest } from './scope.ts';

export type Plan = {
  readonly requests: readonly PlannedRequest[];
  /** Requests that the budget left no room for. */
  readonly left: number;
  /** All that could be requested of the target, within the budget or not. */
  readonly whole: readonly PlannedRequest[];
};

/** The size of a plan that no budget limits, and the requests that are kept for asking again and narrowing. */
export const usualSize = { requests: 80, keyed: 48, again: 12 };

/** The seed of a run that names none, so that the same build gets the same requests. */
export const usualSeed = 1;

/** The size of the plan that a budget pays for, and all that a run may send with it. */
export type SplitBudget = { readonly planned: PlanSize; readonly budget: number };

/** Splits a budget: a given one keeps a sixth for asking again, up to what no budget keeps. */
export function splitBudget(given: number | undefined): SplitBudget {
  if (given === undefined) return { planned: usualSize, budget: usualSize.requests + usualSize.again };
  const requests = given - Math.min(usualSize.again, Math.floor(given / 6));
  return { planned: { requests, keyed: requests }, budget: given };
}

/** The union of all that the rules of this API need, as the fewest requests, in the order in which they prove most. */
export function makePlan(
  spec: Spec,
  all: Catalogue,
  target: TargetFacts,
  most: PlanSize = usualSize,
  scope: Scope = { seed: usualSeed },
): Plan {
  if (scope.nights !== undefined) {
    const night = planNights(spec, all, target, most, { ...scope, nights: scope.seed }).at(-1);
    if (night) return night;
  }
  return planOne(spec, all, target, most, scope, new Map());
}

/** Plans several runs as one: each varies what those before it have not. */
export function planNights(
  spec: Spec,
  all: Catalogue,
  target: TargetFacts,
  most: PlanSize,
  { nights = 1, ...scope }: Scope,
): Plan[] {
  const covered: CombinationCounts = new Map();
  return Array.from({ length: nights }, (_, night) =>
    planOne(spec, all, target, most, { ...scope, seed: night + 1 }, covered),
  );
}

function planOne(
  spec: Spec,
  all: Catalogue,
  target: TargetFacts,
  most: PlanSize,
  scope: Scope,
  covered: CombinationCounts,
): Plan {
  const law = applicableLaw(spec, all);
  const needs = [...law.rules, ...law.questions].flatMap((entry) => entry.needs);
  const bound = bindNeeds(spec, needs, target, scope);
  const whole = joinRequests(bound, needs);
  const manners = { seed: scope.seed, mayVaryAgent: isUnrestrained(target, scope) };
  const toSend = scope.smoke ? chooseSmoke(spec, whole, target) : whole;
  const requests = fits(toSend, most)
    ? toSend
    : joinRequests(
        bound,
        chooseNeeds(law, (need) => bound.get(need) ?? new Map(), most, scope.seed),
      );
  return {
    requests: assignManners(spec, requests, manners, covered),
    left: whole.length - requests.length,
    whole,
  };
}

function fits(requests: readonly PlannedRequest[], most: PlanSize): boolean {
  return requests.length <= most.requests && requests.filter(isKeyed).length <= most.keyed;
}

/** Returns the requests of the tier smoke among those of the whole plan. */
function chooseSmoke(spec: Spec, whole: readonly PlannedRequest[], target: TargetFacts): PlannedRequest[] {
  const wanted = new Set(listRequestKeys(spec, smokeNeeds, target, { seed: usualSeed }));
  return whole.filter((request) => wanted.has(requestKey(request)));
}

/** The requests of each need by key, which is equal for needs that one request meets. */
type BoundNeeds = ReadonlyMap<Need, ReadonlyMap<string, PlannedRequest>>;

/** Binds each need of this run to its pools. */
function bindNeeds(spec: Spec, needs: readonly Need[], target: TargetFacts, scope: Scope): BoundNeeds {
  const isFree =
    isUnrestrained(target, scope) && (spec.ratePerMinute === undefined || isLoopback(target.baseUrl));
  const bindNeed = (wanted: Need): Map<string, PlannedRequest> => {
    const interval = chooseLength(spec, wanted);
    const need = moveToTokens(spec, interval ? { ...wanted, interval } : wanted, target);
    const { pools: _, thoroughly: __, orElse: ___, ...rest } = need;
    return new Map(
      listTargets(spec, need, target).map(([operation, pool]) => {
        const request: PlannedRequest = {
          need:
            isOfNewest(operation) && (isPlainWeek(need) || isUpToNow(need))
              ? { ...rest, range: 'recent' }
              : rest,
          operation: operation.id,
          credential: chooseCredential(need),
          pool,
          ...(pool === listPools(target, operation)[0] && { isFirst: true }),
          ...(isFree && isInWeek(need) && !need.speltOtherwise && { together: true }),
        };
        return [requestKey(request), request];
      }),
    );
  };
  return new Map(needs.filter(scopeTest(target, scope)).map((need) => [need, bindNeed(need)]));
}

/** Lists the requests of needs, equal ones once, in the order in which they prove most. */
function joinRequests(bound: BoundNeeds, needs: readonly Need[]): PlannedRequest[] {
  const requests = new Map(needs.flatMap((need) => [...(bound.get(need) ?? [])]));
  return putClockFirst([...requests.values()].sort((a, b) => rank(a) - rank(b)));
}

/** Puts a refusal first in a plan of histories alone, because its Date header gives the server's time. */
function putClockFirst(requests: PlannedRequest[]): PlannedRequest[] {
  const faulty = requests.findIndex((request) => request.need.errorCase === 'pool-unknown');
  if (faulty < 0 || !requests[0] || !isUpToNow(requests[0].need)) return requests;
  return [...requests.slice(faulty, faulty + 1), ...requests.toSpliced(faulty, 1)];
}

/** Lists the keys of the requests that meet some needs; a request that meets several is listed for each. */
export function listRequestKeys(
  spec: Spec,
  needs: readonly Need[],
  target: TargetFacts,
  scope: Scope,
): string[] {
  return [...bindNeeds(spec, needs, target, scope).values()].flatMap((requests) => [...requests.keys()]);
}

/** Returns a key that is equal for needs that one request meets. */
export function requestKey({ need, operation, pool }: PlannedRequest): string {
  return JSON.stringify([...Object.entries(need).sort(), operation, pool]);
}

function chooseCredential({ unkeyed, trial, errorCase, plainHttp }: Need): PlannedRequest['credential'] {
  if (trial) return trialCredential(trial);
  return unkeyed || plainHttp || errorCase?.startsWith('unkeyed') ? 'none' : 'api-key';
}

/** Returns the need, moved to the token list if the target has no pool of the operation that tries a key. */
function moveToTokens(spec: Spec, need: Need, target: TargetFacts): Need {
  const isOutOfReach = need.trial !== undefined && listTargets(spec, need, target).length === 0;
  return isOutOfReach ? trialNeed(need.trial) : need;
}

/** Lists the operations of a need's role with their pools; none if the document lacks what the need is about. */
function listTargets(
  spec: Spec,
  need: Need,
  target: TargetFacts,
): (readonly [Operation, PoolId | undefined])[] {
  if (!canMeet(spec, need)) return [];
  return listOperations(spec, need.role).flatMap(
    (operation): (readonly [Operation, PoolId | undefined])[] => {
      if (need.range === 'before any pool' && operation.since === undefined) return [];
      if (endsNow(operation) && !includesNow(spec, need, operation)) return [];
      if (need.role === 'tokens') return [[operation, undefined]];
      return choosePools(need, listPools(target, operation)).map((pool) => [operation, pool]);
    },
  );
}

function choosePools({ pools }: Need, all: readonly PoolId[]): readonly PoolId[] {
  if (pools === 'each') return all;
  return pools === 'last' ? all.slice(1).slice(-1) : all.slice(0, 1);
}

/** Returns whether a history always holds its newest rows. */
function isOfNewest(operation: Operation): boolean {
  return endsNow(operation) && !operation.parameters.some(({ role }) => role === 'since');
}

/** Returns whether a need is one interval of the closed week and nothing else: the newest rows show it as well. */
function isPlainWeek(need: Need): boolean {
  const { role, range, interval, pools: _, thoroughly: __, ...others } = need;
  const isWeek = role === 'history' && range === 'closed week' && interval !== undefined;
  return isWeek && Object.keys(others).length === 0;
}

/** Days that the newest closed week and what follows it may take. */
const mostDaysSinceWeek = 15;

/** Returns whether a range that ends now meets a need and differs from the newest rows. */
function includesNow({ rungs }: Spec, need: Need, operation: Operation): boolean {
  const { range, interval, errorCase } = need;
  if (range === undefined || isUpToNow(need) || errorCase) return true;
  if (isOfNewest(operation)) return isPlainWeek(need);
  const length = interval ? rungSeconds(rungs, interval) : 0;
  const days = length > 0 ? (findMaxRows(operation, length) * length) / day : 0;
  return (
    range === 'closed week' &&
    operation.parameters.some(({ role }) => role === 'since') &&
    days > mostDaysSinceWeek
  );
}
