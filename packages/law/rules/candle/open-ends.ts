import { minute, stamp } from '@candleproof/document/spec/interval';
import { type Candle, rawField } from '../../reading/candle.ts';
import type { CandleAnswer, HistoryAnswer } from '../../reading/reading.ts';
import { observedApart } from '../../reading/tolerances.ts';
import { openEnds } from '../../relations/conventions.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { isFirstHand, isInverted, isOpen, marketKey, snapshots } from '../../relations/series.ts';
import { candleBreach } from '../breach.ts';
import { allWeeks, anyCandles, recentDays, recentFiveMinutes } from '../needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';

/** An open row that ends at a last observation, and the second in which it was read: by the server's clock, else by ours. */
type OpenRow = { readonly answer: CandleAnswer; readonly candle: Candle; readonly read: number };

/** An open row beside one of the same pool and minute that shows a later observation. */
type Behind = { readonly row: OpenRow; readonly other: OpenRow };

/**
 * Compares the ends of the open rows of a pool that were requested within a minute: what most of them show was observed, of equally
 * many the later ones. A state of the market that is proved is judged by the rule of latest intervals.
 */
function* compareEnds(evidence: Evidence): Generator<{ row: OpenRow } | Behind> {
  if (evidence.conventions.openEnd !== 'last observation') return;
  const rows = evidence.candleAnswers.flatMap(findOpenRow);
  const proved = snapshots(evidence.latest).map((snapshot) => new Set<CandleAnswer>(snapshot));
  for (const ofPool of Map.groupBy(rows, ({ answer }) => marketKey(evidence.spec, answer)).values()) {
    const endsBeside = slideMinutes(ofPool);
    for (const row of ofPool) {
      const { size, ends } = endsBeside(row);
      const most = findMost(ends);
      const isTelling = (other: OpenRow): boolean =>
        Math.abs(other.read - row.read) <= minute && isNear(other.candle.end, most) && isBehind(row, other);
      const other = most > row.candle.end ? ofPool.find(isTelling) : undefined;
      const isProved = other && proved.some((all) => holdsPlain(all, row) && holdsPlain(all, other));
      if (size > 1 && !isProved) yield other ? { row, other } : { row };
    }
  }
}

/** The rows that were requested within a minute of one: how many there are, and how many have each end. */
type Beside = { readonly size: number; readonly ends: ReadonlyMap<number, number> };

/** Makes a function that counts the rows beside one, which is fast for rows about in the order of their requests. */
function slideMinutes(rows: readonly OpenRow[]): (row: OpenRow) => Beside {
  const sorted = rows.toSorted((a, b) => a.read - b.read);
  const ends = new Map<number, number>();
  let [from, to] = [0, 0];
  const count = (at: number, by: 1 | -1): void => {
    const { end } = (sorted[at] as OpenRow).candle;
    const left = (ends.get(end) ?? 0) + by;
    if (left === 0) ends.delete(end);
    else ends.set(end, left);
  };
  const findRead = (at: number): number => sorted[at]?.read ?? Number.POSITIVE_INFINITY;
  return ({ read }) => {
    while (from > 0 && findRead(from - 1) >= read - minute) count(--from, 1);
    while (findRead(to) <= read + minute) count(to++, 1);
    while (findRead(from) < read - minute) count(from++, -1);
    while (findRead(to - 1) > read + minute) count(--to, -1);
    return { size: to - from, ends };
  };
}

function findOpenRow(answer: CandleAnswer): OpenRow[] {
  const { recorder, startedAt } = answer.exchange;
  const candle = answer.inTime.at(-1);
  const read = answer.serverNow ?? Date.parse(startedAt) / 1000;
  if (!candle || Number.isNaN(candle.end) || Number.isNaN(read)) return [];
  if (recorder?.timesUnknown || !isFirstHand(answer)) return [];
  const ends = isOpen(candle, answer) ? openEnds(candle, answer) : [];
  return ends[0] === 'last observation' && ends.length === 1 ? [{ answer, candle, read }] : [];
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= observedApart;
}

/** Returns whether the other row shows a later observation, which this one's range does not exclude. */
function isBehind({ answer, candle }: OpenRow, other: OpenRow): boolean {
  const { to = Number.POSITIVE_INFINITY } = answer.requested as Partial<HistoryAnswer['requested']>;
  return other.candle.end > candle.end + observedApart && to > other.candle.end;
}

/** Returns the end that most rows show, or one near it; of equally many the latest. */
function findMost(ends: Beside['ends']): number {
  const ranked = [...ends.keys()].map((end) => {
    const near = [...ends].filter(([other]) => isNear(end, other));
    return { end, rows: near.reduce((sum, [, rows]) => sum + rows, 0) };
  });
  ranked.sort((a, b) => b.rows - a.rows || b.end - a.end);
  return ranked[0]?.end ?? Number.NEGATIVE_INFINITY;
}

/** Returns whether a state of the market holds a row; inverted ones are not compared there. */
function holdsPlain(snapshot: ReadonlySet<CandleAnswer>, { answer }: OpenRow): boolean {
  return snapshot.has(answer) && !isInverted(answer);
}

/** Returns whether a row shows what was observed after its own end: the later close and liquidity, after the price had moved. */
function showsLater({ row, other }: Behind): boolean {
  const [one, later] = [row.candle, other.candle];
  const isSame = (field: 'close' | 'liquidity'): boolean =>
    rawField(one, field) !== undefined && rawField(one, field) === rawField(later, field);
  const hasMoved = later.start >= one.end && later.open !== later.close;
  return (
    isInverted(row.answer) === isInverted(other.answer) && isSame('close') && isSame('liquidity') && hasMoved
  );
}

/** Makes a check of rows that are behind, of those that show later observations, or of the others. */
function endCheck(isLater: boolean): Rule['check'] {
  return function* check(evidence): Generator<CheckOutcome> {
    for (const compared of compareEnds(evidence)) {
      const { answer, candle } = compared.row;
      const isOurs = 'other' in compared && showsLater(compared) === isLater;
      if (!isOurs) {
        yield { judged: answer };
        continue;
      }
      const { other } = compared;
      const found = {
        expected: `about ${stamp(other.candle.end)}, the last observation that another row of the pool shows`,
        actual: stamp(candle.end),
      };
      yield { breach: candleBreach(answer, candle, 'end', found, [candle]) };
    }
  };
}

const needs = [...anyCandles, recentDays, allWeeks, recentFiveMinutes];

export const openEndRules: readonly Rule[] = [
  {
    id: 'candle/open-end-is-its-last-observation',
    shows: 'stale',
    readsOneAnswer: false,
    damage: 'none',
    section: '2.2',
    level: 'must',
    restsOnOurs: true,
    uses: ['end', 'liquidity'],
    statement: 'An open candle does not end before the last observation that it holds.',
    broken: 'Open candles end before what they hold',
    why: 'Liquidity and close are those of the end: a price of now that is dated hours ago is taken for an old one.',
    exactly:
      'where open candles end at their last observation: not E + 300 s < E of another open candle of the pool and side that was requested within a minute, while both have the same close and liquidity, and that one began at E or later and moved since. A target whose open candles end with their interval is left out.',
    restsOn: ['end', 'liquidity'],
    needs,
    check: endCheck(true),
  },
  {
    id: 'candle/open-rows-are-of-one-time',
    shows: 'stale',
    readsOneAnswer: false,
    damage: 'none',
    consequence: 'latest',
    section: '2.2',
    level: 'should',
    uses: ['end'],
    statement:
      'Open candles of a pool that are requested within a minute end within five minutes of each other.',
    broken: 'Open candles of one pool end at different times',
    why: 'The document calls E the end of the interval and leaves open how far an open row may lag behind, so an older row that says so breaks no must; but a day that lags behind its hour contradicts it on every screen.',
    exactly:
      'where open candles end at their last observation: |E₁ − E₂| ≤ 300 s for open candles of one pool, of any interval, side and operation, that were requested within a minute. What most of them show counts, of equally many what is later. Ranges that end before it, answers with an Age header, and latest candles of one proved moment are left out.',
    restsOn: ['end'],
    needs,
    check: endCheck(false),
  },
];
