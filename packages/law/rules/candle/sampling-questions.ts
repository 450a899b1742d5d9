import { minute } from '@candleproof/document/spec/interval';
import { type Candle, hasSoundExtremes } from '../../reading/candle.ts';
import type { HistoryAnswer } from '../../reading/reading.ts';
import { arithmetic, measurePrecision, type Precision, roundingShare } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { intervalLength, isInverted } from '../../relations/series.ts';
import { closedWeekInEachInterval } from '../needs.ts';
import { alternative, type Band, nameBand, newestClosed } from '../observed-values.ts';
import type { Question } from '../rule.ts';

/** Bounds for the share of pairs that do not meet: prices that seldom move meet by chance, missed observations separate some. */
const partings: readonly Band[] = [
  { upTo: 0.01, name: 'shared' },
  { upTo: 0.3, name: 'sometimes the same price' },
  { upTo: Number.POSITIVE_INFINITY, name: 'not shared' },
];

function boundaryAnswer({ histories }: Evidence): string | undefined {
  const meetings = histories.flatMap(listMeetings);
  if (meetings.length < 40) return undefined;
  return nameBand(meetings.filter((meeting) => !meeting).length / meetings.length, partings);
}

/** Returns for each closed candle whether it ends at the next one's first price; candles without movement say nothing. */
function listMeetings(answer: HistoryAnswer): boolean[] {
  const moving = newestClosed(answer).filter((candle) => candle.high > candle.low);
  return moving.flatMap((candle, at) => {
    const before = moving[at - 1];
    return before && candle.start - before.start === intervalLength(answer)
      ? [before.close === candle.open]
      : [];
  });
}

const fiveMinutes = 'its five minutes';
const shared = 'its five minutes and the first of the next';

/** Candles from which on a sixth observation would have shown. */
const decisive = 100;

/**
 * Open, high, low and close of five minutes are four observations if all four differ: a mean of five leaves one more, a
 * mean of six leaves two, between low and high. A missed observation only makes that easier.
 */
function averageAnswer({ histories }: Evidence): string | undefined {
  const rests = histories.flatMap((answer) => {
    return intervalLength(answer) === 5 * minute && !isInverted(answer) ? listRests(answer) : [];
  });
  if (rests.length < 20) return undefined;
  const isRare = (count: (rest: Rest) => boolean): boolean =>
    rests.filter(count).length <= rests.length / 100;
  if (isRare(({ five }) => !five))
    return rests.length < decisive ? [fiveMinutes, shared].join(alternative) : fiveMinutes;
  return isRare(({ six }) => !six) ? shared : 'neither its five minutes nor those and the first of the next';
}

/** Returns whether the rest of the average can be made of the observations that are not reported. */
type Rest = { readonly five: boolean; readonly six: boolean };

function listRests(answer: HistoryAnswer): Rest[] {
  const candles = newestClosed(answer).filter(areDistinct);
  const averages = measurePrecision(candles.map(({ avg }) => avg));
  const prices = measurePrecision(candles.map(({ close }) => close));
  return candles.map((candle) => ({
    five: isRest(candle, 5, averages, prices),
    six: isRest(candle, 6, averages, prices),
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
    question: 'Is the price at a boundary both the last of one candle and the first of the next?',
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
    question: 'Which observations does a five-minute average include?',
    why: 'A client may join five-minute averages into longer ones only if no observation is counted twice.',
    exactly:
      'for candles whose four prices all differ: five observations leave 5·avg − (open + high + low + close) in [low, high], six leave 6·avg − (…) in [2·low, 2·high]. Either may miss it in 1 % of candles; fewer than 100 of them leave both open.',
    restsOn: ['average'],
    needs: closedWeekInEachInterval,
    answer: averageAnswer,
  },
];
