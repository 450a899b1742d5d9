import { stamp } from '@candleproof/document/spec/interval';
import { poolName } from '@candleproof/document/spec/operation';
import type { CandleRole } from '@candleproof/document/spec/roles';
import { amountText, type Candle } from '../../reading/candle.ts';
import type { CandleAnswer } from '../../reading/reading.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { intervalLength, isInverted, poolKey } from '../../relations/series.ts';
import { firstIndexFrom, type Timeline } from '../../relations/timeline.ts';
import { candleBreach } from '../breach.ts';
import { allWeeks, anyCandles, latestInEachInterval, recentFiveMinutes } from '../needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';

/** The number of different values that two series must share, and that newest candles must. */
const enough = { inSeries: 5, atOneMoment: 2 };

/** A column of a record; `read` returns its text if no other pool shares it by chance. */
type Column = {
  readonly name: string;
  readonly field: CandleRole;
  readonly read: (candle: Candle) => string | undefined;
};

const amount = (field: 'volume' | 'liquidity'): Column => ({
  name: field,
  field,
  read: (candle) => {
    const text = amountText(candle, field) ?? '';
    return /^[1-9]\d{5}/.test(text) ? text : undefined;
  },
});

const columns: readonly Column[] = [
  {
    name: 'prices',
    field: 'open',
    read: ({ open, high, low, close }) =>
      high > low && [open, high, low, close].every(isFine) ? `${open} ${high} ${low} ${close}` : undefined,
  },
  amount('volume'),
  amount('liquidity'),
];

/** Nine significant digits or more: rounded prices of two pools of the same tokens may be equal. */
function isFine(price: number): boolean {
  return price.toExponential().replace(/e.*/, '').length > 9;
}

/** Returns the different values that two pools share in one column, and the first candles with them. */
type Common = { readonly values: Set<string>; readonly first: readonly [Candle, Candle] };

type Found = Map<Column, Common>;

function note(found: Found, one: Candle, other: Candle): void {
  for (const column of columns) {
    const value = column.read(one);
    if (value === undefined || value !== column.read(other)) continue;
    const known = found.get(column) ?? { values: new Set(), first: [one, other] as const };
    known.values.add(value);
    found.set(column, known);
  }
}

function* checkColumns(evidence: Evidence): Generator<CheckOutcome> {
  const lines = evidence.timelines();
  for (const [at, line] of lines.entries()) {
    for (const known of lines.slice(0, at)) {
      const isComparable = known.length === line.length && known.inverted === line.inverted;
      if (isComparable && known.pool !== line.pool) yield* compareLines(evidence, known, line);
    }
  }
  yield* comparePresent(evidence);
}

function* compareLines({ spec }: Evidence, known: Timeline, line: Timeline): Generator<CheckOutcome> {
  const found: Found = new Map();
  const [shown, other] = [line.answers[0], known.answers[0]];
  let compared = 0;
  let differ = 0;
  for (const candle of line.candles) {
    const match = known.candles[firstIndexFrom(known.candles, candle.start)];
    if (match?.start !== candle.start) continue;
    compared += 1;
    if (!isWhole(match, candle)) differ += 1;
    note(found, match, candle);
  }
  if (!shown || !other || compared === 0) return;
  yield { judged: shown };
  const shared = [...found].filter(([, { values }]) => values.size >= enough.inSeries);
  const [first] = shared;
  // Equality in all columns of all candles is reported by another rule.
  if (!first || (shared.length === columns.length && differ === 0)) return;
  const [, { values, first: pair }] = first;
  const answer = line.answers.find((historyAnswer) => historyAnswer.candles.includes(pair[1])) ?? shown;
  const names = shared.map(([column]) => column);
  yield sharing(names, answer, pair, poolName(spec, other.requested), `${values.size} candles`);
}

/** Returns whether no column distinguishes the two candles. */
function isWhole(one: Candle, other: Candle): boolean {
  return columns.every(({ read }) => read(one) === read(other));
}

/** Pairs the latest candles of one pool with the candles of the same intervals in another pool's histories. */
function* comparePresent({ latest, histories, spec }: Evidence): Generator<CheckOutcome> {
  for (const answers of Map.groupBy(latest, poolKey).values()) {
    for (const others of Map.groupBy(histories, poolKey).values()) {
      const found: Found = new Map();
      const pairs = answers.flatMap((answer) => others.flatMap((other) => findPair(answer, other)));
      for (const { one, match } of pairs) note(found, match, one);
      for (const { answer } of pairs) yield { judged: answer };
      const [other] = others;
      const [first] = [...found.values()].map((common) => common.first);
      const values = new Set([...found.values()].flatMap((common) => [...common.values]));
      const answer = pairs.find(({ one }) => one === first?.[1])?.answer;
      if (!other || !first || !answer || values.size < enough.atOneMoment) continue;
      yield sharing([...found.keys()], answer, first, poolName(spec, other.requested), 'the latest candle');
    }
  }
}

type Pair = { readonly answer: CandleAnswer; readonly one: Candle; readonly match: Candle };

/** Pairs the candles of one interval; another rule reports those that are equal in all columns and ends. */
function findPair(answer: CandleAnswer, other: CandleAnswer): Pair[] {
  const [one] = answer.candles;
  if (!one || intervalLength(answer) !== intervalLength(other) || isInverted(answer) !== isInverted(other))
    return [];
  const match = other.inTime[firstIndexFrom(other.inTime, one.start)];
  if (match?.start !== one.start) return [];
  return one.end === match.end && isWhole(one, match) ? [] : [{ answer, one, match }];
}

function sharing(
  shared: readonly Column[],
  answer: CandleAnswer,
  [match, candle]: readonly [Candle, Candle],
  other: string,
  where: string,
): CheckOutcome {
  const found = {
    expected: `${shared.map(({ name }) => name).join(' and ')} other than those of ${other}`,
    actual: `the same in ${where} from ${stamp(candle.start)} on`,
  };
  return {
    breach: candleBreach(answer, candle, shared[0]?.field ?? 'open', found, [match, candle]),
  };
}

export const poolColumnRules: readonly Rule[] = [
  {
    id: 'history/pools-share-no-column',
    shows: 'other pool',
    section: '4',
    level: 'should',
    uses: ['volume'],
    statement: 'Two pools do not share prices, volumes or liquidity.',
    broken: 'Two pools share prices or amounts',
    why: 'A table joined by the wrong key puts the figures of one market beside the prices of another.',
    exactly:
      'prices are open, high, low and close of nine digits or more with high > low; volume and liquidity count from six digits on. A breach where two histories have five different values of a column in common at the same S, or the latest candles of one pool and the candles with the same S in the histories of another two of them. Where all columns agree, `history/pools-differ` says so.',
    restsOn: ['pool'],
    needs: [...anyCandles, ...latestInEachInterval, recentFiveMinutes, allWeeks],
    check: checkColumns,
  },
];
