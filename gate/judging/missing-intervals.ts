import { day } from '../../contract/document/interval.ts';
import { thousands } from '../../contract/reading/thousands.ts';
import type { DoubtSeverity, GapMode } from '../gated.ts';
import { missingHourWords } from './clock-change.ts';
import { mostListed, type Ranges } from './ranges.ts';
import { type RatedHole, Sessions } from './sessions.ts';

/** The doubt about rows that are missing within a session. */
export const gapDoubt = {
  ...{ id: 'gap/in-session', kind: 'gap' as const },
  statement: 'Every interval in which a market is open in other weeks has its row.',
};

/** Days of a closure that happens once, such as after a storm; a table without more rows shows no reason. */
const closure = 2 * day;

/** The first and last missing start (Unix seconds), and the line of the row after them. */
type Gap = { readonly first: number; readonly last: number; readonly line: number };

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
  #pending: Gap[] = [];
  /** Settled gaps that wait for the sessions to be known. */
  #waiting: Gap[] = [];
  readonly #mode: GapMode;
  readonly #length: number;
  readonly #direction: 1 | -1;
  readonly #found: Ranges;
  readonly #sessions: Sessions | undefined;

  constructor(mode: GapMode, grid: { readonly length: number; readonly direction: 1 | -1 }, found: Ranges) {
    this.#mode = mode;
    this.#length = grid.length;
    this.#direction = grid.direction;
    this.#found = found;
    this.#sessions = mode === 'sessions' && grid.length > 0 ? new Sessions(grid.length) : undefined;
  }

  /** True if the market of the table has no sessions, so that each interval needs its row. */
  get isRestless(): boolean {
    return this.#sessions?.isRestless === true;
  }

  /** Notes that an interval has its row. */
  place(start: number): void {
    this.#sessions?.add(start);
  }

  add(gap: Gap): void {
    if (this.#offered++ < mostOffered) this.#found.onPlace?.(gap.line);
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
    for (const gap of this.#waiting) this.#report(gap, rated?.get(gap));
    this.#waiting = [];
  }

  #settle(gap: Gap): void {
    const { first, last } = gap;
    this.settledTo = Math.max(this.settledTo, (this.#direction === 1 ? last : first) * this.#direction);
    this.ranges++;
    this.intervals += Math.round((last - first) / this.#length) + 1;
    if (this.#mode === 'idle') return;
    this.#sessions?.addHole(gap);
    if (this.#sessions && this.#waiting.length < mostListed) this.#waiting.push(gap);
    else this.#report(gap, undefined);
  }

  #report(gap: Gap, rated: RatedHole | undefined): void {
    if (rated?.rows === 0) return;
    const { first, last } = rated ?? gap;
    const rows = Math.round((last - first) / this.#length) + 1;
    const isBreach = rated?.isCertain ?? this.#mode === 'none';
    const missing = rated?.rows ?? rows;
    this.#found.add({
      ...{ from: first, to: last + this.#length, line: gap.line, kind: 'gap', rows: missing },
      certainty: isBreach ? 'breach' : rated ? 'suspicion' : 'observed',
      ...(rated && !isBreach && { doubt: gapDoubt.id, severity: this.#rank(missing) }),
      rules: isBreach ? ['history/complete'] : [],
      detail: `${thousands(missing)} ${missing === 1 ? 'interval has' : 'intervals have'} no row${rated ? sessionWords(isBreach) : ''}${missingHourWords(first, last + this.#length)}`,
    });
  }

  /** Ranks a suspected gap: a market may be closed for a whole day or two. */
  #rank(rows: number): DoubtSeverity {
    return this.#length >= day && rows * this.#length <= closure ? 'slight' : 'likely';
  }
}

function sessionWords(isCertain: boolean): string {
  return isCertain
    ? ', and this market trades around the clock'
    : ', when this market is open in other weeks';
}
