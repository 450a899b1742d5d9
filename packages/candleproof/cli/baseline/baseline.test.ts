import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { candleproof, flagsFor } from '@candleproof/command/command';
import type { Run } from '@candleproof/law/judge/verdict';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { startTarget } from '../testing/target.ts';

const mainnet = 'docs/baselines/mainnet.yaml';

function runOf(folder: string): Run {
  return JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'));
}

function outcomes({ rules }: Run, ...wanted: string[]): string[] {
  return rules.filter((rule) => wanted.includes(rule.outcome)).map((rule) => `${rule.id} ${rule.outcome}`);
}

/** The ready baseline with end dates that are still to come, whenever the test runs. */
function readyBaseline(): string {
  const file = test.info().outputPath('mainnet.yaml');
  const soon = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  writeFileSync(file, readFileSync(mainnet, 'utf8').replace(/until: .*/g, `until: ${soon}`));
  return file;
}

test('the live departures are known, and nothing else is left failing', async () => {
  const info = test.info();
  const [file, out] = [readyBaseline(), info.outputPath('out')];
  const target = await startTarget(info.outputPath('service'), {
    profile: 'observed',
    now: '2026-03-11T15:32:20Z',
  });
  const check = ['check', 'mainnet', ...flagsFor(target.ready), '--strict', '--out', out];
  const { code, stdout, stderr } = await candleproof([...check, '--baseline', file]);
  await target.stop();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('but for 3 that the baseline knows');
  const run = runOf(out);
  expect(outcomes(run, 'known', 'failed', 'surprised')).toEqual([
    'tokens/documented-types known',
    'tokens/icon-is-relative known',
    'candle/average-is-within-range known',
  ]);
  expect(run.baseline?.known.map((acceptance) => acceptance.status)).toEqual(Array(6).fill('known'));
  const accepts = new Ajv2020({ strict: false }).compile(
    JSON.parse(readFileSync('reports/run.schema.json', 'utf8')),
  );
  expect(accepts(run), JSON.stringify(accepts.errors)).toBe(true);
});

test('a target that has mended all sees what of the baseline is gone', async () => {
  const info = test.info();
  const [file, out] = [readyBaseline(), info.outputPath('out')];
  const target = await startTarget(info.outputPath('service'));
  const check = ['check', 'mainnet', ...flagsFor(target.ready), '--baseline', file, '--out', out];
  const [plain, strict, some] = [
    await candleproof(check),
    await candleproof([...check, '--strict']),
    await candleproof([...check, '--only', 'tokens/icon-is-relative', 'quota']),
  ];
  await target.stop();
  expect([plain.code, strict.code]).toEqual([0, 1]);
  expect(plain.stderr).toMatch(/^candleproof: \S+mainnet\.yaml: 6 known failings gone: .* and 3 more: .*\n$/);
  expect(some.stderr).toContain('1 known failing gone: tokens/icon-is-relative listTokens /*/icon');
});

test('a written baseline is refused until each failing has its reason, and serves from then on', async () => {
  const info = test.info();
  const [file, out] = [info.outputPath('baseline.yaml'), info.outputPath('out')];
  const target = await startTarget(info.outputPath('service'), { faults: ['F31'], profile: 'observed' });
  const check = ['check', ...flagsFor(target.ready), '--baseline', file, '--out', out, '--seed', '1'];
  const seen = info.outputPath('seen');
  const first = await candleproof([...check, '--write-baseline', '--out', seen]);
  const bare = readFileSync(file, 'utf8');
  const refused = [await candleproof(check), await candleproof([...check, '--write-baseline'])];
  const text = bare.replaceAll('reason: ""', 'reason: They mend it.');
  writeFileSync(file, text);
  const second = await candleproof([...check, '--strict']);
  // From what the first one saw: a run of another minute may learn more, which is added.
  const again = await candleproof([
    ...['judge', join(seen, 'exchanges.har'), '--out', seen],
    ...['--baseline', file, '--write-baseline'],
  ]);
  const judged = await candleproof(['judge', join(out, 'exchanges.har'), '--baseline', file, '--out', out]);
  await target.stop();
  expect([first.code, second.code, again.code, judged.code]).toEqual([1, 0, 0, 0]);
  expect(first.stderr).toMatch(
    /is written: \d+ known failings, \d+ expected answers\n.* added without a reason: /,
  );
  expect(first.stderr).toContain('fill in why each is accepted; until then --baseline refuses the file');
  for (const { code, stdout, stderr } of refused) {
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      /^candleproof: --baseline: \S+baseline\.yaml:\d+: "reason" .* \(and \d+ more\)\n$/,
    );
  }
  expect(second.stderr).toBe('');
  expect(text).toMatch(
    /^# yaml-language-server: \$schema=\S*packages\/check\/baseline\/baseline\.schema\.json\n/,
  );
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(text).not.toContain(readFileSync(target.ready.apiKeyFile, 'utf8').trim());
  expect(readdirSync(info.outputPath()).filter((file) => file.includes('.tmp'))).toEqual([]);
});

test('an answer other than the expected one is red with --strict alone', async () => {
  const info = test.info();
  const [file, out] = [info.outputPath('b.yaml'), info.outputPath('out')];
  writeFileSync(
    file,
    'version: 1\ntarget: published.invalid\nobservations:\n  transport/cross-origin: any\n',
  );
  const judge = ['judge', 'tests/fixtures/published-answers.har', '--only', 'transport', '--out', out];
  const [plain, strict] = [
    await candleproof([...judge, '--baseline', file]),
    await candleproof([...judge, '--baseline', file, '--strict']),
  ];
  expect([plain.code, strict.code]).toEqual([0, 1]);
  expect(plain.stderr).toContain('1 expected answer changed: transport/cross-origin');
  expect(runOf(out).observations.find((observation) => observation.changed)).toMatchObject({
    before: 'any',
  });
});

test('a link to a baseline stays a link when it is written', async () => {
  const [folder, link] = [test.info().outputPath('real'), test.info().outputPath('link.yaml')];
  mkdirSync(folder);
  writeFileSync(join(folder, 'b.yaml'), 'version: 1\ntarget: published.invalid\n');
  symlinkSync(join(folder, 'b.yaml'), link);
  await candleproof([
    ...['judge', 'tests/fixtures/published-answers.har', '--out', test.info().outputPath('out')],
    ...['--baseline', link, '--write-baseline'],
  ]);
  expect(readFileSync(join(folder, 'b.yaml'), 'utf8')).toContain('candle/average-is-within-range');
});

const har = ['judge', 'tests/fixtures/published-answers.har'];

const refusals: [what: string, args: readonly string[], names: RegExp][] = [
  [
    'a baseline to write without a name',
    ['check', 'local', '--write-baseline'],
    /--write-baseline: name the file/,
  ],
  [
    'a baseline that is not there',
    ['check', 'local', '--baseline', 'no.yaml'],
    /no\.yaml: there is no such file/,
  ],
  ['a baseline that is no YAML', [...har, '--baseline', 'README.md'], /README\.md:\d+: /],
  ['the baseline of another target', ['check', 'local', '--baseline', mainnet], /"mainnet", not to "local"/],
  [
    'writing over the baseline of another',
    [...har, '--baseline', mainnet, '--write-baseline'],
    /"mainnet", not to/,
  ],
  [
    'a baseline in a folder that is not there',
    [...har, '--baseline', 'none/b.yaml', '--write-baseline'],
    /none\/b\.yaml cannot be written \(ENOENT\)/,
  ],
];

for (const [what, args, names] of refusals) {
  test(`${what} ends in one clear line and exit code 2`, async () => {
    const { code, stdout, stderr } = await candleproof(args);
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(names)]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
}
