import { type JudgedRun, type RunOutcome, runConformance } from '../conformance/run/run.ts';
import type { Spec } from '../contract/document/spec.ts';
import type { TargetFacts } from '../contract/reading/exchange.ts';
import { createClient } from '../http/send/client.ts';
import type { RunningService } from '../service/start.ts';

export type ServiceCheck = {
  readonly spec: Spec;
  readonly seed?: number;
  readonly budget?: number;
  /** A second key of the same service. */
  readonly otherKey?: string;
  /** The first pool of each generation is looked at closest: turned round, it is the other one. */
  readonly reversePools?: boolean;
  /** As the target declares its quiet intervals. */
  readonly gaps?: 'idle' | undefined;
  readonly onProgress?: (sent: number) => void;
};

/** One conformance run against a running reference service, over its own HTTPS. */
export async function checkService(service: RunningService, options: ServiceCheck): Promise<JudgedRun> {
  const { spec, seed = 1, budget, otherKey, reversePools = false, gaps, onProgress } = options;
  const client = createClient({
    baseUrl: service.url,
    apiKey: service.apiKey,
    ca: service.caPem,
    deadlines: { connectMs: 5_000, headersMs: 5_000, bodyMs: 3_000 },
    version: 'proof',
    longestWaitMs: 100,
  });
  try {
    return await runConformance({
      spec,
      client,
      keys: { apiKey: service.apiKey, ...(otherKey !== undefined && { otherKey }) },
      seed,
      ...(budget !== undefined && { budget }),
      target: { ...targetOf(service, reversePools), ...(gaps && { gaps }) },
      replay: (rule) => rule,
      version: 'proof',
      pauseMs: 20,
      ...(onProgress && { onProgress }),
      patienceMs: 5_000,
    });
  } finally {
    await client.close();
  }
}

/** The service as a run knows it. */
export function targetOf({ url, poolsV1, poolsV2 }: RunningService, reversePools = false): TargetFacts {
  const pools = (ids: readonly number[]): number[] => (reversePools ? ids.toReversed() : [...ids]);
  return {
    name: 'local',
    baseUrl: url,
    pools: { v1: pools(poolsV1), v2: pools(poolsV2) },
    keyless: false,
    soleUser: true,
  };
}

/** What a failed expectation should print: the findings, not the whole run. */
export function findingsOf({ run }: RunOutcome): string[] {
  return run.findings.map(
    (finding) => `${finding.rule} at ${finding.pointer}: ${finding.expected} / ${finding.actual}`,
  );
}
