import { median } from '../../reading/statistics.ts';
import { lostDigits, roundingShare } from '../../reading/tolerances.ts';
import type { CandlePair, DirectionPair } from '../../relations/direction-pairs.ts';
import type { Evidence } from '../../relations/evidence.ts';
import {
  type Constant,
  findMiddle,
  findPowerOfTen,
  isNotInverted,
} from '../../relations/inversion-constants.ts';
import { type Breach, candleBreach } from '../breach.ts';
import { anotherPoolInverted, invertedHistory, invertedLatest } from '../needs.ts';
import type { CheckOutcome, Need, Rule } from '../rule.ts';
import { constantName } from './inversion-questions.ts';

/** Reports each pool whose constant no scale of both sides explains, at the first candle that shows it. */
function* checkPowers({ directionPairs, constants }: Evidence): Generator<CheckOutcome> {
  for (const [pool, pairs] of Map.groupBy(directionPairs(), (pair) => pair.pool)) {
    const constant = constants().get(pool);
    if (!constant) continue;
    for (const { inverted } of pairs) yield { judged: inverted };
    if (findPowerOfTen(constant) !== undefined) continue;
    for (const pair of pairs) {
      const shown = pair.candles.find((candles) => meetsConstant(candles, constant));
      if (!shown) continue;
      yield { breach: powerBreach(pair, shown, constant) };
      break;
    }
  }
}

function meetsConstant({ plain, inverted }: CandlePair, { from, to }: Constant): boolean {
  const product = plain.open * inverted.open;
  return product >= from && product <= to;
}

function powerBreach(
  { inverted: answer }: DirectionPair,
  { plain, inverted }: CandlePair,
  constant: Constant,
): Breach {
  const found = {
    expected: 'open × inverted open = 1, or another power of ten',
    actual: `${constantName(constant)}, in all of the pool’s candles`,
  };
  return candleBreach(answer, inverted, 'open', found, [plain, inverted]);
}

/** Reports each answer whose inverted prices do not give the plain ones back. */
function* checkDigits({ directionPairs, constants }: Evidence): Generator<CheckOutcome> {
  for (const pair of directionPairs()) {
    const constant = constants().get(pair.pool);
    if (!constant || isNotInverted(pair) || pair.candles.length === 0) continue;
    yield { judged: pair.inverted };
    const breach = findLoss(pair, findPowerOfTen(constant) ?? findMiddle(constant));
    if (breach) yield { breach };
  }
}

/**
 * Returns the loss of digits. A price p of d digits is known to τ = ½·10^(1 − d) of itself; K ÷ p′ is known to τ′ = ½·10^(1 − d′).
 * With d = 16 and d′ = 3 that is 5·10⁻³: 20.7 stands for all prices from 1 ÷ 20.75 to 1 ÷ 20.65, 0.04819 to 0.04843, and all
 * moves of less than half a per cent are gone. One digit less is no loss, since the first digit of one side may be a 9 where
 * that of the other is a 1. The products show that digits are missing rather than zero: 32 gives 0.03125 back, and numbers of
 * single precision, however few digits they happen to have, give it back to 6·10⁻⁸.
 */
function findLoss(
  { inverted: answer, candles, precision }: DirectionPair,
  constant: number,
): Breach | undefined {
  const { plain, inverted } = precision;
  if (inverted.digits > Math.min(plain.digits - lostDigits.fewer, lostDigits.most)) return undefined;
  if (hasDecimalsEnough(precision)) return undefined;
  const apart = candles.map(({ plain, inverted }) => Math.abs((plain.close * inverted.close) / constant - 1));
  const middle = median(apart);
  const shown = candles[apart.indexOf(middle)];
  if (!shown || !(middle > Math.max(lostDigits.share, 10 * roundingShare(shown.plain.close, plain))))
    return undefined;
  const back = Number((constant / shown.inverted.close).toPrecision(inverted.digits + 2));
  const found = {
    expected: `a close that gives ${shown.plain.close} back`,
    actual: `${shown.inverted.close}, which gives ${back}`,
  };
  return candleBreach(answer, shown.inverted, 'close', found, [shown.plain, shown.inverted]);
}

/** Returns whether a fixed number of decimals explains few digits: that of the plain prices, or six. */
function hasDecimalsEnough({ plain, inverted }: DirectionPair['precision']): boolean {
  return inverted.decimals >= Math.min(plain.decimals, lostDigits.decimals);
}

const needs: readonly Need[] = [...invertedHistory, ...anotherPoolInverted, ...invertedLatest];

export const inversionScaleRules: readonly Rule[] = [
  {
    id: 'inversion/constant-is-a-power-of-ten',
    shows: 'off by a factor',
    section: '4.2',
    level: 'should',
    uses: ['inverted'],
    statement: 'A price times its inverse is 1, or another power of ten.',
    broken: 'Inverted prices are a little off the inverse',
    why: 'Another number is a fee or an error that every inverted price holds, and a client that converts there and back pays it.',
    exactly:
      'the constant K of a pool, as the rule of open and close takes it, is 10ᵏ for a whole k within its width. "Inverts" leaves the scale open, so that this is no must.',
    restsOn: ['inverted'],
    needs,
    check: checkPowers,
  },
  {
    id: 'inversion/prices-keep-their-digits',
    shows: 'rounded',
    isOfWholeAnswers: true,
    section: '4.2',
    level: 'should',
    uses: ['inverted'],
    statement: 'Inverted prices have digits enough to give the plain ones back.',
    broken: 'Inverted prices are too coarse',
    why: 'A chart of 20.7, 20.7 and 20.8 shows steps where the market moved.',
    exactly:
      'a breach where the inverted prices of an answer have at most seven digits, two or more fewer than the plain ones, and fewer decimals than these and than six, so that no fixed number of decimals explains it; and the median of |close·close′ ÷ K − 1| exceeds 10⁻⁷ and ten times half of the last digit of the plain prices.',
    restsOn: ['inverted'],
    needs,
    check: checkDigits,
  },
];
