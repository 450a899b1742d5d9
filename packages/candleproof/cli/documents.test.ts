import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { candleproof } from '@candleproof/command/command';
import { geckoterminal } from '@candleproof/doubles/geckoterminal.double';
import { openVenue } from '@candleproof/doubles/open-venue';
import { shownPath } from '@candleproof/files/shown-path';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';

const binance = readFileSync('gallery/binance/openapi.yaml', 'utf8');

/** Writes a file of this test, and returns its path. */
function write(name: string, text: string): string {
  const file = test.info().outputPath(name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

test('a document of the gallery is taken by its name, with the server that it names', async () => {
  const { code, stdout, stderr } = await candleproof(['plan', '--spec', 'binance', '--pools', 'ETHUSDT']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^ +\d+ {2}history$/m);
  expect(stdout).toContain('Monitors at location "here" cost this');
  expect(stdout).toContain('api.binance.com');
});

test('an unknown name is refused with the names that there are', async () => {
  const { code, stdout, stderr } = await candleproof(['check', '--spec', 'binanse']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(
    /^candleproof: --spec: "binanse" is neither a file nor in the gallery: .*\bbinance, .*geckoterminal/,
  );
});

test('a config names a document of the gallery, too', async () => {
  const target = "{ baseUrl: 'https://127.0.0.1:1', keyless: true, pools: { pools: [ETHUSDT] } }";
  const config = write('candleproof.yaml', `version: 1\nspec: binance\ntargets:\n  here: ${target}\n`);
  const { code, stdout, stderr } = await candleproof(['plan', 'here', '--config', config]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^ +\d+ {2}history$/m);
});

test('pools and server of a document are used where the command names none', async () => {
  const host = "{ host: { default: 'api.example.com:1' } }";
  const sampled = binance
    .replace(/^ {2}x-sample-pools: .*\n/m, '')
    .replace("  version: '3'\n", "  version: '3'\n  x-sample-pools: [ADABTC]\n")
    .replace(/^servers:\n.*\n.*\n/m, `servers: [{ url: 'https://{host}/base', variables: ${host} }]\n`);
  const { code, stdout, stderr } = await candleproof(['plan', '--spec', write('sampled.yaml', sampled)]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('api.example.com');
  expect(stdout).toMatch(/^ +\d+ {2}history$/m);
  const wrong = write('wrong.yaml', sampled.replace('[ADABTC]', "['no pair']"));
  expect(await candleproof(['plan', '--spec', wrong])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"no pair" is no pool as the document has them'),
  });
});

test('a document from elsewhere sends no key of the environment to its server', async () => {
  const keyed = binance
    .replace('security: []', 'security: [{ key: [] }]')
    .replace(
      'components:\n',
      'components:\n  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }\n',
    );
  const file = write('keyed.yaml', keyed);
  const out = test.info().outputPath('out');
  const checked = await candleproof(['check', '--spec', file, '--pools', 'ETHUSDT', '--out', out], {
    CANDLEPROOF_API_KEY: 'k'.repeat(32),
  });
  expect(checked).toMatchObject({ code: 2, stdout: '' });
  expect(checked.stderr).toContain('give --base-url https://api.binance.com\n');
  expect(existsSync(out)).toBe(false);
});

/** Writes our document without its roles, and returns the flags that give them back. */
function writeBare(): [spec: string, file: string, overlay: string, roles: string] {
  const ours = parse(readFileSync('openapi.yaml', 'utf8'));
  const bare = JSON.stringify(ours, (name, part) => (/^x-(?!ratelimit)/.test(name) ? undefined : part), 1);
  return [
    '--spec',
    write('bare.json', bare),
    '--overlay',
    'packages/document/spec/testing/roles.overlay.yaml',
  ];
}

test('an overlay is applied to the document of a command, and named in what it advises', async () => {
  const flags = writeBare();
  const out = test.info().outputPath('out');
  const { code, stderr } = await candleproof([
    'judge',
    'tests/fixtures/mitmproxy-f31.har',
    ...flags,
    '--out',
    out,
  ]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  const { findings } = JSON.parse(readFileSync(`${out}/run.json`, 'utf8'));
  expect(findings[0].replay).toContain(flags.map(shownPath).join(' '));
  const wrong = write('wrong.yaml', 'overlay: 1.1.0\nactions:\n  - target: $.tag\n    update: {}\n');
  const refused = await candleproof(['plan', 'https://host', ...flags, '--overlay', wrong]);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(/wrong\.yaml:3: "\$\.tag" matches nothing in the document/);
  expect(await candleproof(['plan', 'https://host', '--overlay', 'none.yaml'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--overlay: none.yaml: there is no such file'),
  });
});

test('a config names the overlays of its document', async () => {
  const [, , , roles] = writeBare();
  write('ours.yaml', readFileSync(roles, 'utf8'));
  const target = "{ baseUrl: 'https://127.0.0.1:1', keyless: true, pools: { v1: [1], v2: [1] } }";
  const text = `version: 1\nspec: bare.json\noverlays: [ours.yaml]\ntargets:\n  here: ${target}\n`;
  const config = write('candleproof.yaml', text);
  const { code, stdout, stderr } = await candleproof(['plan', 'here', '--config', config]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^ +\d+ {2}latest$/m);
});

test('a first look at a document of the gallery writes its name into the config', async () => {
  const double = await openVenue(geckoterminal, { seed: 1, opensAt: new Date().toISOString(), age: 30 });
  const [ca, config] = [write('ca.pem', double.ca), test.info().outputPath('written.yaml')];
  const url = `${double.url}/api/v2`;
  const flags = ['--spec', 'geckoterminal', '--pools', double.pools.join(), '--ca-file', ca];
  const { code, stdout, stderr } = await candleproof([
    'init',
    url,
    ...flags,
    '--name',
    'here',
    '--config',
    config,
  ]);
  double.close();
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
  expect(parse(readFileSync(config, 'utf8'))).toMatchObject({
    spec: 'geckoterminal',
    targets: { here: { baseUrl: url, keyless: true, pools: { pools: double.pools } } },
  });
  expect(await candleproof(['plan', 'here', '--config', config])).toMatchObject({ code: 0, stderr: '' });
  expect(await candleproof(['init'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('give the address of the target, or a --spec that has one'),
  });
});
