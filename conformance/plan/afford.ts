import type { Catalogue } from '../../contract/law/catalogue.ts';
import type { Need } from '../../contract/law/needs.ts';
import type { Question, Rule } from '../../contract/law/rule.ts';

/** Needs that only together are evidence, and how far they are from being worth a request. */
type Unit = { readonly needs: readonly Need[]; readonly weight: number };

/** By how much a refusal tells less than an answer, and further evidence for a rule less than the first. */
const less = { refusal: 2, further: 3 };

/**
 * Needs that fit a budget, the most telling first: again and again the rule is taken that the fewest further
 * requests complete, a must before a should before a question. `keysOf` names the requests that a need stands for.
 */
export function chooseNeeds(law: Catalogue, keysOf: (need: Need) => readonly string[], most: number): Need[] {
  const known = new Map<Need, readonly string[]>();
  const keys = (need: Need): readonly string[] => known.get(need) ?? remember(known, need, keysOf(need));
  let waiting = [...law.rules, ...law.questions]
    .flatMap(splitUnits)
    .map((unit) => ({ ...unit, keys: [...new Set(unit.needs.flatMap(keys))] }));
  const sent = new Set<string>();
  const chosen: Need[] = [];
  while (waiting.length > 0) {
    const priced = waiting.map((unit) => ({ unit, price: newAmong(unit.keys, sent) }));
    const affordable = priced.filter(({ price }) => price <= most - sent.size);
    const [first, ...others] = affordable;
    if (!first) break;
    const { unit: best } = others.reduce(
      (one, other) => (unitCost(other) < unitCost(one) ? other : one),
      first,
    );
    chosen.push(...best.needs);
    for (const key of best.keys) sent.add(key);
    waiting = affordable.map(({ unit }) => unit).filter((unit) => unit !== best);
  }
  return chosen;
}

function unitCost({ unit, price }: { readonly unit: Unit; readonly price: number }): number {
  return price + unit.weight;
}

/** Counts the keys that are not sent yet. */
function newAmong(keys: readonly string[], sent: ReadonlySet<string>): number {
  let count = 0;
  for (const key of keys) if (!sent.has(key)) count++;
  return count;
}

function remember<Key, Value>(known: Map<Key, Value>, key: Key, value: Value): Value {
  known.set(key, value);
  return value;
}

/** Trials and faults are each evidence of its own. */
function splitUnits(entry: Rule | Question): Unit[] {
  const [alone, together] = [
    entry.needs.filter(isEvidenceAlone),
    entry.needs.filter((need) => !isEvidenceAlone(need)),
  ];
  const weight = weigh(entry);
  return [
    ...(together.length > 0 ? [{ needs: together, weight }] : []),
    ...alone.map((need, index) => ({
      needs: [need],
      weight: weight + less.refusal + (index + together.length === 0 ? 0 : less.further),
    })),
  ];
}

function isEvidenceAlone({ trial, errorCase, unkeyed, plainHttp, method }: Need): boolean {
  const isTrial = trial !== undefined && trial !== 'other-key';
  return isTrial || Boolean(errorCase ?? method ?? unkeyed ?? plainHttp);
}

/** A must is worth asking two requests more for than a should, and five more than a question. */
function weigh(entry: Rule | Question): number {
  if (!('level' in entry)) return 5;
  return entry.level === 'must' ? 0 : 2;
}
