import type { CandleRole } from '../../document/roles.ts';
import { spanAmong } from '../../reading/calendar.ts';
import { type Candle, hasSoundExtremes } from '../../reading/candle.ts';
import { add, compare, formatDecimal } from '../../reading/decimal.ts';
import type { HistoryAnswer } from '../../reading/reading.ts';
import { maxBy, minBy } from '../../reading/statistics.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { intervalLength, isInverted, isOpen, poolKey } from '../../relations/series.ts';
import { closedCandles, firstIndexFrom } from '../../relations/timeline.ts';
import { type Breach, candleBreach } from '../breach.ts';
import type { CheckOutcome } from '../rule.ts';
import { readAmount, roundingOfVolumes, sumAmounts } from './rollup-amounts.ts';

/**
 * An open candle beside closed ones of a shorter interval that were requested before: their content had been observed when
 * the longer one was reported. The first ones may be missing; it contains at least the others.
 */
export function* checkOpen({ histories }: Evidence): Generator<CheckOutcome> {
  for (const [index, answer] of histories.entries()) {
    const parent = answer.inTime.at(-1);
    if (!parent || !isOpen(parent, answer)) continue;
    const shorter = histories.slice(0, index).filter((history) => belongsTo(history, answer));
    const known = shorter
      .map((historyAnswer) =>
        closedFrom(historyAnswer, spanAmong(parent, 0, intervalLength(historyAnswer)).start),
      )
      .filter((candles) => candles.length > 0);
    if (known.length > 0) yield { judged: answer };
    const found = known
      .map((parts) => lacking(parent, parts, answer))
      .find((breaches) => breaches.length > 0);
    for (const breach of found ?? []) yield { breach };
  }
}

function closedFrom(answer: HistoryAnswer, start: number): readonly Candle[] {
  const closed = closedCandles(answer);
  return closed.slice(firstIndexFrom(closed, start));
}

/** Tells whether a closed candle belongs to an open one: from the open one's start on it can only be a shorter part. */
function belongsTo(shorter: HistoryAnswer, answer: HistoryAnswer): boolean {
  return (
    poolKey(shorter) === poolKey(answer) &&
    isInverted(shorter) === isInverted(answer) &&
    (shorter.nowWithin?.from ?? Number.POSITIVE_INFINITY) <= (answer.nowWithin?.from ?? 0)
  );
}

/** Returns the content of these parts that the open candle lacks. */
export function lacking(parent: Candle, parts: readonly Candle[], answer: HistoryAnswer): Breach[] {
  const found = [...findExtremes(parts, parent), ...findVolume(parts, parent)];
  return found.map(([field, expected]) => ({
    ...candleBreach(answer, parent, field, expected),
    candles: [...parts.slice(-24), parent],
  }));
}

type Lack = [field: CandleRole, expected: string];

function* findExtremes(parts: readonly Candle[], parent: Candle): Generator<Lack> {
  if (!hasSoundExtremes(parent) || !parts.every(hasSoundExtremes)) return;
  const high = maxBy(parts, (part) => part.high);
  const low = minBy(parts, (part) => part.low);
  if (parent.high < high) yield ['high', `at least ${high}, as its closed parts`];
  if (parent.low > low) yield ['low', `at most ${low}, as its closed parts`];
}

function* findVolume(parts: readonly Candle[], parent: Candle): Generator<Lack> {
  const total = sumAmounts(parts, 'volume');
  const whole = readAmount(parent, 'volume');
  if (!total || !whole) return;
  if (compare(add(whole, roundingOfVolumes(parts, total, whole)), total) < 0)
    yield ['volume', `at least ${formatDecimal(total)}, the sum of its ${parts.length} closed parts`];
}
