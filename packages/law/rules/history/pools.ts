import { stamp } from '@candleproof/document/spec/interval';
import { poolName } from '@candleproof/document/spec/operation';
import type { Spec } from '@candleproof/document/spec/spec';
import { amountText, type Candle, reportedPool } from '../../reading/candle.ts';
import type { CandleAnswer } from '../../reading/reading.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { intervalLength, isInverted, poolKey } from '../../relations/series.ts';
import { firstIndexFrom, type Timeline } from '../../relations/timeline.ts';
import { candleBreach } from '../breach.ts';
import { anyCandles } from '../needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';

/** Candles that have to be equal before two series count as one. */
const enough = 5;

/** Returns whether a candle moved and was traded, so that no other pool shares all its figures. */
function isTelling(candle: Candle): boolean {
  return candle.high > candle.low && /^[1-9]\d{3}/.test(amountText(candle, 'volume') ?? '');
}

function isEqual(one: Candle, other: Candle): boolean {
  return (
    one.open === other.open &&
    one.high === other.high &&
    one.low === other.low &&
    one.close === other.close &&
    one.volume === other.volume &&
    one.liquidity === other.liquidity
  );
}

function* checkPools({ timelines, candleAnswers, spec }: Evidence): Generator<CheckOutcome> {
  for (const [at, line] of timelines().entries()) {
    for (const known of timelines().slice(0, at)) {
      const isComparable = known.length === line.length && known.inverted === line.inverted;
      if (isComparable && known.pool !== line.pool) yield* compareLines(spec, known, line);
    }
  }
  const moments = Map.groupBy(candleAnswers, nameMoment);
  for (const answers of moments.values()) {
    const pools = [...new Map(answers.map((answer) => [poolKey(answer), answer])).values()];
    for (const [at, answer] of pools.entries()) {
      for (const known of pools.slice(0, at)) yield* compareNewest(spec, known, answer);
    }
  }
}

/** Returns whether all such candles of both series are equal, in a number that chance cannot explain. */
function* compareLines(spec: Spec, known: Timeline, line: Timeline): Generator<CheckOutcome> {
  let first: [Candle, Candle] | undefined;
  let equal = 0;
  let differ = 0;
  for (let at = 0; at < line.candles.length && differ === 0; at++) {
    const candle = line.candles[at] as Candle;
    const other = known.candles[firstIndexFrom(known.candles, candle.start)];
    if (other?.start !== candle.start || !isTelling(candle) || reportedPool(other) === reportedPool(candle))
      continue;
    first ??= [other, candle];
    if (isEqual(other, candle)) equal++;
    else differ++;
  }
  if (!first || (differ === 0 && equal < enough)) return;
  const [, candle] = first;
  const answer = line.answers.find((historyAnswer) => historyAnswer.candles.includes(candle));
  if (!answer) return;
  yield { judged: answer };
  if (differ === 0) yield samePool(spec, answer, first, known.answers[0] ?? answer, `${equal} candles`);
}

/** Returns the interval, side and times of the newest candle: if these are equal, both answers report one moment. */
function nameMoment(answer: CandleAnswer): string {
  const { start, end } = answer.inTime.at(-1) ?? {};
  return `${intervalLength(answer)} ${isInverted(answer)} ${start} ${end}`;
}

/** Compares the present candle of two pools that share no history, such as one with its latest candle alone. */
function* compareNewest(spec: Spec, known: CandleAnswer, answer: CandleAnswer): Generator<CheckOutcome> {
  const [one, other] = [known.inTime.at(-1), answer.inTime.at(-1)];
  if (!one || !other || !isTelling(other)) return;
  if (![known, answer].some((candleAnswer) => candleAnswer.requested.role === 'latest')) return;
  if (reportedPool(one) !== known.requested.pool || reportedPool(other) !== answer.requested.pool) return;
  yield { judged: answer };
  if (isEqual(one, other)) yield samePool(spec, answer, [one, other], known, 'the newest candle');
}

function samePool(
  spec: Spec,
  answer: CandleAnswer,
  [one, other]: [Candle, Candle],
  known: CandleAnswer,
  what: string,
): CheckOutcome {
  const found = {
    expected: `candles other than those of ${poolName(spec, known.requested)}`,
    actual: `the same in ${what} from ${stamp(other.start)} on`,
  };
  return { breach: candleBreach(answer, other, 'open', found, [one, other]) };
}

export const poolRules: readonly Rule[] = [
  {
    id: 'history/pools-differ',
    shows: 'other pool',
    consequence: 'prices',
    damage: 'copy',
    isOfWholeAnswers: true,
    section: '4',
    level: 'should',
    uses: ['volume'],
    statement: 'Two pools never have the same series of prices, volumes and liquidity.',
    broken: 'Two pools have the same series',
    why: 'Where the number of the pool is ignored, every price belongs to one market.',
    exactly:
      'five candles or more with high > low and a volume of four digits or more, equal in open, high, low, close, volume and liquidity, and none that differs; for latest candles the newest of one moment.',
    restsOn: ['pool'],
    needs: anyCandles,
    check: checkPools,
  },
];
