import { thousands } from '@candleproof/law/reading/words';
import { plural } from '@candleproof/reports/words/format';
import { addIndicators as addRatings, type GoodBad, type HourRecord } from '../results/hour-record.ts';
import {
  type Indicator,
  indicators,
  type ProbeOutcome,
  type SlotState,
  slotStates,
} from '../results/probe-record.ts';

/** The share of the planned slots that ran, without which an uptime figure means nothing. */
export type Coverage = NonNullable<ReturnType<typeof measureCoverage>>;

type LostState = Exclude<SlotState, 'run'>;

export const lostWords: Readonly<Record<LostState, string>> = {
  overlap: 'the run before was still going',
  missed: 'nobody was watching',
  'quota-skipped': 'the quota was kept',
  'quota-unknown': 'the quota was not known yet',
  shutdown: 'the monitor was stopping',
};

/** Returns the coverage; `watched` is a share of the requested time. Undefined if nothing was planned. */
export function measureCoverage({ states }: Pick<Totals, 'states'>, watched = 1) {
  const planned = sum(states);
  if (planned === 0) return undefined;
  const { run = 0 } = states;
  const lost = slotStates
    .flatMap((why) => (why === 'run' ? [] : { why, slots: states[why] ?? 0 }))
    .filter(({ slots }) => slots > 0);
  const whileWatched = run / planned;
  return {
    ...{ planned, run },
    /** Slots that did not run, by cause. */
    lost,
    /** Share of slots that ran, of the watched time; `share` is of all the requested time. */
    whileWatched,
    share: whileWatched * watched,
  };
}

/** `6 of 12 planned slots ran`. */
export function slotsInWords({ planned, run }: Coverage): string {
  return `${thousands(run)} of ${plural(planned, 'planned slot')} ran`;
}

/** Conditions of a period in words, worst first; `silent`: nothing was learned about the service. */
export const conditionWords = {
  failed: 'with failures',
  degraded: 'degraded',
  ok: 'ok',
  silent: 'without a probe',
} as const;
export type StretchCondition = keyof typeof conditionWords;
/** `begin` in Unix ms. */
export type WatchStretch = ReturnType<typeof stretch>;
type StretchCounts = Pick<HourRecord, 'begin' | 'states' | 'outcomes'>;

/**
 * Returns the condition of every period that begins at one of `begins`, in their order; all records are of one watch.
 */
export function countStretches(records: readonly StretchCounts[], begins: readonly number[]): WatchStretch[] {
  const found = Map.groupBy(records, (record) => record.begin);
  return begins.map((begin) => stretch(begin, found.get(begin) ?? []));
}

function stretch(begin: number, records: readonly StretchCounts[]) {
  const outcomes: HourRecord['outcomes'] = addUp(records.map((record) => record.outcomes));
  const states = addUp(records.map((record) => record.states));
  const { planned = 0, run = 0 } = measureCoverage({ states }) ?? {};
  return { begin, condition: stretchCondition(outcomes), planned, run, outcomes };
}

function stretchCondition({ failed, degraded, ok }: HourRecord['outcomes']): StretchCondition {
  if (failed) return 'failed';
  if (degraded) return 'degraded';
  return ok ? 'ok' : 'silent';
}

type Tallies = { readonly [name: string]: number | undefined };
type Counted = Pick<
  HourRecord,
  'states' | 'outcomes' | 'indicators' | 'firstLook' | 'requests' | 'rules' | 'degradedBy'
>;
export type Totals = {
  readonly states: Readonly<Partial<Record<SlotState, number>>>;
  readonly outcomes: Readonly<Partial<Record<ProbeOutcome, number>>>;
  readonly indicators: Readonly<Record<Indicator, GoodBad>>;
  readonly requests: number;
  /** Availability by first attempts alone. */
  readonly firstLook: GoodBad;
  /** Slots in which a rule was broken. */
  readonly rules: Readonly<Record<string, number>>;
  /** Slots that a broken should or a missed objective made degraded. */
  readonly degradedBy: Readonly<Record<string, number>>;
};

/** Adds up the counts of hours or days. */
export function addTotals(records: readonly Counted[]): Totals {
  return {
    states: addUp(records.map((record) => record.states)),
    outcomes: addUp(records.map((record) => record.outcomes)),
    indicators: addIndicators(records),
    requests: records.reduce((sum, record) => sum + record.requests, 0),
    firstLook: addIndicators(records.map(({ firstLook }) => ({ indicators: firstLook }))).availability,
    rules: addUp(records.map((record) => record.rules)),
    degradedBy: addUp(records.map((record) => record.degradedBy)),
  };
}

/** Sums by name; omits a name that none of them has. */
export function addUp(all: readonly Tallies[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const tallies of all) {
    for (const [name, count = 0] of Object.entries(tallies)) sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return Object.fromEntries(sums);
}

/** Adds up a tally. */
export function sum(tallies: Tallies): number {
  return Object.values(tallies).reduce<number>((total, count) => total + (count ?? 0), 0);
}

const none: GoodBad = { good: 0, bad: 0 };

/** Adds up the good and bad slots of every indicator. */
export function addIndicators(
  records: readonly Partial<Pick<HourRecord, 'indicators'>>[],
): Totals['indicators'] {
  const all = records.map(({ indicators = {} }) => indicators);
  const zeros = { availability: none, latency: none, freshness: none, correctness: none };
  return { ...zeros, ...addRatings(indicators, all) };
}
