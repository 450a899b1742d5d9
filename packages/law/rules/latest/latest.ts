import { minute, stamp } from '@candleproof/document/spec/interval';
import { declaredGaps } from '@candleproof/document/spec/operation';
import type { Candle } from '../../reading/candle.ts';
import type { CandleAnswer } from '../../reading/reading.ts';
import { largest } from '../../reading/statistics.ts';
import { newestSeconds, settlingSeconds } from '../../reading/tolerances.ts';
import type { OpenEnd } from '../../relations/conventions.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { hasClock, intervalLength, isOpen, poolKey } from '../../relations/series.ts';
import { type Breach, candleBreach } from '../breach.ts';
import { checkDepartures, concernsWhole } from '../checks.ts';
import { latestInEachInterval, latestOfEachPool } from '../needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';
import { listSigns } from './latest-observed.ts';

/** Returns whether the interval ended so long ago that the next one must show. */
export function isOutdated(start: number, answer: CandleAnswer): boolean {
  return (
    answer.nowWithin !== undefined && answer.nowWithin.from >= start + intervalLength(answer) + newestSeconds
  );
}

/**
 * A pool that is not observed for a while has no newer candle: a late one is a breach only if newer data are known, of
 * the pool itself, or of the exchange when all pools stop in one minute.
 */
function* checkNewest(evidence: Evidence): Generator<CheckOutcome> {
  const { latest, conventions } = evidence;
  const pools = [...Map.groupBy(latest, poolKey).values()];
  const isOld = (end: number, answer: CandleAnswer): boolean => isBehind(end, answer, stops, evidence);
  const sign = (answer: CandleAnswer): number => newestSign(answer, conventions.openEnd);
  const stops = pools.map((answers) => largest(answers.map(sign)));
  for (const [at, answers] of pools.entries()) {
    for (const answer of answers) {
      const [candle] = answer.candles;
      if (!candle || Number.isNaN(candle.start) || !hasClock(answer)) continue;
      const end = candle.start + intervalLength(answer);
      const isKnown = answers.some(
        (candleAnswer) => sign(candleAnswer) >= end && wasAvailable(sign(candleAnswer), candleAnswer, answer),
      );
      if (!isOutdated(candle.start, answer)) yield { judged: answer };
      else if (isKnown || isOld(end, answer)) yield { breach: outdatedBreach(answer, candle) };
      else {
        const why = `pool ${answer.requested.pool} has shown nothing since ${stamp(stops[at] ?? Number.NaN)}`;
        yield { undecided: why, dead: true };
      }
    }
  }
  if (showsNoPresent(largest(stops), evidence)) {
    const why = `no latest candle is of the present: the newest was observed at ${stamp(largest(stops))}`;
    yield { undecided: why, silent: true };
  }
}

/**
 * Every candle of the shortest interval is outdated, and no pool was observed lately: the service serves old candles, or
 * no one observes these pools, which is normal for pools that were declared quiet.
 */
function showsNoPresent(newest: number, { latest, target, spec }: Evidence): boolean {
  if ((target.gaps ?? declaredGaps(spec)) === 'idle' || latest.length === 0) return false;
  const shortest = -largest(latest.map((candleAnswer) => -intervalLength(candleAnswer)));
  return latest
    .filter((candleAnswer) => intervalLength(candleAnswer) === shortest)
    .every((candleAnswer) => {
      const [candle] = candleAnswer.candles;
      const now = candleAnswer.nowWithin?.from ?? Number.NaN;
      return candle !== undefined && isOutdated(candle.start, candleAnswer) && newest < now - newestSeconds;
    });
}

/** Returns whether data in one answer were available to the other: reported before it, or old enough to have arrived. */
function wasAvailable(sign: number, shown: CandleAnswer, { index, nowWithin }: CandleAnswer): boolean {
  return shown.index < index || (nowWithin !== undefined && sign <= nowWithin.from - minute);
}

function outdatedBreach(answer: CandleAnswer, candle: Candle): Breach {
  const now = answer.nowWithin?.from ?? 0;
  const values = {
    expected: `the ${answer.requested.interval} interval that holds ${stamp(now)}`,
    actual: `the one from ${stamp(candle.start)}`,
  };
  const instants = [
    { name: 'The end of the latest candle', at: candle.start + intervalLength(answer) },
    { name: 'the server’s clock', at: now },
  ];
  return { ...candleBreach(answer, candle, 'start', values), picture: { instants } };
}

/** Returns the newest instant at which a pool is known to have been observed: for a whole interval, its start. */
function newestSign(answer: CandleAnswer, openEnd: OpenEnd | undefined): number {
  const [candle] = answer.candles;
  if (!candle || Number.isNaN(candle.start + candle.end)) return Number.NEGATIVE_INFINITY;
  const isCut = isOpen(candle, answer) || candle.end < candle.start + intervalLength(answer) - minute;
  return openEnd === 'last observation' && isCut ? candle.end : candle.start;
}

/** Returns whether all pools stop in one minute, two intervals ago at most, while histories continue. */
function isBehind(
  end: number,
  answer: CandleAnswer,
  stops: readonly number[],
  { histories }: Evidence,
): boolean {
  const { nowWithin } = answer;
  if (stops.length < 2 || nowWithin === undefined) return false;
  if (nowWithin.from >= end + 2 * intervalLength(answer) + settlingSeconds) return false;
  const stop = largest(stops);
  const goesOn = largest(histories.flatMap(listSigns));
  return stops.every((other) => stop - other <= minute) && goesOn >= stop + newestSeconds;
}

export const latestRules: readonly Rule[] = [
  {
    id: 'latest/answer-is-one-candle',
    shows: 'wrong shape',
    consequence: 'form',
    section: '4.3',
    level: 'must',
    statement: 'The latest candlestick is a single object, neither a list nor wrapped.',
    broken: 'The latest candle is not a single object',
    why: 'Clients read its fields directly.',
    restsOn: ['latest'],
    needs: [latestOfEachPool],
    check: checkDepartures(['latest'], concernsWhole),
  },
  {
    id: 'latest/is-the-newest',
    shows: 'stale',
    section: '4.3',
    level: 'must',
    statement:
      "While the pool is observed, the latest candlestick is that of the current interval by the server's clock.",
    broken: 'The latest candle is stale',
    why: 'A price that is one interval old is not the latest.',
    exactly:
      'now < S + L + 240 for a pool that showed any sign of life after S + L; the end of an interval that is over is no such sign. Without a sign there is no breach, since the pool may not have been observed. Where two or more such pools stop in one minute, and now < S + 3L + 120, a history that continues is a sign for all of them. Undecided where all candles of the shortest interval are older than that and no pool shows an observation of the last 240 s, unless quiet pools were declared. A latest day or week from a cache, whose end says that it is up to 300 s older than the five minutes beside it, breaks no rule: the document promises the latest candle, and not that two requests see one moment.',
    restsOn: ['latest'],
    needs: [latestOfEachPool, ...latestInEachInterval],
    check: checkNewest,
  },
];
