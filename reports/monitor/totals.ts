import type { HourRecord } from '../../results/hour-record.ts';
import type { Indicator, ProbeOutcome, SlotState } from '../../results/probe-record.ts';

type Tallies = { readonly [name: string]: number | undefined };
export type GoodBad = { readonly good: number; readonly bad: number };

type Counted = Pick<HourRecord, 'states' | 'outcomes' | 'rawOutcomes' | 'indicators' | 'requests' | 'rules'>;

/** What many hours or days counted together. */
export type Totals = {
  readonly states: Readonly<Partial<Record<SlotState, number>>>;
  readonly outcomes: Readonly<Partial<Record<ProbeOutcome, number>>>;
  readonly rawOutcomes: Readonly<Partial<Record<ProbeOutcome, number>>>;
  readonly indicators: Readonly<Record<Indicator, GoodBad>>;
  readonly requests: number;
  /** Slots in which a rule was broken. */
  readonly rules: Readonly<Record<string, number>>;
};

export function totalsOf(records: readonly Counted[]): Totals {
  return {
    states: addUp(records.map((each) => each.states)),
    outcomes: addUp(records.map((each) => each.outcomes)),
    rawOutcomes: addUp(records.map((each) => each.rawOutcomes)),
    indicators: {
      availability: indicatorTotal(records, 'availability'),
      latency: indicatorTotal(records, 'latency'),
      freshness: indicatorTotal(records, 'freshness'),
      correctness: indicatorTotal(records, 'correctness'),
    },
    requests: records.reduce((sum, each) => sum + each.requests, 0),
    rules: addUp(records.map((each) => each.rules)),
  };
}

/** Sums by name; a name that none of them has stays out. */
export function addUp(all: readonly Tallies[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const each of all) {
    for (const [name, count = 0] of Object.entries(each)) sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return Object.fromEntries(sums);
}

export function sum(tallies: Tallies): number {
  return Object.values(tallies).reduce<number>((total, each) => total + (each ?? 0), 0);
}

export function indicatorTotal(records: readonly Pick<HourRecord, 'indicators'>[], name: Indicator): GoodBad {
  let [good, bad] = [0, 0];
  for (const { indicators } of records) {
    good += indicators[name]?.good ?? 0;
    bad += indicators[name]?.bad ?? 0;
  }
  return { good, bad };
}
