import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { called } from '@candleproof/command/called';
import { candleproof } from '@candleproof/command/command';
import type { Rehearsal } from '@candleproof/rehearse/rehearsal';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';

const clients = 'packages/rehearse/testing/clients';

function rehearse(client: string, ...flags: string[]) {
  return candleproof(rehearsing(client, flags));
}

function rehearsing(client: string, flags: readonly string[]): string[] {
  const out = test.info().outputPath('out');
  return ['rehearse', '--out', out, ...flags, '--', process.execPath, client];
}

test('a client that breaks a must ends the command with 1, is named, and has reports without the key', async () => {
  const { code, stdout, stderr } = await rehearse(
    join(clients, 'impatient.mjs'),
    ...['--scenario', 'rate-limited', '--for', '3'],
  );
  expect([code, stderr]).toEqual([1, '']);
  expect(stdout).toMatch(/✗ rate-limited: [^✗]*\n +must client\/waits-as-retry-after-says\n/);
  const out = test.info().outputPath('out');
  expect(readdirSync(out).toSorted()).toEqual(['index.html', 'junit.xml', 'rehearsal.json']);
  const rehearsal = JSON.parse(readFileSync(join(out, 'rehearsal.json'), 'utf8'));
  const accepts = new Ajv2020().compile(
    JSON.parse(readFileSync('packages/rehearse/rehearsal.schema.json', 'utf8')),
  );
  expect(accepts(rehearsal), JSON.stringify(accepts.errors)).toBe(true);
  const { scenarios } = rehearsal;
  expect(scenarios[0].findings[0].rule).toBe('client/waits-as-retry-after-says');
});

test('a client that sends nothing ends it with 3, and the first lines of its stderr are shown', async () => {
  const { code, stdout } = await rehearse(join(clients, 'silent.mjs'), '--scenario', 'steady');
  expect(code).toBe(3);
  expect(stdout).toContain('? steady: 0 requests, ended by itself with exit code 9');
  expect(stdout).toContain('stderr: no configuration found');
  const printed = readFileSync(join(test.info().outputPath('out'), 'steady.stdout.txt'), 'utf8');
  expect(printed).toBe('[redacted:api-key]\n');
});

test('an expectation that is met ends it with 0', async () => {
  const { code, stdout } = await rehearse(
    join(clients, 'careful.mjs'),
    ...['--scenario', 'gap', '--expect', 'exit=4', '--expect', 'gap:stdout=wrong data: gap'],
  );
  expect([code, stdout]).toEqual([0, expect.stringContaining('expected exit=4: exit code 4')]);
});

test('expectations about wrong data are met by a client that sees it', async () => {
  const wanted = [
    ['extra-fields', 6],
    ['average', 7],
    ['inversion', 8],
    ['repainted', 9],
  ].map(([scenario, code]) => ({
    scenario: String(scenario),
    expected: [`exit=${code}`, `stdout=wrong data: ${scenario}`, 'requests=none'],
  }));
  const flags = wanted.flatMap(({ scenario, expected }) => [
    ...['--scenario', scenario],
    ...expected.flatMap((outcome) => ['--expect', `${scenario}:${outcome}`]),
  ]);
  const { code, stdout, stderr } = await rehearse(join(clients, 'vigilant.mjs'), ...flags);
  expect([code, stderr]).toEqual([0, '']);
  for (const { scenario, expected } of wanted) {
    const [, own = ''] = stdout.split(`✓ ${scenario}: `);
    for (const outcome of expected) expect(own.split('✓ ')[0]).toContain(`expected ${outcome}: `);
  }
});

test('an expectation of another exit code than that of the client is not met', async () => {
  const wrong = ['--scenario', 'average', '--expect', 'exit=9'];
  expect((await rehearse(join(clients, 'vigilant.mjs'), ...wrong)).code).toBe(1);
});

for (const [flags, message] of [
  [['--scenario', 'none'], /^candleproof: --scenario: there is no "none": take steady, /],
  [['--expect', 'exit=x'], /^candleproof: --expect: "exit=x" is none: give exit=N, /],
  [['--scenario', 'gap', '--expect', 'stale:exit=1'], /"stale" is not played: name it with --scenario too/],
  [['--for', '0'], /^candleproof: --for: "0" is no time: /],
] as const) {
  test(`${flags.join(' ')} is refused in one line`, async () => {
    const { code, stdout, stderr } = await called(rehearsing('none.mjs', flags));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });
}

test('a command that is not there is refused in one line', async () => {
  const out = test.info().outputPath('out');
  const { code, stderr } = await candleproof([
    'rehearse',
    '--out',
    out,
    '--scenario',
    'steady',
    '--',
    'no-such-client',
  ]);
  expect(code).toBe(2);
  expect(stderr).toBe(
    'candleproof: no-such-client: command not found: give a program on the PATH, or a path to one\n',
  );
});

test('of a client that does not end, and of what it started, nothing is left', async () => {
  const file = test.info().outputPath('stubborn.mjs');
  const child = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);";
  writeFileSync(
    file,
    `import { spawn } from 'node:child_process';
process.on('SIGTERM', () => {});
const { pid } = spawn(process.execPath, ['-e', ${JSON.stringify(child)}]);
process.stdout.write(process.pid + ' ' + pid);
setInterval(() => {}, 1000);`,
  );
  const { code } = await rehearse(file, '--scenario', 'steady', '--for', '1.5');
  expect(code).toBe(3);
  const pids = readFileSync(join(test.info().outputPath('out'), 'steady.stdout.txt'), 'utf8').split(' ');
  expect(pids).toHaveLength(2);
  for (const pid of pids) await expect.poll(() => isAlive(Number(pid))).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('scenarios side by side come to the same result as one after the other', {
  tag: '@endurance',
}, async () => {
  const chosen = ['steady', 'rate-limited', 'overage'].flatMap((id) => ['--scenario', id]);
  const run = async (jobs: string): Promise<{ ms: number; results: object[] }> => {
    const began = performance.now();
    const flags = [...chosen, '--for', '3', '--jobs', jobs, '--json'];
    const { stdout } = await rehearse(join(clients, 'impatient.mjs'), ...flags);
    const { scenarios }: Rehearsal = JSON.parse(stdout);
    const results = scenarios.map(({ id, verdict, findings }) => ({
      ...{ id, verdict },
      rules: findings.map(({ rule }) => rule),
    }));
    return { ms: performance.now() - began, results };
  };
  const together = await run('3');
  const alone = await run('1');
  expect(together.results).toEqual(alone.results);
  expect(together.ms).toBeLessThan(alone.ms);
});

test('a client too slow for a second request meets the trouble with its first', async () => {
  const file = test.info().outputPath('slow.mjs');
  const double = join(process.cwd(), clients, 'double.mjs');
  writeFileSync(
    file,
    `import { get, pause, target } from ${JSON.stringify(double)};
for (;;) {
  await get(target(0)).catch(() => undefined);
  await pause(60_000);
}`,
  );
  const { code, stdout } = await rehearse(file, '--scenario', 'rate-limited', '--for', '2', '--json');
  const { scenarios }: Rehearsal = JSON.parse(stdout);
  const [played] = scenarios;
  expect([code, played?.exchanges[0]?.status]).toEqual([3, 429]);
  expect(played?.reason).toMatch(/was not tested: .*, or --for \d+ or more$/);
});
