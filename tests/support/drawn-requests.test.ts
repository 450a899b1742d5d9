import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Ready, serve } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';

const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'));

/** Runs the properties against a service as a pipeline does; returns what they print. */
function runProperties(
  { url, apiKeyFile, caFile, poolsV1, poolsV2 }: Ready,
  more: Record<string, string> = {},
) {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PW_DISABLE_TS_ESM: process.env.PW_DISABLE_TS_ESM,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    CANDLEPROOF_OUT: test.info().outputPath('run'),
    CANDLEPROOF_EXPLORE: '40',
    CANDLEPROOF_BASE_URL: url,
    CANDLEPROOF_API_KEY_FILE: apiKeyFile,
    CANDLEPROOF_CA_FILE: caFile,
    CANDLEPROOF_POOLS_V1: poolsV1.join(),
    CANDLEPROOF_POOLS_V2: poolsV2.join(),
    ...more,
  };
  const args = ['test', 'tests/properties.spec.ts', '--project=conformance', '--no-deps', '--workers=1'];
  return new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [cli, ...args, '--output', test.info().outputPath('results')],
      { env },
      (_, out) => resolve(out),
    );
  });
}

test('a broken law is printed with the smallest case, its request and what repeats it', {
  tag: '@endurance',
}, async () => {
  test.slow();
  const service = await serve(test.info().outputPath(), '--fault', 'F25');
  try {
    const printed = await runProperties(service.ready);
    expect(printed).toContain('high is the highest price of a candle');
    expect(printed).toMatch(
      /curl .*'https:\/\/127\.0\.0\.1:\d+\/v2\/pools\/conversionRates\/1\?from=(\d+)&to=\d+&/,
    );
    const [, seed = '', path = ''] =
      /CANDLEPROOF_CASE_SEED=(\d+) CANDLEPROOF_CASE_PATH=([\d:]+)/.exec(printed) ?? [];
    expect(path).not.toBe('');
    const again = await runProperties(service.ready, {
      CANDLEPROOF_CASE_SEED: seed,
      CANDLEPROOF_CASE_PATH: path,
    });
    expect(again.match(/curl .*/)?.[0]).toBe(printed.match(/curl .*/)?.[0]);
  } finally {
    await service.stop();
  }
});
