import type { Spec } from '@candleproof/document/spec/spec';
import type { PairCoverage } from '@candleproof/law/judge/verdict';
import { mannerDomain } from './assign-manners.ts';
import {
  type Combination,
  combine,
  listCombinations,
  namePair,
  numberValue,
  type Value,
} from './combinations.ts';
import { factorNames, usualManner } from './manner.ts';
import type { PlannedRequest } from './planned-request.ts';
import { listFacts, listValues } from './request-values.ts';

/**
 * Measures which combinations a plan's requests have. A value of a need that few requests have can meet no more values
 * of another factor than these are; only so many of its pairs count as possible.
 */
export function measureCoverage(
  spec: Spec,
  requests: readonly PlannedRequest[],
  mayVaryAgent: boolean,
): PairCoverage {
  const { covered, pairs, triples } = gatherCombinations(spec, requests, mayVaryAgent);
  return {
    pairs: { covered: pairs.count(covered), possible: pairs.reachable },
    triples: { covered: triples.count(covered), possible: triples.all.length },
    uncovered: pairs.all
      .filter((pair) => !covered.has(pair))
      .map(namePair)
      .sort(),
  };
}

/** Counts the triples that these requests can have at most, in whatever manners: each has one of those in a place. */
export function countReachableTriples(...given: Parameters<typeof measureCoverage>): number {
  return gatherCombinations(...given).triples.reachable;
}

function gatherCombinations(spec: Spec, requests: readonly PlannedRequest[], mayVaryAgent: boolean) {
  const found = { covered: new Set<Combination>(), pairs: new Reach(), triples: new Reach() };
  for (const planned of requests) {
    const domain = mannerDomain(spec, planned, mayVaryAgent);
    if (!domain) continue;
    const { pairs, triples } = listCombinations(listValues(planned, planned.manner ?? usualManner));
    for (const combination of [...pairs, ...triples]) found.covered.add(combination);
    const facts = listFacts(planned).map((fact) => ({ name: fact, values: [fact] }));
    const ways = factorNames.map((factor) => ({
      name: numberValue(factor, 'any'),
      values: domain[factor].map((value) => numberValue(factor, value)),
    }));
    for (const [at, way] of ways.entries()) {
      const others = [...facts, ...ways.slice(0, at)];
      for (const [first, other] of others.entries()) {
        found.pairs.add(way, other);
        for (const third of others.slice(0, first)) found.triples.add(way, other, third);
      }
    }
  }
  return found;
}

/** A value of a need, or a factor of manner with the values that it may have. */
type Place = { readonly name: Value; readonly values: readonly Value[] };

const nowhere: Place = { name: 0, values: [0] };

/** The combinations that requests can have in the same places: each request has one of them. */
class Reach {
  readonly #places = new Map<Combination, { readonly found: Set<Combination>; requests: number }>();

  add(one: Place, other: Place, third: Place = nowhere): void {
    const at = combine(one.name, other.name, third.name);
    const known = this.#places.get(at) ?? { found: new Set(), requests: 0 };
    for (const a of one.values)
      for (const b of other.values) for (const c of third.values) known.found.add(combine(a, b, c));
    known.requests += 1;
    this.#places.set(at, known);
  }

  get all(): Combination[] {
    return [...this.#places.values()].flatMap(({ found }) => [...found]);
  }

  get reachable(): number {
    const places = [...this.#places.values()];
    return places.reduce((sum, { found, requests }) => sum + Math.min(found.size, requests), 0);
  }

  count(covered: ReadonlySet<Combination>): number {
    return this.all.filter((combination) => covered.has(combination)).length;
  }
}
