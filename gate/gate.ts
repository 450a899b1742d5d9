import { stamp } from '../contract/document/interval.ts';
import type { GapMode, Gated, GatedPair, GateRange, RangeCertainty } from './gated.ts';
import { familyRules } from './judging/family-law.ts';
import { FileJudge, ruleCount } from './judging/file-judge.ts';
import { nameOfInterval } from './judging/interval.ts';
import { pairsOf, type TablePair } from './judging/market.ts';
import { RollUp } from './judging/roll-up.ts';
import { CandleTable } from './reading/candle-table.ts';
import type { TableChoice } from './reading/table-form.ts';
import { UnreadableTable } from './reading/unreadable-table.ts';

/** A file as it is read: its name for people, and its bytes in chunks. */
export type GateSource = { readonly file: string; readonly chunks: AsyncIterable<Uint8Array> };

export type GateTerms = TableChoice & {
  readonly gaps: GapMode;
  /** Unix seconds. */
  readonly now: number;
  /** Seconds: one for all files, or one for each; guessed where left out. */
  readonly intervals?: readonly number[];
  readonly onProgress?: (file: string, rows: number) => void;
};

/** A file on its way: a chunk at a time. */
class Reading {
  readonly file: string;
  readonly judge: FileJudge;
  readonly table: CandleTable;
  isOver = false;
  /** In the order of its rows, the last start in its place. */
  reached = Number.NEGATIVE_INFINITY;
  /** Once all of its rows are judged. */
  onOver: (() => void) | undefined;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #onProgress: GateTerms['onProgress'];

  constructor(
    { file, chunks }: GateSource,
    interval: number | undefined,
    terms: GateTerms,
    isPaired: boolean,
  ) {
    this.file = file;
    this.judge = new FileJudge({ gaps: terms.gaps, now: terms.now, interval });
    this.table = new CandleTable(terms, isPaired, (row) => this.judge.take(row));
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#onProgress = terms.onProgress;
  }

  async advance(): Promise<void> {
    const { done, value } = await this.#chunks.next();
    try {
      if (done) this.table.end();
      else this.table.feed(value);
    } catch (error) {
      throw error instanceof UnreadableTable ? error.within(this.file) : error;
    }
    if (done) this.isOver = true;
    this.#onProgress?.(this.file, this.judge.rows);
  }

  /** Until the grid is known. */
  async open(): Promise<void> {
    while (!this.isOver && !this.judge.isReady) await this.advance();
    this.judge.measure();
  }

  /** All that is left of it. */
  finish(): void {
    this.judge.end();
    this.onOver?.();
  }
}

type OpenPair = TablePair & { readonly rollUp: RollUp };

/** Judges the files. They are read side by side, so that no more than some chunks of them are ever held. Throws UnreadableTable. */
export async function judgeFiles(sources: readonly GateSource[], terms: GateTerms): Promise<Gated> {
  const readings = sources.map((source, at) => {
    const interval =
      terms.intervals?.[at] ?? (terms.intervals?.length === 1 ? terms.intervals[0] : undefined);
    return new Reading(source, interval, terms, sources.length > 1);
  });
  for (const each of readings) await each.open();
  const pairs = openPairs(readings);
  for (const each of readings) each.judge.begin();
  for (const each of readings) if (each.isOver) each.finish();
  for (let next = furthestBehind(readings); next; next = furthestBehind(readings)) {
    await next.advance();
    if (next.isOver) next.finish();
  }
  return gatedOf(readings, pairs, terms);
}

function openPairs(readings: readonly Reading[]): OpenPair[] {
  const tables = readings.map(({ file, judge }) => {
    const { length, direction, notJudged } = judge.measure();
    return { file, length: notJudged === undefined ? length : 0, direction };
  });
  const pairs = pairsOf(tables).map((pair) => {
    const [longer, shorter] = [tables[pair.longer], tables[pair.shorter]];
    const lengths = { longer: longer?.length ?? 0, shorter: shorter?.length ?? 0 };
    return { ...pair, rollUp: new RollUp(lengths, longer?.direction ?? 1) };
  });
  for (const [at, reading] of readings.entries()) connect(reading, at, pairs);
  return pairs;
}

function connect(reading: Reading, at: number, pairs: readonly OpenPair[]): void {
  const asLonger = pairs.filter(({ longer }) => longer === at);
  const asShorter = pairs.filter(({ shorter }) => shorter === at);
  const { direction } = reading.judge.measure();
  if (asLonger.length + asShorter.length === 0) return;
  reading.judge.onPlaced = (row) => {
    reading.reached = row.start * direction;
    for (const { rollUp } of asLonger) rollUp.addLonger(row);
    for (const { rollUp } of asShorter) rollUp.addShorter(row);
  };
  reading.onOver = () => {
    for (const { rollUp } of asLonger) rollUp.endLonger();
    for (const { rollUp } of asShorter) rollUp.endShorter();
  };
}

/** The file whose rows are the least far in time: the others wait for it. */
function furthestBehind(readings: readonly Reading[]): Reading | undefined {
  const open = readings.filter(({ isOver }) => !isOver);
  return open.reduce<Reading | undefined>(
    (least, each) => (least === undefined || each.reached < least.reached ? each : least),
    undefined,
  );
}

function gatedOf(readings: readonly Reading[], pairs: readonly OpenPair[], terms: GateTerms): Gated {
  for (const { longer, rollUp } of pairs) {
    if (rollUp.isOfTwoMarkets()) continue;
    for (const mark of rollUp.marks) readings[longer]?.judge.found.add(mark);
  }
  const counts = { breach: 0, suspicion: 0, observed: 0 };
  for (const { judge } of readings)
    for (const certainty of Object.keys(counts) as RangeCertainty[])
      counts[certainty] += judge.found.counts[certainty];
  const files = readings.map(({ judge, file, table }) => judge.summary(file, table.form));
  const isJudged = files.some(({ rows, blank }) => rows > blank);
  return {
    verdict: !isJudged ? 'unjudged' : counts.breach > 0 ? 'damaged' : 'sound',
    now: stamp(terms.now),
    gaps: terms.gaps,
    files,
    pairs: pairs.map((pair) => pairOf(pair, readings)),
    counts,
    ranges: readings.flatMap(rangesOf),
    leftOut:
      readings.reduce((sum, { judge }) => sum + judge.found.leftOut, 0) +
      pairs.reduce((sum, { rollUp }) => sum + rollUp.leftOut, 0),
    remarks: remarksOn(readings, pairs),
  };
}

function rangesOf({ file, judge }: Reading): GateRange[] {
  return judge.found.list(file, nameOfInterval(judge.measure().length));
}

function pairOf({ longer, shorter, rollUp }: OpenPair, readings: readonly Reading[]): GatedPair {
  return {
    longer: readings[longer]?.file ?? '',
    shorter: readings[shorter]?.file ?? '',
    families: rollUp.families,
    rules: familyRules.map((id) => ruleCount(id, rollUp.families, rollUp.broken.get(id) ?? 0)),
    ...(rollUp.isOfTwoMarkets() && {
      notJudged: 'no candle agrees with its parts in any price: two markets',
    }),
    ...(rollUp.families === 0 && { notJudged: 'no candle has all of its parts' }),
  };
}

function remarksOn(readings: readonly Reading[], pairs: readonly OpenPair[]): string[] {
  const paired = new Set(pairs.flatMap(({ longer, shorter }) => [longer, shorter]));
  return readings.flatMap(({ file, judge }, at) => {
    const { notJudged } = judge.measure();
    if (judge.rows === 0) return [`${file}: no rows`];
    return [
      ...(notJudged === undefined ? [] : [`${file}: its grid and gaps are not judged: ${notJudged}`]),
      ...(readings.length > 1 && !paired.has(at)
        ? [`${file}: no roll-up: no other file of its market has an interval that divides or holds its own`]
        : []),
    ];
  });
}
