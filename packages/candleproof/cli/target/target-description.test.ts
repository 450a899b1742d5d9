import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkTarget } from '@candleproof/check/target/check-target';
import { formatTarget } from '@candleproof/check/target/target-description';
import { quoteForShell } from '@candleproof/files/shell-word';
import { shownPath } from '@candleproof/files/shown-path';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { expect, test } from '@playwright/test';
import { openLocal } from './local-service.ts';
import { readTarget } from './read-target.ts';

test('a target is reported with every flag that describes it', () => {
  const flags = {
    baseUrl: 'https://host',
    apiKeyFile: '/home/me/key',
    caFile: "/etc/the team's ca.pem",
    poolsV1: [1, 2],
    poolsV2: [3],
    spec: 'other.yaml',
    pools: ['BTCUSDT'],
    keyless: true,
    sharedKey: true,
  };
  expect(formatTarget(undefined, flags)).toBe(
    "--base-url https://host --api-key-file KEYFILE --ca-file 'the team'\\''s ca.pem' --spec other.yaml --pools BTCUSDT --pools-v1 1,2 --pools-v2 3 --keyless --shared-key",
  );
});

test('a target of a config is reported by its name and the file that was named', () => {
  const folder = test.info().outputPath('config');
  mkdirSync(folder, { recursive: true });
  const config = join(folder, 'other.yaml');
  writeFileSync(
    config,
    'version: 1\ntargets:\n  mainnet: { baseUrl: "https://host", keyless: true, pools: { v1: [1] } }\n',
  );
  const named = readTarget('mainnet', { config }, {});
  expect(named).toMatchObject({ words: `mainnet --config ${quoteForShell(shownPath(config))}` });
});

for (const word of ['', 'a b', '$HOME', '`id`', '*', "'", '~', 'a\nb', '!x', '#x', '{a,b}']) {
  test(`the word ${JSON.stringify(word)} is quoted`, () => {
    expect(quoteForShell(word)).toMatch(/^'/);
  });
}

test('a finding of a fault in the embedded service is shown again with that fault', async () => {
  const { rules, questions } = catalogue;
  const law = { rules: rules.filter(({ id }) => id === 'candle/average-is-within-range'), questions };
  const { target, close } = await openLocal({ faults: ['F31'] });
  const options = { timeout: 10_000, budget: 12, seed: 1, law, faults: ['F31'] };
  const { run } = await checkTarget(target, options).finally(close);
  expect(run.findings[0]?.replay).toBe('npx candleproof serve faults --only F31');
});
