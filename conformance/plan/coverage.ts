import { operationById } from '../../contract/document/operation.ts';
import type { Spec } from '../../contract/document/spec.ts';
import type { PairCoverage } from '../../contract/judge/verdict.ts';
import type { Need, Range } from '../../contract/law/needs.ts';
import { factorNames, listMannerValues, type Manner, type MannerFactor, usualManner } from './manner.ts';
import { isMeantToFail, type PlannedRequest } from './planned-request.ts';
import { draw } from './scope.ts';

/** The age of a range and how its edges lie. */
const rangeFacts: Readonly<Record<Range, { readonly age: string; readonly alignment: string }>> = {
  recent: { age: 'open', alignment: 'ahead of now' },
  'closed week': { age: 'a week', alignment: 'aligned' },
  'first half': { age: 'a week', alignment: 'inside' },
  'second half': { age: 'a week', alignment: 'inside' },
  'some hours': { age: 'a week', alignment: 'inside' },
  'before the week': { age: 'a week', alignment: 'aligned' },
  instant: { age: 'a week', alignment: 'equal' },
  'before the first row': { age: 'weeks', alignment: 'inside' },
  'before any pool': { age: 'before any row', alignment: 'aligned' },
  'after now': { age: 'ahead', alignment: 'ahead of now' },
};

/** The factors that a need fixes, with their values; absent ones do not apply. */
function listNeedFacts({ need, isFirst }: PlannedRequest): Record<string, string> {
  const { role, interval, inverted, range } = need;
  if (role === 'tokens') return { operation: role };
  const ofRange = range ? rangeFacts[range] : { age: 'open' };
  return {
    operation: role,
    interval: interval ?? 'none',
    inverted: String(inverted ?? 'absent'),
    pool: isFirst ? 'first' : 'further',
    width: nameWidth(need),
    ...ofRange,
  };
}

function nameWidth({ interval, range }: Need): string {
  if (range === undefined || range === 'instant') return 'one row';
  if (interval === 'day' || interval === 'week' || range === 'some hours') return 'some rows';
  return interval === 'minutes' && range === 'closed week' ? 'thousands' : 'a hundred';
}

/** A value of a factor, such as `agent none`, by its number. */
type Value = number;

const names: string[] = [];
const numbers = new Map<string, Value>();

/** Numbers a value; there are fewer than `base`, since all are words of ours. */
function numberValue(factor: string, value: string): Value {
  const name = `${factor} ${value}`;
  const known = numbers.get(name);
  if (known !== undefined) return known;
  names.push(name);
  numbers.set(name, names.length);
  return names.length;
}

const base = 256;

/** Two or three values, in any order, as one number. */
export type Combination = number;

function makePair(one: Value, other: Value): Combination {
  return one < other ? one * base + other : other * base + one;
}

function makeTriple(one: Value, other: Value, third: Value): Combination {
  const least = Math.min(one, other, third);
  const most = Math.max(one, other, third);
  return (least * base + (one + other + third - least - most)) * base + most;
}

function namePair(pair: Combination): string {
  return [Math.floor(pair / base), pair % base].map((value) => names[value - 1]).join(' & ');
}

type Strength = 2 | 3;

/** Tries for each request, of which the one is taken that covers most. */
const tries = 3;

/**
 * Gives each proper request a manner, so that together they cover as many pairs of values as they can, and then triples:
 * of the factors of manner with each other and with what the needs fix. The seed chooses among equally good ones.
 * `covered`: what earlier requests have, to which these are added.
 */
export function assignManners(
  spec: Spec,
  requests: readonly PlannedRequest[],
  { seed, isFree }: { readonly seed: number; readonly isFree: boolean },
  covered = new Set<Combination>(),
): PlannedRequest[] {
  const assigned: PlannedRequest[] = [];
  for (const [at, planned] of requests.entries()) {
    // The first answer shows whether the key is accepted at all.
    const domain = at === 0 ? undefined : mannerDomain(spec, planned, isFree);
    const twin = findTwin(planned, assigned);
    const manner = domain && chooseManner(planned, fixSpelling(domain, twin), covered, seed + at * 7919);
    if (!isMeantToFail(planned)) remember(covered, planned, manner ?? usualManner);
    assigned.push(manner ? { ...planned, manner } : planned);
  }
  return assigned;
}

type Domain = Readonly<Record<MannerFactor, readonly string[]>>;

function mannerDomain(spec: Spec, planned: PlannedRequest, isFree: boolean): Domain | undefined {
  if (isMeantToFail(planned)) return undefined;
  return listMannerValues(planned.need, operationById(spec, planned.operation), isFree);
}

/**
 * Finds the request whose order of parameters another one has: a request that closes a bracket has the URL of the one that
 * opened it; a range has the order of a longer one with the same start, and an inverted one that of the plain one, or a
 * cache that ignores the end or the inversion would not show.
 */
function findTwin({ need, ...rest }: PlannedRequest, others: readonly PlannedRequest[]): Manner | undefined {
  const wanted = nameTwin(need);
  if (!wanted) return undefined;
  const twin = others.find(
    (other) =>
      other.operation === rest.operation &&
      other.pool === rest.pool &&
      JSON.stringify(other.need) === JSON.stringify(wanted),
  );
  return twin && (twin.manner ?? usualManner);
}

function nameTwin({ again, inverted, ...need }: Need): Need | undefined {
  if (again) return { ...need, ...(inverted !== undefined && { inverted }) };
  if (inverted) return need;
  return need.range === 'first half' ? { ...need, range: 'closed week' } : undefined;
}

function fixSpelling(domain: Domain, twin: Manner | undefined): Domain {
  return twin ? { ...domain, order: [twin.order] } : domain;
}

function chooseManner(
  planned: PlannedRequest,
  domain: Domain,
  covered: ReadonlySet<Combination>,
  seed: number,
): Manner {
  let best: { manner: Manner; pairs: number; triples: number } | undefined;
  for (let turn = 0; turn < tries; turn++) {
    const manner = fillGreedily(planned, domain, covered, seed + turn * 104_729);
    const { facts, ways } = listValues(planned, manner);
    const ofWays = countNew(listCombinations({ facts: [], ways }, 2), covered);
    const pairs = ofWays + countNew(listCombinations({ facts, ways }, 2), covered);
    const triples = countNew(listCombinations({ facts, ways }, 3), covered);
    if (!best || pairs > best.pairs || (pairs === best.pairs && triples > best.triples))
      best = { manner, pairs, triples };
  }
  return best?.manner ?? usualManner;
}

/** Chooses the value of one factor after the other, each the one that makes most new pairs with those before it. */
function fillGreedily(
  planned: PlannedRequest,
  domain: Domain,
  covered: ReadonlySet<Combination>,
  seed: number,
): Manner {
  const facts = listFacts(planned);
  const chosen: Partial<Record<MannerFactor, string>> = {};
  for (const factor of draw(factorNames, factorNames.length, seed)) {
    const known = [...facts, ...Object.entries(chosen).map(([name, value]) => numberValue(name, value))];
    const values = draw(domain[factor], domain[factor].length, seed + factor.length);
    const gains = values.map((value) => {
      const pairs = known.map((other) => makePair(other, numberValue(factor, value)));
      return weighNew(pairs, covered, facts.length);
    });
    chosen[factor] = values[gains.indexOf(Math.max(...gains))];
  }
  return chosen as Manner;
}

/** Pairs of two factors of manner count twice: each request can have them, but a fact may be that of one request. */
function weighNew(pairs: readonly Combination[], covered: ReadonlySet<Combination>, facts: number): number {
  return countNew(pairs, covered) + countNew(pairs.slice(facts), covered);
}

function countNew(combinations: readonly Combination[], covered: ReadonlySet<Combination>): number {
  return combinations.filter((combination) => !covered.has(combination)).length;
}

function remember(covered: Set<Combination>, planned: PlannedRequest, manner: Manner): void {
  for (const strength of [2, 3] as const)
    for (const combination of listCombinations(listValues(planned, manner), strength))
      covered.add(combination);
}

function listFacts(planned: PlannedRequest): Value[] {
  return Object.entries(listNeedFacts(planned)).map(([name, value]) => numberValue(name, value));
}

type Values = { readonly facts: readonly Value[]; readonly ways: readonly Value[] };

function listValues(planned: PlannedRequest, manner: Manner): Values {
  return {
    facts: listFacts(planned),
    ways: factorNames.map((factor) => numberValue(factor, manner[factor])),
  };
}

/** Lists the combinations in which a manner has a part: what needs combine is no choice of the run. */
function listCombinations({ facts, ways }: Values, strength: Strength): Combination[] {
  const found: Combination[] = [];
  for (const [at, way] of ways.entries()) {
    const others = [...facts, ...ways.slice(0, at)];
    for (const [first, other] of others.entries()) {
      if (strength === 2) found.push(makePair(way, other));
      else for (let at = 0; at < first; at++) found.push(makeTriple(way, other, others[at] as Value));
    }
  }
  return found;
}

/**
 * Measures which combinations a plan's requests have. A value of a need that few requests have can meet no more values
 * of another factor than these are; only so many of its pairs count as possible.
 */
export function measureCoverage(
  spec: Spec,
  requests: readonly PlannedRequest[],
  isFree: boolean,
): PairCoverage {
  const covered = new Set<Combination>();
  const all: Possible = { ofManner: new Set(), ofNeeds: new Map(), triples: new Set() };
  for (const planned of requests) {
    const domain = mannerDomain(spec, planned, isFree);
    if (!domain) continue;
    remember(covered, planned, planned.manner ?? usualManner);
    addPossible(all, planned, domain);
  }
  const ofNeeds = [...all.ofNeeds.values()];
  const pairs = [...all.ofManner, ...ofNeeds.flatMap(({ pairs }) => [...pairs])];
  const possible = ofNeeds.reduce((sum, { pairs, requests }) => sum + Math.min(pairs.size, requests), 0);
  const count = (combinations: readonly Combination[]): number =>
    combinations.length - countNew(combinations, covered);
  return {
    pairs: { covered: count(pairs), possible: all.ofManner.size + possible },
    triples: { covered: count([...all.triples]), possible: all.triples.size },
    uncovered: pairs
      .filter((pair) => !covered.has(pair))
      .map(namePair)
      .sort(),
  };
}

type Possible = {
  readonly ofManner: Set<Combination>;
  /** By value of a need and factor of manner, as one text. */
  readonly ofNeeds: Map<string, { readonly pairs: Set<Combination>; requests: number }>;
  readonly triples: Set<Combination>;
};

function addPossible(all: Possible, planned: PlannedRequest, domain: Domain): void {
  const facts = listFacts(planned).map((value, group) => ({ value, group }));
  const ways = factorNames.flatMap((factor, at) =>
    domain[factor].map((value) => ({ value: numberValue(factor, value), group: facts.length + at })),
  );
  for (const { value } of facts) {
    for (const factor of factorNames) {
      const key = `${value} ${factor}`;
      const known = all.ofNeeds.get(key) ?? { pairs: new Set(), requests: 0 };
      for (const way of domain[factor]) known.pairs.add(makePair(value, numberValue(factor, way)));
      known.requests += 1;
      all.ofNeeds.set(key, known);
    }
  }
  for (const [at, way] of ways.entries()) {
    const others = [...facts, ...ways.slice(0, at).filter(({ group }) => group !== way.group)];
    for (const [first, other] of others.entries()) {
      if (other.group >= facts.length) all.ofManner.add(makePair(way.value, other.value));
      for (let third = 0; third < first; third++) {
        const { value, group } = others[third] as (typeof others)[number];
        if (group !== other.group) all.triples.add(makeTriple(way.value, other.value, value));
      }
    }
  }
}
