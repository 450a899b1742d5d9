import { intervalPhase, minute } from '@candleproof/document/spec/interval';
import { amountText } from '../../reading/candle.ts';
import type { HistoryAnswer } from '../../reading/reading.ts';
import { largest } from '../../reading/statistics.ts';
import { newestSeconds } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { intervalLength, isClosed, isOpen } from '../../relations/series.ts';
import { allWeeks, closedWeekInEachInterval, recentHoursOfEachPool, shortestRanges } from '../needs.ts';
import { alternative, type Band, joinValues } from '../observed-values.ts';
import type { Question } from '../rule.ts';
import { quietGapsAnswer } from './completeness.ts';
import { outlierAnswer } from './outliers.ts';
import { membershipAnswer } from './range-edges.ts';

function orderAnswer({ histories }: Evidence): string | undefined {
  const seen = new Set<string>();
  for (const { candles } of histories) {
    const [first, last] = [candles[0], candles.length > 1 ? candles.at(-1) : undefined];
    if (first && last && first.start !== last.start)
      seen.add(first.start < last.start ? 'ascending' : 'descending');
  }
  return joinValues(seen);
}

/** One pool that shows it is enough: another may have fallen silent. */
function openAnswer(evidence: Evidence): string | undefined {
  const reported = Map.groupBy(
    evidence.histories.flatMap((answer) => {
      const shown = showsOpen(answer, evidence);
      return shown === undefined ? [] : [{ shown, interval: answer.requested.interval }];
    }),
    ({ interval }) => interval,
  );
  const parts = [...reported].sort().map(([interval, cases]) => {
    return `${interval} ${cases.some(({ shown }) => shown) ? 'included' : 'left out'}`;
  });
  return parts.length > 0 ? parts.join(', ') : undefined;
}

/**
 * Returns whether an answer has the open candle; undefined if there may be none: its interval just began, or the pool
 * is not observed. One that ends or is stamped within the range proves nothing: it may belong there by its end.
 */
function showsOpen(answer: HistoryAnswer, { conventions }: Evidence): boolean | undefined {
  const { requested, serverNow, inTime } = answer;
  const phase = conventions.phase.get(requested.length);
  if (serverNow === undefined || phase === undefined || requested.to < serverNow) return undefined;
  const length = intervalLength(answer);
  const age = intervalPhase(serverNow - phase, length);
  if (serverNow - age + length <= requested.to + minute) return undefined;
  if (inTime.some((candle) => isOpen(candle, answer))) return true;
  const isObserved = inTime.at(-1)?.start === serverNow - age - length;
  return age > newestSeconds && isObserved ? false : undefined;
}

/** Answers only if another answer has the candles on both sides of the instant, so that there is one to return. */
function instantAnswer({ histories }: Evidence): string | undefined {
  const seen = histories
    .filter(({ requested }) => requested.from === requested.to && !requested.openRange)
    .filter((answer) => hasNeighbors(answer, histories))
    .map(({ candles }) =>
      candles.length === 0 ? 'nothing' : candles.length === 1 ? 'before the week' : 'more',
    );
  return joinValues(new Set(seen));
}

function hasNeighbors({ requested }: HistoryAnswer, histories: readonly HistoryAnswer[]): boolean {
  const beside = [requested.from - requested.length, requested.from];
  return histories
    .filter(
      (history) =>
        history.requested.pool === requested.pool && history.requested.interval === requested.interval,
    )
    .some(({ inTime }) => beside.every((start) => inTime.some((candle) => candle.start === start)));
}

const mostRows: readonly Band[] = [
  { upTo: 10, name: 'at most 10' },
  { upTo: 100, name: 'at most 100' },
  { upTo: 1000, name: 'at most 1,000' },
  { upTo: Number.POSITIVE_INFINITY, name: 'more than 1,000' },
];

/** Lists the limits that remain possible: above the most served at once, and below the fewest refused. */
function mostRowsAnswer({ answers, histories }: Evidence): string | undefined {
  const served = largest(histories.map((history) => history.candles.length));
  if (!(served > 0)) return undefined;
  const refused = answers.flatMap(({ requested, entitled, status = 0 }) => {
    const { from, to, length } = requested ?? {};
    if (!entitled || ![400, 413, 422].includes(status)) return [];
    const rows = ((to ?? 0) - (from ?? 0)) / (length ?? Number.NaN);
    return rows > served ? [rows] : [];
  });
  const least = -largest(refused.map((length) => -length));
  const fitting = mostRows.filter(
    ({ upTo }, at) =>
      upTo >= served && (mostRows[at - 1]?.upTo ?? 0) < (refused.length > 0 ? least : Infinity),
  );
  return fitting.map(({ name }) => name).join(alternative);
}

/** Reports only what was observed: from outside, a quiet interval looks like a missed one. */
function quietAnswer({ histories }: Evidence): string | undefined {
  const isQuiet = histories.some((answer) =>
    answer.candles.some((candle) => amountText(candle, 'volume') === '0' && isClosed(candle, answer)),
  );
  return isQuiet ? 'a candle of its own, with volume 0' : undefined;
}

export const historyQuestions: readonly Question[] = [
  {
    id: 'history/order-of-rows',
    section: '4.2',
    question: 'In which order do the candles of a history come?',
    why: 'A client that takes the first row for the oldest has to sort others.',
    restsOn: ['history'],
    needs: [recentHoursOfEachPool],
    unlessBroken: ['history/nothing-before-birth-or-after-now'],
    answer: orderAnswer,
  },
  {
    id: 'history/edges-of-the-range',
    section: '4.2',
    question: 'Which candles at the edges belong to a range?',
    why: 'A candle where two ranges meet is counted twice, once or never.',
    exactly:
      'with E the end as it is stamped, and ⌊from⌋ the start of the interval that holds `from`: ⌊from⌋ ≤ E ≤ to; from ≤ S < to; the interval meets [from, to]; from ≤ S ≤ to; ⌊from⌋ ≤ S and E ≤ to; from ≤ S and E ≤ to. The answer names the readings that fit every edge seen, whether its candle was present or absent; the next run may decide what one leaves open.',
    restsOn: ['from', 'to'],
    needs: [recentHoursOfEachPool],
    unlessBroken: [
      'candle/closed-lasts-its-interval',
      'history/starts-nest',
      'history/candles-meet-the-range',
      'history/nothing-before-birth-or-after-now',
      'history/wider-range-holds-more',
    ],
    answer: membershipAnswer,
  },
  {
    id: 'history/open-candle',
    section: '4.2',
    question: 'Does a history that reaches the present contain the open candle?',
    why: 'A client that stores it keeps an unfinished sum as if it were final.',
    exactly: 'reported for intervals that have run for 240 s and end a minute or more after `to`.',
    restsOn: ['history'],
    needs: [recentHoursOfEachPool, allWeeks],
    hasParts: true,
    answer: openAnswer,
  },
  {
    id: 'history/most-rows',
    section: '8',
    question: 'How many candles does one answer contain at most?',
    why: 'A client that pages through a history must know where answers are cut off.',
    exactly: 'the powers of ten that lie above the most candles served at once and below the fewest refused.',
    restsOn: ['history'],
    needs: closedWeekInEachInterval,
    answer: mostRowsAnswer,
  },
  {
    id: 'history/range-of-an-instant',
    section: '4.2',
    question: 'What does a range from a time to the same time return?',
    why: 'Clients that request one day by a single time get it, or silently get nothing.',
    exactly:
      "`from = to` = a day's boundary, where another answer has the candle on each side. `nothing`, `one candle` or `more`.",
    needs: [...shortestRanges, ...closedWeekInEachInterval],
    answer: instantAnswer,
  },
  {
    id: 'history/quiet-intervals',
    section: '4.2',
    uses: ['volume'],
    question: 'What does a history return for an interval without trades?',
    why: 'A chart that expects a row for every interval must know whether to fill gaps.',
    restsOn: ['volume'],
    needs: closedWeekInEachInterval,
    answer: quietAnswer,
  },
  {
    id: 'history/unobserved-intervals',
    section: '4.2',
    question: 'Which closed intervals have no candle, without evidence that one existed?',
    why: 'A market that nobody observed for a while is quiet, not broken; a client that fills a chart has to allow for missing rows.',
    exactly:
      'missing rows as `history/complete` finds them, without those that another candle contradicts: amid others, or the newest of their pool.',
    restsOn: ['history', 'from', 'to'],
    needs: [recentHoursOfEachPool, ...closedWeekInEachInterval],
    hasParts: true,
    answer: quietGapsAnswer,
  },
  {
    id: 'history/outliers',
    section: '2.2',
    uses: ['volume-usd'],
    question: 'Does any candle stand out from its neighbours?',
    why: 'It is a real event or a bad import: an operator checks it before it appears in a chart.',
    exactly:
      'a close twice or half of the median of its four neighbours and beyond eight median deviations; a volume-usd of an hour or more above 50 times the median; high above 100 times low. Only what was seen is reported: a week without outliers says nothing about the next.',
    restsOn: ['open', 'high', 'low', 'close', 'volume-usd'],
    needs: closedWeekInEachInterval,
    hasParts: true,
    answer: outlierAnswer,
  },
];
