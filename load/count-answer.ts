import type { Exchange, HeaderLine } from '@candleproof/law/reading/exchange';
import { readQuota } from '@candleproof/law/reading/quota';
import { findSlice, intendedStart, isSampled, mixIndex, sliceCount, totalSeconds } from './bill.ts';
import {
  type CounterFamily,
  coarsely,
  gauges,
  type LoadOutcome,
  type LoadTally,
  latencyFamily,
  outcomeFamily,
  sliceFamily,
  totalFamily,
} from './counters.ts';
import { findBucket } from './histogram.ts';
import type { LoadPlan, LoadTrial } from './load-run.ts';

/** One request of a plan. */
export type DueRequest = {
  readonly index: number;
  /** Seconds after the begin of the load. */
  readonly due: number;
  readonly slice: CounterFamily;
  readonly path: string;
  readonly isSampled: boolean;
};

const slices = Array.from({ length: sliceCount }, (_, slice) => sliceFamily(slice));

/** Returns request `index` of a plan; undefined beyond its cap or its load. */
export function findDueRequest({ trial, cap, mix }: LoadPlan, index: number): DueRequest | undefined {
  const due = intendedStart(trial.load, index);
  const path = mix[mixIndex(index, mix.length)]?.path;
  const slice = slices[findRequestSlice(trial, index)];
  if (index >= cap || path === undefined || !slice) return undefined;
  return { index, due, slice, path, isSampled: isSampled(index, trial.judgeShare) };
}

/** Returns the slice in which request `index` is due. */
export function findRequestSlice({ load }: Pick<LoadTrial, 'load'>, index: number): number {
  return findSlice(load, Math.min(intendedStart(load, index), totalSeconds(load)));
}

/** The end of a request; `status` is 0 without an answer. */
export type RequestEnd = {
  readonly status: number;
  readonly headers: readonly HeaderLine[];
  readonly failure?: 'timeout' | 'connection' | undefined;
  /** Milliseconds from the instant at which the request was due. */
  readonly tookMs: number;
};

/** Counts a request that leaves. */
export function countSent(tally: LoadTally, { slice }: DueRequest): void {
  for (const family of [totalFamily, slice]) tally.count(family, 'sent');
}

/** Counts how a request ended; returns whether its answer reached the floor of the quota. */
export function countEnd(
  tally: LoadTally,
  { trial, quota: names }: LoadPlan,
  of: DueRequest,
  end: RequestEnd,
): boolean {
  const quota = readQuota(names, end.headers);
  for (const name of gauges) {
    const value = quota[name];
    if (value !== undefined) tally.gauge(name, value);
  }
  const outcome = classifyOutcome(end, quota.additional ?? 0);
  tally.count(outcomeFamily, outcome);
  tally.count(totalFamily, 'checked');
  if (end.status > 0) for (const family of [totalFamily, of.slice]) tally.count(family, 'answers');
  if (outcome === 'limited') tally.count(of.slice, 'limited');
  else if (outcome !== 'ok' && outcome !== 'overage') tally.count(of.slice, 'errors');
  const bucket = findBucket(1000 * end.tookMs);
  tally.count(latencyFamily, String(bucket));
  tally.count(of.slice, `latency-${Math.floor(bucket / coarsely)}`);
  if (end.tookMs > trial.slowMs) tally.count(of.slice, 'slow');
  return quota.remaining !== undefined && quota.remaining <= (trial.floor ?? -1);
}

/** Classifies how a request ended; `additional` is the number of requests beyond the key's quota. */
function classifyOutcome(
  { status, failure }: Pick<RequestEnd, 'status' | 'failure'>,
  additional: number,
): LoadOutcome {
  if (failure || status === 0) return failure ?? 'connection';
  if (status === 200) return additional > 0 ? 'overage' : 'ok';
  if (status === 429) return 'limited';
  return status >= 500 ? 'server-error' : 'refused';
}

/** Returns the headers of every request. */
export function requestHeaders(plan: LoadPlan, key: string | undefined): Record<string, string> {
  return {
    accept: 'application/json',
    'user-agent': plan.userAgent,
    ...(key !== undefined && { [plan.keyHeader]: plan.keyPrefix + key }),
  };
}

/** Returns an answer as an exchange for the rules. Contains the key only if the target repeated it. */
export function makeExchange(
  { target }: LoadPlan,
  { path }: DueRequest,
  isKeyed: boolean,
  { begun, ...answer }: Pick<Exchange, 'timings' | 'response'> & { readonly begun: number },
): Exchange {
  const credential = isKeyed ? 'api-key' : 'none';
  return {
    request: { method: 'GET', url: `${target.baseUrl}${path}`, headers: [], credential },
    ...answer,
    startedAt: new Date(begun).toISOString(),
  };
}
