import type { Catalogue } from '../contract/catalogue.ts';
import type { Need, Question, Rule } from '../contract/rule.ts';

/**
 * Needs that fit a budget, the most telling first: again and again the rule is taken that the fewest further
 * requests complete, a must before a should before a question.
 */
export function chooseNeeds(law: Catalogue, cost: (needs: readonly Need[]) => number, most: number): Need[] {
  let waiting: (Rule | Question)[] = [...law.rules, ...law.questions];
  let chosen: Need[] = [];
  while (waiting.length > 0) {
    const priced = waiting.map((each) => ({ each, price: cost([...chosen, ...each.needs]) }));
    const affordable = priced.filter(({ price }) => price <= most);
    const [best] = affordable.sort((a, b) => a.price + weight(a.each) - b.price - weight(b.each));
    if (!best) break;
    chosen = [...chosen, ...best.each.needs];
    waiting = affordable.map(({ each }) => each).filter((each) => each !== best.each);
  }
  return chosen;
}

/** A must is worth asking two requests more for than a should, and five more than a question. */
function weight(each: Rule | Question): number {
  if (!('level' in each)) return 5;
  return each.level === 'must' ? 0 : 2;
}
