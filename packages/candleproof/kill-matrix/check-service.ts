import { type JudgedRun, runConformance } from '@candleproof/check/run/run';
import { type Client, createClient } from '@candleproof/client/send/client';
import type { Spec } from '@candleproof/document/spec/spec';
import type { TargetFacts } from '@candleproof/law/reading/exchange';
import type { RunningService } from '@candleproof/reference-service/start';

export type ServiceCheck = {
  readonly spec: Spec;
  readonly seed?: number;
  readonly budget?: number;
  /** A second key of the same service. */
  readonly otherKey?: string;
  /** Reverses the pools of each generation; the first one is checked most closely. */
  readonly reversePools?: boolean;
  /** The target's declaration of quiet intervals. */
  readonly gaps?: 'idle' | undefined;
  readonly keyless?: boolean;
  /** Stands between the client and the service. */
  readonly front?: (client: Client) => Pick<Client, 'send'>;
  readonly onProgress?: (sent: number) => void;
};

/** Runs one conformance check of a running reference service over HTTPS. */
export async function checkService(service: RunningService, options: ServiceCheck): Promise<JudgedRun> {
  const { spec, seed = 1, budget, otherKey, reversePools, gaps, keyless = false, onProgress } = options;
  const { front = (behind) => behind } = options;
  const client = createProofClient(service, 3_000);
  try {
    return await runConformance({
      spec,
      client: front(client),
      keys: { apiKey: service.apiKey, otherKey },
      seed,
      budget,
      target: { ...describeTarget(service, reversePools), keyless, ...(gaps && { gaps }) },
      replay: (rule) => rule,
      version: 'proof',
      pauseMs: 20,
      onProgress,
      patienceMs: 5_000,
    });
  } finally {
    await client.close();
  }
}

/** Describes the service as a target. */
export function describeTarget({ url, poolsV1, poolsV2 }: RunningService, reversePools = false): TargetFacts {
  const pools = (ids: readonly number[]): number[] => (reversePools ? ids.toReversed() : [...ids]);
  return {
    name: 'local',
    baseUrl: url,
    pools: { v1: pools(poolsV1), v2: pools(poolsV2) },
    keyless: false,
    soleUser: true,
  };
}

/** Returns a client of the service, which the caller closes; `bodyMs` is the longest wait for a body. */
export function createProofClient({ url, apiKey, caPem }: RunningService, bodyMs: number): Client {
  return createClient({
    ...{ baseUrl: url, apiKey, ca: caPem, version: 'proof', longestWaitMs: 100 },
    deadlines: { connectMs: 5_000, headersMs: 5_000, bodyMs },
  });
}
