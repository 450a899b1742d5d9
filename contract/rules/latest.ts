import { type Amount, amountText, type Candle, hasSoundExtremes } from '../candle.ts';
import type { OpenEnd } from '../conventions.ts';
import { compare, parseDecimal } from '../decimal.ts';
import { tell } from '../describe.ts';
import type { Evidence } from '../evidence.ts';
import { stamp } from '../interval.ts';
import { latestInEachInterval, latestOfEachPool } from '../needs.ts';
import type { CandleAnswer } from '../reading.ts';
import { type Breach, candleBreach, type Rule, type Sight } from '../rule.ts';
import { brackets, isInverted, isSameSeries, lengthOf, poolOf, type Snapshot, snapshots } from '../series.ts';
import { newestSeconds } from '../tolerances.ts';
import { departuresIn, isWhole } from './shape.ts';

/** Pairs of answers to one series, in the order of asking; plain and inverted apart. */
function* successive(
  latest: readonly CandleAnswer[],
): Generator<[before: CandleAnswer, after: CandleAnswer]> {
  for (const [index, after] of latest.entries()) {
    const before = latest.findLast(
      (each, at) => at < index && isSameSeries(each, after) && isInverted(each) === isInverted(after),
    );
    if (before) yield [before, after];
  }
}

function* checkForward({ latest }: Evidence): Generator<Sight> {
  for (const [{ candles: before }, answer] of successive(latest)) {
    const [old] = before;
    const [now] = answer.candles;
    if (!old || !now || Number.isNaN(old.start + old.end + now.start + now.end)) continue;
    yield { judged: answer };
    if (now.start > old.start || (now.start === old.start && now.end >= old.end)) continue;
    const found = {
      expected: `a candle no older than ${stamp(old.start)} to ${stamp(old.end)}, as seen before`,
      actual: `${stamp(now.start)} to ${stamp(now.end)}`,
    };
    yield { breach: candleBreach(answer, now, 'timestampSeconds', found) };
  }
}

function* checkGrowth({ latest }: Evidence): Generator<Sight> {
  for (const [{ candles: before }, answer] of successive(latest)) {
    const [old] = before;
    const [now] = answer.candles;
    if (!old || !now || old.start !== now.start || now.end < old.end) continue;
    yield { judged: answer };
    for (const [field, expected] of shrunken(old, now)) {
      yield { breach: { ...candleBreach(answer, now, field, expected), candles: [old, now] } };
    }
  }
}

/** What an open candle may no longer do once it was seen: fields that went the wrong way. */
function* shrunken(old: Candle, now: Candle): Generator<[field: string, expected: string]> {
  if (now.open !== old.open && !Number.isNaN(now.open + old.open)) yield ['open', `${old.open}, as before`];
  if (now.high < old.high) yield ['high', `at least ${old.high}, as before`];
  if (now.low > old.low) yield ['low', `at most ${old.low}, as before`];
  if (isLess(now, old, 'volume')) yield ['volume', `at least ${amountText(old, 'volume')}, as before`];
}

function isLess(a: Candle, b: Candle, amount: Amount): boolean {
  const one = parseDecimal(amountText(a, amount) ?? '');
  const other = parseDecimal(amountText(b, amount) ?? '');
  return one !== undefined && other !== undefined && compare(one, other) < 0;
}

function* checkIntervals({ latest }: Evidence): Generator<Sight> {
  const settled = snapshots(latest);
  for (const snapshot of settled) yield* compareIntervals(snapshot.filter((each) => !isInverted(each)));
  if (
    settled.length === 0 &&
    brackets(latest).some(({ first, last }) => first.candles[0] && last.candles[0])
  ) {
    yield { undecided: 'the candle moved between the first and the last look', race: true };
  }
}

/** The interval ended so long ago that the next one must show. */
function isOutdated(start: number, answer: CandleAnswer): boolean {
  return answer.serverNow !== undefined && answer.serverNow >= start + lengthOf(answer) + newestSeconds;
}

/** A pool that is no longer observed has no newer candle: a late one is a breach only where newer data are known. */
function* checkNewest({ latest, conventions }: Evidence): Generator<Sight> {
  for (const answers of Map.groupBy(latest, poolOf).values()) {
    const silentSince = lastSign(answers, conventions.openEnd);
    for (const answer of answers) {
      const [candle] = answer.candles;
      if (!candle || Number.isNaN(candle.start)) continue;
      if (!isOutdated(candle.start, answer)) yield { judged: answer };
      else if (silentSince !== undefined) {
        yield { undecided: `pool ${answer.asked.poolId} has shown nothing since ${stamp(silentSince)}` };
      } else yield { breach: outdated(answer, candle) };
    }
  }
}

function outdated(answer: CandleAnswer, candle: Candle): Breach {
  return candleBreach(answer, candle, 'startTimestampSeconds', {
    expected: `the ${answer.asked.interval} interval that holds ${stamp(answer.serverNow ?? 0)}`,
    actual: `the one from ${stamp(candle.start)}`,
  });
}

/** The last sign of life of a pool that was silent for a whole interval and more; undefined for one that lives. */
function lastSign(answers: readonly CandleAnswer[], openEnd: OpenEnd | undefined): number | undefined {
  const signs = answers.flatMap(({ candles: [candle] }) =>
    candle && !Number.isNaN(candle.start + candle.end)
      ? [openEnd === 'interval end' ? candle.start : candle.end]
      : [],
  );
  const last = Math.max(...signs);
  const isSilent = answers.some((answer) => {
    const nextEnd = (answer.candles[0]?.start ?? Number.NaN) + 2 * lengthOf(answer);
    return answer.serverNow !== undefined && answer.serverNow >= nextEnd + newestSeconds && last < nextEnd;
  });
  return isSilent ? last : undefined;
}

/** In one state of the market the longer candle holds the shorter one, where it began no later. */
function* compareIntervals(snapshot: Snapshot): Generator<Sight> {
  const ordered = [...snapshot].sort((a, b) => lengthOf(a) - lengthOf(b));
  for (const [index, answer] of ordered.entries()) {
    const [longer] = answer.candles;
    const [shorter] = ordered[index - 1]?.candles ?? [];
    if (!longer || !shorter || isOutdated(longer.start, answer)) continue;
    if (ordered[index - 1]?.asked.interval === answer.asked.interval) continue;
    yield { judged: answer };
    for (const breach of disagreements(longer, shorter, answer)) {
      yield { breach: { ...breach, candles: [shorter, longer] } };
    }
  }
}

function* disagreements(longer: Candle, shorter: Candle, answer: CandleAnswer): Generator<Breach> {
  const breach = (field: string, expected: string): Breach => candleBreach(answer, longer, field, expected);
  const shared = (['close', 'liquidity', 'liquidityUsd'] as const).filter((each) =>
    isComparable(longer, shorter, each),
  );
  for (const field of shared) {
    if (longer.record[field] !== shorter.record[field]) {
      yield breach(field, `${tell(shorter.record[field])}, as the shorter interval at the same moment`);
    }
  }
  if (!(longer.start <= shorter.start) || ![longer, shorter].every(hasSoundExtremes)) return;
  if (longer.high < shorter.high) yield breach('high', `at least ${shorter.high}, the shorter interval's`);
  if (longer.low > shorter.low) yield breach('low', `at most ${shorter.low}, the shorter interval's`);
  if (isLess(longer, shorter, 'volume')) {
    yield breach('volume', `at least ${amountText(shorter, 'volume')}, the shorter interval's`);
  }
}

function isComparable(a: Candle, b: Candle, field: string): boolean {
  const kind = typeof a.record[field];
  return (kind === 'number' || kind === 'string') && typeof b.record[field] === kind;
}

export const latestRules: readonly Rule[] = [
  {
    id: 'latest/answer-is-one-candle',
    section: '4.3',
    level: 'must',
    statement: 'The latest candlestick is a single object, neither a list nor wrapped.',
    why: 'Clients read its fields directly.',
    needs: [latestOfEachPool],
    check: departuresIn(['getLatestV1PoolCandle'], isWhole),
  },
  {
    id: 'latest/is-the-newest',
    section: '4.3',
    level: 'must',
    statement:
      "The latest candlestick is that of the present interval by the server's clock, while the pool is observed.",
    why: 'A price that is an interval old is not the latest.',
    needs: [latestOfEachPool, ...latestInEachInterval],
    check: checkNewest,
  },
  {
    id: 'latest/never-goes-back',
    section: '4.3',
    level: 'must',
    statement: 'From one answer to the next the latest candlestick is never an older one.',
    why: 'Time that runs backwards is the mark of replicas out of step.',
    needs: latestInEachInterval,
    check: checkForward,
  },
  {
    id: 'latest/only-grows',
    section: '2.2',
    level: 'must',
    statement: 'While its interval runs, a candle keeps its open, and its high, low and volume only widen.',
    why: 'First, highest, lowest and sum leave an observed past no other way.',
    needs: latestInEachInterval,
    check: checkGrowth,
  },
  {
    id: 'latest/intervals-agree',
    section: '2.2',
    level: 'must',
    statement:
      'At one moment all intervals give the same close and liquidity, and the longer hold extremes and volume of the shorter.',
    why: 'They are views of the same observations.',
    needs: latestInEachInterval,
    check: checkIntervals,
  },
];
