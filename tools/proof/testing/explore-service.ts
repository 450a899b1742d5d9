import { type Explored, type ExploreOptions, explore } from '@candleproof/check/explore/explore';
import type { RunOutcome } from '@candleproof/check/run/run-outcome';
import type { Spec } from '@candleproof/document/spec/spec';
import type { RunningService } from '@candleproof/reference-service/start';
import { createProofClient, describeTarget } from 'candleproof/kill-matrix/check-service';

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
  const client = createProofClient(service, 5_000);
  try {
    return await explore({
      client,
      hasKey: true,
      keys: { apiKey: service.apiKey },
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
