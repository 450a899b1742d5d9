import { type Explored, type ExploreOptions, explore } from '../conformance/explore/explore.ts';
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
  /** Reverses the pools of each generation; the first one is checked most closely. */
  readonly reversePools?: boolean;
  /** The target's declaration of quiet intervals. */
  readonly gaps?: 'idle' | undefined;
  /** The service needs no key. */
  readonly keyless?: boolean;
  readonly onProgress?: (sent: number) => void;
};

/** Runs one conformance check of a running reference service over HTTPS. */
export async function checkService(service: RunningService, options: ServiceCheck): Promise<JudgedRun> {
  const {
    spec,
    seed = 1,
    budget,
    otherKey,
    reversePools = false,
    gaps,
    keyless = false,
    onProgress,
  } = options;
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
      target: { ...describeTarget(service, reversePools), keyless, ...(gaps && { gaps }) },
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

/** Formats the findings of a run for the output of a failed expectation. */
export function formatFindings({ run }: RunOutcome): string[] {
  return run.findings.map(
    (finding) => `${finding.rule} at ${finding.pointer}: ${finding.expected} / ${finding.actual}`,
  );
}

/** Explores a running reference service over HTTPS. */
export async function exploreService(
  service: RunningService,
  options: Partial<ExploreOptions> & { readonly spec: Spec },
): Promise<Explored> {
  const client = createClient({
    baseUrl: service.url,
    apiKey: service.apiKey,
    ca: service.caPem,
    deadlines: { connectMs: 5000, headersMs: 5000, bodyMs: 5000 },
    version: 'proof',
    longestWaitMs: 100,
  });
  try {
    return await explore({
      client,
      hasKey: true,
      seed: 1,
      budget: 400,
      target: describeTarget(service),
      pauseMs: 20,
      replay: (path) => `explore ${path ?? ''}`,
      version: 'proof',
      ...options,
    });
  } finally {
    await client.close();
  }
}
