import { operationById } from '@candleproof/document/spec/operation';
import type { Spec } from '@candleproof/document/spec/spec';
import type { Need } from '@candleproof/law/rules/rule';
import { type Combination, combine, listCombinations, numberValue, type Value } from './combinations.ts';
import { factorNames, listMannerValues, type Manner, type MannerFactor, usualManner } from './manner.ts';
import { isMeantToFail, type PlannedRequest } from './planned-request.ts';
import { listFacts, listValues } from './request-values.ts';
import { draw } from './scope.ts';

/** The number of requests that have each combination. */
export type CombinationCounts = Map<Combination, number>;

/** The values that each factor may have in a request. */
export type Domain = Readonly<Record<MannerFactor, readonly string[]>>;

/** Returns the manners that a plan may give a request; undefined for one that is meant to fail. */
export function mannerDomain(spec: Spec, planned: PlannedRequest, mayVaryAgent: boolean): Domain | undefined {
  if (isMeantToFail(planned)) return undefined;
  return listMannerValues(planned.need, operationById(spec, planned.operation), mayVaryAgent);
}

/** Times that each request is given the manner that covers most beside those of all others. */
const rounds = 6;

/** Each request can have a pair of manner, but a fact may be that of one; pairs come before triples. */
const worth = { ofManner: 24, pair: 12, triple: 1 };

/**
 * Gives each proper request a manner, so that together they cover as many pairs of values as they can, and then triples:
 * of the factors of manner with each other and with what the needs fix. The seed chooses among equally good ones.
 * `covered`: what earlier requests have, to which these are added.
 */
export function assignManners(
  spec: Spec,
  requests: readonly PlannedRequest[],
  { seed, mayVaryAgent }: { readonly seed: number; readonly mayVaryAgent: boolean },
  covered: CombinationCounts = new Map(),
): PlannedRequest[] {
  const assigned = [...requests];
  const partners = requests.map((planned, at) => findPartner(planned, requests.slice(0, at)));
  const isTied = requests.map((_, at) => partners[at] !== undefined || partners.includes(at));
  for (let round = 0; round < rounds; round++) {
    for (const [at, planned] of requests.entries()) {
      // The first answer shows whether the key is accepted at all.
      const domain = at === 0 ? undefined : mannerDomain(spec, planned, mayVaryAgent);
      const before = assigned[at]?.manner;
      if (!domain && round > 0) continue;
      if (before) count(covered, planned, before, -1);
      const partner = partners[at];
      const order =
        before ?? (partner === undefined ? undefined : (assigned[partner]?.manner ?? usualManner));
      const isFixed = order !== undefined && isTied[at];
      const allowed = domain && (isFixed ? { ...domain, order: [order.order] } : domain);
      const manner = allowed && chooseManner(planned, allowed, covered, seed + at * 7919 + round * 104_729);
      if (!isMeantToFail(planned)) count(covered, planned, manner ?? usualManner, 1);
      if (manner) assigned[at] = { ...planned, manner };
    }
  }
  return assigned;
}

function count(covered: CombinationCounts, planned: PlannedRequest, manner: Manner, by: 1 | -1): void {
  const { pairs, triples } = listCombinations(listValues(planned, manner));
  for (const combination of [...pairs, ...triples])
    covered.set(combination, (covered.get(combination) ?? 0) + by);
}

/**
 * Finds the request whose order of parameters another one has: a request that closes a bracket has the URL of the one that
 * opened it; a range has the order of a longer one with the same start, and an inverted one that of the plain one, or a
 * cache that ignores the end or the inversion would not show.
 */
function findPartner(
  { need, ...rest }: PlannedRequest,
  others: readonly PlannedRequest[],
): number | undefined {
  const wanted = JSON.stringify(namePartner(need));
  const at = others.findIndex(
    (other) =>
      other.operation === rest.operation && other.pool === rest.pool && JSON.stringify(other.need) === wanted,
  );
  return at < 0 ? undefined : at;
}

function namePartner({ again, inverted, ...need }: Need): Need | undefined {
  if (again) return { ...need, ...(inverted !== undefined && { inverted }) };
  if (inverted) return need;
  return need.range === 'first half' ? { ...need, range: 'closed week' } : undefined;
}

/** A value that a factor may have, by its number, and what it gains beside the facts. */
type Choice = { readonly value: string; readonly way: Value; readonly gained: number };

/** Returns the manner that adds most to what others cover: a manner's gain is that of its values, pairs and triples. */
function chooseManner(
  planned: PlannedRequest,
  domain: Domain,
  covered: CombinationCounts,
  seed: number,
): Manner {
  const facts = listFacts(planned);
  const gain = (combination: Combination, value: number): number => (covered.get(combination) ? 0 : value);
  const gainAlone = (way: Value): number =>
    sum(facts, (fact, at) => {
      const triples = sum(facts, (other) => gain(combine(way, fact, other), worth.triple), at);
      return gain(combine(way, fact), worth.pair) + triples;
    });
  const gainTogether = remember((pair: Combination, way: Value, other: Value) => {
    const triples = sum(facts, (fact) => gain(combine(way, other, fact), worth.triple));
    return gain(pair, worth.ofManner) + triples;
  });
  const choices = factorNames.map((factor) =>
    draw(domain[factor], domain[factor].length, seed + factor.length).map((value): Choice => {
      const way = numberValue(factor, value);
      return { value, way, gained: gainAlone(way) };
    }),
  );
  let best: { chosen: readonly Choice[]; gained: number } | undefined;
  const extend = (chosen: readonly Choice[], gained: number): void => {
    const next = choices[chosen.length];
    if (next === undefined) {
      if (!best || gained > best.gained) best = { chosen, gained };
      return;
    }
    for (const choice of next) {
      const { way } = choice;
      const more = sum(chosen, ({ way: other }, at) => {
        const triples = sum(chosen, (third) => gain(combine(way, other, third.way), worth.triple), at);
        return gainTogether(combine(way, other), way, other) + triples;
      });
      extend([...chosen, choice], gained + choice.gained + more);
    }
  };
  extend([], 0);
  const chosen = best?.chosen ?? [];
  return { ...usualManner, ...Object.fromEntries(chosen.map(({ value }, at) => [factorNames[at], value])) };
}

/** Sums up what the first items gain. A plain loop, since a plan takes a million turns of it. */
function sum<Item>(
  items: readonly Item[],
  rate: (item: Item, at: number) => number,
  count = items.length,
): number {
  let total = 0;
  for (let at = 0; at < count; at++) total += rate(items[at] as Item, at);
  return total;
}

/** Computes a number for each key once. */
function remember<Rest extends unknown[]>(compute: (key: number, ...rest: Rest) => number): typeof compute {
  const known = new Map<number, number>();
  return (key, ...rest) => {
    const found = known.get(key) ?? compute(key, ...rest);
    known.set(key, found);
    return found;
  };
}
