import { day, hour, minute } from '@candleproof/document/spec/interval';
import { firstOperation, listPools } from '@candleproof/document/spec/operation';
import type { NamedInterval, OperationRole } from '@candleproof/document/spec/roles';
import type { PoolId, Spec } from '@candleproof/document/spec/spec';
import type { TargetFacts } from '@candleproof/law/reading/exchange';
import fc, { type Arbitrary } from 'fast-check';
import { listAgents, type Manner, mannerFactors } from '../plan/manner.ts';
import { isUnrestrained } from '../plan/scope.ts';
import { listMisses, type Miss } from './parameter-values.ts';
import { type Refusable, type RefusedPart, trickNumbers } from './refused.ts';
import { listPlaces, pastSeconds, type Times } from './times.ts';

/** The parts of the frame that a request may cover; those that follow the first overlap with it. */
const portions = ['whole', 'first part', 'last part', 'wider', 'instant', 'to the present'] as const;

export type Portion = (typeof portions)[number];

/** The stretch of time that all requests of a batch are about, as steps from an instant. */
export type BatchFrame = {
  readonly interval: string;
  /** Unix seconds. */
  readonly place: number;
  /** Whole intervals on both sides of it, one at least; none lies after the newest settled day. */
  readonly before: number;
  readonly after: number;
  /** Whole hours by which it lies earlier. */
  readonly hoursBack: number;
  /** Seconds by which its ends lie after a boundary of the interval. */
  readonly fromLate: number;
  readonly toLate: number;
};

/** The departure of one request from the frame of its batch. */
export type BatchRequest = {
  readonly portion: Portion;
  /** Another interval than the frame's. */
  readonly interval: string | undefined;
  readonly inverted: boolean | undefined;
  readonly miss: Miss | undefined;
  /** Another manner than the batch's. */
  readonly manner: Manner | undefined;
};

/** One to four requests about one pool whose answers overlap: one case of the properties. */
export type RequestBatch = {
  readonly role: OperationRole;
  /** Undefined for the token list. */
  readonly pool: PoolId | undefined;
  readonly frame: BatchFrame;
  readonly manner: Manner;
  readonly asks: readonly BatchRequest[];
  /** A request to be refused, before the first is repeated. */
  readonly refused: RefusedPart | undefined;
  /** Times that the first request is repeated at the end. */
  readonly again: number;
};

/** The instants at which frames may begin, the plainest first, and the seconds of the past. */
type Life = { readonly places: readonly number[]; readonly past: number };

/** Rows of a frame at most: ten days of five minutes, four months of hours, or little more than there is. */
function mostRows({ seconds }: NamedInterval, past: number): number {
  return Math.min(mostOfAll, Math.ceil(past / seconds) + 4);
}

/** Rows that a frame of the shortest interval may have. */
const mostOfAll = 2990;

const mostHoursBack = 240;

/** Requests of a batch; one about a latest candle is framed by its first, requested again. */
const mostAsks = { history: 4, latest: 3, tokens: 3 };

/** Batches about a target's pools; the simplest is one aligned row of the shortest interval. */
export function batches(
  spec: Spec,
  target: TargetFacts,
  times: Times,
  refusable: readonly Refusable[] = [],
): Arbitrary<RequestBatch> {
  const given = { places: listPlaces(times), past: pastSeconds(times), refusable };
  const mayVaryAgent = isUnrestrained(target, {});
  const weightedBatches = (role: RequestBatch['role'], weight: number) => {
    const operation = firstOperation(spec, role);
    const pools =
      operation && role === 'tokens' ? [undefined] : operation ? listPools(target, operation) : [];
    const manner = drawManners(role, mayVaryAgent);
    return pools.length === 0
      ? []
      : [{ arbitrary: drawBatches(spec, role, { pools, manner, ...given }), weight }];
  };
  return fc.oneof(
    ...weightedBatches('history', 15),
    ...weightedBatches('latest', 3),
    ...weightedBatches('tokens', 1),
  );
}

function drawManners(role: OperationRole, mayVaryAgent: boolean): Arbitrary<Manner> {
  return fc.record({
    order: drawOrdered<Manner['order']>(role === 'tokens' ? ['declared'] : mannerFactors.order),
    coding: drawOrdered<Manner['coding']>(mannerFactors.coding),
    agent: drawOrdered(listAgents(mayVaryAgent)),
    connection: drawOrdered<Manner['connection']>(mannerFactors.connection),
  });
}

/** One batch in eight is to be refused in part, and one in eight repeats a request. */
const among = 8;

/** Members that make a batch small come first: fast-check simplifies the members of a record in their order. */
function drawBatches(
  spec: Spec,
  role: RequestBatch['role'],
  {
    pools,
    manner,
    refusable,
    ...life
  }: Life & {
    readonly pools: readonly (PoolId | undefined)[];
    readonly manner: Arbitrary<Manner>;
    readonly refusable: readonly Refusable[];
  },
): Arbitrary<RequestBatch> {
  const { intervals } = spec;
  const ask = drawRequests(
    spec,
    role,
    intervals.map(({ name }) => name),
    manner,
  );
  return fc.record({
    role: fc.constant(role),
    // Not by minLength: an array that may not be empty cannot lose its last element for its first.
    asks: fc.oneof(
      fc.array(ask, { maxLength: mostAsks[role], size: 'max' }).filter((batch) => batch.length > 0),
      fc.tuple(ask, sides).map(([one, others]) => others.map((inverted) => ({ ...one, inverted }))),
    ),
    refused: drawRefused(refusable),
    again: drawOrdered([...new Array<number>(2 * among).fill(0), 1, 2]),
    pool: drawOrdered(pools),
    manner,
    frame: drawFrames(intervals, life),
  });
}

function drawRefused(refusable: readonly Refusable[]): Arbitrary<RefusedPart | undefined> {
  if (refusable.length === 0) return fc.constant(undefined);
  return drawSeldom(
    fc.record({ fault: drawOrdered(refusable), tricks: fc.subarray([...trickNumbers], { maxLength: 3 }) }),
  );
}

/** The same in one or several spellings of `inverted`. */
const sides = fc.shuffledSubarray([undefined, true, false], { minLength: 1, maxLength: 3 });

/** Most requests cover the whole frame: one interval in two spellings is only compared over the same range. */
const usual: readonly Portion[] = new Array(4).fill('whole');

function drawRequests(
  spec: Spec,
  role: RequestBatch['role'],
  intervals: readonly string[],
  manner: Arbitrary<Manner>,
): Arbitrary<BatchRequest> {
  const misses = listMisses(spec, role);
  return fc.record({
    miss: fc.constantFrom(...listOfUndefined(5 * misses.length + 1), ...misses),
    inverted: drawOrdered([undefined, true, false]),
    interval: drawOrdered([...listOfUndefined(intervals.length), ...intervals]),
    portion: drawOrdered(role === 'history' ? [...usual, ...portions] : usual),
    manner: drawSeldom(manner),
  });
}

/** Undefined but for one in `among`. */
function drawSeldom<Value>(drawn: Arbitrary<Value>): Arbitrary<Value | undefined> {
  const nothing: Arbitrary<Value | undefined> = fc.constant(undefined);
  return fc.oneof(
    { withCrossShrink: true },
    { arbitrary: nothing, weight: among - 1 },
    { arbitrary: drawn, weight: 1 },
  );
}

/** Any of some values alike; each is simpler than those after it. */
function drawOrdered<Value>(values: readonly Value[]): Arbitrary<Value> {
  return fc.noBias(fc.nat({ max: values.length - 1 })).map(
    (index) => values[index] as Value,
    (value) => values.indexOf(value as Value),
  );
}

/** Returns undefined `times` times, so that leaving a value out is that likely, and simplest. */
function listOfUndefined(times: number): undefined[] {
  return new Array(times).fill(undefined);
}

function drawFrames(intervals: readonly NamedInterval[], { places, past }: Life): Arbitrary<BatchFrame> {
  const mostOf = new Map(intervals.map((interval) => [interval.name, mostRows(interval, past)]));
  return fc
    .record({
      interval: drawOrdered(intervals.map(({ name }) => name)),
      place: drawOrdered(places),
      hoursBack: fc.oneof(
        { arbitrary: fc.constant(0), weight: 3 },
        { arbitrary: fc.nat({ max: mostHoursBack }), weight: 1 },
      ),
      after: fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, ...[12, 150, 600, 1200].map(countRows)),
      before: fc.oneof(
        { arbitrary: fc.constant(0), weight: 1 },
        ...[12, 150, 600, 1200, mostOfAll].map(countRows),
      ),
      fromLate: lateness,
      toLate: lateness,
    })
    .map(
      (frame): BatchFrame => {
        const after = Math.min(frame.after, mostOf.get(frame.interval) ?? 1);
        const before = Math.min(frame.before, (mostOf.get(frame.interval) ?? 1) - after);
        return { ...frame, after, before: after + before === 0 ? 1 : before };
      },
      (frame) => frame as BatchFrame,
    );
}

/** Draws each number from zero, so that failing batches can shrink. */
function countRows(max: number): { arbitrary: Arbitrary<number>; weight: number } {
  return { arbitrary: fc.nat({ max }), weight: 2 };
}

/** Draws mostly boundaries and instants close to them, at which most faults appear. */
const lateness: Arbitrary<number> = fc.oneof(
  { arbitrary: fc.constant(0), weight: 4 },
  { arbitrary: fc.constantFrom(1, day - 1, minute, 11 * minute, hour / 2), weight: 2 },
  { arbitrary: fc.nat({ max: day - 1 }), weight: 1 },
);
