import { readFileSync, writeFileSync } from 'node:fs';
import type { RunningService } from '@candleproof/reference-service/start';
import { startBuilt } from '@candleproof/reference-service/testing/built-market';
import { expect, test } from '@playwright/test';
import {
  check,
  judgeExchanges,
  judgeFiles,
  judgeHar,
  loadSpec,
  observe,
  rehearse,
  UsageError,
} from './candleproof.ts';

const har = 'tests/fixtures/mitmproxy-f31.har';
let service: RunningService;

test.beforeAll(async () => {
  service = await startBuilt({ seed: 1, faults: ['F31'] });
});
test.afterAll(() => service.close());

const rulesOf = (outcome: { run: { findings: readonly { rule: string }[] } }): string[] =>
  outcome.run.findings.map((finding) => finding.rule).toSorted();

test('a recording in a file, as text and parsed is judged alike', async () => {
  const text = readFileSync(har, 'utf8');
  const outcomes = [await judgeFiles([har]), await judgeHar(text), await judgeHar(JSON.parse(text))];
  for (const outcome of outcomes) {
    expect(outcome.run.verdict).toBe('nonconformant');
    expect(rulesOf(outcome)).toContain('candle/average-is-within-range');
    expect(rulesOf(outcome)).toEqual(rulesOf(outcomes[0] ?? outcome));
  }
});

test('a check finds the fault of a service, and its exchanges judged again give the same', async () => {
  const { url: baseUrl, apiKey, caPem: ca, poolsV1, poolsV2 } = service;
  const outcome = await check({ baseUrl, apiKey, ca, poolsV1, poolsV2, seed: 1, budget: 24 });
  const { target, exchanges } = outcome.recording;
  expect(outcome.run.verdict).toBe('nonconformant');
  expect(rulesOf(outcome)).toContain('candle/average-is-within-range');
  expect(rulesOf(await judgeExchanges(target, exchanges))).toEqual(rulesOf(outcome));
  expect(JSON.stringify(outcome)).not.toContain(apiKey);
});

test('a check may be by some rules, and ended by its signal', async () => {
  const { url: baseUrl, apiKey, caPem: ca, poolsV1, poolsV2 } = service;
  const described = { baseUrl, apiKey, ca, poolsV1, poolsV2 };
  const { run } = await check({ ...described, only: ['tokens'] });
  expect(run.rules.every((rule) => rule.id.startsWith('tokens/'))).toBe(true);
  const ended = await check({ ...described, signal: AbortSignal.abort('enough') });
  expect(ended.run).toMatchObject({ verdict: 'inconclusive', requests: { sent: 0 } });
  expect(ended.run.reason).toContain('enough');
});

test('options that cannot work are refused before anything is sent', async () => {
  const keyless = { keyless: true, poolsV1: [1] };
  await expect(check({ baseUrl: 'http://host', ...keyless })).rejects.toThrow(UsageError);
  await expect(check({ baseUrl: 'https://host', poolsV1: [1] })).rejects.toThrow(/no API key/);
  await expect(check({ baseUrl: 'https://host', keyless: true })).rejects.toThrow(/no pool/);
  await expect(check({ baseUrl: 'https://host', ...keyless, ca: 'none' })).rejects.toThrow(/certificate/);
  // As an environment variable that is not set.
  const unset = { baseUrl: undefined as unknown as string, seed: 1 };
  await expect(check(unset)).rejects.toThrow(/^baseUrl: it is undefined/);
  for (const pools of [['BTCUSDT'], 'BTCUSDT', { pools: 'BTCUSDT' }]) {
    const listed = { pools: pools as unknown as Record<string, string[]>, keyless: true };
    await expect(check({ baseUrl: 'https://host', ...listed })).rejects.toThrow(
      /^pools: give lists by the space/,
    );
  }
  expect(() => observe(fetch)).toThrow(/'candleproof\/observe'/);
  expect(() => rehearse({})).toThrow(/'candleproof\/rehearse'/);
  await expect(check({ baseUrl: 'https://host', ...keyless, budget: 1.5 })).rejects.toThrow(/^budget: "1.5"/);
  await expect(check({ baseUrl: 'https://host', ...keyless, seed: -1 })).rejects.toThrow(/^seed: "-1"/);
  await expect(judgeHar('{}', { only: ['candle/none'] })).rejects.toThrow(/candle\/none/);
});

test("the package's own document is the default, and another one is refused where it is unsound", async () => {
  expect((await loadSpec()).file).toMatch(/openapi\.yaml$/);
  const file = test.info().outputPath('openapi.yaml');
  writeFileSync(file, readFileSync('openapi.yaml', 'utf8').replace('x-role: high', 'x-role: low'));
  await expect(loadSpec(file)).rejects.toThrow(/openapi\.yaml:\d+: /);
  const overlay = test.info().outputPath('roles.yaml');
  const update = '{ target: $.components.schemas.Candle.properties.high, update: { x-role: high } }';
  writeFileSync(overlay, `overlay: 1.1.0\nactions: [${update}]\n`);
  expect(await loadSpec(file, [overlay])).toMatchObject({ file, overlays: [overlay] });
});
