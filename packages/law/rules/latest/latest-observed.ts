import { minute, stamp } from '@candleproof/document/spec/interval';
import type { CandleAnswer } from '../../reading/reading.ts';
import { largest } from '../../reading/statistics.ts';
import { staleSeconds } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { isOpen, poolKey } from '../../relations/series.ts';
import { candleBreach } from '../breach.ts';
import { latestInEachInterval, latestOfEachPool, recentHoursOfEachPool } from '../needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';

/**
 * One pool may be silent; if all of them fall silent in one minute while histories continue, their source failed.
 * An end shows the last observation only if open candles end there.
 */
function* checkObserved({ latest, histories, conventions }: Evidence): Generator<CheckOutcome> {
  const pools = [...Map.groupBy(latest, poolKey).values()].filter((answers) => answers.some(isReadable));
  const late = pools.filter((answers) => answers.every(isLate));
  for (const answer of latest) if (isReadable(answer) && !isLate(answer)) yield { judged: answer };
  if (late.length === 0 || late.length < pools.length) {
    for (const answer of late.flat()) yield { judged: answer };
    return;
  }
  const ends = late.map(lastEnd);
  const stop = largest(ends);
  const isOneStop = ends.every((end) => stop - end <= minute);
  const sign = largest(histories.flatMap(listSigns));
  if (late.length < 2 || conventions.openEnd !== 'last observation' || !(sign > stop + staleSeconds)) {
    yield { undecided: `no pool has shown anything since ${stamp(stop)}, and nothing else tells why` };
  } else if (!isOneStop) for (const answer of late.flat()) yield { judged: answer };
  else if (!late.every(isCut))
    yield {
      undecided: `a pool's last candle ended with its interval, before ${stamp(stop + 1)}: nothing tells when in it`,
    };
  else yield* interrupted(late, sign);
}

function isReadable({ candles: [candle], nowWithin }: CandleAnswer): boolean {
  return candle !== undefined && !Number.isNaN(candle.end) && nowWithin !== undefined;
}

function isLate({ candles: [candle], nowWithin }: CandleAnswer): boolean {
  return candle !== undefined && nowWithin !== undefined && nowWithin.from - candle.end > staleSeconds;
}

function lastEnd(answers: readonly CandleAnswer[]): number {
  return largest(answers.flatMap(({ candles }) => candles.map((candle) => candle.end)));
}

/** Returns whether a pool's newest end is that of its last observation; a closed candle ends with its interval. */
function isCut(answers: readonly CandleAnswer[]): boolean {
  const end = lastEnd(answers);
  return answers.some(({ candles, requested: { length } }) =>
    candles.some((candle) => candle.end === end && end < candle.start + length - minute),
  );
}

/** Lists the last observations that a history's open candles show. */
export function listSigns(answer: Evidence['histories'][number]): number[] {
  return answer.inTime.slice(-1).flatMap((candle) => (isOpen(candle, answer) ? [candle.end] : []));
}

function* interrupted(late: readonly CandleAnswer[][], sign: number): Generator<CheckOutcome> {
  for (const [answer] of late) {
    const candle = answer?.candles[0];
    if (!answer || !candle) continue;
    const found = {
      expected: `observations after ${stamp(candle.end)}: the histories go on until ${stamp(sign)}`,
      actual: `the same last minute in all ${late.length} pools`,
    };
    yield { breach: candleBreach(answer, candle, 'end', found) };
  }
}

export const latestObservedRules: readonly Rule[] = [
  {
    id: 'latest/is-observed',
    shows: 'stale',
    section: '4.3',
    level: 'should',
    uses: ['latest'],
    statement:
      'The pools with a latest candle do not all stop in the same minute while the histories of others continue.',
    broken: 'Latest candles stopped together',
    why: 'A display that presents the last price of a broken source as current misleads all its users at once.',
    exactly:
      'not: all pools whose latest candle is given, two or more, end within one minute of each other and over 600 s before now, while an open candle of a history ends over 600 s later than they do. Decided only where open candles end at their last observation, and each pool shows one that does.',
    restsOn: ['latest'],
    needs: [latestOfEachPool, ...latestInEachInterval, recentHoursOfEachPool],
    check: checkObserved,
  },
];
