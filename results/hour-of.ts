import { histogramOf, mergeAll } from '../planning/histogram.ts';
import type { GoodBad, HourRecord, PhaseBuckets, SampleBuckets } from './hour-record.ts';
import {
  firstLookOf,
  type Indicator,
  indicatorOf,
  indicators,
  lookedAtTwice,
  type ProbeSample,
  type ProbeSeries,
  type SlotRecord,
} from './probe-record.ts';

type Timed = keyof PhaseBuckets;

/** In the order in which an exchange has them. */
export const timed: readonly Timed[] = ['dns', 'connect', 'tls', 'send', 'wait', 'receive', 'total'];

/** The slots of one series in an hour, or any other length of time, that begins at `begin` (Unix ms). */
export function hourOf(series: ProbeSeries, begin: number, slots: readonly SlotRecord[]): HourRecord {
  const answered = slots.filter((slot) => indicatorOf(slot, 'availability') === 'good');
  const samples = answered
    .flatMap((slot) => slot.samples)
    .filter(({ confirming, status }) => !confirming && status !== undefined);
  const ends = slots.flatMap(({ certificateEnd }) => certificateEnd ?? []);
  return {
    series,
    begin,
    // A slot that shares the outcome of the run before it was looked at as well.
    states: countsOf(slots.map(({ state, outcome }) => (outcome === undefined ? state : 'run'))),
    outcomes: countsOf(slots.flatMap(({ outcome }) => outcome ?? [])),
    indicators: indicatorsOf(indicators, slots),
    firstLook: indicatorsOf(lookedAtTwice, slots.map(firstLookOf)),
    requests: slots.reduce((count, slot) => count + slot.samples.length, 0),
    cold: phaseBuckets(samples.filter(({ cold }) => cold)),
    warm: phaseBuckets(samples.filter(({ cold }) => !cold)),
    sincePlanned: bucketsOf(samples.map(({ sincePlanned }) => sincePlanned * 1000)),
    age: bucketsOf(answered.flatMap(({ age }) => age ?? [])),
    ...(ends.length > 0 && { certificateEnd: Math.min(...ends) }),
    rules: countsOf(slots.flatMap(({ rules }) => [...new Set(rules)])),
    degradedBy: countsOf(slots.flatMap(({ degradedBy }) => [...new Set(degradedBy)])),
  };
}

/** Hours of one series as one record; at least one. */
export function addUp(begin: number, hours: readonly HourRecord[]): HourRecord {
  const [first] = hours;
  if (!first) throw new RangeError('no hours make no record');
  const firstLooks = hours.flatMap(({ firstLook }) => firstLook ?? []);
  const ends = hours.flatMap(({ certificateEnd }) => certificateEnd ?? []);
  return {
    series: first.series,
    begin,
    states: sum(hours.map(({ states }) => states)),
    outcomes: sum(hours.map(({ outcomes }) => outcomes)),
    indicators: addIndicators(
      indicators,
      hours.map((each) => each.indicators),
    ),
    ...(firstLooks.length === hours.length && { firstLook: addIndicators(lookedAtTwice, firstLooks) }),
    requests: hours.reduce((count, { requests }) => count + requests, 0),
    cold: addPhases(hours.map((each) => each.cold)),
    warm: addPhases(hours.map((each) => each.warm)),
    sincePlanned: mergeAll(hours.map((each) => each.sincePlanned)),
    age: mergeAll(hours.map((each) => each.age)),
    ...(ends.length > 0 && { certificateEnd: Math.min(...ends) }),
    rules: sum(hours.map(({ rules }) => rules)),
    degradedBy: sum(hours.map(({ degradedBy }) => degradedBy)),
  };
}

/** Rounded as they are stored, so that a stored slot gives the same as the one that came. */
function bucketsOf(values: readonly number[]): SampleBuckets {
  return histogramOf(values.map((value) => Math.max(0, Math.round(value))));
}

function phaseBuckets(samples: readonly ProbeSample[]): PhaseBuckets {
  return withEach((phase) =>
    bucketsOf(samples.flatMap(({ timings }) => (timings[phase] === undefined ? [] : timings[phase] * 1000))),
  );
}

function addPhases(all: readonly PhaseBuckets[]): PhaseBuckets {
  return withEach((phase) => mergeAll(all.map((each) => each[phase] ?? {})));
}

/** Without those that nobody had. */
function withEach(bucketsFor: (phase: Timed) => SampleBuckets): PhaseBuckets {
  const all: Partial<Record<Timed, SampleBuckets>> = {};
  for (const phase of timed) {
    const buckets = bucketsFor(phase);
    if (Object.keys(buckets).length > 0) all[phase] = buckets;
  }
  return all;
}

type Said<Name extends Indicator> = Readonly<Partial<Record<Name, GoodBad>>>;

function indicatorsOf<Name extends Indicator>(
  names: readonly Name[],
  slots: readonly SlotRecord[],
): Said<Name> {
  return saidOf(
    names.flatMap((indicator) => {
      const said = slots.flatMap((slot) => indicatorOf(slot, indicator) ?? []);
      const good = said.filter((each) => each === 'good').length;
      return said.length === 0 ? [] : [[indicator, { good, bad: said.length - good }]];
    }),
  );
}

function addIndicators<Name extends Indicator>(
  names: readonly Name[],
  hours: readonly Said<Name>[],
): Said<Name> {
  return saidOf(
    names.flatMap((indicator) => {
      const said = hours.flatMap((each) => each[indicator] ?? []);
      const all = (which: 'good' | 'bad'): number => said.reduce((count, each) => count + each[which], 0);
      return said.length === 0 ? [] : [[indicator, { good: all('good'), bad: all('bad') }]];
    }),
  );
}

function saidOf<Name extends Indicator>(entries: [Name, GoodBad][]): Said<Name> {
  const said: Partial<Record<Name, GoodBad>> = {};
  for (const [name, counts] of entries) said[name] = counts;
  return said;
}

function countsOf<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return total(names.map((name) => [name, 1]));
}

function sum<Name extends string>(
  parts: readonly Readonly<Partial<Record<Name, number>>>[],
): Record<Name, number> {
  return total(parts.flatMap((part) => Object.entries<number>(part as Record<Name, number>)));
}

/** By way of a map: a name of an imported rule may be one that objects treat in their own way. */
function total<Name extends string>(counts: readonly (readonly [string, number])[]): Record<Name, number> {
  const totals = new Map<string, number>();
  for (const [name, count] of counts) totals.set(name, (totals.get(name) ?? 0) + count);
  return Object.fromEntries(totals) as Record<Name, number>;
}
