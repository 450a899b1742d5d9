import { amountText, type Candle } from '../../reading/candle.ts';
import { add, compare, type Decimal, formatDecimal, parseDecimal } from '../../reading/decimal.ts';
import { type Breach, candleBreach } from '../breach.ts';
import { latestInEachInterval } from '../needs.ts';
import type { Rule } from '../rule.ts';
import { isMovedByAdding } from './latest-growth.ts';
import { type NeighborPair, pairCheck } from './latest-intervals.ts';

function readWorth(candle: Candle): Decimal | undefined {
  return parseDecimal(amountText(candle, 'volume-usd') ?? '');
}

/** Returns one unit of the last decimal of both: either may have been rounded or cut. */
function lastUnit(one: Decimal, other: Decimal): Decimal {
  return { units: 1n, scale: Math.max(one.scale, other.scale) };
}

function* differingRates({ longer, shorter, answer }: NeighborPair): Generator<Breach> {
  const [whole, part] = [readWorth(longer), readWorth(shorter)];
  if (!whole || !part || !(longer.start <= shorter.start)) return;
  if (isMovedByAdding(whole, part, answer)) return;
  const unit = lastUnit(whole, part);
  if (compare(add(whole, unit), part) < 0) {
    const expected = `at least ${formatDecimal(part)}, the shorter interval's`;
    yield candleBreach(answer, longer, 'volume-usd', expected);
  } else if (longer.start === shorter.start && compare(add(part, unit), whole) < 0) {
    const expected = `${formatDecimal(part)}, as the shorter interval that began with it`;
    yield candleBreach(answer, longer, 'volume-usd', expected);
  }
}

export const latestUsdRules: readonly Rule[] = [
  {
    id: 'latest/usd-volumes-nest',
    section: '2.2',
    level: 'should',
    uses: ['volume-usd'],
    statement:
      'At one moment, the volume in USD of a longer interval is at least that of a shorter one in it.',
    broken: 'A longer interval has less volume in USD than a shorter one in it',
    why: 'The day is shown beside its hour; a smaller volume for the day makes both implausible.',
    exactly:
      'at one moment and for S(longer) ≤ S(shorter), volume-usd of the longer is not below that of the shorter by more than a unit of its last decimal, or what adding doubles moves where they are printed, nor above it where both began together. A service may reprice a sum, but then it reprices all of it.',
    restsOn: ['volume-usd', 'interval'],
    needs: latestInEachInterval,
    check: pairCheck(differingRates),
  },
];
