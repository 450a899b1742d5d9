import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { candleproof, flagsFor, serve, start } from '@candleproof/command/command';
import type { Run } from '@candleproof/law/judge/verdict';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openStranger } from './testing/stranger.ts';
import { startTarget } from './testing/target.ts';

const outcomes = (run: Run): string[] =>
  run.rules.map((rule) => `${rule.id} ${rule.outcome} ${rule.evidence}`);

function readRun(folder: string): Run {
  return JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
}

test('a check of the embedded service is conformant within 48 requests', async () => {
  const info = test.info();
  const out = info.outputPath('out');
  const { code, stdout } = await candleproof(['check', 'local', '--out', out]);
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('Conformant') });
  const run = readRun(out);
  expect(run).toMatchObject({ verdict: 'conformant', findings: [], target: { name: 'local' } });
  expect(run.requests.sent).toBeLessThanOrEqual(80);
  expect(run.requests.keyed).toBeLessThanOrEqual(48);
  expect(readdirSync(out).toSorted()).toEqual([
    'codequality.json',
    'exchanges.har',
    'findings.csv',
    'index.html',
    'junit.xml',
    'results.sarif',
    'run.json',
    'summary.md',
  ]);
  const accepts = new Ajv2020({ strict: false }).compile(
    JSON.parse(readFileSync('reports/run.schema.json', 'utf8')),
  );
  expect(accepts(run), JSON.stringify(accepts.errors)).toBe(true);
});

test('a run and its own exchanges are judged alike, rule by rule', async () => {
  const info = test.info();
  const [served, judged] = [info.outputPath('run'), info.outputPath('judged')];
  const target = await startTarget(info.outputPath('service'), { faults: ['F51', 'F105'] });
  const check = await candleproof(['check', ...flagsFor(target.ready), '--out', served]);
  await target.stop();
  const judge = await candleproof(['judge', join(served, 'exchanges.har'), '--out', judged]);
  expect([check.code, judge.code]).toEqual([1, 1]);
  expect(outcomes(readRun(judged))).toEqual(outcomes(readRun(served)));
  const places = (run: Run): string[] =>
    run.findings.map((finding) => `${finding.fingerprint} ${finding.count}`);
  expect(places(readRun(judged))).toEqual(places(readRun(served)));
});

test('a fault switched on by name is found through the command line', async () => {
  const info = test.info();
  const target = await startTarget(info.outputPath('service'), { faults: ['F31'] });
  const { code, stdout } = await candleproof([
    'check',
    ...flagsFor(target.ready),
    '--out',
    info.outputPath('out'),
  ]);
  await target.stop();
  expect(code).toBe(1);
  expect(stdout).toContain('candle/average-is-within-range');
  // The sum over an interval that has just begun is 0.
  expect(stdout).toMatch(/a sum that was never divided|actual +0$/m);
  expect(statSync(info.outputPath('out', 'index.html')).size).toBeLessThanOrEqual(250_000);
});

test('the answers that a live service published are judged as they deserve', async () => {
  const info = test.info();
  const out = info.outputPath('out');
  const { code } = await candleproof(['judge', 'tests/fixtures/published-answers.har', '--out', out]);
  const { findings } = readRun(out);
  expect(code).toBe(1);
  expect([...new Set(findings.map((finding) => finding.rule))]).toEqual([
    'candle/average-is-within-range',
    'quota/headers-on-every-answer',
  ]);
  expect(findings[0]?.actual).toMatch(/^118\.56\d*, which is close × 2460 elapsed seconds/);
});

test('the key is in no file that a check writes and in no line that it prints', async () => {
  const info = test.info();
  const folder = info.outputPath('service');
  const out = info.outputPath('out');
  const target = await serve(folder, '--fault', 'F25');
  const key = readFileSync(target.ready.apiKeyFile, 'utf8').trim();
  const { stdout, stderr } = await candleproof(['check', ...flagsFor(target.ready), '--out', out]);
  await target.stop();
  const forms = [key, key.toUpperCase(), encodeURIComponent(key), Buffer.from(key).toString('base64')];
  const written = [...filesBelow(out), join(folder, 'store', 'service.db'), target.ready.caFile];
  const texts = [stdout, stderr, target.log(), ...written.map((file) => readFileSync(file, 'latin1'))];
  expect(key).toHaveLength(32);
  for (const form of forms) for (const text of texts) expect(text.includes(form)).toBe(false);
});

test('an unreachable host ends inconclusive within the deadline', async () => {
  const info = test.info();
  const began = performance.now();
  const flags = ['--base-url', 'https://127.0.0.1:9', '--keyless', '--pools-v1', '1', '--timeout', '3000'];
  const { code, stdout } = await candleproof(['check', ...flags, '--out', info.outputPath('out')]);
  expect({ code, stdout }).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/did not answer.*refused/s),
  });
  expect(performance.now() - began).toBeLessThan(15_000);
});

test('a host that accepts and says nothing ends inconclusive within the deadline', async () => {
  const info = test.info();
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  const address = silent.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const began = performance.now();
  const flags = [
    '--base-url',
    `https://127.0.0.1:${port}`,
    '--keyless',
    '--pools-v1',
    '1',
    '--timeout',
    '2000',
  ];
  const { code } = await candleproof(['check', ...flags, '--out', info.outputPath('out')]);
  silent.close();
  expect(code).toBe(3);
  expect(performance.now() - began).toBeLessThan(15_000);
});

test('an untrusted certificate ends inconclusive and says so, in a pipe that nobody reads, too', async () => {
  const info = test.info();
  const target = await startTarget(info.outputPath('service'));
  const stranger = await openStranger(info.outputPath('stranger'));
  const flags = flagsFor(target.ready);
  const untrusting = flags.filter((flag, at) => flag !== '--ca-file' && flags[at - 1] !== '--ca-file');
  const args = ['check', ...untrusting, '--out', info.outputPath('out')];
  const unnamed = await candleproof(args);
  const wrong = await candleproof([...args, '--ca-file', stranger.caFile]);
  const unread = start(args, {});
  unread.stdout?.destroy();
  unread.stderr?.destroy();
  const [code] = await once(unread, 'close');
  stranger.close();
  await target.stop();
  expect(code).toBe(3);
  expect(unnamed).toMatchObject({ code: 3, stdout: expect.stringContaining('certificate') });
  expect(unnamed.stderr).toBe('candleproof: where its authority is your own, name it with --ca-file\n');
  expect(wrong.code).toBe(3);
  expect(wrong.stderr).toBe(
    `candleproof: --ca-file: ${stranger.caFile} has no authority that signed this certificate: name the one that did\n`,
  );
});

test('a refused key ends inconclusive, never nonconformant', async () => {
  const info = test.info();
  const target = await startTarget(info.outputPath('service'));
  const flags = flagsFor(target.ready).filter(
    (flag, at, all) => flag !== '--api-key-file' && all[at - 1] !== '--api-key-file',
  );
  const { code, stdout } = await candleproof(['check', ...flags, '--out', info.outputPath('out')], {
    CANDLEPROOF_API_KEY: 'x'.repeat(32),
  });
  await target.stop();
  expect({ code, stdout }).toMatchObject({ code: 3, stdout: expect.stringContaining('key was refused') });
});

test('a plan names its requests and their bill and sends none', async () => {
  const { code, stdout } = await candleproof([
    'plan',
    '--base-url',
    'https://target.invalid',
    '--pools-v2',
    '7',
  ]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/\d {2}history[\s\S]*% of a month/);
});

test('a budget of 12 is kept and still judges', async () => {
  const info = test.info();
  const out = info.outputPath('out');
  const { code } = await candleproof(['check', 'local', '--budget', '12', '--out', out]);
  const run = readRun(out);
  expect(code).toBe(0);
  expect(run.requests.sent).toBeLessThanOrEqual(12);
  expect(
    run.rules.filter((rule) => rule.level === 'must' && rule.outcome === 'passed').length,
  ).toBeGreaterThan(25);
});
