import { addIndicators as addRatings, type GoodBad, type HourRecord } from '../../results/hour-record.ts';
import { type Indicator, indicators, type ProbeOutcome, type SlotState } from '../../results/probe-record.ts';

type Tallies = { readonly [name: string]: number | undefined };

type Counted = Pick<
  HourRecord,
  'states' | 'outcomes' | 'indicators' | 'firstLook' | 'requests' | 'rules' | 'degradedBy'
>;

/** The counts of many hours or days together. */
export type Totals = {
  readonly states: Readonly<Partial<Record<SlotState, number>>>;
  readonly outcomes: Readonly<Partial<Record<ProbeOutcome, number>>>;
  readonly indicators: Readonly<Record<Indicator, GoodBad>>;
  readonly requests: number;
  /** Availability by first attempts alone; absent where some hour has no such count. */
  readonly firstLook?: GoodBad | undefined;
  /** Slots in which a rule was broken. */
  readonly rules: Readonly<Record<string, number>>;
  /** Slots that a rule at should or a missed objective made degraded. */
  readonly degradedBy: Readonly<Record<string, number>>;
};

/** Adds up the counts of hours or days. */
export function addTotals(records: readonly Counted[]): Totals {
  const firstLooks = records.flatMap(({ firstLook }) => firstLook ?? []);
  return {
    states: addUp(records.map((record) => record.states)),
    outcomes: addUp(records.map((record) => record.outcomes)),
    indicators: addIndicators(records),
    requests: records.reduce((sum, record) => sum + record.requests, 0),
    ...(firstLooks.length === records.length && {
      firstLook: addRatings(['availability'], firstLooks).availability ?? none,
    }),
    rules: addUp(records.map((record) => record.rules)),
    degradedBy: addUp(records.map((record) => record.degradedBy)),
  };
}

/** Sums by name; a name that none of them has stays out. */
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
