import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AccountStatus } from '@candleproof/client/ledger/account';
import { accountId } from '@candleproof/client/ledger/ledger-store';
import { openLedgers } from '@candleproof/client/ledger/ledgers';
import { candleproof, flagsFor, type Ready } from '@candleproof/command/command';
import { readOurQuota } from '@candleproof/law/worlds/our-quota';
import type { PostgresAddress } from '@candleproof/postgres/address';
import { test } from '@candleproof/postgres/testing/postgres-test';
import { expect } from '@playwright/test';
import { startTarget } from './testing/target.ts';
import { watchConfig, watching } from './testing/watching.ts';

/** An address with a port on which nothing listens. */
const nowhere = 'postgres://nobody@127.0.0.1:9/ledger';

function keyOf({ apiKeyFile }: Ready): string {
  return readFileSync(apiKeyFile, 'utf8').trim();
}

async function statusOf(address: PostgresAddress, ready: Ready): Promise<AccountStatus | undefined> {
  const ledgers = await openLedgers(address, { readQuota: readOurQuota });
  try {
    return await ledgers.account(accountId(ready.url, keyOf(ready))).status(Date.now());
  } finally {
    await ledgers.close();
  }
}

test('checks and a monitor of one key keep one account in PostgreSQL, and the key is not in it', async ({
  postgres,
}) => {
  const folder = test.info().outputPath();
  const { ready, stop } = await startTarget(folder, { quota: { limit: 10_000_000 } });
  const args = [
    'check',
    ...flagsFor(ready),
    '--only',
    'tokens',
    '--shared-key',
    '--out',
    join(folder, 'out'),
  ];
  const check = await candleproof(args, { CANDLEPROOF_LEDGER_URL: postgres.url });
  expect([check.code, check.stderr]).toEqual([0, '']);
  const before = await statusOf(postgres.address, ready);
  const config = watchConfig(folder, ready, 'here');
  writeFileSync(join(folder, 'ledger-url'), `${postgres.url}\n`);
  const named = { ...JSON.parse(readFileSync(config, 'utf8')), ledger: 'ledger-url' };
  writeFileSync(config, JSON.stringify(named));
  const state = { CANDLEPROOF_STATE_DIR: join(folder, 'state') };
  const monitor = watching(['--config', config, '--data', join(folder, 'data')], state);
  await monitor.line('ok');
  expect(await monitor.stop()).toBe(0);
  const after = await statusOf(postgres.address, ready);
  await stop();
  expect(after?.remaining).toBeLessThan(before?.remaining ?? 0);
  expect(after?.reserved).toBe(0);
  const rows = await postgres.database.query('SELECT id, state FROM ledger_account');
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(keyOf(ready));
});

test('a check and a monitor without their database go on and say so once, and no load begins', async () => {
  const folder = test.info().outputPath();
  mkdirSync(folder, { recursive: true });
  const { ready, stop } = await startTarget(folder, { quota: { limit: 10_000_000 } });
  const away = { CANDLEPROOF_LEDGER_URL: nowhere };
  const args = ['check', ...flagsFor(ready), '--only', 'tokens', '--out', join(folder, 'out')];
  const check = await candleproof(args, away);
  expect(check.code).toBe(0);
  expect(check.stderr).toMatch(
    /^candleproof: PostgreSQL at 127\.0\.0\.1:9\/ledger is out of reach .*; the run goes on without a ledger\n$/,
  );
  const config = watchConfig(folder, ready, 'here');
  const monitor = watching(['--config', config, '--data', join(folder, 'data')], away);
  const { reason } = await monitor.line('without the ledger');
  expect(reason).toMatch(/^PostgreSQL at 127\.0\.0\.1:9\/ledger is out of reach/);
  for (const probe of [1, 2, 3]) await monitor.line('ok', probe);
  expect(await monitor.stop()).toBe(0);
  expect(monitor.said().stderr.split('without the ledger')).toHaveLength(2);
  const load = await candleproof(['load', 'smoke', ...flagsFor(ready)], away);
  expect([load.code, load.stderr]).toEqual([2, expect.stringMatching(/^candleproof: PostgreSQL at .*\n$/)]);
  await stop();
});

test('a password in the config is refused and not repeated', async () => {
  const folder = test.info().outputPath();
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'candleproof.yaml');
  const target = '{ baseUrl: "https://a.example", keyless: true, pools: { v1: [1] } }';
  writeFileSync(file, `version: 1\nledger: postgres://a:wine-dark@b/c\ntargets: { a: ${target} }\n`);
  const { code, stderr } = await candleproof(['check', 'a', '--config', file]);
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /candleproof\.yaml:2: ledger: a password never stands in a config: .*CANDLEPROOF_LEDGER_URL/,
  );
  expect(stderr).not.toContain('wine');
});
