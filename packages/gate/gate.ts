import { stamp } from '@candleproof/document/spec/interval';
import { UsageError } from '@candleproof/files/usage-error';
import { FileReading, type GateSource, type GateTerms } from './file-reading.ts';
import {
  type Gated,
  type GatedPair,
  type GateRange,
  type GateVerdict,
  gravest,
  type RangeCertainty,
  type RangeKind,
  type SameMarket,
} from './gated.ts';
import { countRule } from './judging/file-judge.ts';
import { formatInterval } from './judging/grid.ts';
import { familyRules, type PlacedRow } from './judging/law.ts';
import { findPairs, groupParts, OpenPair, type TableParts } from './judging/market.ts';
import { type GrownMark, toGateRange } from './judging/ranges.ts';
import { SessionRollUp } from './judging/session-roll-up.ts';
import { orderParts } from './part-order.ts';
import { findAmount } from './reading/table.ts';
import { listRemarks, listUndecided } from './remarks.ts';
import { SameComparison } from './same-market.ts';

/** Judges the files. Reads them side by side, so that only a few chunks are in memory. Throws UnreadableTable. */
export async function judgeFiles(sources: readonly GateSource[], terms: GateTerms): Promise<Gated> {
  const names = sources.map(({ file }) => file);
  const each = names.map((name, at) => ({ name, at: [at] }));
  const tables = terms.isOneTable ? [joinAll(sources)] : terms.isSame ? each : groupParts(names);
  const readings: FileReading[] = [];
  for (const { name, at } of tables) {
    const { intervals = [] } = terms;
    const interval = intervals.length === 1 ? intervals[0] : intervals[at[0] ?? 0];
    const given = at.flatMap((index) => sources[index] ?? []);
    const table = { file: name, sources: terms.isOneTable ? given : await orderParts(given, terms) };
    readings.push(new FileReading(table, interval, terms, tables.length > 1));
  }
  try {
    for (const reading of readings) await reading.open();
    const same = terms.isSame ? openSame(readings) : undefined;
    const pairs = await readAll(readings, same);
    const result = makeResult(readings, pairs, terms);
    return same ? addSame(result, describeSame(same, readings), terms) : result;
  } finally {
    for (const reading of readings) await reading.close();
  }
}

function joinAll(sources: readonly GateSource[]): TableParts {
  const [first, ...others] = sources.map(({ file }) => file);
  const name = others.length > 0 ? `${first} and ${others.length} more` : (first ?? '');
  return { name, at: sources.map((_, at) => at) };
}

/** Opens the comparison of two tables of one interval and order. Throws UsageError. */
function openSame(readings: readonly FileReading[]): SameComparison {
  const [one, other, ...others] = readings;
  if (one === undefined || other === undefined || others.length > 0)
    throw new UsageError(`--same: takes two tables, ${readings.length} were given`);
  const [grid, second] = [one.judge.measure(), other.judge.measure()];
  if (grid.length !== second.length || grid.direction !== second.direction || grid.length === 0)
    throw new UsageError(
      `--same: takes tables of one interval and order; ${one.file} is of ${formatInterval(grid.length)}, ${other.file} of ${formatInterval(second.length)}`,
    );
  const same = new SameComparison(grid.length);
  for (const [side, reading] of [one, other].entries())
    reading.judge.onPlaced = (row) => {
      reading.reached = row.start * grid.direction;
      same.add(side === 0 ? 0 : 1, row);
    };
  return same;
}

/** Adds the comparison of two tables, whose difference is the verdict unless one is damaged or suspected. */
function addSame(result: Gated, same: SameMarket, { tolerated }: GateTerms): Gated {
  const isDifferent = same.differing > 0 && result.verdict === 'sound' && !tolerated?.includes('difference');
  return { ...result, ...(isDifferent && { verdict: 'different' }), same };
}

function settleSame(same: SameComparison, readings: readonly FileReading[]): void {
  const [one, other] = readings.map((reading) =>
    reading.isOver ? Number.POSITIVE_INFINITY : reading.reached,
  );
  const isAscending = readings[0]?.judge.measure().direction === 1;
  const isOver = readings.every((reading) => reading.isOver);
  if (isAscending || isOver) same.settle([one ?? 0, other ?? 0], isOver);
}

function describeSame(same: SameComparison, readings: readonly FileReading[]): SameMarket {
  const doubted = readings.map(({ judge }) =>
    judge.found.list().filter(({ certainty }) => certainty !== 'observed'),
  );
  return same.result([readings[0]?.file ?? '', readings[1]?.file ?? ''], (side, from, to) =>
    (doubted[side] ?? []).some((mark) => mark.from < to && mark.to > from),
  );
}

async function readAll(readings: readonly FileReading[], same?: SameComparison): Promise<OpenPair[]> {
  const pairs = same ? [] : openPairs(readings);
  for (const reading of readings) reading.judge.begin();
  for (const reading of readings) {
    if (reading.isOver) reading.judge.end();
    reading.refuseMixed();
  }
  for (let next = furthestBehind(readings); next; next = furthestBehind(readings)) {
    await next.advance();
    if (next.isOver) next.judge.end();
    next.refuseMixed();
    settle(pairs, readings);
    if (same) settleSame(same, readings);
  }
  settle(pairs, readings);
  if (same) settleSame(same, readings);
  return pairs;
}

function settle(pairs: readonly OpenPair[], readings: readonly FileReading[]): void {
  for (const open of pairs) {
    const { longer, shorter } = open.pair;
    open.settle(readings[longer]?.isOver === true, readings[shorter]?.isOver === true);
  }
}

function openPairs(readings: readonly FileReading[]): OpenPair[] {
  const tables = readings.map(({ file, judge }) => {
    const { length, direction, notJudged } = judge.measure();
    return { file, length: notJudged === undefined ? length : 0, direction };
  });
  const pairs = findPairs(tables).map((pair) => {
    const [longer, shorter] = [tables[pair.longer], tables[pair.shorter]];
    const lengths = { longer: longer?.length ?? 0, shorter: shorter?.length ?? 0 };
    return new OpenPair(pair, lengths, longer?.direction ?? 1);
  });
  const amounts = readings.map(({ form }) => findAmount(form?.places ?? {}));
  for (const [at, reading] of readings.entries())
    connect(reading, at, pairs, amounts[at] === 'quote-volume' && describeTurnover(amounts));
  return pairs;
}

/** Returns what rows with turnovers carry: nothing to compare beside tables with volumes. */
function describeTurnover(amounts: readonly string[]): Partial<PlacedRow> {
  return new Set(amounts).size === 1 ? { isTurnover: true } : { volume: '' };
}

function connect(
  reading: FileReading,
  at: number,
  pairs: readonly OpenPair[],
  turnover: Partial<PlacedRow> | false,
): void {
  const asLonger = pairs.filter(({ pair }) => pair.longer === at);
  const asShorter = pairs.filter(({ pair }) => pair.shorter === at);
  const { direction } = reading.judge.measure();
  if (asLonger.length + asShorter.length === 0) return;
  reading.judge.onPlaced = (placed) => {
    reading.reached = placed.start * direction;
    const row = turnover ? { ...placed, ...turnover } : placed;
    for (const pair of asLonger) pair.addLonger(row);
    for (const pair of asShorter) pair.addShorter(row);
  };
}

/** Returns the unfinished file that is furthest behind in time; the others wait for it. */
function furthestBehind(readings: readonly FileReading[]): FileReading | undefined {
  const open = readings.filter(({ isOver }) => !isOver);
  return open.reduce<FileReading | undefined>(
    (least, reading) => (least === undefined || reading.reached < least.reached ? reading : least),
    undefined,
  );
}

function makeResult(readings: readonly FileReading[], pairs: readonly OpenPair[], terms: GateTerms): Gated {
  for (const open of pairs) {
    open.end();
    const shift = open.findShift();
    const marks = shift ? [shift] : open.rollUp.isTwoMarkets() ? [] : open.judged.marks;
    for (const mark of marks) readings[open.pair.longer]?.judge.found.add(mark);
  }
  for (const { judge } of readings) terms.onJudged?.((line) => judge.found.doubtedLines.has(line));
  const counts = { breach: 0, suspicion: 0, observed: 0 };
  for (const { judge } of readings)
    for (const certainty of Object.keys(counts) as RangeCertainty[])
      counts[certainty] += judge.found.counts[certainty];
  const files = readings.map(({ judge, file, form, files: parts }) => ({
    ...judge.summary(file, form),
    ...(parts.length > 1 ? { parts } : parts[0]?.sha256 && { sha256: parts[0].sha256 }),
  }));
  const undecided = listUndecided(readings, pairs, terms.gaps);
  const failing = listFailing(readings, terms);
  return {
    verdict: reachVerdict(counts.breach, failing, undecided),
    failing,
    undecided,
    now: stamp(terms.now),
    gaps: terms.gaps,
    files,
    pairs: pairs.map((pair) => summarizePair(pair, readings)),
    counts,
    causes: readings.flatMap(({ file, judge }) =>
      judge.cause === undefined ? [] : [`${file}: ${judge.cause}`],
    ),
    ...findWorst(readings, pairs),
    ranges: readings.flatMap((reading) =>
      reading.judge.found.list().map((mark) => placeRange(reading, mark)),
    ),
    leftOut:
      readings.reduce((sum, { judge }) => sum + judge.found.leftOut, 0) +
      pairs.reduce((sum, { judged }) => sum + judged.leftOut, 0),
    remarks: listRemarks(readings, pairs, terms),
  };
}

function reachVerdict(
  breaches: number,
  failing: readonly RangeKind[],
  undecided: readonly string[],
): GateVerdict {
  if (breaches > 0) return 'damaged';
  if (failing.length > 0) return 'suspected';
  return undecided.length > 0 ? 'unjudged' : 'sound';
}

/** Lists the kinds of suspicions beyond chance that the caller does not tolerate. */
function listFailing(readings: readonly FileReading[], { tolerated }: GateTerms): RangeKind[] {
  if (tolerated === undefined) return [];
  const kinds = new Set(readings.flatMap(({ judge }) => [...judge.found.beyondChance]));
  return [...kinds].filter((kind) => !tolerated.some((each) => each === kind)).sort();
}

function placeRange(reading: FileReading, mark: GrownMark): GateRange {
  return toGateRange(mark, reading.locate(mark.line), formatInterval(reading.judge.measure().length));
}

/** Finds the first of the gravest damage, and the candles around it. */
function findWorst(readings: readonly FileReading[], pairs: readonly OpenPair[]): Pick<Gated, 'worst'> {
  const damaged = readings.flatMap((reading) => {
    const mark = reading.judge.found.worst;
    return mark ? [{ reading, mark, rank: gravest.indexOf(mark.kind) }] : [];
  });
  const [worst] = damaged.toSorted((a, b) => a.rank - b.rank);
  if (!worst) return {};
  const { reading, mark } = worst;
  const candles =
    mark.kind === 'rollup'
      ? pairs.find(({ pair, judged }) => readings[pair.longer] === reading && judged.example)?.judged.example
      : reading.judge.listAround(mark.line);
  return { worst: { range: placeRange(reading, mark), candles: candles ?? [] } };
}

function summarizePair(open: OpenPair, readings: readonly FileReading[]): GatedPair {
  const { rollUp, judged } = open;
  const { longer, shorter } = open.pair;
  const shift = open.findShift();
  return {
    longer: readings[longer]?.file ?? '',
    shorter: readings[shorter]?.file ?? '',
    families: judged.families,
    rules: familyRules.map((id) => countRule(id, judged.families, judged.broken.get(id) ?? 0)),
    ...(judged instanceof SessionRollUp && { isOfSessions: true }),
    ...(shift && { shifted: shift.detail }),
    ...(!shift &&
      rollUp.isTwoMarkets() && {
        notJudged: 'no candle agrees with its parts in any price: two markets',
      }),
    ...(judged.families === 0 && { notJudged: 'no candle has all of its parts' }),
    ...(judged instanceof SessionRollUp && judged.notJudged && { notJudged: judged.notJudged }),
  };
}
