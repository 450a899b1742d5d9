import fc from 'fast-check';
import { day, hour } from '../calendar.ts';
import {
  type ProbeFailure,
  type ProbeSample,
  type ProbeSeries,
  probeOutcomes,
  type SlotRecord,
  slotStates,
} from '../probe-record.ts';

export const firstDay = Date.UTC(2026, 9, 24);
export const afterLastDay = firstDay + 3 * day;

export const someSeries: readonly ProbeSeries[] = [
  { target: 'main', probe: 'a', operation: 'listTokens', location: 'fra-1' },
  { target: 'main', probe: 'a', operation: 'listTokens', location: 'nyc-1' },
  { target: 'main', probe: 'c', operation: 'listTokens', location: 'fra-1' },
  { target: 'test', probe: 'b', operation: 'all', location: 'fra-1' },
];

/** Near the ends of hours and days more often than elsewhere. */
export const planned: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: firstDay, max: afterLastDay - 1 }),
  fc
    .tuple(fc.nat(71), fc.constantFrom(0, 1, hour - 1))
    .map(([hours, more]) => firstDay + hours * hour + more),
);

/** Whole microseconds, as they are stored. */
const time = fc.nat(5_000_000).map((value) => value / 1000);

/** Returns an arbitrary of a value that may be absent. */
export const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });

/** An arbitrary for each field of a record, optional ones included: no new field can be forgotten. */
export type EachField<T> = { readonly [Name in keyof Required<T>]: fc.Arbitrary<T[Name]> };

/** Without the fields that are undefined. */
export function compact<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}

const timings = fc
  .record({ ...{ dns: maybe(time), connect: maybe(time), tls: maybe(time) }, wait: maybe(time), total: time })
  .map(compact);

function arbitrarySamples(scheduledAt: number): fc.Arbitrary<ProbeSample[]> {
  const sample = fc.record({
    at: fc.integer({ min: -50, max: 90_000 }).map((late) => scheduledAt + late),
    cold: fc.boolean(),
    confirming: fc.boolean(),
    pool: maybe(fc.nat(300)),
    status: maybe(fc.constantFrom(200, 429, 503)),
    timings,
    sincePlanned: fc.integer({ min: -2000, max: 9_000_000 }).map((micros) => micros / 1000),
  });
  return fc.array(
    sample.map((fields) => compact(fields) as ProbeSample),
    { maxLength: 3 },
  );
}

export const anyFailure: fc.Arbitrary<ProbeFailure> = fc.record({
  phase: fc.constantFrom('connect', 'status', 'contract'),
  class: fc.string({ maxLength: 8 }),
});

function slotFields(scheduledAt: number): EachField<SlotRecord> {
  return {
    series: fc.constantFrom(...someSeries),
    scheduledAt: fc.constant(scheduledAt),
    state: fc.constantFrom(...slotStates),
    startedAt: maybe(fc.nat(500).map((late) => scheduledAt + late)),
    finishedAt: maybe(fc.nat(90_000).map((late) => scheduledAt + late)),
    outcome: maybe(fc.constantFrom(...probeOutcomes)),
    rawOutcome: maybe(fc.constantFrom(...probeOutcomes)),
    failure: maybe(anyFailure),
    rawFailure: maybe(anyFailure),
    secondFailure: maybe(anyFailure),
    degradedBy: maybe(
      fc.array(fc.constantFrom('latency', 'a/b', '__proto__'), { minLength: 1, maxLength: 3 }),
    ),
    rules: fc.array(fc.constantFrom('a/b', 'c/d', '__proto__', 'toString'), { maxLength: 3 }),
    slow: maybe(fc.boolean()),
    stale: maybe(fc.boolean()),
    age: maybe(fc.integer({ min: -5000, max: 900_000 })),
    certificateEnd: maybe(fc.nat(9).map((days) => afterLastDay + days * day)),
    reason: maybe(fc.string({ maxLength: 12 })),
    samples: arbitrarySamples(scheduledAt),
  };
}

/** Any slot of some series within the three days. */
export const anySlot: fc.Arbitrary<SlotRecord> = planned.chain((scheduledAt) =>
  fc
    .record(slotFields(scheduledAt))
    // A slot that did not run has no first attempt.
    .map(({ outcome, rawOutcome, ...slot }) =>
      compact({ ...slot, outcome, rawOutcome: outcome && rawOutcome } as SlotRecord),
    ),
);
