import { stamp } from '../../contract/document/interval.ts';
import { thousands } from '../../contract/reading/thousands.ts';
import {
  type GapMode,
  type GateRange,
  gravest,
  type RangeCertainty,
  type Severity,
  severities,
} from '../gated.ts';
import { missingHourWords } from './clock-change.ts';
import { type RatedHole, Sessions } from './sessions.ts';

/** One damaged place, of one row by default. */
export type RowMark = Omit<GateRange, 'file' | 'interval' | 'fromIso' | 'toIso' | 'rows'> & {
  readonly rows?: number;
  /** Line of the last row; the first one's if omitted. */
  readonly lastLine?: number;
};

/** Maximum number of ranges of a certainty that are listed for a file; all are counted. */
const mostListed = 10_000;

export type GrownMark = RowMark & { readonly rows: number };

type Growing = RowMark & {
  to: number;
  from: number;
  rows: number;
  lastLine?: number;
  severity?: Severity | undefined;
};

/** Collects the ranges of one file. Merges neighbors of the same kind that break the same rules. */
export class Ranges {
  readonly counts: Record<RangeCertainty, number> = { breach: 0, suspicion: 0, observed: 0 };
  leftOut = 0;
  /** Number of rows that broke a rule, by its id. */
  readonly broken = new Map<string, number>();
  /** Number of ranges of each doubt. */
  readonly doubted = new Map<string, number>();
  /** The first range of the gravest damage. */
  worst: Growing | undefined;
  /** Receives the lines of rows around which a page may show more. */
  onPlace: ((line: number) => void) | undefined;
  readonly #ranges: Growing[] = [];
  readonly #newest = new Map<string, Growing>();

  add(mark: RowMark): void {
    const { rows = 1 } = mark;
    for (const rule of mark.rules) this.broken.set(rule, (this.broken.get(rule) ?? 0) + rows);
    const key = `${mark.kind} ${mark.certainty} ${mark.rules} ${mark.doubt}`;
    const before = this.#newest.get(key);
    if (before && mark.kind !== 'gap' && mark.from <= before.to && mark.to >= before.from) {
      before.from = Math.min(before.from, mark.from);
      before.to = Math.max(before.to, mark.to);
      before.rows += rows;
      before.lastLine = Math.max(before.lastLine ?? before.line, mark.lastLine ?? mark.line);
      if (isGraverDoubt(mark, before)) before.severity = mark.severity;
      return;
    }
    const range = { ...mark, rows };
    this.#newest.set(key, range);
    this.counts[mark.certainty]++;
    if (mark.doubt) this.doubted.set(mark.doubt, (this.doubted.get(mark.doubt) ?? 0) + 1);
    if (mark.certainty === 'breach' && (!this.worst || isGraver(range, this.worst))) {
      this.worst = range;
      this.onPlace?.(range.line);
    }
    if (this.counts[mark.certainty] > mostListed) this.leftOut++;
    else this.#ranges.push(range);
  }

  list(): readonly GrownMark[] {
    return this.#ranges.toSorted((a, b) => a.from - b.from || a.to - b.to);
  }
}

function isGraverDoubt({ severity }: RowMark, { severity: other }: Growing): boolean {
  return (
    severity !== undefined && other !== undefined && severities.indexOf(severity) < severities.indexOf(other)
  );
}

/** Returns whether one kind of damage is graver than another. */
export function isGraver(one: Pick<RowMark, 'kind'>, other: Pick<RowMark, 'kind'>): boolean {
  return gravest.indexOf(one.kind) < gravest.indexOf(other.kind);
}

/** Returns a range as it is reported. `place` is the file of its row, and the row's line there. */
export function toGateRange(
  mark: GrownMark,
  place: { file: string; line: number },
  interval: string,
): GateRange {
  const { from, to, kind, certainty, rules, rows, detail, suspects, unusual, doubt, severity, columns } =
    mark;
  return {
    ...{ ...place, interval, from, to, fromIso: stamp(from), toIso: stamp(to) },
    ...{ kind, certainty, rules: rules.toSorted(), rows, detail },
    suspects,
    ...(unusual && { unusual }),
    ...(doubt && { doubt, severity }),
    ...(columns && { columns }),
  };
}

/** The doubt about rows that are missing within a session. */
export const gapDoubt = {
  ...{ id: 'gap/in-session', kind: 'gap' as const },
  statement: 'Every interval in which a market is open in other weeks has its row.',
};

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
      ...(rated && !isBreach && { doubt: gapDoubt.id, severity: 'likely' as const }),
      rules: isBreach ? ['history/complete'] : [],
      detail: `${thousands(missing)} ${missing === 1 ? 'interval has' : 'intervals have'} no row${rated ? sessionWords(isBreach) : ''}${missingHourWords(first, last + this.#length)}`,
    });
  }
}

function sessionWords(isCertain: boolean): string {
  return isCertain ? ', and this market never rests' : ', when this market is open in other weeks';
}
