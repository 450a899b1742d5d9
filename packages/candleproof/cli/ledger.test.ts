import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readHar } from '@candleproof/client/har/read-har';
import { accountId } from '@candleproof/client/ledger/ledger-store';
import { openLedgers } from '@candleproof/client/ledger/ledgers';
import { candleproof, flagsFor, start, waitForEnd } from '@candleproof/command/command';
import { ledgerFile, stateFolder } from '@candleproof/files/user-folders';
import type { Run } from '@candleproof/law/judge/verdict';
import { readOurQuota } from '@candleproof/law/worlds/our-quota';
import type { Ended } from '@candleproof/testing/environment';
import { expect, test } from '@playwright/test';
import { startTarget } from './testing/target.ts';

test('two checks of one key at once accuse neither target nor each other', {
  tag: '@endurance',
}, async () => {
  const folder = test.info().outputPath('twice');
  const served = await startTarget(folder);
  const env = { CANDLEPROOF_STATE_DIR: join(folder, 'state') };
  const check = (out: string): Promise<Ended> =>
    waitForEnd(start(['check', ...flagsFor(served.ready), '--out', join(folder, out)], env));
  const runs = await Promise.all([check('one'), check('other')]);
  await served.stop();
  expect(runs.map(({ code }) => code)).toEqual([0, 0]);
  const shared = ['one', 'other'].map(
    (out) => readHar(join(folder, out, 'exchanges.har'), 'test').target?.soleUser,
  );
  expect(shared).toEqual([false, false]);
});

test('checks of one key keep one account, and the key is not in it', async () => {
  const folder = test.info().outputPath('shared');
  const served = await startTarget(folder);
  const out = join(folder, 'out');
  const state = join(folder, 'state');
  const args = ['check', ...flagsFor(served.ready), '--out', out];
  const runs = await Promise.all([
    candleproof([...args, '--shared-key'], { CANDLEPROOF_STATE_DIR: state }),
    candleproof([...args.slice(0, -1), join(folder, 'other'), '--shared-key'], {
      CANDLEPROOF_STATE_DIR: state,
    }),
  ]);
  const alone = await candleproof(args, { CANDLEPROOF_STATE_DIR: state });
  await served.stop();
  expect([...runs, alone].map(({ code, stderr }) => [code, stderr])).toEqual(Array(3).fill([0, '']));
  const key = readFileSync(served.ready.apiKeyFile, 'utf8').trim();
  const ledgers = await openLedgers(join(state, 'ledger.db'), { readQuota: readOurQuota });
  const account = ledgers.account(accountId(served.ready.url, key));
  const { limit = 0, remaining = 0, reserved } = (await account.status(Date.now())) ?? {};
  const sent = [out, join(folder, 'other'), out].map((file) => sentOf(file));
  expect(await account.events(0)).toEqual([]);
  expect(reserved).toBe(0);
  // Requests without the key, and with keys that were made up, spend nothing.
  expect(limit - remaining).toBeGreaterThan(60);
  expect(limit - remaining).toBeLessThan(sent.reduce((sum, count) => sum + count));
  await ledgers.close();
  for (const file of readdirSync(state)) {
    expect(readFileSync(join(state, file)).includes(key)).toBe(false);
  }
});

function sentOf(out: string): number {
  const run: Run = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
  return run.requests.sent;
}

test('a ledger that cannot be kept is one line, and the check goes on', async () => {
  const folder = test.info().outputPath('unwritable');
  const served = await startTarget(folder);
  const inTheWay = join(folder, 'file');
  writeFileSync(inTheWay, '');
  const args = ['check', ...flagsFor(served.ready), '--only', 'tokens', '--out', join(folder, 'out')];
  const { code, stderr } = await candleproof(args, { CANDLEPROOF_STATE_DIR: inTheWay });
  const home = join(folder, 'home');
  mkdirSync(home);
  const plain = await candleproof(args, { CANDLEPROOF_STATE_DIR: '', XDG_STATE_HOME: home, HOME: home });
  await served.stop();
  expect(code).toBe(0);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).toMatch(/file.*cannot be kept.*goes on.*CANDLEPROOF_STATE_DIR/);
  // Requests to a loopback target count in no month.
  expect([plain.code, plain.stderr, existsSync(join(home, 'candleproof', 'ledger.db'))]).toEqual([
    0,
    '',
    false,
  ]);
});

test('a HOME where nothing can be written costs a cache and no run', async () => {
  const home = test.info().outputPath('home');
  writeFileSync(home, '');
  const nowhere = { HOME: home, XDG_CACHE_HOME: '', XDG_STATE_HOME: '', CANDLEPROOF_STATE_DIR: '' };
  const out = test.info().outputPath('out');
  const args = ['check', 'local', '--only', 'tokens', '--out', out];
  const { code, stderr } = await candleproof(args, { ...nowhere, CANDLEPROOF_CACHE: '' });
  expect([code, stderr]).toEqual([0, '']);
});

test('state lies where each platform keeps it', () => {
  expect(stateFolder({ CANDLEPROOF_STATE_DIR: '/a' })).toBe('/a');
  expect(stateFolder({ XDG_STATE_HOME: '/x' }, 'linux')).toBe(join('/x', 'candleproof'));
  expect(stateFolder({}, 'linux')).toMatch(/\.local.state.candleproof$/);
  expect(stateFolder({ LOCALAPPDATA: 'C:' }, 'win32')).toBe(join('C:', 'candleproof', 'state'));
  expect(stateFolder({}, 'darwin')).toMatch(/Library.Application Support.candleproof$/);
  expect(ledgerFile({ CANDLEPROOF_STATE_DIR: '/a' })).toBe(join('/a', 'ledger.db'));
});
