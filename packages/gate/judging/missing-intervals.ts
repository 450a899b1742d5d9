import { day } from '@candleproof/document/spec/interval';
import type { GapMode } from '../gated.ts';
import type { TableRow } from '../reading/table.ts';
import { type Gap, GapReport } from './gap-report.ts';
import { countIntervals } from './inside-hole.ts';
import { LongerRow, LongerSteps } from './longer-steps.ts';
import { OddDays } from './odd-days.ts';
import { OtherSeries } from './other-series.ts';
import { QuietRows } from './quiet-rows.ts';
import { maxListed, type Ranges } from './ranges.ts';
import { Sessions } from './sessions.ts';

/** Share of the gaps between rows of a longer interval that may be at open hours: where the interval changes, weeks nearby have the other one. */
const ratedShare = 0.1;

/** Maximum number of gaps that a late row can still fill; older ones are settled. */
const mostPending = 256;

/** Number of gaps whose surrounding rows are kept: the first one may still be filled. */
const mostOffered = 4;

/** Collects missing intervals. Delays reporting them, because a row may come late, or the sessions are not yet known. */
export class MissingIntervals {
  ranges = 0;
  intervals = 0;
  /** Position in the file up to which gaps are settled and can no longer be filled. */
  settledTo = Number.NEGATIVE_INFINITY;
  #offered = 0;
  #rows = 0;
  #pending: Gap[] = [];
  /** Settled gaps that wait for the sessions to be known. */
  #waiting: Gap[] = [];
  readonly #mode: GapMode;
  readonly #length: number;
  readonly #direction: 1 | -1;
  readonly #found: Ranges;
  readonly #sessions: Sessions | undefined;
  readonly #quiet = new QuietRows();
  #newest: Gap | undefined;
  #close = Number.NaN;
  #volume = Number.NaN;
  readonly #longer = new LongerRow();
  readonly #steps: LongerSteps;
  readonly #report: GapReport;
  #isSingle = false;
  readonly #series: OtherSeries;
  readonly #oddDays = new OddDays();

  constructor(mode: GapMode, grid: { readonly length: number; readonly direction: 1 | -1 }, found: Ranges) {
    this.#mode = mode;
    this.#length = grid.length;
    this.#series = new OtherSeries(grid.length);
    this.#direction = grid.direction;
    this.#found = found;
    this.#steps = new LongerSteps(grid.length, found);
    this.#report = new GapReport(mode, grid, this.#quiet, found);
    this.#sessions = mode === 'sessions' && grid.length > 0 ? new Sessions(grid.length) : undefined;
  }

  /** True if the market of the table has no sessions, so that each interval needs its row. */
  get isRestless(): boolean {
    return this.#sessions?.isRestless === true;
  }

  /** True if whole days without a row may be closures that no calendar here has. */
  get areClosuresUnknown(): boolean {
    return this.#sessions?.areClosuresUnknown === true;
  }

  /** True for a table of days that has none at weekends. */
  get isOfWeekdays(): boolean {
    return this.#oddDays.isOfWeekdays;
  }

  /** Returns whether a day of a table of days is one on which its market rests, once the table has ended. */
  isRestDay(start: number): boolean {
    return this.#oddDays.isRest(start) || this.#sessions?.isClosed(Math.floor(start / day)) === true;
  }

  readonly #isHoliday = (date: number): boolean => this.#sessions?.isHoliday(date) === true;

  /** Notes that an interval has its row. */
  place(row: TableRow, start: number): void {
    this.#rows++;
    if (this.#length === day) this.#oddDays.add(row.line, start);
    const wasSingle = this.#isSingle;
    this.#isSingle = row.high === row.low && row.volume > 0;
    if (this.#newest) {
      this.#newest.isThin = wasSingle || this.#isSingle;
      this.#passGap(this.#newest, row, start);
    }
    this.#close = row.close;
    this.#volume = row.volume;
    this.#longer.add(row.volume);
    if (!this.#sessions) return;
    this.#quiet.add(row);
    this.#sessions.add(start);
  }

  /** Notes the row after a gap. */
  #passGap(gap: Gap, { line, close, volume }: TableRow, start: number): void {
    this.#newest = undefined;
    gap.after = close;
    gap.volume = Math.max(this.#volume, volume);
    const missing = countIntervals(gap, this.#length);
    gap.times = this.#longer.measure(this.#direction === 1 ? this.#volume : volume, missing);
    const earlier = this.#direction === 1 ? gap.first - this.#length : gap.last + this.#length;
    const before = { start: earlier, close: this.#close, rows: this.#rows - 1 };
    this.#series.add({ line, start, close }, before);
  }

  add(gap: Gap): void {
    if (this.#offered++ < mostOffered) this.#found.onPlace?.(gap.line);
    gap.before = this.#close;
    this.#newest = gap;
    this.#pending.push(gap);
    if (this.#pending.length > mostPending) this.#settle(this.#pending.shift() as Gap);
  }

  /** Removes a start from its gap. Returns false if it is in none. */
  fill(start: number): boolean {
    const at = this.#pending.findIndex(({ first, last }) => start >= first && start <= last);
    const gap = this.#pending[at];
    if (gap === undefined) return false;
    const parts = [
      { ...gap, last: start - this.#length },
      { ...gap, first: start + this.#length },
    ];
    this.#pending.splice(at, 1, ...parts.filter(({ first, last }) => first <= last));
    return true;
  }

  end(): void {
    for (const gap of this.#pending) this.#settle(gap);
    this.#pending = [];
    const rated = this.#sessions?.rate(this.#waiting);
    // Elsewhere a gap may be a night; and days have trades.
    const mayBeIdle = this.isRestless && this.#length < day;
    if (mayBeIdle) for (const gap of this.#waiting) this.#quiet.addGap(countIntervals(gap, this.#length));
    for (const { gap, hole } of this.#oddDays.report(this.#waiting, this.#found, this.#isHoliday))
      rated?.set(gap, hole);
    for (const gap of this.#waiting) if (this.#series.explains(gap, this.#rows)) rated?.delete(gap);
    for (const mark of this.#series.listMarks()) this.#found.add(mark);
    this.#forgetBreaks();
    const isRated = (gap: Gap): boolean => (rated?.get(gap)?.rows ?? 0) > 0;
    const runs = this.#steps
      .find(this.#waiting, this.#rows)
      .filter((run) => run.filter(isRated).length <= ratedShare * run.length);
    for (const run of runs) this.#steps.report(run);
    const inRuns = new Set(runs.flat());
    for (const gap of this.#waiting) if (!inRuns.has(gap)) this.#report.report(gap, rated?.get(gap));
    this.#waiting = [];
  }

  /** Counts no time between two series. */
  #forgetBreaks(): void {
    const breaks = this.#waiting.filter((gap) => this.#series.isBreak(gap));
    for (const gap of breaks) {
      this.ranges--;
      this.intervals -= countIntervals(gap, this.#length);
    }
    this.#waiting = this.#waiting.filter((gap) => !breaks.includes(gap));
  }

  #settle(gap: Gap): void {
    const { first, last } = gap;
    this.settledTo = Math.max(this.settledTo, (this.#direction === 1 ? last : first) * this.#direction);
    this.ranges++;
    this.intervals += countIntervals(gap, this.#length);
    if (this.#mode === 'idle') return;
    this.#sessions?.addHole(gap);
    if (this.#sessions && this.#waiting.length < maxListed) this.#waiting.push(gap);
    else this.#report.report(gap, undefined);
  }
}
