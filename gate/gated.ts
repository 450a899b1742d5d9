import type { Level } from '../contract/judge/verdict.ts';

/** What a missing interval is: damage, what the market documents for those without trade, or something to know. */
export const gapModes = ['none', 'idle', 'observe'] as const;
export type GapMode = (typeof gapModes)[number];

/**
 * impossible: a candle that contradicts itself. unreadable: a price, a volume or an average that is no number. duplicate, misplaced: rows for one
 * interval, and rows out of order or off the grid. copy: of the row before. gap: intervals without a row. rollup: a
 * candle and its parts disagree. flat, spike: unlikely, not impossible. future, open: not over yet.
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
  | 'future'
  | 'open';

/** breach: a rule is broken, the range is damaged. suspicion: unlikely, not impossible. observed: good to know. */
export type RangeCertainty = 'breach' | 'suspicion' | 'observed';

/** A range of one file that is listed; a line of damage.ndjson. */
export type GateRange = {
  readonly file: string;
  /** `5m`, `1h`, `1d`, or seconds where it has no such name. */
  readonly interval: string;
  /** Unix seconds: from the start of the first row concerned to the end of the last, which it does not hold. */
  readonly from: number;
  readonly to: number;
  /** The same in ISO 8601, UTC. */
  readonly fromIso: string;
  readonly toIso: string;
  readonly kind: RangeKind;
  readonly certainty: RangeCertainty;
  /** Rules that are broken; none where it is no breach. */
  readonly rules: readonly string[];
  /** Rows concerned; of a gap, intervals that are missing. */
  readonly rows: number;
  /** Line of the first row concerned, from 1; of a gap, of the row after it. */
  readonly line: number;
  /** Of the first row: what was expected, and what is there. */
  readonly detail: string;
  /** Intervals that disagree, of which nothing tells the wrong one. */
  readonly suspects?: readonly string[];
};

export type GatedRule = {
  readonly id: string;
  readonly level: Exclude<Level, 'observe'>;
  readonly statement: string;
  /** Rows, or candles with all their parts. */
  readonly judged: number;
  readonly broken: number;
};

export type GatedFile = {
  readonly file: string;
  readonly rows: number;
  /** Rows without any price. */
  readonly blank: number;
  readonly form?: {
    readonly kind: 'csv' | 'ndjson';
    readonly separator?: string;
    readonly unit: string;
    /** Role → name of its column, or its number from 1. */
    readonly columns: Readonly<Record<string, string>>;
  };
  /** Of the rows, in Unix seconds. */
  readonly from?: number;
  readonly to?: number;
  readonly interval?: string;
  readonly order?: 'ascending' | 'descending';
  /** Seconds of the starts after multiples of the interval; or why the grid is not judged. */
  readonly phase?: number;
  readonly gridNotJudged?: string;
  readonly rules: readonly GatedRule[];
  readonly gaps: { readonly ranges: number; readonly intervals: number };
};

export type GatedPair = {
  readonly longer: string;
  readonly shorter: string;
  /** Candles that were compared with all of their parts. */
  readonly families: number;
  readonly rules: readonly GatedRule[];
  readonly notJudged?: string;
};

export type GateVerdict = 'sound' | 'damaged' | 'unjudged';

/** What became of the files; gate.json. */
export type Gated = {
  /** Sound only where every file has a row that was judged, and nothing that was wanted is undecided. */
  readonly verdict: GateVerdict;
  /** Why the files are not sound where nothing is broken, in sentences. */
  readonly undecided: readonly string[];
  /** Of the judgement, ISO 8601. */
  readonly now: string;
  readonly gaps: GapMode;
  readonly files: readonly GatedFile[];
  readonly pairs: readonly GatedPair[];
  /** Ranges by certainty, all of them. */
  readonly counts: Readonly<Record<RangeCertainty, number>>;
  /** By file and time. */
  readonly ranges: readonly GateRange[];
  /** Ranges that were counted and not kept: only so many of each file are. */
  readonly leftOut: number;
  /** What else was not judged, in sentences. */
  readonly remarks: readonly string[];
};
