import { type Explored, type ExploreOptions, explore } from '../../conformance/explore/explore.ts';
import type { RunOutcome } from '../../conformance/run/run.ts';
import type { Spec } from '../../contract/document/spec.ts';
import type { RunningService } from '../../service/start.ts';
import { createProofClient, describeTarget } from '../check-service.ts';

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
