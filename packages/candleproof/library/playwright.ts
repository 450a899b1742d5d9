import tls from 'node:tls';
import { KEY_HEADER } from '@candleproof/client/secrets/redaction';
import { specFile } from '@candleproof/files/package-files';
import type { Finding } from '@candleproof/law/judge/verdict';
import { startService } from '@candleproof/reference-service/start';
import { makeVisible } from '@candleproof/reports/words/escape';
import {
  type APIRequestContext,
  type APIResponse,
  test as base,
  expect as baseExpect,
} from '@playwright/test';
import { judgeHar, type Recorded, type TargetOptions, UsageError } from './candleproof.ts';
import { guardApi } from './guarded-api.ts';

type TestFixtures = {
  /** Asks the target with its key; paths such as `tokens` are taken below its base URL. Follows no redirect. */
  readonly api: APIRequestContext;
};

type WorkerFixtures = {
  /** The API, for `use` in a config; the reference service is started for each worker by default. */
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
  api: async ({ candleproof, candleproofTarget, playwright }, use) => {
    const { baseUrl, apiKey, ca } = candleproof;
    if (ca !== undefined) trust(ca);
    const api = await playwright.request.newContext({
      baseURL: `${baseUrl.replace(/\/+$/, '')}/`,
      maxRedirects: 0,
      ...(apiKey !== undefined && { extraHTTPHeaders: { [KEY_HEADER]: apiKey } }),
    });
    // The key of the reference service that is started here is of this run alone.
    const close = candleproofTarget ? await guardApi(api, candleproof) : undefined;
    await use(api);
    await close?.();
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
      message: () =>
        [`${makeVisible(received.url())} ${run.verdict}`, ...broken.map(describeFinding)].join('\n\n'),
    };
  },
});

function describeFinding({ rule, pointer, count, expected, actual }: Finding): string {
  return `${rule} ${pointer} (${count}×)\n  expected  ${makeVisible(expected)}\n  actual    ${makeVisible(actual)}`;
}

/** The part of an answer that a judgement needs; Playwright's APIResponse is one. */
export type AnyResponse = {
  url(): string;
  status(): number;
  statusText(): string;
  headersArray(): readonly { readonly name: string; readonly value: string }[];
  body(): Promise<Buffer>;
};

/** One answer as a recording of others, which holds neither its request's headers nor when it was requested. */
export async function toHar(response: AnyResponse): Promise<object> {
  const body = await response.body();
  return {
    log: {
      version: '1.2',
      entries: [
        {
          request: { method: 'GET', url: response.url(), headers: [] },
          response: {
            status: response.status(),
            statusText: response.statusText(),
            headers: response.headersArray(),
            content: { size: body.length, text: body.toString('base64'), encoding: 'base64' },
          },
        },
      ],
    },
  };
}

/**
 * From now on this process trusts an authority (PEM) besides those that it trusts anyway: Playwright's requests take no
 * private authority.
 * @throws UsageError on a Node that has no way to
 */
export function trust(ca: string): void {
  if (tls.setDefaultCACertificates === undefined) {
    throw new UsageError(
      `Node ${process.versions.node} cannot trust an authority while it runs: take Node 22.19, 24.5 or newer`,
    );
  }
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), ca]);
}
