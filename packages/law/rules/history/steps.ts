import { stamp } from '@candleproof/document/spec/interval';
import { amountText, type Candle } from '../../reading/candle.ts';
import type { HistoryAnswer } from '../../reading/reading.ts';
import { countDigits, isTellingVolume, tellingDigits } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { candleBreach } from '../breach.ts';
import type { Prices } from '../candle/prices.ts';
import type { CheckOutcome, Rule } from '../rule.ts';

/** Returns the expectation that two successive candles break. */
type StepTest = (earlier: Candle, later: Candle, answer: HistoryAnswer) => string | undefined;

/** Candles that are drawn on each side of a step. */
const shownAround = 4;

/** Makes a check of successive candles, sorted by time. */
export function stepCheck(test: StepTest): Rule['check'] {
  return function* check({ histories, oddHistories }) {
    for (const answer of [...histories, ...oddHistories]) {
      yield { judged: answer };
      for (const [at, earlier, later, expected] of brokenSteps(answer, test)) {
        const found = { expected, actual: `${stamp(later.start)} after ${stamp(earlier.start)}` };
        const candles = answer.inTime.slice(Math.max(0, at - shownAround), at + shownAround);
        yield { breach: candleBreach(answer, later, 'start', found, candles) };
      }
    }
  };
}

/** Lists the steps that break a rule. A plain loop, since it runs for several rules over every candle. */
function brokenSteps(answer: HistoryAnswer, test: StepTest): [number, Candle, Candle, string][] {
  const { inTime } = answer;
  const found: [number, Candle, Candle, string][] = [];
  for (let at = 1; at < inTime.length; at++) {
    const [earlier, later] = [inTime[at - 1] as Candle, inTime[at] as Candle];
    const expected = test(earlier, later, answer);
    if (expected !== undefined) found.push([at, earlier, later, expected]);
  }
  return found;
}

/** Returns whether all prices are equal although the candle moved; a flat candle says nothing. */
function movesAlike(one: Prices, other: Prices): boolean {
  return (
    one.open === other.open &&
    one.close === other.close &&
    one.high !== one.low &&
    one.high === other.high &&
    one.low === other.low
  );
}

/** Returns whether everything that moves is equal; a flat or quiet candle says nothing. */
export function isCopied(one: Candle, other: Candle): boolean {
  if (!movesAlike(one, other)) return false;
  const volume = amountText(one, 'volume');
  return (
    isTellingVolume(volume) &&
    volume === amountText(other, 'volume') &&
    one['volume-usd'] === other['volume-usd']
  );
}

/** Checks that candles do not repeat the prices of the two before them. */
export function* checkOwnPrices({ histories, oddHistories }: Evidence): Generator<CheckOutcome> {
  for (const answer of [...histories, ...oddHistories]) {
    const { inTime } = answer;
    if (inTime.length < 3) continue;
    yield { judged: answer };
    for (let at = 2; at < inTime.length; at++) {
      const candle = inTime[at] as Candle;
      const isRepeated = (back: number): boolean => movesAlike(inTime[at - back] as Candle, candle);
      if (!isRepeated(1) || !isRepeated(2) || !hasTellingPrices(candle)) continue;
      const candles = inTime.slice(Math.max(0, at - shownAround), at + shownAround);
      const expected = 'prices of its own, not those of the two candles before it';
      yield { breach: candleBreach(answer, candle, 'open', { expected }, candles) };
    }
  }
}

/** Returns whether the prices of a candle are too precise for another one to share all of them by chance. */
function hasTellingPrices({ open, high, low, close }: Candle): boolean {
  const prices = new Set([open, high, low, close]);
  return prices.size === 4 && [...prices].every((price) => countDigits(figures(price)) >= tellingDigits);
}

/** Returns the digits of a price, without its sign and power of ten. */
function figures(price: number): string {
  return Math.abs(price).toExponential().replace(/e.*/, '');
}
