import { requireOperation } from '@candleproof/document/spec/operation';
import { repriced } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { rowPointer } from '../breach.ts';
import { tokensTwice } from '../needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';
import { few, listOff, listPriced, medianRate, type Priced } from './token-questions.ts';

/** Fewer tokens do not show that a list has one rate. */
const fewest = 20;

/** Checks each list for itself: two lists' prices are of different moments. */
function* checkRates({ tokenLists, spec }: Evidence): Generator<CheckOutcome> {
  const field = requireOperation(spec, 'tokens').fields['price-usd'] ?? 'price-usd';
  for (const answer of tokenLists) {
    const priced = listPriced(answer, spec);
    const coin = medianRate(priced);
    if (coin === undefined) continue;
    const off = listOff(priced, coin);
    const fitting = priced.length - off.length;
    // Otherwise the list may mean its prices in another way, which a question observes.
    if (fitting < fewest || off.length > Math.max(1, few * priced.length)) continue;
    yield { judged: answer };
    for (const token of off.filter((priced) => isFarOff(priced, coin))) {
      const expected = `about ${Number(((token.price * coin) / 1e8).toPrecision(3))} USD, its price at the rate of ${fitting} other tokens`;
      const pointer = `${rowPointer(answer, token.row)}/${field}`;
      yield { breach: { answer, pointer, expected, actual: String(token.usd) } };
    }
  }
}

/** Another rule reports a price below zero. */
function isFarOff({ price, usd }: Priced, coin: number): boolean {
  const worth = (price * coin) / 1e8;
  return usd >= 0 && (usd >= worth * repriced || usd * repriced <= worth);
}

export const tokenRateRules: readonly Rule[] = [
  {
    id: 'tokens/usd-price-fits-the-price',
    shows: 'other unit',
    consequence: 'prices',
    section: '2.1',
    level: 'should',
    uses: ['token-price', 'token-price-usd'],
    statement: 'In a list whose prices have one rate to USD, no token is worth half or twice its price.',
    broken: 'A token has another price in USD than its price is worth',
    why: 'The document names no unit of the price, so it is no must; but where all other tokens show it, one wallet shows two prices of one token.',
    exactly:
      'with H the median of 10⁸·price-usd ÷ price, and a deviation as `tokens/unit-of-price` takes it: where 20 or more tokens fit and at most one in a hundred, or a single one, deviates, price-usd of that one is neither twice price·H ÷ 10⁸ or more, nor half of it or less. Less is a token that was repriced between the columns; where more deviate, the question observes it and nothing fails.',
    restsOn: ['token-price', 'token-price-usd'],
    needs: tokensTwice,
    check: checkRates,
  },
];
