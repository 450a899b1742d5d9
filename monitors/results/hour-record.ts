import { buildHistogram, mergeAll } from '@candleproof/law/planning/histogram';
import type { Phase } from '@candleproof/law/reading/exchange';
import {
  confirmedIndicators,
  type Indicator,
  indicators,
  type ProbeOutcome,
  type ProbeSample,
  type ProbeSeries,
  rateIndicator,
  type SlotRecord,
  type SlotState,
  unconfirmed,
} from './probe-record.ts';

/** The number of samples in each bucket of planning's histogram; times in microseconds. */
export type SampleBuckets = Readonly<Record<number, number>>;

/**
 * Timings of the requests over new connections, or over kept ones: of those that were answered, in slots that were good
 * for availability. Confirming requests are excluded.
 */
export type PhaseBuckets = Readonly<Partial<Record<Phase | 'total', SampleBuckets>>>;

/** Slots that were good and bad for an indicator. */
export type GoodBad = { readonly good: number; readonly bad: number };

/** An hour, or a day, of one series: what can be added to another hour of the same. */
export type HourRecord = {
  readonly series: ProbeSeries;
  /** Unix ms of its beginning. */
  readonly begin: number;
  readonly states: Readonly<Partial<Record<SlotState, number>>>;
  readonly outcomes: Readonly<Partial<Record<ProbeOutcome, number>>>;
  readonly indicators: Readonly<Partial<Record<Indicator, GoodBad>>>;
  /** The same by first attempts alone. */
  readonly firstLook: Readonly<Partial<Record<(typeof confirmedIndicators)[number], GoodBad>>>;
  readonly requests: number;
  readonly cold: PhaseBuckets;
  readonly warm: PhaseBuckets;
  /** From the planned instant to the answer's end, of the same requests; negative ones count as 0. */
  readonly sincePlanned: SampleBuckets;
  /** The age of the newest candle in ms, in the same slots; a candle of the future counts as 0. */
  readonly age: SampleBuckets;
  /** Earliest end of a served certificate, Unix ms. */
  readonly certificateEnd?: number;
  /** Rules at must that were broken, and in how many slots. */
  readonly rules: Readonly<Record<string, number>>;
  /** Causes of degraded slots with their counts: rules at should, and indicators whose objective was missed. */
  readonly degradedBy: Readonly<Record<string, number>>;
};

type Timed = keyof PhaseBuckets;

/** In the order in which an exchange has them. */
export const timed: readonly Timed[] = ['dns', 'connect', 'tls', 'send', 'wait', 'receive', 'total'];

/** The slots of one series in an hour, or any other length of time, that begins at `begin` (Unix ms). */
export function rollUpSlots(series: ProbeSeries, begin: number, slots: readonly SlotRecord[]): HourRecord {
  const answered = slots.filter((slot) => rateIndicator(slot, 'availability') === 'good');
  const samples = answered
    .flatMap((slot) => slot.samples)
    .filter(({ confirming, status }) => !confirming && status !== undefined);
  const ends = slots.flatMap(({ certificateEnd }) => certificateEnd ?? []);
  return {
    series,
    begin,
    // A slot that shares the outcome of the run before it was looked at as well.
    states: countNames(slots.map(({ state, outcome }) => (outcome === undefined ? state : 'run'))),
    outcomes: countNames(slots.flatMap(({ outcome }) => outcome ?? [])),
    indicators: countIndicators(indicators, slots),
    firstLook: countIndicators(confirmedIndicators, slots.map(unconfirmed)),
    requests: slots.reduce((count, slot) => count + slot.samples.length, 0),
    cold: phaseBuckets(samples.filter(({ cold }) => cold)),
    warm: phaseBuckets(samples.filter(({ cold }) => !cold)),
    sincePlanned: fillBuckets(samples.map(({ sincePlanned }) => sincePlanned * 1000)),
    age: fillBuckets(answered.flatMap(({ age }) => age ?? [])),
    ...(ends.length > 0 && { certificateEnd: Math.min(...ends) }),
    rules: countNames(slots.flatMap(({ rules }) => [...new Set(rules)])),
    degradedBy: countNames(slots.flatMap(({ degradedBy }) => [...new Set(degradedBy)])),
  };
}

/** Hours of one series as one record; at least one. */
export function addHours(begin: number, hours: readonly HourRecord[]): HourRecord {
  const [first] = hours;
  if (!first) throw new RangeError('no hours make no record');
  const ends = hours.flatMap(({ certificateEnd }) => certificateEnd ?? []);
  return {
    series: first.series,
    begin,
    states: sum(hours.map(({ states }) => states)),
    outcomes: sum(hours.map(({ outcomes }) => outcomes)),
    indicators: addIndicators(
      indicators,
      hours.map((hour) => hour.indicators),
    ),
    firstLook: addIndicators(
      confirmedIndicators,
      hours.map(({ firstLook }) => firstLook),
    ),
    requests: hours.reduce((count, { requests }) => count + requests, 0),
    cold: addPhases(hours.map((hour) => hour.cold)),
    warm: addPhases(hours.map((hour) => hour.warm)),
    sincePlanned: mergeAll(hours.map((hour) => hour.sincePlanned)),
    age: mergeAll(hours.map((hour) => hour.age)),
    ...(ends.length > 0 && { certificateEnd: Math.min(...ends) }),
    rules: sum(hours.map(({ rules }) => rules)),
    degradedBy: sum(hours.map(({ degradedBy }) => degradedBy)),
  };
}

/** Rounded as they are stored, so that a stored slot gives the same as the one that came. */
function fillBuckets(values: readonly number[]): SampleBuckets {
  return buildHistogram(values.map((value) => Math.max(0, Math.round(value))));
}

function phaseBuckets(samples: readonly ProbeSample[]): PhaseBuckets {
  return withEach((phase) =>
    fillBuckets(
      samples.flatMap(({ timings }) => (timings[phase] === undefined ? [] : timings[phase] * 1000)),
    ),
  );
}

function addPhases(all: readonly PhaseBuckets[]): PhaseBuckets {
  return withEach((phase) => mergeAll(all.map((hour) => hour[phase] ?? {})));
}

/** Omits phases without samples. */
function withEach(bucketsFor: (phase: Timed) => SampleBuckets): PhaseBuckets {
  const all: Partial<Record<Timed, SampleBuckets>> = {};
  for (const phase of timed) {
    const buckets = bucketsFor(phase);
    if (Object.keys(buckets).length > 0) all[phase] = buckets;
  }
  return all;
}

type Ratings<Name extends Indicator> = Readonly<Partial<Record<Name, GoodBad>>>;
function countIndicators<Name extends Indicator>(
  names: readonly Name[],
  slots: readonly SlotRecord[],
): Ratings<Name> {
  return collect(
    names.flatMap((indicator) => {
      const said = slots.flatMap((slot) => rateIndicator(slot, indicator) ?? []);
      const good = said.filter((outcome) => outcome === 'good').length;
      return said.length === 0 ? [] : [[indicator, { good, bad: said.length - good }]];
    }),
  );
}

/** Adds up the good and bad slots of indicators; one that no record has stays out. */
export function addIndicators<Name extends Indicator>(
  names: readonly Name[],
  hours: readonly Ratings<Name>[],
): Ratings<Name> {
  return collect(
    names.flatMap((indicator) => {
      const said = hours.flatMap((hour) => hour[indicator] ?? []);
      const sumCounts = (which: 'good' | 'bad'): number =>
        said.reduce((count, counts) => count + counts[which], 0);
      return said.length === 0 ? [] : [[indicator, { good: sumCounts('good'), bad: sumCounts('bad') }]];
    }),
  );
}

function collect<Name extends Indicator>(entries: [Name, GoodBad][]): Ratings<Name> {
  const said: Partial<Record<Name, GoodBad>> = {};
  for (const [name, counts] of entries) said[name] = counts;
  return said;
}

function countNames<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return total(names.map((name) => [name, 1]));
}

function sum<Name extends string>(
  parts: readonly Readonly<Partial<Record<Name, number>>>[],
): Record<Name, number> {
  return total(parts.flatMap((part) => Object.entries<number>(part as Record<Name, number>)));
}

/** By way of a map: a name of an imported rule may be one that objects treat specially. */
function total<Name extends string>(counts: readonly (readonly [string, number])[]): Record<Name, number> {
  const totals = new Map<string, number>();
  for (const [name, count] of counts) totals.set(name, (totals.get(name) ?? 0) + count);
  return Object.fromEntries(totals) as Record<Name, number>;
}
