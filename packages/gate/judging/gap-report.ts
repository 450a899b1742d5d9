import { day, week } from '@candleproof/document/spec/interval';
import { thousands } from '@candleproof/law/reading/words';
import type { DoubtSeverity, GapMode } from '../gated.ts';
import { missingHourWords } from './clock-change.ts';
import { countIntervals, type RatedHole } from './inside-hole.ts';
import type { QuietRows } from './quiet-rows.ts';
import type { Ranges } from './ranges.ts';

/** The doubt about rows that are missing within a session. */
export const gapDoubt = {
  ...{ id: 'gap/in-session', kind: 'gap' as const },
  statement: 'Every interval in which a market is open in other weeks has its row.',
};

/**
 * The first and last missing start (Unix seconds), the line of the row after them in the file, and the closes of the rows
 * before and after them there.
 */
export type Gap = {
  readonly first: number;
  readonly last: number;
  readonly line: number;
  before?: number;
  after?: number;
  /** True if one of these rows is a single trade. */
  isThin?: boolean;
  /** The larger volume of these rows. */
  volume?: number;
  /** Times the usual volume of the row before, if it may stand for the missing ones. */
  times?: number | undefined;
};

/** Days of a closure that happens once, such as after a storm; a table without more rows shows no reason. */
const closure = 2 * day;

/**
 * Intervals beside a single trade, or beside hardly any in a market that rests, that may have none, as in the first days of a venue that is
 * busy later; and missing rows that are no damage for certain in a market with single trades.
 */
const mostThin = 3;

/** Change of the price across lost rows from which it is worth a note. */
const notedChange = 0.2;

/** Reports missing intervals as damage, a suspicion or a note, by what the rows of the table and around them say. */
export class GapReport {
  readonly #mode: GapMode;
  readonly #length: number;
  readonly #direction: 1 | -1;
  readonly #quiet: QuietRows;
  readonly #found: Ranges;

  constructor(
    mode: GapMode,
    grid: { readonly length: number; readonly direction: 1 | -1 },
    quiet: QuietRows,
    found: Ranges,
  ) {
    this.#mode = mode;
    this.#length = grid.length;
    this.#direction = grid.direction;
    this.#quiet = quiet;
    this.#found = found;
  }

  /** Reports a gap, with the part of it that sessions rate; `rated` is undefined if they are not known. */
  report(gap: Gap, rated: RatedHole | undefined): void {
    if (rated?.rows === 0) return;
    const { first, last } = rated ?? gap;
    const rows = countIntervals({ first, last }, this.#length);
    const isBesideFew = rated?.isCertain === false && this.#isBesideFew(gap, rows);
    const isThin = isBesideFew || (gap.isThin === true && rows <= mostThin && this.#length < day);
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
      detail: `${thousands(missing)} ${missing === 1 ? 'interval has' : 'intervals have'} no row${isQuiet ? (isBesideFew ? fewWords : quietWords) : isUnsure ? idleWords : rated && this.#length < week ? sessionWords(isBreach) : ''}${longerWords(gap)}${missingHourWords(first, last + this.#length)}`,
    });
  }

  /** Returns whether the rows beside a gap of a market that rests have hardly a trade. */
  #isBesideFew({ volume = Number.NaN }: Gap, rows: number): boolean {
    return this.#length < day ? rows <= mostThin && this.#quiet.isQuiet(volume) : this.#quiet.isFaint(volume);
  }

  /** Returns whether a short gap may be of intervals without a trade, of which the market has some. */
  #mayLackTrades({ times }: Gap, rows: number): boolean {
    return rows <= mostThin && times === undefined && this.#length < day && this.#quiet.explains(1);
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

const idleWords = ', which a lack of trades may explain, as of other rows of this market';

const fewWords = ', which a lack of trades explains: the rows beside have hardly any';

const quietWords = ', which a lack of trades explains: other rows of this market are of single trades';

function sessionWords(isCertain: boolean): string {
  return isCertain
    ? ', and this market trades around the clock'
    : ', when this market is open in other weeks';
}
