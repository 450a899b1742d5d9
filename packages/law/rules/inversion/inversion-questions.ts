import type { Amount } from '@candleproof/document/spec/roles';
import { amountText } from '../../reading/candle.ts';
import type { DirectionPair } from '../../relations/direction-pairs.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { type Constant, findMiddle, findPowerOfTen } from '../../relations/inversion-constants.ts';
import { invertedHistory } from '../needs.ts';
import { joinValues } from '../observed-values.ts';
import type { Question } from '../rule.ts';

function constantAnswer({ constants }: Evidence): string | undefined {
  return joinValues([...constants().values()].map(constantName));
}

/** Names the power of ten that rounding leaves possible, else the middle to five digits. */
export function constantName(constant: Constant): string {
  return String(findPowerOfTen(constant) ?? Number(findMiddle(constant).toPrecision(5)));
}

/** An amount of 0 on either side says nothing, nor does a single pair, between which a late trade may lie. */
function amountsAnswer({ directionPairs }: Evidence): string | undefined {
  const reported = (['volume', 'liquidity'] as const).flatMap((amount) => {
    const { seen, same } = countKept(directionPairs(), amount);
    if (seen < 5) return [];
    const kept = same / seen;
    return [`${amount} ${kept >= 0.9 ? 'stays' : kept <= 0.1 ? 'is restated' : 'stays in some candles'}`];
  });
  return reported.length > 0 ? reported.join(', ') : undefined;
}

/** Counts the pairs with an amount on both sides, and those with equal ones. */
function countKept(all: readonly DirectionPair[], amount: Amount): { seen: number; same: number } {
  let seen = 0;
  let same = 0;
  for (const { candles } of all) {
    for (const { plain, inverted } of candles) {
      const [one, other] = [amountText(plain, amount), amountText(inverted, amount)];
      if (one === undefined || other === undefined || one === '0' || other === '0') continue;
      seen++;
      if (one === other) same++;
    }
  }
  return { seen, same };
}

export const inversionQuestions: readonly Question[] = [
  {
    id: 'inversion/constant',
    section: '4.2',
    uses: ['inverted'],
    question: 'What is a price times its inverse?',
    why: 'A client that inverts prices itself multiplies by it: 1, or a power of ten where both sides are scaled.',
    exactly: 'K, as the rule of open and close takes it: the power of ten where its width holds one.',
    restsOn: ['inverted'],
    needs: invertedHistory,
    unlessBroken: ['inversion/first-and-last-are-inverse'],
    answer: constantAnswer,
  },
  {
    id: 'inversion/amounts',
    section: '4.2',
    uses: ['inverted', 'volume'],
    question: 'Do volume and liquidity stay the same when prices are inverted?',
    why: 'They may be reported in the other token instead; a sum over both sides would then mix units.',
    exactly:
      'the share of candles with the same text on both sides, neither being 0: from 90 % on it stays, up to 10 % it is restated.',
    restsOn: ['inverted'],
    needs: invertedHistory,
    hasParts: true,
    unlessBroken: ['inversion/first-and-last-are-inverse'],
    answer: amountsAnswer,
  },
];
