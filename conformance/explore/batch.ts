import fc, { type Arbitrary } from 'fast-check';
import { day, hour, minute } from '../../contract/document/interval.ts';
import { firstOperation, poolsFor } from '../../contract/document/operation.ts';
import type { NamedInterval } from '../../contract/document/roles.ts';
import type { Spec } from '../../contract/document/spec.ts';
import type { PoolId, TargetFacts } from '../../contract/reading/exchange.ts';
import { type Miss, missesOf } from './parameter-values.ts';

/** A part of the frame that a request asks for; those that follow the first overlap with it. */
export const portions = ['whole', 'first part', 'last part', 'wider', 'instant', 'to the present'] as const;

export type Portion = (typeof portions)[number];

/** The stretch of time that all requests of a batch are about, as steps from the newest settled day. */
export type BatchFrame = {
  readonly interval: string;
  /** Whole intervals. */
  readonly rows: number;
  /** Whole hours between its end and the newest settled day. */
  readonly hoursBack: number;
  /** Seconds by which its ends lie after a boundary of the interval. */
  readonly fromLate: number;
  readonly toLate: number;
};

/** How one request departs from the frame of its batch. */
export type BatchRequest = {
  readonly portion: Portion;
  /** Another interval than the frame's. */
  readonly interval: string | undefined;
  readonly inverted: boolean | undefined;
  readonly miss: Miss | undefined;
};

/** One to four requests about one pool whose answers overlap: one case of the properties. */
export type RequestBatch = {
  readonly role: 'history' | 'latest';
  readonly pool: PoolId;
  readonly frame: BatchFrame;
  readonly asks: readonly BatchRequest[];
};

/** Rows of a frame at most: those of a week where they are short, of a fortnight, a month, or six of the longest. */
function mostRows({ seconds }: NamedInterval): number {
  if (seconds < hour) return Math.min(7 * day, 2016 * seconds) / seconds;
  return Math.max(6, Math.floor((seconds < day ? 14 * day : 31 * day) / seconds));
}

/** Rows that a frame of the shortest interval may have. */
const mostOfAll = 2016;

const mostHoursBack = 240;

/** Requests of a batch; one about a latest candle is framed by its first, requested again. */
const mostAsks = { history: 4, latest: 3 };

/** Batches about the pools that a target was said to have; the simplest is one aligned row of the shortest interval. */
export function batches(spec: Spec, target: TargetFacts): Arbitrary<RequestBatch> {
  const ofRole = (role: RequestBatch['role'], weight: number) => {
    const operation = firstOperation(spec, role);
    const pools = operation ? poolsFor(target, operation) : [];
    return pools.length === 0 ? [] : [{ arbitrary: batchesOf(spec, role, pools), weight }];
  };
  return fc.oneof(...ofRole('history', 5), ...ofRole('latest', 1));
}

/** What makes a batch small comes first: fast-check simplifies the members of a record in their order. */
function batchesOf(
  spec: Spec,
  role: RequestBatch['role'],
  pools: readonly PoolId[],
): Arbitrary<RequestBatch> {
  const { intervals } = spec;
  return fc.record({
    role: fc.constant(role),
    // Not by minLength: an array that may not be empty cannot lose its last element for its first.
    asks: fc
      .array(
        asks(
          spec,
          role,
          intervals.map(({ name }) => name),
        ),
        { maxLength: mostAsks[role], size: 'max' },
      )
      .filter((each) => each.length > 0),
    pool: inOrder(pools),
    frame: frames(intervals),
  });
}

function asks(spec: Spec, role: RequestBatch['role'], intervals: readonly string[]): Arbitrary<BatchRequest> {
  const misses = missesOf(spec, role);
  return fc.record({
    miss: fc.constantFrom(...nothing(5 * misses.length), ...misses),
    inverted: inOrder([undefined, true, false]),
    interval: inOrder([...nothing(intervals.length), ...intervals]),
    portion: inOrder(role === 'history' ? portions : portions.slice(0, 1)),
  });
}

/** Any of some values alike; each is simpler than those after it. */
function inOrder<Value>(values: readonly Value[]): Arbitrary<Value> {
  return fc.noBias(fc.nat({ max: values.length - 1 })).map(
    (index) => values[index] as Value,
    (value) => values.indexOf(value as Value),
  );
}

/** So many times as likely as one of the values beside it, and simpler than any of them. */
function nothing(times: number): undefined[] {
  return new Array(times).fill(undefined);
}

function frames(intervals: readonly NamedInterval[]): Arbitrary<BatchFrame> {
  const mostOf = new Map(intervals.map((each) => [each.name, mostRows(each)]));
  return fc
    .record({
      interval: inOrder(intervals.map(({ name }) => name)),
      hoursBack: fc.oneof(fc.constant(0), fc.nat({ max: mostHoursBack })),
      rows: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: mostOfAll })),
      fromLate: lateness,
      toLate: lateness,
    })
    .map(
      (frame): BatchFrame => ({ ...frame, rows: Math.min(frame.rows, mostOf.get(frame.interval) ?? 1) }),
      (frame) => frame as BatchFrame,
    );
}

/** On the boundary more often than not: there most is decided. */
const lateness: Arbitrary<number> = fc.oneof(
  { arbitrary: fc.constant(0), weight: 3 },
  { arbitrary: fc.nat({ max: 5 * minute - 1 }), weight: 1 },
  { arbitrary: fc.nat({ max: day - 1 }), weight: 1 },
);
