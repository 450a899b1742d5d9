import {
  type APIRequestContext,
  type APIResponse,
  test as base,
  expect as baseExpect,
} from '@playwright/test';
import type { Finding } from '../contract/judge/verdict.ts';
import { specFile } from '../files/package-files.ts';
import { KEY_HEADER } from '../http/secrets/redaction.ts';
import { makeVisible } from '../reports/words/escape.ts';
import { startService } from '../service/start.ts';
import { judgeHar, type Recorded, type TargetOptions } from './candleproof.ts';
import { toHar } from './har-of-response.ts';
import { trust } from './trust.ts';

type TestFixtures = {
  /** Asks the target with its key; paths such as `tokens` are taken below its base URL. Follows no redirect. */
  readonly api: APIRequestContext;
};

type WorkerFixtures = {
  /** The API, for `use` in a config; the reference service is started for each worker where left out. */
  readonly candleproofTarget: TargetOptions | undefined;
  /** The target in force, with the key and the authority that its requests need. */
  readonly candleproof: TargetOptions;
};

/** Playwright's `test` with the service or a target. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  candleproofTarget: [undefined, { option: true, scope: 'worker' }],
  candleproof: [
    async ({ candleproofTarget }, use) => {
      if (candleproofTarget) return use(candleproofTarget);
      const service = await startService({ seed: 1 });
      const { url, apiKey, caPem, poolsV1, poolsV2 } = service;
      try {
        await use({ baseUrl: url, apiKey, ca: caPem, poolsV1, poolsV2 });
      } finally {
        await service.close();
      }
    },
    { scope: 'worker' },
  ],
  api: async ({ candleproof, playwright }, use) => {
    const { baseUrl, apiKey, ca } = candleproof;
    if (ca !== undefined) trust(ca);
    const api = await playwright.request.newContext({
      baseURL: `${baseUrl.replace(/\/+$/, '')}/`,
      maxRedirects: 0,
      ...(apiKey !== undefined && { extraHTTPHeaders: { [KEY_HEADER]: apiKey } }),
    });
    await use(api);
    await api.dispose();
  },
});

/** Playwright's `expect`, and `toConform` for answers of the API. */
export const expect = baseExpect.extend({
  /**
   * An answer, a refusal too, breaks no `must` of the document that it alone is evidence for. Throws for one that
   * nothing can be judged of, with or without `not`.
   */
  async toConform(received: APIResponse, how: Recorded = {}) {
    const { run } = await judgeHar(await toHar(received), how, 'response.har');
    const isFailure = received.status() >= 500;
    const isJudged = run.rules.some((rule) => rule.level === 'must' && rule.outcome === 'passed');
    if (run.verdict === 'inconclusive' && (isFailure || !isJudged)) {
      throw new Error(`${makeVisible(received.url())} cannot be judged by ${specFile}: ${run.reason}`);
    }
    const broken = run.findings.filter((finding) => finding.level === 'must');
    return {
      name: 'toConform',
      pass: run.verdict !== 'nonconformant',
      message: () => [`${makeVisible(received.url())} ${run.verdict}`, ...broken.map(inWords)].join('\n\n'),
    };
  },
});

function inWords({ rule, pointer, count, expected, actual }: Finding): string {
  return `${rule} ${pointer} (${count}×)\n  expected  ${makeVisible(expected)}\n  actual    ${makeVisible(actual)}`;
}
