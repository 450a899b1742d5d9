import type { Catalogue } from '@candleproof/law/rules/catalogue';
import { includesTrial, otherPlaces } from '@candleproof/law/rules/error-cases';
import type { Need, Question, Rule } from '@candleproof/law/rules/rule';
import { isKeyed, type PlannedRequest } from './planned-request.ts';
import { draw } from './scope.ts';

/** The most requests of a plan: in all, and those with the run's key, which a month pays for. */
export type PlanSize = { readonly requests: number; readonly keyed: number };

/** Needs that only together are evidence, and how far they are from being worth a request. */
type Unit = { readonly needs: readonly Need[]; readonly weight: number };

/** A unit with its requests, and the number of those that are not sent yet, in all and with the run's key. */
type Priced = Unit & { readonly keys: ReadonlySet<string>; price: number; keyed: number };

/** By how much a refusal proves less than an answer. */
const refusalWeight = 2;

/** The weight of further refusals, whatever they show: each run draws others. */
const furtherRefusal = 5;

/**
 * Chooses needs that fit a budget, the most telling first: repeatedly takes the rule that the fewest further requests
 * complete, a must before a should before a question; the seed decides between equal ones. `requestsOf` returns the
 * requests of a need by their keys.
 */
export function chooseNeeds(
  law: Catalogue,
  requestsOf: (need: Need) => ReadonlyMap<string, PlannedRequest>,
  most: PlanSize,
  seed: number,
): Need[] {
  const waiting = new Set<Priced>();
  const holders = new Map<string, Priced[]>();
  const isSent = (need: Need): boolean => requestsOf(need).size > 0;
  const units = [...law.rules, ...law.questions].flatMap((entry) => splitUnits(entry, isSent));
  const keyed = new Set<string>();
  for (const { needs, weight } of draw(units, units.length, seed)) {
    const own = new Map(needs.flatMap((need) => [...requestsOf(need)]));
    for (const [key, request] of own) if (isKeyed(request)) keyed.add(key);
    const keys = new Set(own.keys());
    const unit = { needs, weight, keys, price: keys.size, keyed: [...own.values()].filter(isKeyed).length };
    waiting.add(unit);
    for (const key of keys) holders.set(key, [...(holders.get(key) ?? []), unit]);
  }
  const left = { ...most };
  const chosen: Need[] = [];
  for (let best = findBest(waiting, left); best; best = findBest(waiting, left)) {
    waiting.delete(best);
    chosen.push(...best.needs);
    for (const key of best.keys) {
      const own = keyed.has(key) ? 1 : 0;
      for (const unit of holders.get(key) ?? []) {
        unit.price -= 1;
        unit.keyed -= own;
      }
      if (!holders.delete(key)) continue;
      left.requests -= 1;
      left.keyed -= own;
    }
  }
  return chosen;
}

/** Returns the unit that costs least among those that are affordable. */
function findBest(waiting: Iterable<Priced>, left: PlanSize): Priced | undefined {
  let best: Priced | undefined;
  for (const unit of waiting) {
    if (unit.price > left.requests || unit.keyed > left.keyed) continue;
    if (!best || unit.price + unit.weight < best.price + best.weight) best = unit;
  }
  return best;
}

/** Splits the needs that a run sends; every trial and every fault is a separate unit of evidence. */
function splitUnits(entry: Rule | Question, isSent: (need: Need) => boolean): Unit[] {
  const needs = entry.needs.filter(isSent);
  const [alone, together] = [needs.filter(isEvidenceAlone), needs.filter((need) => !isEvidenceAlone(need))];
  const weight = weigh(entry);
  return [
    ...(together.length > 0 ? [{ needs: together, weight }] : []),
    ...alone.map((need, index) => ({
      needs: [need],
      // Each operation may forget the key, and each place may be searched for it. Another pool waits like a further refusal.
      weight:
        (index === 0 && need.pools !== 'last') || need.unkeyed || isElsewhere(need)
          ? weight + refusalWeight
          : furtherRefusal,
    })),
  ];
}

function isElsewhere({ trial }: Need): boolean {
  return trial !== undefined && includesTrial(otherPlaces, trial);
}

/** Another pool's inverted days are joined with its plain ones, which other rules need. */
function isEvidenceAlone({ trial, errorCase, unkeyed, plainHttp, method, pools }: Need): boolean {
  const isTrial = trial !== undefined && trial !== 'other-key';
  return isTrial || pools === 'last' || Boolean(errorCase ?? method ?? unkeyed ?? plainHttp);
}

/** A must is worth asking two requests more for than a should, and five more than a question. */
function weigh(entry: Rule | Question): number {
  if (!('level' in entry)) return 5;
  return entry.level === 'must' ? 0 : 2;
}
