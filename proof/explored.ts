import { type Explored, type ExploreOptions, explore } from '../conformance/explore/explore.ts';
import type { Spec } from '../contract/document/spec.ts';
import { createClient } from '../http/send/client.ts';
import type { RunningService } from '../service/start.ts';
import { targetOf } from './check-service.ts';

/** One exploration of a running reference service, over its own HTTPS. */
export async function explored(
  service: RunningService,
  options: Partial<ExploreOptions> & { readonly spec: Spec },
): Promise<Explored> {
  const client = createClient({
    baseUrl: service.url,
    apiKey: service.apiKey,
    ca: service.caPem,
    deadlines: { connectMs: 5_000, headersMs: 5_000, bodyMs: 5_000 },
    version: 'proof',
    longestWaitMs: 100,
  });
  try {
    return await explore({
      client,
      hasKey: true,
      seed: 1,
      budget: 400,
      target: targetOf(service),
      pauseMs: 20,
      replay: (path) => `explore ${path ?? ''}`,
      version: 'proof',
      ...options,
    });
  } finally {
    await client.close();
  }
}
