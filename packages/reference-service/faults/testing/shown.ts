import type { CandleRecord } from '../../api/records.ts';
import type { TextReply } from '../../testing/rig.ts';

export const NOW = Date.UTC(2026, 10, 21, 11, 37, 12);
export const SECOND = NOW / 1000;

const RANGE = `from=${SECOND - 90_000}&to=${SECOND}`;
const POOL = '/v2/pools/conversionRates';

export const TOKENS = '/tokens';
export const HOURS = `${POOL}/1?interval=HOUR&${RANGE}`;
export const DAYS = `${POOL}/1?interval=DAY&${RANGE}`;
export const WEEKS = `${POOL}/1?interval=WEEK&${RANGE}`;
export const MINUTES = `${POOL}/1?interval=FIVEMIN&${RANGE}`;

/** A pool in which hardly anything is traded. */
export const QUIET = `${POOL}/3?interval=FIVEMIN&${RANGE}`;
export const LATEST = '/pools/conversionRates/latest/0?interval=HOUR';
export const FAULTY = `${POOL}/1?interval=YEAR&${RANGE}`;
export const ABSENT = `${POOL}/77?interval=HOUR&${RANGE}`;
export const PAST = `${POOL}/1?interval=WEEK&from=1500000000&to=1510000000`;

/** Adds `inverted=true` to a target. */
export const inverted = (target: string): string => `${target}&inverted=true`;

/** Returns the target of V2 hours between two offsets (s) from now. */
export const hours = (from: number, to: number): string =>
  `${POOL}/1?interval=HOUR&from=${SECOND + from}&to=${SECOND + to}`;

/** A request, by default with the rig's key and at its usual time. */
export type ShownRequest =
  | string
  | {
      readonly target: string;
      readonly key?:
        | ('none' | 'second' | 'similar' | 'wrong')
        | ('percent' | 'listed' | 'spaced' | 'ending' | 'lower');
      readonly method?: string;
      readonly ifNoneMatch?: string;
      /** Seconds after the usual time. */
      readonly later?: number;
    };

/** Returns a request without a key. */
export const stranger = (target: string): ShownRequest => ({ target, key: 'none' });

/** A reply as a client sees it. */
export type ShownReply = {
  readonly reply: TextReply;
  /** Status, headers and body without what differs each time. */
  readonly text: string;
  /** The candles in it. */
  readonly rows: readonly CandleRecord[];
};

/**
 * Requests whose last answer shows a fault, requests that must not show it, what is seen, and how many requests of this
 * month came before the first one.
 */
export type Shown = readonly [
  at: readonly ShownRequest[],
  not: readonly ShownRequest[],
  sees: RegExp | ((sick: ShownReply, healthy: ShownReply) => boolean),
  used?: number,
];

export type ShownFaults = Readonly<Record<string, Shown>>;

/** Returns whether all pairs of rows, with and without the fault, satisfy the relation. */
export const rowwise =
  (holds: (sick: CandleRecord, healthy: CandleRecord) => boolean) =>
  (sick: ShownReply, healthy: ShownReply): boolean =>
    sick.rows.length === healthy.rows.length &&
    sick.rows.length > 0 &&
    sick.rows.every((row, index) => holds(row, healthy.rows[index] ?? row));

/** Returns whether two numbers are equal except for rounding of doubles. */
export const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.abs(b);
