import { day, stamp } from '@candleproof/document/spec/interval';
import type { Prices } from '@candleproof/law/rules/candle/prices';
import { rulesOfRows } from '@candleproof/law/rules/rules-of-rows';
import type { GapMode, GateCandle, GatedFile, GatedRule } from '../gated.ts';
import type { TableForm } from '../reading/table.ts';
import { isBlank, type TableRow } from '../reading/table.ts';
import { AbsentAmounts } from './absent-amounts.ts';
import { AbsoluteMoves } from './absolute-moves.ts';
import { BelowZero, ScaledPrices } from './below-zero.ts';
import { copyRule } from './copied-rows.ts';
import { RowCauses } from './damage-causes.ts';
import { findGrid, formatInterval, type Grid } from './grid.ts';
import type { PlacedRow, RowBreach } from './law.ts';
import { averageRule, decimalVolume, findRowBreach, rowRules, volumeRule } from './law.ts';
import { findMisnamed, type MisnamedPrices } from './misnamed-prices.ts';
import { MissingIntervals } from './missing-intervals.ts';
import { doubts, Observer } from './observer.ts';
import { gridRules } from './off-grid.ts';
import { findAverageStep, QuoteVolume } from './quote-volume.ts';
import { Ranges, type RowMark } from './ranges.ts';
import { RoundedRange } from './rounded-range.ts';
import { orderRule, Succession, singleRule } from './succession.ts';
import { Surroundings } from './surroundings.ts';
import type { SecondTable } from './unnamed-table.ts';

/** Number of rows from which the interval of a table is determined. */
const firstRows = 2048;

/** Share of rows with a volume in a market of shares. */
const tradedShare = 0.9;

export type JudgeTerms = {
  readonly gaps: GapMode;
  /** Unix seconds. */
  readonly now: number;
  readonly interval?: number | undefined;
};

/** Judges the rows of one table. Holds the first rows until their grid is known, and none after that. */
export class FileJudge {
  readonly found = new Ranges();
  rows = 0;
  /** Number of otherwise readable rows that lack a column. */
  readonly lacking = { average: 0, volume: 0 };
  grid: Grid | undefined;
  /** True if every row so far is one price without a volume. */
  isOfSinglePrices = true;
  /** True if an adjustment has put prices below zero. */
  isAdjusted = false;
  /** Receives sound, closed, placed rows for roll-ups. */
  onPlaced: ((row: PlacedRow) => void) | undefined;
  readonly scaled = new ScaledPrices();
  readonly belowZero = new BelowZero(this.found, {
    isOfSinglePrices: () => this.isOfSinglePrices,
    areScaled: () => this.scaled.areScaled,
  });
  readonly rounded = new RoundedRange();
  /** The columns whose amounts are missing although they have a value. */
  absent = new AbsentAmounts([]);
  readonly #terms: JudgeTerms;
  #first: TableRow[] = [];
  #blank = 0;
  #from = Number.NaN;
  #to = Number.NaN;
  readonly #causes = new RowCauses();
  readonly #absolute = new AbsoluteMoves();
  #averages = 0;
  #traded = 0;
  #volumes = 0;
  #gaps: MissingIntervals | undefined;
  #succession: Succession | undefined;
  #observer: Observer | undefined;
  #surroundings: Surroundings | undefined;
  #misnamed: MisnamedPrices | undefined;
  #quotes: QuoteVolume | undefined;
  #averageStep = 0;

  constructor(terms: JudgeTerms) {
    this.#terms = terms;
  }

  /** True once enough rows were read to determine the grid. */
  get isReady(): boolean {
    return this.#first.length >= firstRows;
  }

  /** Number of rows with a price. */
  get judged(): number {
    return this.rows - this.#blank;
  }

  take(row: TableRow): void {
    if (this.grid === undefined || this.#succession === undefined) this.#first.push({ ...row });
    else this.#judge(row);
  }

  /** Determines the grid from the first rows, once. */
  measure(): Grid {
    this.grid ??= findGrid(this.#first, this.#terms.interval);
    return this.grid;
  }

  /** Judges the first rows. Later rows are judged at once. */
  begin(): void {
    const grid = this.measure();
    this.#gaps = new MissingIntervals(this.#terms.gaps, grid, this.found);
    this.#observer = new Observer(grid, this.found);
    const surroundings = new Surroundings(grid.length);
    this.#surroundings = surroundings;
    this.found.onPlace = (line) => surroundings.keep(line);
    this.#succession = new Succession(grid, this.#terms.now, this.#gaps, this.found, (row, slot) =>
      this.#place(row, slot),
    );
    const first = this.#first;
    this.#first = [];
    this.#misnamed = findMisnamed(grid.direction === 1 ? first : first.toReversed());
    this.absent = new AbsentAmounts(first);
    this.#quotes = QuoteVolume.open(first);
    this.#averageStep = findAverageStep(first);
    for (const row of first) this.#judge(row);
  }

  end(): void {
    if (this.#misnamed) this.found.add(this.#misnamed.mark(this.measure().length));
    this.#succession?.end();
    this.belowZero.end();
    for (const { mark, breach, row, before } of this.rounded.end()) this.#report(mark, breach, row, before);
    const adjusted = this.#isOfShares ? this.belowZero.markAdjusted() : undefined;
    if (adjusted) this.found.add(adjusted);
    this.isAdjusted = adjusted !== undefined;
    if (adjusted) this.#absolute.report(this.found, this.measure().length);
    this.#observer?.end(this.belowZero.isUsual, (start) => this.#gaps?.isRestDay(start) === true);
  }

  /** The cause of nearly all broken rows; undefined for none. */
  get cause(): string | undefined {
    return this.#causes.describe(this.judged);
  }

  /** True for days of a market that rests at weekends and has volumes; those of power and of yields do not. */
  get #isOfShares(): boolean {
    return this.#gaps?.isOfWeekdays === true && this.#traded >= tradedShare * this.judged;
  }

  /** True if whole days without a row may be closures that no calendar here has. */
  get areClosuresUnknown(): boolean {
    return this.#gaps?.areClosuresUnknown === true;
  }

  /** The place at which times begin again with other prices; undefined if they do not. */
  get secondTable(): SecondTable | undefined {
    return this.#succession?.firstTable.second;
  }

  /** The line from which rows are steadily nearer to each other, and their step in seconds; undefined for none. */
  get shorterSteps(): { readonly line: number; readonly step: number } | undefined {
    return this.#succession?.shorter.found;
  }

  listAround(line: number): readonly GateCandle[] | undefined {
    return this.#surroundings?.list(line);
  }

  #judge(row: TableRow): void {
    this.rows++;
    if (isBlank(row)) {
      this.#blank++;
      return;
    }
    this.absent.clear(row);
    if (row.high !== row.low || row.volume > 0) this.isOfSinglePrices = false;
    if (row.volume > 0) this.#traded++;
    const surroundings = this.#surroundings as Surroundings;
    surroundings.note(row);
    const { start } = row;
    if (!(start >= this.#from)) this.#from = start;
    if (!(start <= this.#to)) this.#to = start;
    if (!Number.isNaN(row.avg)) this.#averages++;
    else if (row.unread === undefined) this.lacking.average++;
    if (!Number.isNaN(row.volume)) this.#volumes++;
    else if (row.unread === undefined) this.lacking.volume++;
    this.#misnamed?.turn(row);
    this.rounded.note(row);
    this.scaled.note(row.high, row.low);
    const breach = findRowBreach(row, this.#averageStep, this.#quotes);
    row.isSound = breach === undefined;
    if (breach) {
      const mark: RowMark = { ...breach, ...this.#range(row), certainty: 'breach' };
      const { before } = surroundings;
      if (this.rounded.keep(row, before.close, breach, mark)) row.isSound = true;
      else if (!this.belowZero.keep(row, before, mark)) this.#report(mark, breach, row, before.close);
    } else if (this.belowZero.isWithin) this.belowZero.leave(row, surroundings.before);
    this.#succession?.next(row);
  }

  #report(mark: RowMark, breach: RowBreach, row: Prices, before: number): void {
    this.found.add(mark);
    this.#causes.add(row, before, breach);
  }

  #range({ start, line }: TableRow): { from: number; to: number; line: number } {
    return { from: start, to: start + (this.grid?.length ?? 0), line };
  }

  #place(row: TableRow, slot: number): void {
    const { now } = this.#terms;
    this.#gaps?.place(row, slot);
    const { length } = this.measure();
    const isOver = row.start + length <= now;
    if (length === day) this.#absolute.take(row);
    if (!isOver) this.#addUnfinished(row);
    else if (row.isSound) this.#observer?.take(row);
    if (this.onPlaced === undefined || !isOver || !row.isSound) return;
    const { open, high, low, close, avg, line, volumeText: volume } = row;
    const times = { start: slot, end: slot + length };
    this.onPlaced({ ...times, open, high, low, close, avg, volume, line, reading: decimalVolume });
  }

  #addUnfinished(row: TableRow): void {
    const isFuture = row.start > this.#terms.now;
    this.found.add({
      ...this.#range(row),
      kind: isFuture ? 'future' : 'open',
      certainty: 'observed',
      rules: [],
      detail: `${isFuture ? 'begins' : 'ends'} after ${stamp(this.#terms.now)}, the time of this judgement`,
    });
  }

  summary(file: string, form: TableForm | undefined): GatedFile {
    const grid = this.measure();
    const { judged } = this;
    return {
      ...{ file, rows: this.rows, blank: this.#blank },
      ...(form && { form: describeForm(form) }),
      ...(judged > 0 && {
        from: this.#from,
        to: this.#to,
        order: grid.direction === 1 ? 'ascending' : 'descending',
      }),
      ...(grid.length > 0 && { interval: formatInterval(grid.length) }),
      ...(grid.notJudged === undefined ? { phase: grid.phase } : { gridNotJudged: grid.notJudged }),
      rules: this.#rules(judged, grid),
      doubts: doubts.map(({ id, statement }) => ({
        ...{ id, statement },
        ranges: this.found.doubted.get(id) ?? 0,
      })),
      gaps: { ranges: this.#gaps?.ranges ?? 0, intervals: this.#gaps?.intervals ?? 0 },
    };
  }

  #rules(judged: number, { notJudged }: Grid): GatedRule[] {
    const onGrid = notJudged === undefined ? judged : 0;
    const isJudged = this.#terms.gaps === 'none' || this.#gaps?.isRestless === true;
    const complete = isJudged ? onGrid + (this.#gaps?.intervals ?? 0) : 0;
    const counts: [string, number][] = [
      ...rowRules.map((id): [string, number] => [id, judged]),
      [averageRule, this.#averages],
      [volumeRule, this.#volumes],
      [singleRule, judged],
      [orderRule, judged],
      ...gridRules.map((id): [string, number] => [id, onGrid]),
      ['history/complete', complete],
      [copyRule, this.#volumes],
    ];
    return counts.map(([id, count]) => countRule(id, count, this.found.broken.get(id) ?? 0));
  }
}

/** Returns the counts of a rule with its statement. */
export function countRule(id: string, judged: number, broken: number): GatedRule {
  const rule = rulesOfRows.find((candidate) => candidate.id === id);
  return { id, level: rule?.level ?? 'must', statement: rule?.statement ?? '', judged, broken };
}

function describeForm(form: TableForm): NonNullable<GatedFile['form']> {
  const names = form.kind === 'csv' ? form.names : [];
  const columns = Object.entries(form.places).map(([role, place]) => {
    return [role, typeof place === 'number' ? names[place] || String(place + 1) : namePlace(place)];
  });
  return {
    ...{ kind: form.kind, unit: form.unit, columns: Object.fromEntries(columns) },
    ...(form.kind === 'csv' && { separator: form.lineForm?.separator ?? form.separator }),
    ...(form.isByOrder && { isByOrder: true }),
    ...(form.isByCustom && { isByCustom: true }),
  };
}

/** Returns the name of a value in a row of JSON; its number, from 1, in a list. */
function namePlace(steps: readonly string[]): string {
  const [first = ''] = steps;
  return steps.length === 1 && /^\d+$/.test(first) ? String(Number(first) + 1) : steps.join('.');
}
