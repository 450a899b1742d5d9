import { quotaOf, usage } from '../../contract/quota.ts';
import { createClient } from '../../http/client.ts';
import type { Load } from '../../load/bill.ts';
import type { LoadPlan } from '../../load/load-plan.ts';
import type { LoadFigures } from '../../load/load-run.ts';
import { figuresOf } from '../../load/summary.ts';
import { startService } from '../../service/start.ts';
import { requireK6 } from '../loading/find-k6.ts';
import { runK6, type Segment } from '../loading/run-k6.ts';

/** A service with a large month, for loads against it, and what it has counted itself. */
export class LoadedService {
  readonly limit = 1_000_000;
  readonly #service: Awaited<ReturnType<typeof startService>>;
  #asked = 0;

  private constructor(service: Awaited<ReturnType<typeof startService>>) {
    this.#service = service;
  }

  static async start(): Promise<LoadedService> {
    return new LoadedService(await startService({ quota: { limit: 1_000_000 }, historyDays: 9 }));
  }

  get service(): Awaited<ReturnType<typeof startService>> {
    return this.#service;
  }

  /** Requests of the tests' own, which no ledger books. */
  get asked(): number {
    return this.#asked;
  }

  /** What the service has counted of its key, the requests that tell it left out. */
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
    const quota = quotaOf(exchange);
    this.#asked += 1;
    return quota ? usage(quota) - this.#asked : Number.NaN;
  }

  /** Token lists, none of them judged, in place of what is changed. */
  plan(change: Partial<LoadPlan>): LoadPlan {
    const { url: baseUrl, poolsV1, poolsV2 } = this.#service;
    return {
      target: { name: 'test', baseUrl, poolsV1, poolsV2, keyless: false, soleUser: false },
      load: steady(200, 3),
      cap: 600,
      mix: [{ operation: 'listTokens', kind: 'all', path: '/tokens' }],
      judgeShare: 0,
      timeoutMs: 2000,
      slowMs: 1000,
      vus: 12,
      userAgent: 'test',
      spec: '{}',
      ...change,
    };
  }

  /** k6 with a plan, without the command around it. The key goes to this service alone. */
  async play(plan: LoadPlan, segment?: Segment): Promise<LoadFigures & { startedAt: number }> {
    const { url, apiKey, caPem } = this.#service;
    let startedAt = 0;
    const ended = await runK6({
      k6: requireK6(),
      plan,
      ...(plan.target.baseUrl === url && { apiKey, ca: caPem }),
      segment,
      stop: new AbortController().signal,
      onMessage: (message) => {
        if (message.kind === 'begun') startedAt = message.startedAt;
      },
    });
    if (!ended.summary) throw new Error(`k6 ended with ${ended.code}: ${ended.complaints.join('; ')}`);
    return { ...figuresOf(ended.summary, []), startedAt };
  }

  async close(): Promise<void> {
    await this.#service.close();
  }
}

export function steady(perSecond: number, seconds: number): Load {
  const perMinute = 60 * perSecond;
  return { startPerMinute: perMinute, stages: [{ perMinute, seconds }] };
}
