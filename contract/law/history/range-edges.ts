import { stamp } from '../../document/interval.ts';
import type { HistoryAnswer } from '../../reading/reading.ts';
import { settlingSeconds } from '../../reading/tolerances.ts';
import { isPrehistoric } from '../../relations/conventions.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { intervalLength, poolKey } from '../../relations/series.ts';
import { emptyRanges } from '../needs.ts';
import { candleBreach, type Rule, type Sight } from '../rule.ts';

/** Checks ranges in which no candle can have been observed; they may also be refused. */
function* checkEmpty({ histories }: Evidence): Generator<Sight> {
  for (const answer of histories) {
    const why = whyEmpty(answer);
    if (why === undefined) continue;
    const [candle] = answer.inTime;
    if (candle && isPrehistoric(answer) && hasOldHistory(answer, histories)) {
      yield { undecided: `pool ${answer.requested.pool} shows candles of every age` };
      continue;
    }
    yield { judged: answer };
    if (!candle) continue;
    const found = {
      expected: `no candle ${why}`,
      actual: `${answer.inTime.length}, from ${stamp(candle.start)} on`,
    };
    yield { breach: candleBreach(answer, candle, 'start', found) };
  }
}

/** Tells whether a candle lies a whole interval after the server's time, or before the first ledger of its kind. */
function whyEmpty(answer: HistoryAnswer): string | undefined {
  const { nowWithin, requested } = answer;
  if (isPrehistoric(answer)) return 'before anything was traded';
  if (nowWithin === undefined || requested.from < nowWithin.to + intervalLength(answer) + settlingSeconds)
    return undefined;
  return `after ${stamp(nowWithin.to)}, the server's time`;
}

/** Tells whether the pool's other answers reach back to the end of this one, so that the market is older. */
function hasOldHistory(answer: HistoryAnswer, histories: readonly HistoryAnswer[]): boolean {
  const end = (answer.inTime.at(-1)?.start ?? 0) + intervalLength(answer);
  const others = histories.filter((each) => poolKey(each) === poolKey(answer) && !isPrehistoric(each));
  return others.some((each) => (each.inTime[0]?.start ?? Number.POSITIVE_INFINITY) <= end);
}

export const rangeEdgeRules: readonly Rule[] = [
  {
    id: 'history/nothing-before-birth-or-after-now',
    section: '4.2',
    level: 'should',
    statement: 'A range before any pool existed, or in the future, contains no candles.',
    why: 'A price that was never observed is made up.',
    exactly:
      'no candle for a range that ends before March 2018, nor for one with from ≥ now + L + 120. A refusal will do.',
    restsOn: ['from', 'to'],
    needs: emptyRanges,
    check: checkEmpty,
  },
];
