import { createClient } from '@candleproof/client/send/client';
import { countUsage } from '@candleproof/law/reading/quota';
import { readOurQuota } from '@candleproof/law/worlds/our-quota';
import type { RunningService } from '@candleproof/reference-service/start';
import { startBuilt } from '@candleproof/reference-service/testing/built-market';

/** A service with a large month, for loads against it, and what it has counted itself. */
export class LoadedService {
  readonly limit = 1_000_000;
  readonly #service: RunningService;
  #requested = 0;

  private constructor(service: RunningService) {
    this.#service = service;
  }

  static async start(): Promise<LoadedService> {
    return new LoadedService(await startBuilt({ quota: { limit: 1_000_000 }, historyDays: 9 }));
  }

  get service(): RunningService {
    return this.#service;
  }

  /** Requests of the tests, which no ledger books. */
  get requested(): number {
    return this.#requested;
  }

  /** Returns the service's count of its key, without the requests that read it. */
  async counted(): Promise<number> {
    const { url, apiKey, caPem } = this.#service;
    const client = createClient({
      baseUrl: url,
      apiKey,
      ca: caPem,
      version: 'test',
      deadlines: { connectMs: 5000, headersMs: 5000, bodyMs: 5000 },
      longestWaitMs: 5000,
    });
    const exchange = await client.send({ path: '/tokens', credential: 'api-key' });
    await client.close();
    const quota = readOurQuota(exchange);
    this.#requested += 1;
    return quota ? countUsage(quota) - this.#requested : Number.NaN;
  }

  async close(): Promise<void> {
    await this.#service.close();
  }
}
