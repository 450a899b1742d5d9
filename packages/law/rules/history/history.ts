import { intervalPhase, stamp } from '@candleproof/document/spec/interval';
import type { Evidence } from '../../relations/evidence.ts';
import { intervalLength, intervalWords, isOpen } from '../../relations/series.ts';
import { candleBreach } from '../breach.ts';
import { checkDepartures, concernsWhole, selectedCandleCheck } from '../checks.ts';
import { allWeeks, anyCandles, closedWeekInEachInterval, recentHoursOfEachPool } from '../needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';
import { completenessRules } from './completeness.ts';
import { checkNesting, checkOrder } from './history-order.ts';
import { checkOwnPrices, isCopied, stepCheck } from './steps.ts';

function* checkOpenIsNewest({ histories }: Evidence): Generator<CheckOutcome> {
  for (const answer of histories) {
    if (answer.nowWithin === undefined) continue;
    yield { judged: answer };
    const open = answer.inTime.filter((candle) => isOpen(candle, answer));
    for (const candle of open.slice(0, -1)) {
      const found = {
        expected: 'one open candle at most, the newest',
        actual: `${open.length} open candles`,
      };
      yield { breach: candleBreach(answer, candle, 'start', found) };
    }
  }
}

const must = { section: '4.2', level: 'must' } as const;

export const historyRules: readonly Rule[] = [
  {
    id: 'history/answer-is-a-list',
    shows: 'wrong shape',
    consequence: 'form',
    damage: 'unreadable',
    ...must,
    statement: 'The history is a JSON array, whatever its number of candles.',
    broken: 'Histories are not JSON arrays',
    why: 'Clients iterate over it; an object in place of a list of one candle breaks them on quiet days.',
    restsOn: ['history'],
    needs: [recentHoursOfEachPool],
    check: checkDepartures(['history'], concernsWhole),
  },
  {
    id: 'history/one-candle-per-interval',
    shows: 'repeated',
    damage: 'duplicate',
    ...must,
    statement: 'No two candles of an answer overlap or stand for the same interval.',
    broken: 'Intervals have more than one candle',
    why: 'Volume would be counted twice.',
    exactly: 'S₍ₖ₊₁₎ − Sₖ ≥ L in chronological order.',
    restsOn: ['history'],
    needs: [recentHoursOfEachPool, ...closedWeekInEachInterval],
    check: stepCheck((earlier, later, answer) =>
      later.start - earlier.start < intervalLength(answer)
        ? `a start at least ${intervalLength(answer)} s after the one before`
        : undefined,
    ),
  },
  {
    id: 'history/contiguous',
    shows: 'missing',
    damage: 'misplaced',
    ...must,
    statement: 'Successive candles are whole intervals apart.',
    broken: 'Successive candles are not whole intervals apart',
    why: 'A series of unequal steps cannot be joined, resampled or compared.',
    exactly: '(S₍ₖ₊₁₎ − Sₖ) mod L = 0.',
    restsOn: ['history'],
    needs: [recentHoursOfEachPool, ...closedWeekInEachInterval],
    check: stepCheck((earlier, later, answer) => {
      const step = later.start - earlier.start;
      return step >= intervalLength(answer) && step % intervalLength(answer) !== 0
        ? `a whole number of ${intervalWords(answer)} intervals (${intervalLength(answer)} s) between starts`
        : undefined;
    }),
  },
  ...completenessRules,
  {
    id: 'history/candles-meet-the-range',
    shows: 'outside the range',
    damage: 'misplaced',
    ...must,
    statement: 'Every candle of an answer overlaps the requested range, however its edges are interpreted.',
    broken: 'Histories contain candles outside the requested range',
    why: 'Candles from outside the range end up in sums where they do not belong.',
    exactly:
      'S ≤ to and S + 2L > from: every usual interpretation of the edges satisfies it, including one that rounds `from` down.',
    restsOn: ['from', 'to'],
    needs: [recentHoursOfEachPool, ...closedWeekInEachInterval],
    check: selectedCandleCheck(
      ({ histories }) => histories,
      'start',
      ({ start }, answer) => {
        const { from, to } = answer.requested;
        if (Number.isNaN(start) || (start <= to && start + 2 * intervalLength(answer) > from))
          return undefined;
        return `an interval between ${stamp(from)} and ${stamp(to)}`;
      },
    ),
  },
  {
    id: 'history/aligned',
    shows: 'misplaced',
    damage: 'misplaced',
    section: '2.2',
    level: 'should',
    statement:
      'All candles of one interval start at the same phase, across ranges, pools, operations and inversion.',
    broken: 'Candles of one interval start at different phases',
    why: 'Buckets that move with the range or the pool cannot be compared or cached.',
    exactly: "S mod L is one number for each interval: the most common one is taken as the target's.",
    restsOn: ['start'],
    needs: [...anyCandles, allWeeks],
    check: selectedCandleCheck(
      ({ candleAnswers }) => candleAnswers,
      'start',
      ({ start }, answer, { conventions }) => {
        const phase = conventions.phase.get(answer.requested.length);
        if (Number.isNaN(start) || intervalPhase(start, intervalLength(answer)) === phase) return undefined;
        return `${phase} s after a multiple of ${intervalLength(answer)} s, as most candles`;
      },
    ),
  },
  {
    id: 'history/one-order',
    shows: 'out of order',
    section: '4.2',
    level: 'should',
    statement: 'The candles of an answer are sorted by time, and all answers of a pool in one direction.',
    broken: 'Candles are out of order',
    why: 'Clients assume that the first or the last row is the oldest.',
    restsOn: ['history'],
    needs: [recentHoursOfEachPool, ...closedWeekInEachInterval],
    check: checkOrder,
  },
  {
    id: 'history/starts-nest',
    shows: 'misplaced',
    section: '2.2',
    level: 'should',
    statement:
      'A longer interval begins where a shorter one does; a day begins at a quarter of an hour, in any zone.',
    broken: 'Longer intervals begin where no shorter one does',
    why: 'Weeks that begin in the middle of a day do not consist of days, so their sums cannot be checked.',
    exactly:
      'phase(longer) mod L(shorter) = phase(shorter), where all candles of both agree on their phases.',
    restsOn: ['interval'],
    needs: [...anyCandles, ...closedWeekInEachInterval],
    check: checkNesting,
  },
  {
    id: 'history/no-row-is-copied',
    shows: 'copied',
    consequence: 'prices',
    damage: 'copy',
    section: '2.2',
    level: 'should',
    uses: ['volume'],
    statement: 'Successive candles with trades and price movement never have identical prices and volume.',
    broken: 'Candles are copies of the one before',
    why: 'Filling a gap with the previous candle counts its volume twice.',
    exactly:
      'not all of open, high, low, close, volume and volume-usd are equal in two successive candles with high > low and a volume of six digits or more.',
    restsOn: ['open', 'high', 'low', 'close'],
    needs: [recentHoursOfEachPool, ...closedWeekInEachInterval],
    check: stepCheck((earlier, later, answer) =>
      later.start - earlier.start >= intervalLength(answer) && isCopied(earlier, later)
        ? 'prices and volume of its own'
        : undefined,
    ),
  },
  {
    id: 'history/prices-are-of-their-interval',
    shows: 'copied',
    consequence: 'prices',
    damage: 'copy',
    section: '2.2',
    level: 'should',
    statement: 'No three candles in a row that moved have the same four prices.',
    broken: 'Candles share the prices of a longer interval',
    why: 'A chart of five minutes that is filled with the prices of their hour hides every move within it.',
    exactly:
      'not all of open, high, low and close are equal in three successive candles with high > low, whose four prices are different and of six digits or more.',
    restsOn: ['open', 'high', 'low', 'close'],
    needs: [recentHoursOfEachPool, ...closedWeekInEachInterval],
    check: checkOwnPrices,
  },
  {
    id: 'history/open-candle-is-newest',
    shows: 'out of order',
    damage: 'misplaced',
    ...must,
    statement: 'At most one candle of an answer is open, and it is the newest.',
    broken: 'An open candle is followed by another candle',
    why: 'Only the current interval can be unfinished.',
    exactly: 'at most one candle has S + L > now + 2, and it is last in time.',
    restsOn: ['history'],
    needs: [recentHoursOfEachPool],
    check: checkOpenIsNewest,
  },
];
