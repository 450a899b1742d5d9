import { stamp } from '@candleproof/document/spec/interval';
import {
  type DoubtSeverity,
  type GateRange,
  gravest,
  type RangeCertainty,
  type RangeKind,
  severities,
} from '../gated.ts';
import { LineSet } from './line-set.ts';

/** One damaged place, of one row by default. */
export type RowMark = Omit<GateRange, 'file' | 'interval' | 'fromIso' | 'toIso' | 'rows'> & {
  readonly rows?: number;
  /** Line of the last row; the first one's if omitted. */
  readonly lastLine?: number;
};

/** Maximum number of ranges of a certainty that are listed for a file; all are counted. */
export const maxListed = 10_000;

export type GrownMark = RowMark & {
  readonly rows: number;
  readonly lines: readonly (readonly [first: number, last: number])[];
};

type Growing = RowMark & {
  to: number;
  from: number;
  rows: number;
  severity?: DoubtSeverity | undefined;
  isBeyondChance?: boolean;
  readonly lines: [first: number, last: number][];
};

/** Spans of lines that a range keeps; later ones extend the last. */
const mostSpans = 1000;

/** Collects the ranges of one file. Merges neighbors of the same kind that break the same rules. */
export class Ranges {
  readonly counts: Record<RangeCertainty, number> = { breach: 0, suspicion: 0, observed: 0 };
  leftOut = 0;
  /** Number of rows that broke a rule, by its id. */
  readonly broken = new Map<string, number>();
  /** Number of ranges of each doubt. */
  readonly doubted = new Map<string, number>();
  /** The kinds of suspicions beyond chance. */
  readonly beyondChance = new Set<RangeKind>();
  readonly doubtedLines = new LineSet();
  /** The first range of the gravest damage. */
  worst: Growing | undefined;
  /** Receives the lines of rows around which a page may show more. */
  onPlace: ((line: number) => void) | undefined;
  readonly #ranges: Growing[] = [];
  readonly #newest = new Map<string, Growing>();

  add(mark: RowMark): void {
    const { rows = 1 } = mark;
    if (mark.isBeyondChance) this.beyondChance.add(mark.kind);
    if (mark.certainty !== 'observed' && mark.kind !== 'gap') this.doubtedLines.add(mark);
    for (const rule of mark.rules) this.broken.set(rule, (this.broken.get(rule) ?? 0) + rows);
    const key = `${mark.kind} ${mark.certainty} ${mark.rules} ${mark.doubt}`;
    const before = this.#newest.get(key);
    if (before && mark.kind !== 'gap' && isBeside(mark, before)) {
      before.from = Math.min(before.from, mark.from);
      before.to = Math.max(before.to, mark.to);
      before.rows += rows;
      addLines(before.lines, mark);
      if (isGraverDoubt(mark, before)) before.severity = mark.severity;
      if (mark.isBeyondChance) before.isBeyondChance = true;
      return;
    }
    const range: Growing = { ...mark, rows, lines: [] };
    if (mark.kind !== 'gap') addLines(range.lines, mark);
    this.#newest.set(key, range);
    this.counts[mark.certainty]++;
    if (mark.doubt) this.doubted.set(mark.doubt, (this.doubted.get(mark.doubt) ?? 0) + 1);
    if (mark.certainty === 'breach' && (!this.worst || isGraver(range, this.worst))) {
      this.worst = range;
      this.onPlace?.(range.line);
    }
    if (this.counts[mark.certainty] > maxListed) this.leftOut++;
    else this.#ranges.push(range);
  }

  list(): readonly GrownMark[] {
    return this.#ranges.toSorted((a, b) => a.from - b.from || a.to - b.to);
  }
}

/** Returns whether a place touches the one before, in time or in the file: rows before and after a weekend do. */
function isBeside(mark: RowMark, before: Growing): boolean {
  const isNextLine = mark.line === (before.lines.at(-1)?.[1] ?? Number.NaN) + 1;
  return isNextLine || (mark.from <= before.to && mark.to >= before.from);
}

function addLines(spans: [number, number][], { line, lastLine = line }: RowMark): void {
  const last = spans.at(-1);
  if (last && (line === last[1] + 1 || spans.length === mostSpans)) last[1] = Math.max(last[1], lastLine);
  else spans.push([line, lastLine]);
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
  const before = mark.line - place.line;
  const lines = mark.lines.map(([first, last]) => [first - before, last - before] as const);
  const { from, to, kind, certainty, rules, rows, detail, suspects, unusual, doubt, severity, columns } =
    mark;
  const { isBeyondChance } = mark;
  return {
    ...{ ...place, interval, from, to, fromIso: stamp(from), toIso: stamp(to) },
    ...{ kind, certainty, rules: rules.toSorted(), rows, detail },
    suspects,
    ...(unusual && { unusual }),
    ...(doubt && { doubt, severity }),
    ...(isBeyondChance && { isBeyondChance }),
    ...(columns && { columns }),
    ...(lines.length > 0 && { lines }),
  };
}
