import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountId } from '@candleproof/client/ledger/ledger-store';
import { openLedgers } from '@candleproof/client/ledger/ledgers';
import { candleproof, flagsFor } from '@candleproof/command/command';
import type { Damage } from '@candleproof/gate/audit/damage';
import { readOurQuota } from '@candleproof/law/worlds/our-quota';
import { expect, test } from '@playwright/test';
import { startTarget } from './testing/target.ts';

function damageIn(folder: string): Damage[] {
  const lines = readFileSync(join(folder, 'damage.ndjson'), 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

test('the past of the embedded service is sound, by six requests and under both names', async () => {
  const out = test.info().outputPath('out');
  const { code, stdout, stderr } = await candleproof(['audit', 'local', '--out', out]);
  const gated = await candleproof(['gate', '--target', 'local', '--from', '2026-01-01', '--out', out]);
  expect([code, stderr, gated.code, gated.stderr]).toEqual([0, '', 0, '']);
  expect(gated.stdout).toContain('in 6 requests');
  expect(stdout).toContain('Nothing is broken');
  expect(stdout).toContain('in 6 requests');
  expect(damageIn(out)).toEqual([]);
});

test('damage is red, one entry for one hour of many days, in lines and in the judged recording', async () => {
  const folder = test.info().outputPath('damaged');
  const served = await startTarget(folder, { faults: ['F54'] });
  const [out, state] = [join(folder, 'out'), join(folder, 'state')];
  const args = ['audit', ...flagsFor(served.ready), '--pool', '1', '--out', out];
  const { code, stdout } = await candleproof(args, { CANDLEPROOF_STATE_DIR: state });
  const judged = await candleproof(['judge', join(out, 'exchanges.har'), '--out', join(folder, 'judged')]);
  const key = readFileSync(served.ready.apiKeyFile, 'utf8').trim();
  await served.stop();
  expect([code, judged.code]).toEqual([1, 1]);
  expect(stdout).toMatch(/^pool 1 HOUR {2}impossible {2}12:00 to 13:00 on [89] days, \S+ to \S+$/m);
  expect(stdout).toMatch(/^ {2}candle\/prices-are-positive$/m);
  expect(stdout).not.toContain('…');
  const damage = damageIn(out);
  expect(damage.every(({ from, kind }) => kind === 'impossible' && from % 86_400 === 43_200)).toBe(true);
  const ledgers = await openLedgers(join(state, 'ledger.db'), { readQuota: readOurQuota });
  const { limit = 0, remaining = 0 } =
    (await ledgers.account(accountId(served.ready.url, key)).status(Date.now())) ?? {};
  await ledgers.close();
  expect(limit - remaining).toBe(3);
});

test('gate takes the flags that describe a target, beside --target and --base-url, and none of them beside files', async () => {
  const folder = test.info().outputPath('described');
  const served = await startTarget(folder);
  const args = ['gate', ...flagsFor(served.ready), '--pool', '1', '--gaps', 'idle', '--out', folder];
  const { code, stdout, stderr } = await candleproof(args);
  const { url, apiKeyFile, caFile } = served.ready;
  const named = await candleproof([
    ...['gate', '--target', url, '--pools-v1', '1', '--api-key-file', apiKeyFile, '--ca-file', caFile],
    ...['--shared-key', '--pool', '1', '--out', folder],
  ]);
  await served.stop();
  expect([code, stderr, named.code, named.stderr]).toEqual([0, '', 0, '']);
  expect([stdout, named.stdout]).toEqual([
    expect.stringContaining('Nothing is broken'),
    expect.stringContaining('Nothing is broken'),
  ]);
  const files = await candleproof(['gate', 'a.csv', '--api-key-file', 'key']);
  expect([files.code, files.stderr]).toEqual([
    2,
    expect.stringContaining('--api-key-file: is about the past of a target; name one with --target'),
  ]);
});

test('an audit that cannot run or read all exits 2 or 3', async () => {
  const out = test.info().outputPath('out');
  const wrong = await candleproof(['audit', 'local', '--from', '2026-13-01', '--out', out]);
  const late = await candleproof([
    'audit',
    'local',
    '--from',
    '2026-03-02',
    '--to',
    '2026-03-01',
    '--out',
    out,
  ]);
  expect([wrong.code, late.code]).toEqual([2, 2]);
  expect(wrong.stderr).toContain('"2026-13-01" is no time');
  expect(late.stderr).toContain('--from: it has to lie before --to');
  const unknown = await candleproof(['audit', 'local', '--pool', '77', '--out', out, '--json']);
  expect(unknown.code).toBe(3);
  expect(JSON.parse(unknown.stdout).damage).toHaveLength(3);
});

test('the documented lines leave damaged rows out and keep the others', () => {
  const folder = test.info().outputPath('analyst');
  mkdirSync(folder, { recursive: true });
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync('docs/audit.md', 'utf8')) ?? [];
  const hours = { pool: 1, interval: 'HOUR', certainty: 'breach', rules: ['history/complete'] };
  const ranges = [
    { ...hours, from: 3600, to: 7200 },
    { ...hours, from: 10_800, to: 14_400, certainty: 'suspicion', rules: [] },
    { ...hours, from: 14_400, to: 18_000, rules: ['candle/average-is-within-range'] },
    { ...hours, from: 0, to: 99_999, pool: 2 },
    { ...hours, from: 0, to: 86_400, interval: 'DAY' },
  ];
  writeFileSync(join(folder, 'damage.ndjson'), ranges.map((range) => `${JSON.stringify(range)}\n`).join(''));
  const requested = `
    const rows = [0, 3600, 7200, 10800, 14400].map((start) => ({ poolId: 1, startTimestampSeconds: start }));
    const starts = (terms) => sound(rows, 'HOUR', 'damage.ndjson', terms).map((row) => row.startTimestampSeconds);
    const accepted = ['candle/average-is-within-range'];
    console.log(JSON.stringify([starts(), starts({ excluded: ['breach'] }), starts({ accepted })]));`;
  writeFileSync(join(folder, 'example.mts'), `${example}\n${requested}`);
  const printed = execFileSync(process.execPath, ['example.mts'], { cwd: folder, encoding: 'utf8' });
  expect(JSON.parse(printed)).toEqual([
    [0, 7200],
    [0, 7200, 10_800],
    [0, 7200, 14_400],
  ]);
});
