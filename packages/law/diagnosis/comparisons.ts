import type { Candle } from '../reading/candle.ts';
import { oncePer } from '../reading/once.ts';
import { arithmetic, cent, roundingShare } from '../reading/tolerances.ts';
import type { CandlePair, DirectionPair } from '../relations/direction-pairs.ts';
import type { Evidence } from '../relations/evidence.ts';
import { sliceTiles } from '../relations/families.ts';
import { findMiddle, findPowerOfTen } from '../relations/inversion-constants.ts';
import { poolKey } from '../relations/series.ts';
import { firstIndexFrom, type Timeline } from '../relations/timeline.ts';
import { readField } from './formulas.ts';

/** Fields whose value in one part of the data follows from another part. */
export const comparedFields = [
  ...(['open', 'high', 'low', 'close'] as const),
  ...(['volume', 'volume-usd', 'liquidity', 'liquidity-usd'] as const),
] as const;

export type ComparedField = (typeof comparedFields)[number];

/** The closed candles of one interval, in seconds, and one direction, of all pools. */
export type MarketPart = { readonly length: number; readonly inverted: boolean };

/** The values of a candle, as it reports them or as others show them; what cannot be compared is left out. */
export type CandleValues = Readonly<Partial<Record<ComparedField, number>>>;

/** A candle beside those of another part that show its values. */
export type ComparedCandle = {
  readonly pool: string;
  readonly candle: Candle;
  readonly witnesses: readonly Candle[];
  /** The values of each witness. */
  readonly shown: readonly CandleValues[];
  readonly actual: CandleValues;
  readonly expected: CandleValues;
  /** The fields in which both differ by more than rounding. */
  readonly differing: ReadonlySet<ComparedField>;
};

/**
 * All candles of a part beside another part: `parts` are shorter candles in it, `inverse` are those of the other side,
 * and `whole` is the longer candle that they make up.
 */
export type PartComparison = {
  readonly relation: 'parts' | 'inverse' | 'whole';
  readonly one: MarketPart;
  readonly other: MarketPart;
  readonly compared: readonly ComparedCandle[];
};

/** Compares each interval with each shorter one of its side, and each inverted history with the plain one. */
export function listComparisons(evidence: Evidence): PartComparison[] {
  const lines = evidence.timelines();
  const found = [...compareParts(lines), ...compareSides(evidence, 'history')];
  const groups = Map.groupBy(
    found,
    ({ relation, one, other }) => `${relation} ${one.length} ${one.inverted} ${other.length}`,
  );
  return [...groups.values()].flatMap((all) => {
    const [first] = all;
    return first ? [{ ...first, compared: dropRepeated(all.flatMap(({ compared }) => compared)) }] : [];
  });
}

/** Keeps one of the comparisons of a candle that several answers hold alike. */
function dropRepeated(all: readonly ComparedCandle[]): ComparedCandle[] {
  const byContent = new Map(
    all.map((one) => {
      const { open, high, low, close, volume } = one.actual;
      return [[one.pool, one.candle.start, open, high, low, close, volume].join(' '), one];
    }),
  );
  return [...byContent.values()];
}

/** Candles of a pool that are compared with another part, the newest ones, and parts that are read for it. */
const mostCompared = 2000;
const mostParts = 50_000;

function* compareParts(lines: readonly Timeline[]): Generator<PartComparison> {
  for (const whole of lines) {
    for (const line of lines) {
      const isShorter = line.length < whole.length && whole.length % line.length === 0;
      if (line.pool !== whole.pool || line.inverted !== whole.inverted || !isShorter) continue;
      const most = Math.min(mostCompared, Math.floor((mostParts * line.length) / whole.length));
      const compared = whole.candles.slice(-most).flatMap((candle) => compareWithParts(candle, whole, line));
      if (compared.length > 0) yield { relation: 'parts', one: whole, other: line, compared };
    }
  }
}

function compareWithParts(candle: Candle, { length, pool }: Timeline, line: Timeline): ComparedCandle[] {
  const at = firstIndexFrom(line.candles, candle.start);
  const parts = sliceTiles(line.candles, at, candle.start, line.length, length / line.length);
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last) return [];
  const shown = parts.map(readValues);
  const ends = last.end === candle.end ? shown.at(-1) : undefined;
  const expected = keepFinite({
    open: first.open,
    high: Math.max(...parts.map(({ high }) => high)),
    low: Math.min(...parts.map(({ low }) => low)),
    close: last.close,
    volume: sumValues(shown, 'volume'),
    'volume-usd': sumValues(shown, 'volume-usd'),
    liquidity: ends?.liquidity,
    'liquidity-usd': ends?.['liquidity-usd'],
  });
  return [makeCompared({ pool, candle, witnesses: parts, shown, expected }, arithmetic)];
}

/** Compares the inverted answers of histories, or of latest candles, with the plain ones. */
export function* compareSides(evidence: Evidence, role: 'history' | 'latest'): Generator<PartComparison> {
  const constants = evidence.constants();
  for (const pair of evidence.directionPairs()) {
    const constant = constants.get(pair.pool);
    if (!constant || pair.plain.requested.role !== role) continue;
    const k = findPowerOfTen(constant) ?? findMiddle(constant);
    const { length } = pair.plain.requested;
    yield {
      relation: 'inverse',
      one: { length, inverted: true },
      other: { length, inverted: false },
      compared: pair.candles
        .slice(-mostCompared)
        .map((candles) => compareWithPlain(candles, pair, k, evidence)),
    };
  }
}

/** Our document says that inversion changes the prices; those of others may turn the amounts too. */
function compareWithPlain(
  { plain, inverted }: CandlePair,
  pair: DirectionPair,
  k: number,
  { spec }: Evidence,
): ComparedCandle {
  const shown = readValues(plain);
  const { open, high, low, close, ...amounts } = shown;
  const turn = (price: number | undefined): number | undefined => (price ? k / price : undefined);
  const prices = keepFinite({ open: turn(open), high: turn(low), low: turn(high), close: turn(close) });
  const { precision } = pair;
  const share = roundingShare(plain.low, precision.plain) + roundingShare(inverted.low, precision.inverted);
  return makeCompared(
    {
      pool: poolKey(pair.plain),
      candle: inverted,
      witnesses: [plain],
      shown: [shown],
      expected: { ...prices, ...(spec.isOurs && amounts) },
    },
    2 * share + arithmetic,
  );
}

function makeCompared(compared: Omit<ComparedCandle, 'actual' | 'differing'>, share: number): ComparedCandle {
  const { candle, witnesses, expected } = compared;
  const actual = readValues(candle);
  const differing = comparedFields.filter((field) => {
    const [one = Number.NaN, other = Number.NaN] = [actual[field], expected[field]];
    const cents = field.endsWith('-usd') ? (witnesses.length + 2) * cent : 0;
    return Math.abs(one - other) > Math.abs(other) * share + cents;
  });
  return { ...compared, actual, differing: new Set(differing) };
}

/** Reads what a candle says of each field that can be compared. */
const readValues = oncePer((candle: Candle): CandleValues => {
  const values: { -readonly [Field in ComparedField]?: number } = {};
  for (const field of comparedFields) {
    const value = readField(candle, field);
    if (Number.isFinite(value)) values[field] = value;
  }
  return values;
});

/** Leaves out what is no number. */
function keepFinite(values: { readonly [Field in ComparedField]?: number | undefined }): CandleValues {
  const kept: { -readonly [Field in ComparedField]?: number } = {};
  for (const field of comparedFields) {
    const value = values[field];
    if (value !== undefined && Number.isFinite(value)) kept[field] = value;
  }
  return kept;
}

/** Adds up one field; NaN if it is missing in some. */
export function sumValues(all: readonly CandleValues[], field: ComparedField): number {
  return all.reduce((total, values) => total + (values[field] ?? Number.NaN), 0);
}

/** Returns a comparison of longer candles with their parts as one of what these make up with the longer ones. */
export function turnRound({ one, other, compared }: PartComparison): PartComparison {
  return {
    relation: 'whole',
    one: other,
    other: one,
    compared: compared.flatMap((each) => {
      const candle = each.witnesses.at(-1);
      const { candle: longer, expected: actual, actual: expected } = each;
      return candle ? [{ ...each, candle, witnesses: [longer], shown: [expected], actual, expected }] : [];
    }),
  };
}
