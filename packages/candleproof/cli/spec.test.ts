import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { candleproof } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { startTarget } from './testing/target.ts';

/** Writes a file of this test, and returns its path. */
function write(name: string, text: string): string {
  const file = test.info().outputPath(name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** Writes an overlay of one action. */
function overlay(target: string, update: object): string {
  return write('o.yaml', JSON.stringify({ overlay: '1.0.0', actions: [{ target, update }] }));
}

test('a document is explained by operation, parameter, field and group of rules', async () => {
  const { code, stdout, stderr } = await candleproof(['spec', 'openapi.yaml']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('key               in x-api-key');
  expect(stdout).toMatch(
    /^GET \/v2\/pools\/conversionRates\/\{poolId\} {2}history, pools of v2, every interval has its row$/m,
  );
  expect(stdout).toMatch(/^ {4}from +from +s$/m);
  expect(stdout).toMatch(/^ {4}volumeUsd +volume-usd +number as text$/m);
  expect(stdout).toMatch(/^ {4}isFeeOnTransferToken +- +shape only$/m);
  expect(stdout).toMatch(/^ {2}quota +(\d+) of \1$/m);
  expect(stdout).toMatch(
    /^ {2}x-role: vwap on a field of the rows: 2 rules, candle\/vwap-is-within-range, /m,
  );
});

test('an annotation that is missing is named with the rules that wait for it, and they apply once it is added', async () => {
  const [file, target] = ['openapi.yaml', '$.components.schemas.Candle.properties.avg'];
  const without = write(
    'without.yaml',
    readFileSync(file, 'utf8').replace('          x-role: average\n', ''),
  );
  const explain = async (...args: string[]) => {
    const { code, stdout } = await candleproof(['spec', ...args, '--json']);
    expect(code).toBe(0);
    return JSON.parse(stdout);
  };
  const lacking = await explain(without);
  const missing = lacking.missing.find(({ lacks }: { lacks: string[] }) => lacks.includes('average'));
  expect(JSON.stringify(lacking.missing)).toMatch(/"x-fresh on the history, the seconds within/);
  expect(missing.annotations).toEqual(['x-role: average on a field of the rows']);
  expect(missing.rules).toContain('rollup/average-is-the-mean');
  const whole = await explain(without, '--overlay', overlay(target, { 'x-role': 'average' }));
  expect(whole.groups).toEqual((await explain(file)).groups);
  expect(whole.groups).not.toEqual(lacking.groups);
});

test('operations without a role are listed, and what they leave out of a vendor document', async () => {
  const document = parse(readFileSync('gallery/binance/openapi.yaml', 'utf8'));
  document.paths['/api/v3/order'] = { post: { responses: {} }, get: { responses: {} } };
  const { stdout } = await candleproof(['spec', write('vendor.json', JSON.stringify(document))]);
  expect(stdout).toContain('left out          POST /api/v3/order, GET /api/v3/order: no x-role');
});

test('both keys of a document, and the zones of its times, are named', async () => {
  const text = readFileSync('gallery/twelvedata/openapi.yaml', 'utf8')
    .replaceAll('x-zone: UTC', 'x-zone: Asia/Tokyo')
    .replace('securitySchemes:', 'securitySchemes:\n    app: { type: apiKey, in: query, name: appid }')
    .replace(/security:\n.*\n/, 'security: [{ apikey: [], app: [] }]\n');
  const { stdout } = await candleproof(['spec', write('zoned.yaml', text)]);
  expect(stdout).toContain('key               in authorization and appid of the query\n');
  expect(stdout).toMatch(/^ {4}datetime +start +iso in Asia\/Tokyo$/m);
  expect(stdout).toMatch(/^ {4}end_date +to +iso in Asia\/Tokyo/m);
});

test('matters of taste are warnings of spec alone, at each call', async () => {
  const text = readFileSync('gallery/binance/openapi.yaml', 'utf8').replace(/ +operationId: .*\n/, '');
  const file = write('tasteless.yaml', text);
  const warning = expect.stringMatching(/tasteless\.yaml:\d+: .*operationId/);
  for (let call = 0; call < 2; call++) {
    const { code, stdout } = await candleproof(['spec', file, '--json']);
    expect({ code, warnings: JSON.parse(stdout).warnings }).toEqual({ code: 0, warnings: [warning] });
  }
  const { stdout } = await candleproof(['spec', file]);
  expect(stdout).toMatch(/^warnings, which refuse nothing\n {2}.*tasteless\.yaml:\d+: .*operationId/m);
  const planned = await candleproof(['plan', '--spec', file, '--pools', 'ETHUSDT']);
  expect(`${planned.code} ${planned.stdout}${planned.stderr}`).not.toContain('operationId');
});

test('a document that cannot be used is refused with the annotation to add', async () => {
  const text = readFileSync('openapi.yaml', 'utf8').replace('          x-role: close\n', '');
  const { code, stdout, stderr } = await candleproof(['spec', write('broken.yaml', text)]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/broken\.yaml:\d+: a field with x-role close is missing here; add it\n$/);
});

test('everything that is missing is listed at once, each with its line', async () => {
  const document = parse(readFileSync('gallery/binance/openapi.yaml', 'utf8'));
  const bare = JSON.stringify(
    document,
    (name, part) => (name === 'x-role' && part !== 'history' ? undefined : part),
    1,
  );
  const file = write('bare.json', bare);
  const { code, stdout, stderr } = await candleproof(['spec', file]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  const mistakes = stderr.trim().split('\n');
  expect(mistakes.map((line) => line.replace(/^candleproof: .*bare\.json:\d+: /, ''))).toEqual([
    ...['symbol', 'interval'].map((name) =>
      expect.stringContaining(`${name} is required and has no x-role; give it one`),
    ),
    ...['start or end', 'open', 'high', 'low', 'close'].map(
      (role) => `a field with x-role ${role} is missing here; add it`,
    ),
  ]);
  const checked = await candleproof(['check', '--spec', file, '--pools', 'ETHUSDT']);
  expect(checked).toMatchObject({ code: 2, stdout: '' });
  expect(checked.stderr).toMatch(/^candleproof: .*\(and 6 more: candleproof spec lists them\)\n$/);
});

test('one request shows whether the rows of a server are read', async () => {
  const served = await startTarget(test.info().outputPath('served'));
  const { url, apiKeyFile, caFile } = served.ready;
  const access = ['--try', url, '--api-key-file', apiKeyFile, '--ca-file', caFile];
  const pools = ['--pools', 'v1=1', '--pools', 'v2=1'];
  const tried = await candleproof(['spec', 'openapi.yaml', ...access, ...pools]);
  expect(tried).toMatchObject({ code: 0, stderr: '' });
  expect(tried.stdout).toMatch(
    /\nstatus 200: rows found, starts read: (1[67]\d) of \1, prices read: \1 of \1; the newest began \d+ min ago\n$/,
  );
  const target = '$.components.schemas.Candle.properties';
  const wrong = overlay(target, {
    timestampSeconds: { 'x-unit': 'ms' },
    startTimestampSeconds: { 'x-unit': 'ms' },
  });
  const misread = await candleproof(['spec', 'openapi.yaml', '--overlay', wrong, ...access, ...pools]);
  expect(misread).toMatchObject({ code: 2, stdout: expect.stringMatching(/starts read: 0 of 1[67]\d/) });
  const away = await candleproof(['spec', 'openapi.yaml', ...pools, '--api-key-file', apiKeyFile, '--try']);
  expect(away).toMatchObject({ code: 2, stderr: expect.stringContaining('the document names no server') });
  await served.stop();
});
