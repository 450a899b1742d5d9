import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { called } from '@candleproof/command/called';
import { candleproof, flagsFor } from '@candleproof/command/command';
import { shownPath } from '@candleproof/files/shown-path';
import type { Run } from '@candleproof/law/judge/verdict';
import { expect, test } from '@playwright/test';
import { startTarget } from './testing/target.ts';

test('a finding is there as long as its fault is, and then fixed', { tag: '@endurance' }, async () => {
  const folder = test.info().outputPath('replay');
  const served = await startTarget(folder, { faults: ['F31', 'F51'], operatorPort: 0 });
  const out = join(folder, 'out');
  const check = await candleproof(['check', ...flagsFor(served.ready), '--out', out]);
  expect(check.code).toBe(1);
  const { findings }: Run = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
  const numbers = findings.map((_, index) => String(index + 1));
  const { url, apiKeyFile, caFile, operatorUrl, operatorToken } = served.ready;
  const flags = ['--base-url', url, '--api-key-file', apiKeyFile, '--ca-file', caFile];
  const replays = (): Promise<(number | null)[]> =>
    Promise.all(numbers.map(async (number) => (await candleproof(['replay', out, number, ...flags])).code));
  expect(await replays()).toEqual(numbers.map(() => 1));
  const [first] = findings.flatMap(({ rule }, at) => (rule === 'candle/average-is-within-range' ? [at] : []));
  const { stdout } = await candleproof(['replay', out, String(Number(first) + 1), ...flags]);
  const [, most, sent] = /^sends at most (\d+) .* (\d+) requests\n$/s.exec(stdout) ?? [];
  expect(Number(sent), 'the rest is left out once the finding is seen').toBeLessThan(Number(most) / 2);
  const wrong = join(folder, 'wrong-key');
  writeFileSync(wrong, 'w'.repeat(32));
  const unnamed = await candleproof(['replay', out, '1', '--api-key-file', apiKeyFile, '--ca-file', caFile]);
  expect(unnamed).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('name the target, or give --base-url'),
  });
  const elsewhere = ['--base-url', url, '--api-key-file', wrong, '--ca-file', caFile];
  const refused = await candleproof(['replay', out, '1', ...elsewhere]);
  expect(refused).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(
      /^sends at most \d+ requests to https.*cannot tell.*key was refused.*1 requests/s,
    ),
  });
  await fetch(`${operatorUrl}/faults`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: '[]',
  });
  expect(await replays()).toEqual(numbers.map(() => 0));
  await served.stop();
});

test('findings between answers are seen again while their faults last', { tag: '@endurance' }, async () => {
  const folder = test.info().outputPath('between');
  const served = await startTarget(folder, { faults: ['F83', 'F53', 'F66'] });
  const out = join(folder, 'out');
  await candleproof(['check', ...flagsFor(served.ready), '--out', out]);
  const run: Run = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
  expect(run.findings.map(({ rule }) => rule)).toEqual(
    expect.arrayContaining(['latest/intervals-agree', expect.stringMatching(/^inversion\//)]),
  );
  const { url, apiKeyFile, caFile } = served.ready;
  const target = ['--base-url', url, '--api-key-file', apiKeyFile, '--ca-file', caFile];
  const all = await candleproof(['replay', out, '--all', ...target, '--json']);
  await served.stop();
  expect(all.code).toBe(1);
  const replays: { fingerprint: string; outcome: string }[] = JSON.parse(all.stdout);
  expect(replays.map(({ fingerprint, outcome }) => [fingerprint, outcome])).toEqual(
    run.findings.map(({ fingerprint }) => [fingerprint, 'still there']),
  );
  expect(all.stderr.match(/^still there {2}/gm)).toHaveLength(run.findings.length);
});

test('the replay line of a finding finds it again as it stands', async () => {
  const folder = test.info().outputPath('a b');
  const served = await startTarget(folder, { faults: ['F31'] });
  const out = join(folder, 'out');
  const only = ['--only', 'candle/average-is-within-range'];
  await candleproof(['check', ...flagsFor(served.ready), ...only, '--shared-key', '--out', out]);
  const { findings }: Run = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
  const { url, apiKeyFile, caFile, poolsV1, poolsV2 } = served.ready;
  const line = findings[0]?.replay ?? '';
  expect(line).toMatch(
    `npx candleproof check --base-url ${url} --api-key-file KEYFILE --ca-file '${shownPath(caFile)}' --pools-v1 ${poolsV1} --pools-v2 ${poolsV2} --shared-key ${only.join(' ')} --seed `,
  );
  const args = [...line.matchAll(/'([^']*)'|(\S+)/g)]
    .map(([, quoted, plain]) => quoted ?? plain ?? '')
    .map((word) => (word === 'KEYFILE' ? apiKeyFile : word));
  const again = await candleproof([...args.slice(2), '--out', join(folder, 'again')]);
  await served.stop();
  // The sum over an interval that has just begun is 0.
  const found = expect.stringMatching(/a sum that was never divided|actual +0$/m);
  expect([again.code, again.stdout]).toEqual([1, found]);
});

test('what cannot be replayed is said in one line', async () => {
  const folder = test.info().outputPath('refused');
  const out = join(folder, 'out');
  await candleproof(['check', 'local', '--only', 'tokens', '--out', out]);
  for (const [args, says] of [
    [[out, '1'], /has no finding "1": it has none/],
    [[out], /name a finding by its number, or give --all/],
    [[folder, '1'], /no such file/],
    [[join(out, 'exchanges.har'), '1'], /is no run of ours/],
  ] as const) {
    const { code, stderr } = await called(['replay', ...args]);
    expect([code, stderr.trim().split('\n').length, stderr]).toEqual([2, 1, expect.stringMatching(says)]);
  }
});
