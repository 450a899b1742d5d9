import { minute, stamp } from '@candleproof/document/spec/interval';
import type { CandleRole, TimeForm, TimeUnit } from '@candleproof/document/spec/roles';
import { chooseUnit, isCountUnit } from '@candleproof/document/spec/times';
import { type Candle, rawField } from '../../reading/candle.ts';
import { makeTimeReader } from '../../reading/read-candles.ts';
import type { CandleAnswer } from '../../reading/reading.ts';
import { dateLagSeconds } from '../../reading/tolerances.ts';
import { earlyEnds, openEnds } from '../../relations/conventions.ts';
import { answersWithRows } from '../../relations/evidence.ts';
import { hasClock, intervalLength, intervalWords, isClosed, isOpen } from '../../relations/series.ts';
import { type CandleTest, candleCheck, selectedCandleCheck } from '../checks.ts';
import { anyCandles } from '../needs.ts';
import type { Rule } from '../rule.ts';

/** Returns whether both times are readable; the others are reported by the rule of seconds. */
function hasTimes({ start, end }: Candle): boolean {
  return !Number.isNaN(start + end);
}

const expectedTimes: Readonly<Record<TimeUnit, string>> = {
  s: 'Unix seconds of this century',
  ms: 'Unix milliseconds of this century',
  us: 'Unix microseconds of this century',
  ns: 'Unix nanoseconds of this century',
  min: 'minutes since 1970 of this century',
  iso: 'a time in ISO 8601',
  text: 'a date with a time',
  dmy: 'a date with the day first',
  mdy: 'a date with the month first',
};

/** Returns whether a value has the form of a time in a unit: others are reported by the rules of the schema. */
function isTimeLike(value: unknown, unit: TimeUnit): boolean {
  if (!isCountUnit(unit)) return typeof value === 'string';
  return Number.isInteger(typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value);
}

function seconds(count: number): string {
  return `${Math.round(count * 1000) / 1000} s`;
}

/** Lists the durations that a closed candle may have on this target: only the observed one if it is known. */
function listAllowedSpans(answer: CandleAnswer, endsEarly: number | undefined): number[] {
  return (endsEarly === undefined ? [...earlyEnds] : [endsEarly]).map(
    (early) => intervalLength(answer) - early,
  );
}

/** Returns whether a time is the second of the request. */
function isNow(time: number, { nowWithin }: CandleAnswer): boolean {
  if (nowWithin === undefined) return false;
  return time >= nowWithin.from - dateLagSeconds && time <= nowWithin.to + dateLagSeconds;
}

/** Makes a check of every candle whose answer has the server's time. */
function clockedCandleCheck(role: CandleRole, test: CandleTest): Rule['check'] {
  return selectedCandleCheck((evidence) => answersWithRows(evidence).filter(hasClock), role, test);
}

const must = { section: '2.2', level: 'must', uses: ['start', 'end'], needs: anyCandles } as const;

export const candleTimeRules: readonly Rule[] = [
  {
    id: 'candle/times-are-seconds',
    shows: 'other unit',
    section: '2.2',
    level: 'must',
    statement: 'Start and end are Unix times in seconds.',
    broken: 'Times of candles are in another unit',
    why: 'Milliseconds put every candle fifty thousand years ahead.',
    exactly:
      'S and E are whole, below 4.1·10⁹, and later than a year before the first row of any pool, or than 1970 where the document states no such day. Where a document declares another unit, that unit applies; milliseconds are above 4.1·10⁹.',
    restsOn: ['start', 'end'],
    needs: anyCandles,
    check: candleCheck('end', (candle) => {
      if (hasTimes(candle)) return undefined;
      const { reading } = candle;
      for (const field of ['start', 'end'] as const) {
        const value = rawField(candle, field);
        const unit = chooseUnit(value, (reading.forms[field] ?? 's') as TimeForm);
        if (isTimeLike(value, unit) && Number.isNaN(makeTimeReader(reading, field)(value)))
          return { field, expected: expectedTimes[unit], actual: String(value) };
      }
      return undefined;
    }),
  },
  {
    id: 'candle/starts-before-it-ends',
    shows: 'exchanged',
    ...must,
    statement:
      'The start is before the end; an open candle, and the newest of an answer, may consist of its first minute alone.',
    broken: 'Candles end before they start',
    why: 'An interval of zero or negative length has no prices.',
    exactly:
      'S < E for closed candles, S ≤ E for open ones and for the newest candle of an answer, whose pool may have fallen silent in its first minute.',
    restsOn: ['start', 'end'],
    check: candleCheck('end', (candle, answer) => {
      if (!hasTimes(candle)) return undefined;
      const isOver = isClosed(candle, answer) && candle !== answer.inTime.at(-1);
      const inOrder = isOver ? candle.start < candle.end : candle.start <= candle.end;
      return inOrder ? undefined : `after its start ${candle.start}`;
    }),
  },
  {
    id: 'candle/lasts-at-most-its-interval',
    shows: 'wrong length',
    readsOneAnswer: false,
    ...must,
    statement: 'A candle is no longer than the requested interval.',
    broken: 'Candles are longer than the requested interval',
    why: 'A longer candle includes the prices and volume of its neighbors.',
    exactly: 'E − S ≤ L.',
    restsOn: ['start', 'end', 'interval'],
    check: candleCheck('end', (candle, answer) => {
      const span = candle.end - candle.start;
      const length = intervalLength(answer);
      if (!(span > length)) return undefined;
      return { expected: `at most ${intervalWords(answer)}, ${seconds(length)}`, actual: seconds(span) };
    }),
  },
  {
    id: 'candle/closed-lasts-its-interval',
    shows: 'wrong length',
    readsOneAnswer: false,
    ...must,
    statement: 'A closed candle lasts its whole interval, and a target stamps all its candles the same way.',
    broken: 'Closed candles do not last their interval',
    // The newest candle of a pool that is no longer observed stays as its last observation left it.
    why: 'The end time says which period a price belongs to; mixed end times shift charts by a bar.',
    exactly:
      'E − S = L − e with one e of 0, 1 or 60 s for the whole target: the end is where the next one starts, the last second, or the last observation. The newest candle of an answer is left out, since a pool that fell silent never finishes it.',
    restsOn: ['start', 'end'],
    check: selectedCandleCheck(
      ({ histories, oddHistories }) => [...histories, ...oddHistories].filter(hasClock),
      'end',
      (candle, answer, { conventions }) => {
        const span = candle.end - candle.start;
        if (span === intervalLength(answer) - (conventions.endsEarly ?? 0)) return undefined;
        if (!hasTimes(candle) || !isClosed(candle, answer) || candle === answer.inTime.at(-1))
          return undefined;
        const spans = listAllowedSpans(answer, conventions.endsEarly);
        return spans.includes(span)
          ? undefined
          : { expected: spans.map(seconds).join(' or '), actual: seconds(span) };
      },
    ),
  },
  {
    id: 'candle/open-ends-are-alike',
    shows: 'two kinds',
    readsOneAnswer: false,
    ...must,
    restsOnOurs: true,
    statement:
      "All open candles of a target end at their last observation, or all end at their interval's end.",
    broken: 'Open candles are stamped in two ways',
    why: 'A reader must know whether the end of the newest candle lies in the future.',
    exactly: 'E ≤ now + 62, or E = S + L − e: the same one for all open candles.',
    restsOn: ['end'],
    check: clockedCandleCheck('end', (candle, answer, { conventions }) => {
      if (!hasTimes(candle) || !isOpen(candle, answer)) return undefined;
      const fits = openEnds(candle, answer);
      const wanted = conventions.openEnd;
      if (fits.length > 0 && (wanted === undefined || fits.includes(wanted))) return undefined;
      const expected = wanted ? `the ${wanted}, as elsewhere` : 'the last observation or the interval end';
      return { expected, actual: stamp(candle.end) };
    }),
  },
  {
    id: 'candle/times-are-whole-minutes',
    shows: 'misplaced',
    section: '2.2',
    level: 'should',
    uses: ['start'],
    statement: 'Start and end fall on whole minutes; an inclusive end may be a second short.',
    broken: 'Candles do not begin and end on whole minutes',
    why: 'Prices are observed every minute.',
    exactly:
      'S and E are multiples of 60 where L is one; where ends are inclusive, E + 1 may be the multiple. The end of an open candle may also be the second of the request, within 2 s of *now*: the document calls E the end of the interval, which has not come yet, and leaves open how an open one is stamped.',
    restsOn: ['start', 'end'],
    needs: anyCandles,
    check: candleCheck('end', (candle, answer) => {
      const { start, end, reading } = candle;
      if (Number.isNaN(start + end) || intervalLength(answer) % minute !== 0) return undefined;
      if (start % minute === 0 && (end % minute === 0 || (end + 1) % minute === 0)) return undefined;
      if (start % minute === 0 && isOpen(candle, answer) && isNow(end, answer)) return undefined;
      // The texts are for breaches alone: to write them for every candle costs more than all other rules together.
      const field = reading.fields.end === undefined ? 'start' : 'end';
      return { field, expected: 'whole minutes', actual: `${stamp(start)} to ${stamp(end)}` };
    }),
  },
  {
    id: 'candle/is-not-from-the-future',
    shows: 'misplaced',
    readsOneAnswer: false,
    section: '2.2',
    level: 'should',
    statement: "A candle's interval has begun by the server's own clock.",
    broken: 'Candles come from the future',
    why: 'Nothing has been observed in a future interval.',
    exactly: 'S ≤ now + 2.',
    restsOn: ['start'],
    needs: anyCandles,
    check: clockedCandleCheck('start', ({ start }, { nowWithin }) =>
      nowWithin !== undefined && start > nowWithin.to + dateLagSeconds
        ? `at or before ${stamp(nowWithin.to)}, the server's time`
        : undefined,
    ),
  },
];
