import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { candleproof } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { type RunningTarget, startTarget } from './testing/target.ts';

let served: RunningTarget;
let requests: number;
let folder: string;

test.beforeEach(async () => {
  folder = test.info().outputPath('init');
  requests = 0;
  const witness = (): void => {
    requests += 1;
  };
  served = await startTarget(folder, { quota: { limit: 500 }, witness });
});
test.afterEach(() => served.stop());

const pools = ['--pools-v1', '0,1', '--pools-v2', '1,3,77'];

function init(config: string, ...flags: string[]): ReturnType<typeof candleproof> {
  const { url, apiKeyFile, caFile } = served.ready;
  const known = ['--api-key-file', apiKeyFile, '--ca-file', caFile, '--name', 'ours', '--config', config];
  return candleproof(['init', url, ...known, ...pools, ...flags]);
}

test('a first look writes a config that a check runs by', async () => {
  const config = join(folder, 'candleproof.yaml');
  const { code, stdout, stderr } = await init(config);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('key       accepted');
  expect(stdout).toMatch(/v2 pool 1 +answers, its newest observation \d+ (s|min( \d+ s)?) old/);
  expect(stdout).toContain('v2 pool 77 is not known to it, left out');
  expect(stdout).toContain('of 500 requests left until 2');
  expect(stdout).toContain('requests  6 sent');
  expect(stdout).toMatch(/% of a month of 500 requests/);
  const text = readFileSync(config, 'utf8');
  expect(text).not.toContain(readFileSync(served.ready.apiKeyFile, 'utf8'));
  const out = join(folder, 'out');
  const check = await candleproof(['check', 'ours', '--config', config, '--out', out]);
  expect([check.code, check.stderr]).toEqual([0, '']);
  const sarif = JSON.parse(readFileSync(join(out, 'results.sarif'), 'utf8'));
  expect(sarif.runs[0].results).toEqual([]);
  const plan = await candleproof(['plan', 'ours', '--config', config]);
  expect(plan.stdout).toMatch(/once a night: [\d,]+ requests a month, .*: more than the 75 kept for checks/);
});

test('a second target is added to a config, all else and its comments stay', async () => {
  const config = join(folder, 'mine.yaml');
  const mine =
    '# ours\nversion: 1\ntargets:\n  first: { baseUrl: https://a.host, keyless: true, pools: { v1: [1] } } # kept\n';
  writeFileSync(config, mine);
  const { code, stdout } = await init(config);
  expect([code, stdout]).toEqual([0, expect.stringContaining('mine.yaml has one more target. Next: ')]);
  const text = readFileSync(config, 'utf8');
  expect(text.startsWith(mine)).toBe(true);
  expect(parse(text)).toMatchObject(parse(mine));
  const check = await candleproof([
    'check',
    'ours',
    '--config',
    config,
    '--out',
    join(folder, 'out'),
    '--tier',
    'smoke',
  ]);
  expect([check.code, check.stderr]).toEqual([0, '']);
  expect(await init(config)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('has a target "ours" already'),
  });
  expect(readFileSync(config, 'utf8')).toBe(text);
});

test('the overlays of a document go into the config, and a target of the bare document is refused beside it', async () => {
  const [spec, overlay, config] = ['spec.yaml', 'roles.yaml', 'mine.yaml'].map((name) => join(folder, name));
  writeFileSync(spec as string, readFileSync(new URL('../../../openapi.yaml', import.meta.url)));
  const update = 'info: { title: a, version: a }\nactions: [{ target: $.info, update: { title: Ours } }]\n';
  writeFileSync(overlay as string, `overlay: 1.1.0\n${update}`);
  expect((await init(config as string, '--spec', spec as string, '--overlay', overlay as string)).code).toBe(
    0,
  );
  expect(parse(readFileSync(config as string, 'utf8'))).toMatchObject({
    ...{ spec: 'spec.yaml', overlays: ['roles.yaml'] },
  });
  const { code, stderr } = await init(config as string, '--name', 'bare', '--spec', spec as string);
  expect([code, stderr]).toEqual([2, expect.stringContaining('give its --spec and --overlay')]);
});

test('a pool whose answer cannot be read is kept, for check to say why', async () => {
  const config = join(folder, 'mine.yaml');
  await served.stop();
  served = await startTarget(folder, { faults: ['latest-in-a-list'] });
  const { code, stdout } = await init(config);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^v1 pool 0 +answers, without a candle that can be read/m),
  ]);
  expect(parse(readFileSync(config, 'utf8')).targets.ours.pools.v1).toEqual([0, 1]);
});

test('what is no config is never written over', async () => {
  const config = join(folder, 'mine.yaml');
  writeFileSync(config, 'mine');
  expect((await init(config)).code).toBe(2);
  expect(readFileSync(config, 'utf8')).toBe('mine');
});

test('a refused key ends the first look after one request', async () => {
  const wrong = join(folder, 'wrong');
  writeFileSync(wrong, 'w'.repeat(32));
  const { code, stdout } = await init(join(folder, 'none.yaml'), '--api-key-file', wrong);
  expect(code).toBe(3);
  expect(stdout).toContain('key       unknown: the key was refused (401)');
  expect(stdout).toContain('requests  1 sent');
  expect(stdout).toContain('Nothing was written.');
});

test('without pools they are requested before anything is sent', async () => {
  const { url, apiKeyFile, caFile } = served.ready;
  const flags = ['--api-key-file', apiKeyFile, '--ca-file', caFile, '--config', join(folder, 'none.yaml')];
  const { code, stdout, stderr } = await candleproof(['init', url, ...flags]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^candleproof: no pool to look at: name some with --pools-v1 and --pools-v2.*\n$/);
  expect(requests).toBe(0);
});

test('a workflow and a script are added once they are shown, and never over others', async () => {
  const config = join(folder, 'candleproof.yaml');
  const manifest = join(folder, 'package.json');
  expect((await init(config, '--ci')).stderr).toMatch(/--ci: \S+package\.json: there is no such file/);
  expect(requests).toBe(0);
  writeFileSync(manifest, '{\n\t"name": "shop",\n\t"scripts": { "test": "true" }\n}\n');
  const { code, stdout } = await init(config, '--ci');
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining('Both are written; add the secret CANDLEPROOF'),
  ]);
  const file = join(folder, '.github', 'workflows', 'candleproof.yml');
  const workflow = readFileSync(file, 'utf8');
  expect(stdout).toContain('cron:');
  expect(parse(workflow).jobs.check.steps.at(3)).toEqual({
    ...{ run: 'npm run check:api', env: { CANDLEPROOF_API_KEY: `\${{ secrets.CANDLEPROOF_API_KEY }}` } },
  });
  expect(readFileSync(manifest, 'utf8')).toBe(
    '{\n\t"name": "shop",\n\t"scripts": {\n\t\t"test": "true",\n\t\t"check:api": "candleproof check ours"\n\t}\n}\n',
  );
  expect(parse(readFileSync(config, 'utf8')).keys.main.env).toBe(`\${CANDLEPROOF_API_KEY}`);
  const again = await init(join(folder, 'other.yaml'), '--ci');
  expect([again.code, again.stderr]).toEqual([2, expect.stringMatching(/candleproof\.yml is there already/)]);
  expect(readFileSync(file, 'utf8')).toBe(workflow);
});

test('without an address one is wanted, in one line where nobody can answer', async () => {
  const { code, stdout, stderr } = await candleproof(['init']);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toBe('candleproof: init: give the address of the target, or a --spec that has one\n');
});
