import { minute } from '../../document/interval.ts';
import { type Candle, hasSoundExtremes } from '../../reading/candle.ts';
import { measurePrecision, type Precision, roundingShare } from '../../reading/precision.ts';
import type { HistoryAnswer } from '../../reading/reading.ts';
import { arithmetic } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { isInverted, lengthOf } from '../../relations/series.ts';
import { alternative, type Band, bandOf } from '../bands.ts';
import { closedWeekInEachInterval } from '../needs.ts';
import { newestClosed } from '../newest.ts';
import type { Question } from '../rule.ts';

/** By the share of pairs that do not meet: prices that seldom move meet by themselves, missed observations part some. */
const partings: readonly Band[] = [
  { upTo: 0.01, name: 'shared' },
  { upTo: 0.3, name: 'sometimes the same price' },
  { upTo: Number.POSITIVE_INFINITY, name: 'not shared' },
];

function boundaryAnswer({ histories }: Evidence): string | undefined {
  const meetings = histories.flatMap(meetingsIn);
  if (meetings.length < 40) return undefined;
  return bandOf(meetings.filter((each) => !each).length / meetings.length, partings);
}

/** Whether each closed candle ends with the price that the next begins with; those without any movement say nothing. */
function meetingsIn(answer: HistoryAnswer): boolean[] {
  const moving = newestClosed(answer).filter((each) => each.high > each.low);
  return moving.flatMap((candle, at) => {
    const before = moving[at - 1];
    return before && candle.start - before.start === lengthOf(answer) ? [before.close === candle.open] : [];
  });
}

const own = 'its five minutes';
const shared = 'its five minutes and the first of the next';

/** From this many candles on a sixth observation would have shown. */
const decisive = 100;

/**
 * Open, high, low and close of five minutes are four observations where all four differ: a mean of five leaves one
 * more, a mean of six two, and those lie between low and high. A missed observation only makes that easier.
 */
function averageAnswer({ histories }: Evidence): string | undefined {
  const rests = histories.flatMap((answer) => {
    return lengthOf(answer) === 5 * minute && !isInverted(answer) ? restsIn(answer) : [];
  });
  if (rests.length < 20) return undefined;
  const isRare = (count: (rest: Rest) => boolean): boolean =>
    rests.filter(count).length <= rests.length / 100;
  if (isRare(({ five }) => !five)) return rests.length < decisive ? [own, shared].join(alternative) : own;
  return isRare(({ six }) => !six) ? shared : 'neither its five minutes nor those and the first of the next';
}

/** What is left of the average for the observations that are not reported could be some. */
type Rest = { readonly five: boolean; readonly six: boolean };

function restsIn(answer: HistoryAnswer): Rest[] {
  const candles = newestClosed(answer).filter(areDistinct);
  const averages = measurePrecision(candles.map(({ avg }) => avg));
  const prices = measurePrecision(candles.map(({ close }) => close));
  return candles.map((each) => ({
    five: isRest(each, 5, averages, prices),
    six: isRest(each, 6, averages, prices),
  }));
}

function areDistinct(candle: Candle): boolean {
  const { open, high, low, close, avg } = candle;
  return new Set([open, high, low, close]).size === 4 && hasSoundExtremes(candle) && Number.isFinite(avg);
}

function isRest(candle: Candle, count: number, averages: Precision, prices: Precision): boolean {
  const { open, high, low, close, avg } = candle;
  const rest = count * avg - open - high - low - close;
  const share = count * roundingShare(avg, averages) + 6 * roundingShare(close, prices) + arithmetic;
  const left = count - 4;
  return rest >= left * low - share * high && rest <= left * high + share * high;
}

export const samplingQuestions: readonly Question[] = [
  {
    id: 'candle/shared-boundaries',
    section: '2.2',
    question: 'Is the price at a boundary the last of one candle and the first of the next?',
    why: 'It decides whether joined candles count one observation twice.',
    exactly:
      'the share of successive closed candles with high > low where closeₖ ≠ openₖ₊₁: at most 1 % is shared, 30 % sometimes the same, more is not shared.',
    restsOn: ['open', 'close'],
    needs: closedWeekInEachInterval,
    answer: boundaryAnswer,
  },
  {
    id: 'candle/average-covers',
    section: '2.2',
    uses: ['average'],
    question: 'Which observations does the average of five minutes hold?',
    why: 'Averages of parts make up the average of the whole only where none is counted twice.',
    exactly:
      'for candles whose four prices all differ: five observations leave 5·avg − (open + high + low + close) in [low, high], six leave 6·avg − (…) in [2·low, 2·high]. Either may miss it in 1 % of candles; fewer than 100 of them leave both open.',
    restsOn: ['average'],
    needs: closedWeekInEachInterval,
    answer: averageAnswer,
  },
];
