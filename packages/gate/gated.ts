import type { DrawnCandle } from '@candleproof/law/rules/breach';
import type { DamagedRange, Level, RowDamage } from '@candleproof/law/rules/facts';

/** Treatment of missing intervals: damage, intervals without a trade, an observation, or by the sessions of the table. */
export const gapModes = ['none', 'idle', 'observe', 'sessions'] as const;
export type GapMode = (typeof gapModes)[number];

/** Damage to rows; also kinds of suspicions alone, and candles that are not over (future, open). */
export type RangeKind =
  | Exclude<RowDamage, 'none' | 'changed'>
  | 'flat'
  | 'line'
  | 'rounded'
  | 'spike'
  | 'jump'
  | 'volume'
  | 'swapped'
  | 'future'
  | 'open';

/** DoubtSeverity of a suspicion, by its unlikelihood in a healthy market. */
export const severities = ['grave', 'likely', 'slight'] as const;
export type DoubtSeverity = (typeof severities)[number];

/** Kinds of damage, gravest first. */
export const gravest: readonly RangeKind[] = [
  'impossible',
  'unreadable',
  'rollup',
  'duplicate',
  'misplaced',
  'copy',
  'gap',
];

/** breach: a rule is broken and the range is damaged. suspicion: unlikely, not impossible. observed: for information. */
export type RangeCertainty = 'breach' | 'suspicion' | 'observed';

/** A reported range of one file; a line of damage.ndjson. */
export type GateRange = DamagedRange<RangeKind, RangeCertainty> & {
  readonly file: string;
  /** Number of affected rows, or of missing intervals for a gap. */
  readonly rows: number;
  /** Line of the first affected row, from 1; for a gap, of the row after it. */
  readonly line: number;
  /** First and last lines of the affected rows, unless they are missing. */
  readonly lines?: readonly (readonly [first: number, last: number])[];
  /** For a suspicion, the multiple of the usual. */
  readonly unusual?: number;
  /** For a suspicion, its name and severity. */
  readonly doubt?: string;
  readonly severity?: DoubtSeverity;
  /** True for a suspicion that a healthy table raises less than once in a million, all tests of it counted. */
  readonly isBeyondChance?: boolean;
  /** The columns whose values are doubted, unless the whole rows are. */
  readonly columns?: readonly string[];
};

/** A row near damage as a page draws it; times in Unix seconds. */
export type GateCandle = Omit<DrawnCandle, 'amount' | 'offending'>;

export type GatedRule = {
  readonly id: string;
  readonly level: Exclude<Level, 'observe'>;
  readonly statement: string;
  /** Number of rows, or of candles with all their parts. */
  readonly judged: number;
  readonly broken: number;
};

/** A doubt, and the number of ranges of which it is held. */
export type GatedDoubt = { readonly id: string; readonly statement: string; readonly ranges: number };

export type GatedFile = {
  readonly file: string;
  /** SHA-256 of the bytes of the file, if it is known; a packed file's are those before it is unpacked. */
  readonly sha256?: string;
  /** The files of a table of several, in order. */
  readonly parts?: readonly { readonly file: string; readonly rows: number; readonly sha256?: string }[];
  readonly rows: number;
  /** Number of rows without a price. */
  readonly blank: number;
  readonly form?: {
    readonly kind: 'csv' | 'ndjson';
    readonly separator?: string;
    readonly unit: string;
    /** Column name by role, or its number from 1. */
    readonly columns: Readonly<Record<string, string>>;
    /** True if the values have no names, and their order was recognized by arithmetic. */
    readonly isByOrder?: boolean;
    /** True if their rows allow another order, and this is the commonest. */
    readonly isByCustom?: boolean;
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
  readonly doubts: readonly GatedDoubt[];
  readonly gaps: { readonly ranges: number; readonly intervals: number };
};

export type GatedPair = {
  readonly longer: string;
  readonly shorter: string;
  /** Number of candles that were compared with all of their parts. */
  readonly families: number;
  readonly rules: readonly GatedRule[];
  /** True if the longer candles are days that were compared with the parts of their sessions. */
  readonly isOfSessions?: boolean;
  /** States by how much all candles are shifted against their parts, if they are. */
  readonly shifted?: string;
  readonly notJudged?: string;
};

/** Two tables of one market: how they were aligned, and where they differ. */
export type SameMarket = {
  readonly files: readonly [string, string];
  /** False if too few rows are in both. */
  readonly isAligned: boolean;
  /** Seconds by which the second table's labels are later, and the factor of its prices. */
  readonly shift: number;
  readonly unit: number;
  /** The pattern of the differences in a sentence, if they have one. */
  readonly pattern?: string;
  /** Number of rows that differ, or that one table lacks. */
  readonly differing: number;
  /** Number of rows that both have. */
  readonly compared: number;
  /** In the times of the first; `doubted` are the files whose rows there are damaged or suspected. */
  readonly differences: readonly {
    readonly fromIso: string;
    readonly toIso: string;
    readonly rows: number;
    readonly detail: string;
    readonly doubted: readonly string[];
  }[];
  readonly leftOut: number;
};

/** `suspected`: a suspicion is beyond chance. `different`: the two tables that were compared differ. */
export type GateVerdict = 'sound' | 'suspected' | 'different' | 'damaged' | 'unjudged';

/** The kinds that a caller can tolerate: those of suspicions, and the difference of two tables. */
export const tolerable = [
  ...([
    'copy',
    'flat',
    'gap',
    'impossible',
    'jump',
    'line',
    'misplaced',
    'rollup',
    'rounded',
    'spike',
    'swapped',
  ] as const),
  ...(['volume', 'difference'] as const),
];
export type Tolerable = (typeof tolerable)[number];

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
  /** The comparison of two sources of one market, if it was requested. */
  readonly same?: SameMarket;
  readonly counts: Readonly<Record<RangeCertainty, number>>;
  /** Sentences about nearly all broken rows of a file: their one cause. */
  readonly causes: readonly string[];
  /** The kinds of suspicions beyond chance that nothing tolerates. */
  readonly failing: readonly RangeKind[];
  /** The first of the gravest damage with the rows around it; of a roll-up, the candle and its parts. */
  readonly worst?: { readonly range: GateRange; readonly candles: readonly GateCandle[] };
  /** Ordered by file and time. */
  readonly ranges: readonly GateRange[];
  /** Number of ranges beyond the limit per file, which are counted but not listed. */
  readonly leftOut: number;
  /** Other things that were not judged, in sentences. */
  readonly remarks: readonly string[];
};
