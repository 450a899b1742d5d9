import { day, week } from '@candleproof/document/spec/interval';
import { thousands } from '@candleproof/law/reading/words';
import type { DoubtSeverity, GapMode } from '../gated.ts';
import type { TableRow } from '../reading/table.ts';
import { missingHourWords } from './clock-change.ts';
import { oddsOfRun } from './detector.ts';
import { formatInterval, isCalendar } from './grid.ts';
import { IdleRows } from './idle-rows.ts';
import type { RatedHole } from './inside-hole.ts';
import { LongerRow } from './longer-row.ts';
import { OddDays } from './odd-days.ts';
import { OtherSeries } from './other-series.ts';
import { QuietRows } from './quiet-rows.ts';
import { maxListed, type Ranges } from './ranges.ts';
import { Sessions } from './sessions.ts';

/** The doubt about rows that are missing within a session. */
export const gapDoubt = {
  ...{ id: 'gap/in-session', kind: 'gap' as const },
  statement: 'Every interval in which a market is open in other weeks has its row.',
};

/** The doubt about rows of a longer interval. */
export const stepDoubt = {
  ...{ id: 'gap/longer-step', kind: 'gap' as const },
  statement: 'No twelve rows in a row are equally far apart, and farther than the others.',
};

/** Gaps of one size, with one row between, that show rows of a longer interval. */
const fewestInRun = 12;

/** Share of them that may be at open hours: where the interval changes, weeks nearby have the other one. */
const ratedShare = 0.1;

/** Days of a closure that happens once, such as after a storm; a table without more rows shows no reason. */
const closure = 2 * day;

/**
 * The first and last missing start (Unix seconds), the line of the row after them in the file, and the closes of the rows
 * before and after them there.
 */
type Gap = {
  readonly first: number;
  readonly last: number;
  readonly line: number;
  before?: number;
  after?: number;
  /** True if one of these rows is a single trade. */
  isThin?: boolean;
  /** Times the usual volume of the row before, if it may stand for the missing ones. */
  times?: number | undefined;
  /** True if a row near it is idle. */
  isNearIdle?: boolean;
};

/**
 * Intervals beside a single trade that may have none, as in the first days of a venue that is busy later; and missing rows
 * that are certain only where a dozen rows before and after them have trades.
 */
const mostThin = 3;

/** Change of the price across lost rows from which it is worth a note. */
const notedChange = 0.2;

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
  readonly #idle = new IdleRows();
  #newest: Gap | undefined;
  #close = Number.NaN;
  #volume = Number.NaN;
  readonly #longer = new LongerRow();
  #isSingle = false;
  readonly #series: OtherSeries;
  readonly #oddDays = new OddDays();

  constructor(mode: GapMode, grid: { readonly length: number; readonly direction: 1 | -1 }, found: Ranges) {
    this.#mode = mode;
    this.#length = grid.length;
    this.#series = new OtherSeries(grid.length);
    this.#direction = grid.direction;
    this.#found = found;
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
    this.#idle.add(this.#quiet.add(row));
    this.#sessions.add(start);
  }

  /** Notes the row after a gap. */
  #passGap(gap: Gap, { line, close, volume }: TableRow, start: number): void {
    this.#newest = undefined;
    gap.after = close;
    const missing = Math.round((gap.last - gap.first) / this.#length) + 1;
    gap.times = this.#longer.measure(this.#direction === 1 ? this.#volume : volume, missing);
    const earlier = this.#direction === 1 ? gap.first - this.#length : gap.last + this.#length;
    const before = { start: earlier, close: this.#close, rows: this.#rows - 1 };
    this.#series.add({ line, start, close }, before);
  }

  add(gap: Gap): void {
    if (this.#offered++ < mostOffered) this.#found.onPlace?.(gap.line);
    gap.before = this.#close;
    this.#newest = gap;
    this.#idle.pass(gap);
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
    // Elsewhere a gap may be a night.
    if (this.isRestless) for (const gap of this.#waiting) this.#quiet.addGap(this.#count(gap));
    for (const { gap, hole } of this.#oddDays.report(this.#waiting, this.#found, this.#isHoliday))
      rated?.set(gap, hole);
    for (const gap of this.#waiting) if (this.#series.explains(gap, this.#rows)) rated?.delete(gap);
    for (const mark of this.#series.listMarks()) this.#found.add(mark);
    this.#forgetBreaks();
    const isRated = (gap: Gap): boolean => (rated?.get(gap)?.rows ?? 0) > 0;
    const runs = this.#findRuns().filter((run) => run.filter(isRated).length <= ratedShare * run.length);
    for (const run of runs) this.#reportRun(run);
    const inRuns = new Set(runs.flat());
    for (const gap of this.#waiting) if (!inRuns.has(gap)) this.#report(gap, rated?.get(gap));
    this.#waiting = [];
  }

  /** Counts no time between two series. */
  #forgetBreaks(): void {
    const breaks = this.#waiting.filter((gap) => this.#series.isBreak(gap));
    for (const gap of breaks) {
      this.ranges--;
      this.intervals -= this.#count(gap);
    }
    this.#waiting = this.#waiting.filter((gap) => !breaks.includes(gap));
  }

  /** Finds gaps of one size with one row between each and the next, more than the table's other rows let expect. */
  #findRuns(): Gap[][] {
    const gaps = this.#waiting.toSorted((a, b) => a.first - b.first);
    const runs: Gap[][] = [];
    for (const gap of gaps) {
      const before = runs.at(-1)?.at(-1);
      const isNext = before && gap.first - before.last === 2 * this.#length && this.#isAlike(gap, before);
      if (isNext) runs.at(-1)?.push(gap);
      else runs.push([gap]);
    }
    const alike = runs.reduce((sum, run) => sum + run.length - 1, 0);
    const found = runs.filter(
      ({ length }) => length >= fewestInRun && oddsOfRun(this.#rows, alike, length - 1) > 0,
    );
    return this.#joinRuns(found, new Map(gaps.map((gap, at) => [gap, at])));
  }

  /** Joins runs between which there is one closure. `places` are those of all gaps in time. */
  #joinRuns(runs: readonly Gap[][], places: ReadonlyMap<Gap, number>): Gap[][] {
    const joined: Gap[][] = [];
    for (const run of runs) {
      const before = joined.at(-1);
      const [first, last] = [run[0], before?.at(-1)].map((gap) => gap && places.get(gap)) as [number, number];
      const isNext =
        before !== undefined && first - last <= 2 && this.#isAlike(run[0] as Gap, before[0] as Gap);
      if (isNext) before.push(...run);
      else joined.push(run);
    }
    return joined;
  }

  /** Returns whether two gaps are of one size; months are. */
  #isAlike(one: Gap, other: Gap): boolean {
    const [a, b] = [one, other].map(({ first, last }) => last - first + 2 * this.#length) as [number, number];
    return a === b || (isCalendar(a) && isCalendar(b));
  }

  #reportRun(run: readonly Gap[]): void {
    const [{ first: from, line, last } = { first: 0, line: 0, last: 0 }] = run;
    const step = last - from + 2 * this.#length;
    const missing = run.reduce((sum, gap) => sum + this.#count(gap), 0);
    const [long, short] = [step, this.#length].map(formatInterval);
    this.#found.add({
      ...{ from, to: (run.at(-1)?.last ?? last) + this.#length, kind: 'gap', rows: missing },
      ...{ line: Math.min(line, run.at(-1)?.line ?? line), certainty: 'suspicion', rules: [] },
      ...{ doubt: stepDoubt.id, severity: 'grave' },
      detail: `${thousands(run.length + 1)} rows in a row are ${long} apart, and others ${short}: ${thousands(missing)} intervals have no row`,
    });
  }

  #settle(gap: Gap): void {
    const { first, last } = gap;
    this.settledTo = Math.max(this.settledTo, (this.#direction === 1 ? last : first) * this.#direction);
    this.ranges++;
    this.intervals += this.#count(gap);
    if (this.#mode === 'idle') return;
    this.#sessions?.addHole(gap);
    if (this.#sessions && this.#waiting.length < maxListed) this.#waiting.push(gap);
    else this.#report(gap, undefined);
  }

  #report(gap: Gap, rated: RatedHole | undefined): void {
    if (rated?.rows === 0) return;
    const { first, last } = rated ?? gap;
    const rows = this.#count({ first, last });
    const isThin = gap.isThin === true && rows <= mostThin && this.#length < day;
    const isQuiet =
      rated !== undefined && !rated.isOfBusyHours && (isThin || this.#quiet.explains(rated.rows));
    const isUnsure = rated?.isCertain === true && this.#mayLackTrades(gap, rows);
    const isBreach = !isQuiet && !isUnsure && (rated?.isCertain ?? this.#mode === 'none');
    const isSuspected = rated !== undefined && !isBreach && !isQuiet;
    const missing = rated?.rows ?? rows;
    if (isBreach) this.#noteJump(gap);
    this.#found.add({
      ...{ from: first, to: last + this.#length, line: gap.line, kind: 'gap', rows: missing },
      certainty: isBreach ? 'breach' : isSuspected ? 'suspicion' : 'observed',
      ...(isSuspected && { doubt: gapDoubt.id, severity: isUnsure ? 'slight' : this.#rank(missing) }),
      rules: isBreach ? ['history/complete'] : [],
      detail: `${thousands(missing)} ${missing === 1 ? 'interval has' : 'intervals have'} no row${isQuiet ? quietWords : isUnsure ? idleWords : rated && this.#length < week ? sessionWords(isBreach) : ''}${longerWords(gap)}${missingHourWords(first, last + this.#length)}`,
    });
  }

  #count({ first, last }: Pick<Gap, 'first' | 'last'>): number {
    return Math.round((last - first) / this.#length) + 1;
  }

  /** Returns whether a short gap may be of intervals without a trade, since not all rows around it have trades. */
  #mayLackTrades({ isNearIdle, times }: Gap, rows: number): boolean {
    if (rows > mostThin || times !== undefined || this.#length >= day || !this.#quiet.mayLackTrades)
      return false;
    return isNearIdle === true || this.#quiet.explains(1);
  }

  /** Notes that prices are others at the far side of lost rows. */
  #noteJump({ first, last, line, before = Number.NaN, after = Number.NaN }: Gap): void {
    const [from, to] = this.#direction === 1 ? [before, after] : [after, before];
    if (!(Math.max(from / to, to / from) >= 1 + notedChange)) return;
    const start = this.#direction === 1 ? last + this.#length : first - this.#length;
    this.#found.add({
      ...{ from: start, to: start + this.#length, line, kind: 'jump', certainty: 'observed', rules: [] },
      detail: `a jump across the gap: close ${to} after ${from}`,
    });
  }

  /** Ranks a suspected gap: a market may be closed for a whole day or two. */
  #rank(rows: number): DoubtSeverity {
    return this.#length >= day && rows * this.#length <= closure ? 'slight' : 'likely';
  }
}

function longerWords({ times }: Gap): string {
  return times === undefined
    ? ''
    : `; the row before has ${thousands(times)} times the usual volume, as a row of a longer interval has`;
}

const idleWords =
  ', which a lack of trades may explain: not all rows of this market, or near the gap, have several trades';

const quietWords = ', which a lack of trades explains: other rows of this market are of single trades';

function sessionWords(isCertain: boolean): string {
  return isCertain
    ? ', and this market trades around the clock'
    : ', when this market is open in other weeks';
}
