import type { Level } from '../contract/judge/verdict.ts';

/** Treatment of missing intervals: damage, intervals without a trade, an observation, or by the sessions of the table. */
export const gapModes = ['none', 'idle', 'observe', 'sessions'] as const;
export type GapMode = (typeof gapModes)[number];

/**
 * impossible: a candle that contradicts itself. unreadable: a price, volume or average that is not a number. duplicate:
 * several rows for one interval. misplaced: a row out of order or off the grid. copy: a copy of the previous row. gap:
 * intervals without a row. rollup: a candle that disagrees with its parts. flat, spike, jump: unlikely, not impossible.
 * future, open: not over yet.
 */
export type RangeKind =
  | 'impossible'
  | 'unreadable'
  | 'duplicate'
  | 'misplaced'
  | 'copy'
  | 'gap'
  | 'rollup'
  | 'flat'
  | 'spike'
  | 'jump'
  | 'future'
  | 'open';

/** breach: a rule is broken and the range is damaged. suspicion: unlikely, not impossible. observed: for information. */
export type RangeCertainty = 'breach' | 'suspicion' | 'observed';

/** A reported range of one file; a line of damage.ndjson. */
export type GateRange = {
  readonly file: string;
  /** `5m`, `1h`, `1d`, or a number of seconds. */
  readonly interval: string;
  /** Unix seconds: from the start of the first affected row to the end of the last, exclusive. */
  readonly from: number;
  readonly to: number;
  /** The same times in ISO 8601, UTC. */
  readonly fromIso: string;
  readonly toIso: string;
  readonly kind: RangeKind;
  readonly certainty: RangeCertainty;
  /** Broken rules; empty unless it is a breach. */
  readonly rules: readonly string[];
  /** Number of affected rows, or of missing intervals for a gap. */
  readonly rows: number;
  /** Line of the first affected row, from 1; for a gap, of the row after it. */
  readonly line: number;
  /** Expected and actual values of the first row. */
  readonly detail: string;
  /** Intervals that disagree; any of them may be wrong. */
  readonly suspects?: readonly string[];
  /** Times the usual, of a suspicion. */
  readonly unusual?: number;
};

export type GatedRule = {
  readonly id: string;
  readonly level: Exclude<Level, 'observe'>;
  readonly statement: string;
  /** Number of rows, or of candles with all their parts. */
  readonly judged: number;
  readonly broken: number;
};

export type GatedFile = {
  readonly file: string;
  /** The files of a table of several, in order. */
  readonly parts?: readonly { readonly file: string; readonly rows: number }[];
  readonly rows: number;
  /** Number of rows without a price. */
  readonly blank: number;
  readonly form?: {
    readonly kind: 'csv' | 'ndjson';
    readonly separator?: string;
    readonly unit: string;
    /** Column name by role, or its number from 1. */
    readonly columns: Readonly<Record<string, string>>;
  };
  /** First and last start, in Unix seconds. */
  readonly from?: number;
  readonly to?: number;
  readonly interval?: string;
  readonly order?: 'ascending' | 'descending';
  /** Seconds by which starts follow multiples of the interval, unless the grid is not judged. */
  readonly phase?: number;
  readonly gridNotJudged?: string;
  readonly rules: readonly GatedRule[];
  readonly gaps: { readonly ranges: number; readonly intervals: number };
};

export type GatedPair = {
  readonly longer: string;
  readonly shorter: string;
  /** Number of candles that were compared with all of their parts. */
  readonly families: number;
  readonly rules: readonly GatedRule[];
  /** States by how much all candles are shifted against their parts, if they are. */
  readonly shifted?: string;
  readonly notJudged?: string;
};

export type GateVerdict = 'sound' | 'damaged' | 'unjudged';

/** The result for all files; gate.json. */
export type Gated = {
  /** Sound only if every file has a judged row and nothing that was requested is undecided. */
  readonly verdict: GateVerdict;
  /** Reasons why the files are not sound although nothing is broken, in sentences. */
  readonly undecided: readonly string[];
  /** Time of the judgment, ISO 8601. */
  readonly now: string;
  readonly gaps: GapMode;
  readonly files: readonly GatedFile[];
  readonly pairs: readonly GatedPair[];
  /** Number of all ranges by certainty. */
  readonly counts: Readonly<Record<RangeCertainty, number>>;
  /** Ordered by file and time. */
  readonly ranges: readonly GateRange[];
  /** Number of ranges beyond the limit per file, which are counted but not listed. */
  readonly leftOut: number;
  /** Other things that were not judged, in sentences. */
  readonly remarks: readonly string[];
};
