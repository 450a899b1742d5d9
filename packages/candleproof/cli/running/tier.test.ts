import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { candleproof, flagsFor } from '@candleproof/command/command';
import type { Run } from '@candleproof/law/judge/verdict';
import { expect, test } from '@playwright/test';
import { startTarget } from '../testing/target.ts';

const readRun = (folder: string): Run => JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'));

test('the tier for pull requests judges the recording and sends nothing to the target', async () => {
  const folder = test.info().outputPath('pr');
  const served = await startTarget(folder, { faults: ['F31'] });
  const out = join(folder, 'out');
  await candleproof(['check', ...flagsFor(served.ready), '--out', out]);
  await served.stop();
  cpSync(join(out, 'exchanges.har'), join(folder, 'known.har'));
  const target = `{ baseUrl: "${served.ready.url}", keyless: true, pools: { v1: [0] }, recording: known.har }`;
  const config = join(folder, 'candleproof.yaml');
  writeFileSync(config, `version: 1\ntargets:\n  ours: ${target}\n`);
  const pr = join(folder, 'pr');
  const { code, stdout, stderr } = await candleproof([
    'check',
    'ours',
    '--config',
    config,
    '--tier',
    'pr',
    '--out',
    pr,
  ]);
  expect([code, stderr]).toEqual([1, '']);
  expect(stdout).toMatch(/^✗ Nonconformant/);
  expect(stdout).not.toContain('embedded');
  expect(readRun(pr).findings.map((finding) => finding.rule)).toContain('candle/average-is-within-range');
  expect(readRun(pr).requests.sent).toBe(0);
  expect(existsSync(join(pr, 'embedded')), 'a sound embedded service is no news').toBe(false);
});

const wants = '--tier pr: it sends nothing and needs a recording of ours (https://ours.invalid); ';

const unrecorded: [what: string, recording: string, why: RegExp][] = [
  ['names no recording', '', /there is none: name the exchanges\.har .* at \S+candleproof\.yaml:3\n$/],
  ['names a file that is not there', 'recording: none.har', /there is no file \S+none\.har: name the exch/],
  [
    'names the recording of another',
    `recording: '${join(process.cwd(), 'tests/fixtures/published-answers.har')}'`,
    /answers\.har is a recording of https:\/\/published\.invalid: name the exchanges\.har of one of its/,
  ],
];

for (const [what, recording, why] of unrecorded) {
  test(`a target that ${what} is refused by the tier for pull requests`, async () => {
    const folder = test.info().outputPath();
    mkdirSync(folder, { recursive: true });
    const config = join(folder, 'candleproof.yaml');
    const target = `{ baseUrl: "https://ours.invalid", keyless: true, pools: { v1: [0] }, ${recording} }`;
    writeFileSync(config, `version: 1\ntargets:\n  ours: ${target}\n`);
    const check = ['check', 'ours', '--config', config, '--tier', 'pr', '--out', join(folder, 'out')];
    const { code, stdout, stderr } = await candleproof(check, { CI: 'true' });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^candleproof: [^\n]*\n$/);
    expect(stderr).toContain(wants);
    expect(stderr).toMatch(why);
  });
}

test('a target described by flags is refused by the tier for pull requests, with a way to judge it', async () => {
  const target = ['--base-url', 'https://ours.invalid', '--pools-v1', '1'];
  const { code, stdout, stderr } = await candleproof(['check', ...target, '--tier', 'pr']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('needs a recording of ours.invalid (https://ours.invalid); there is none: give');
  expect(stderr).toContain('candleproof judge FILE');
});

test('the embedded service is sent nothing by the tier for pull requests, nor planned for', async () => {
  const out = test.info().outputPath('out');
  for (const args of [
    ['check', 'local', '--out', out],
    ['plan', 'local'],
  ]) {
    const { code, stdout, stderr } = await candleproof([...args, '--tier', 'pr']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('--tier pr: it sends nothing and needs a recording, and local has none');
  }
  expect(existsSync(out)).toBe(false);
});

test('the tier smoke sends sixteen requests, judges each operation and says what it did not ask', async () => {
  const out = test.info().outputPath('smoke');
  const { code } = await candleproof(['check', 'local', '--tier', 'smoke', '--out', out]);
  expect(code).toBe(0);
  const { requests, rules } = readRun(out);
  expect(requests.sent).toBe(16);
  const judged = new Set(rules.filter((rule) => rule.level === 'must').flatMap((rule) => rule.operations));
  expect(judged.size).toBe(3);
  const both = await candleproof(['check', 'local', '--tier', 'smoke', '--budget', '20']);
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('--tier') });
});
