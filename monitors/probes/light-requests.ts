import type { PlannedRequest } from '@candleproof/check/plan/planned-request';
import { makeRequest } from '@candleproof/check/run/requests';
import { isUnconnected } from '@candleproof/check/run/sending';
import type { Client } from '@candleproof/client/send/client';
import type { SendRequest } from '@candleproof/client/send/request-lines';
import type { PoolId, Spec } from '@candleproof/document/spec/spec';
import type { Exchange, TargetFacts } from '@candleproof/law/reading/exchange';
import type { LightProbe } from '../plan/definition.ts';
import { classify } from './outcome.ts';

/** One request of a slot, and its repetition if there was one. */
export type Attempt = {
  readonly request: SendRequest;
  readonly pool?: PoolId;
  readonly first: Exchange;
  readonly second?: Exchange;
};

/** Returns the exchanges of an attempt, in the order of the requests. */
export function listExchanges({ first, second }: Attempt): readonly Exchange[] {
  return second ? [first, second] : [first];
}

export type LightRequestOptions = {
  readonly spec: Spec;
  readonly target: TargetFacts;
  readonly apiKey?: string;
  /** The target's clock, Unix seconds. */
  readonly now: number;
  readonly seed: number;
};

/** Sends one request for each pool; stops at a failure that all of them share, such as a spent quota. */
export async function sendRequests(
  probe: LightProbe,
  client: Pick<Client, 'send'>,
  options: LightRequestOptions,
): Promise<Attempt[]> {
  const tries: Attempt[] = [];
  for (const pool of probe.role === 'tokens' ? [undefined] : probe.pools) {
    const request = planRequest(probe, pool, options);
    if (!request) continue;
    const first = await client.send(request);
    tries.push({ request, pool, first });
    if (isUnconnected(first) || classify(first) === 'limited') break;
  }
  return tries;
}

/** Hours of a pool's history that a probe run compares with earlier answers. */
const recentHours = 48;

function planRequest(
  probe: LightProbe,
  pool: PoolId | undefined,
  options: LightRequestOptions,
): SendRequest | undefined {
  const { spec, target, apiKey, now, seed } = options;
  const { role, operation } = probe;
  const interval = spec.intervals.find(({ name }) => name === probe.interval);
  const planned: PlannedRequest = {
    need: { role, ...(role === 'history' && { range: 'recent' as const }) },
    operation,
    interval,
    pool,
    credential: apiKey === undefined ? 'none' : 'api-key',
  };
  const moment = { now, seed, weekStart: () => now, hours: recentHours };
  const keys = apiKey === undefined ? {} : { apiKey };
  return makeRequest(planned, { spec, target, keys, moment, exchanges: [] });
}
