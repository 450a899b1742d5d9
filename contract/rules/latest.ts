import type { Candle } from '../candle.ts';
import type { OpenEnd } from '../conventions.ts';
import type { Evidence } from '../evidence.ts';
import { stamp } from '../interval.ts';
import { latestInEachInterval, latestOfEachPool } from '../needs.ts';
import type { CandleAnswer } from '../reading.ts';
import { type Breach, candleBreach, type Rule, type Sight } from '../rule.ts';
import { lengthOf, poolOf } from '../series.ts';
import { newestSeconds } from '../tolerances.ts';
import { departuresIn, isWhole } from './shape.ts';

/** The interval ended so long ago that the next one must show. */
export function isOutdated(start: number, answer: CandleAnswer): boolean {
  return answer.nowWithin !== undefined && answer.nowWithin.from >= start + lengthOf(answer) + newestSeconds;
}

/** A pool that is no longer observed has no newer candle: a late one is a breach only where newer data are known. */
function* checkNewest({ latest, conventions }: Evidence): Generator<Sight> {
  for (const answers of Map.groupBy(latest, poolOf).values()) {
    const silentSince = lastSign(answers, conventions.openEnd);
    for (const answer of answers) {
      const [candle] = answer.candles;
      if (!candle || Number.isNaN(candle.start)) continue;
      if (!isOutdated(candle.start, answer)) yield { judged: answer };
      else if (silentSince !== undefined) {
        const why = `pool ${answer.asked.poolId} has shown nothing since ${stamp(silentSince)}`;
        yield { undecided: why, dead: true };
      } else yield { breach: outdated(answer, candle) };
    }
  }
}

function outdated(answer: CandleAnswer, candle: Candle): Breach {
  return candleBreach(answer, candle, 'startTimestampSeconds', {
    expected: `the ${answer.asked.interval} interval that holds ${stamp(answer.nowWithin?.from ?? 0)}`,
    actual: `the one from ${stamp(candle.start)}`,
  });
}

/** The last sign of life of a pool that was silent for a whole interval and more; undefined for one that lives. */
function lastSign(answers: readonly CandleAnswer[], openEnd: OpenEnd | undefined): number | undefined {
  const signs = answers.flatMap(({ candles: [candle] }) =>
    candle && !Number.isNaN(candle.start + candle.end)
      ? [openEnd === 'interval end' ? candle.start : candle.end]
      : [],
  );
  const last = Math.max(...signs);
  const isSilent = answers.some((answer) => {
    const nextEnd = (answer.candles[0]?.start ?? Number.NaN) + 2 * lengthOf(answer);
    return (
      answer.nowWithin !== undefined && answer.nowWithin.from >= nextEnd + newestSeconds && last < nextEnd
    );
  });
  return isSilent ? last : undefined;
}

export const latestRules: readonly Rule[] = [
  {
    id: 'latest/answer-is-one-candle',
    section: '4.3',
    level: 'must',
    statement: 'The latest candlestick is a single object, neither a list nor wrapped.',
    why: 'Clients read its fields directly.',
    needs: [latestOfEachPool],
    check: departuresIn(['getLatestV1PoolCandle'], isWhole),
  },
  {
    id: 'latest/is-the-newest',
    section: '4.3',
    level: 'must',
    statement:
      "The latest candlestick is that of the present interval by the server's clock, while the pool is observed.",
    why: 'A price that is an interval old is not the latest.',
    needs: [latestOfEachPool, ...latestInEachInterval],
    check: checkNewest,
  },
];
