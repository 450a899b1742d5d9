import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { candleproof, flagsFor } from '@candleproof/command/command';
import type { WrittenReport } from '@candleproof/monitors/page/written-report';
import type { Ended } from '@candleproof/testing/environment';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type RunningTarget, startTarget } from './testing/target.ts';
import { watchConfig, watching } from './testing/watching.ts';

// Each probe runs every ten seconds: more than a documented month has.
const roomy = { quota: { limit: 10_000_000 }, operatorPort: 0 };

let served: RunningTarget;

test.beforeAll(async () => {
  served = await startTarget(test.info().outputPath('service'), roomy);
});

test.afterAll(() => served.stop());

async function switchFaults(...faults: string[]): Promise<void> {
  const body = JSON.stringify(faults);
  const { operatorUrl, operatorToken } = served.ready;
  const headers = { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' };
  const answer = await fetch(`${operatorUrl}/faults`, { method: 'PUT', body, headers });
  expect(answer.status).toBe(200);
}

/** Runs the command with a separate state folder. */
function run(...args: string[]): Promise<Ended> {
  return candleproof(args, state());
}

const state = () => ({ CANDLEPROOF_STATE_DIR: test.info().outputPath('state') });

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
}

test('a healthy target ends with 0 and its figures fit their schema', async () => {
  const info = test.info();
  const data = ['--data', info.outputPath('data')];
  const { code, stdout } = await run('monitor', '--once', ...flagsFor(served.ready), ...data);
  expect({ code, stdout }).toMatchObject({ code: 0 });
  for (const probe of ['tokens', 'history', 'latest', 'deep'])
    expect(stdout).toMatch(
      new RegExp(`^127\\.0\\.0\\.1/${probe}: (ok|degraded), \\d+ requests?, slowest`, 'm'),
    );
  expect(stdout.trim().split('\n')).toHaveLength(4);
  const report = await run('report', '--json', ...data, '--out', info.outputPath('report'));
  expect(report).toMatchObject({ code: 0, stderr: '' });
  const numbers: WrittenReport['numbers'] = JSON.parse(report.stdout);
  const accepts = new Ajv2020({ strict: false }).compile(
    JSON.parse(readFileSync('monitors/page/numbers.schema.json', 'utf8')),
  );
  expect(accepts(numbers), JSON.stringify(accepts.errors)).toBe(true);
  const [target, ...more] = numbers.targets;
  expect(more).toEqual([]);
  expect(target).toMatchObject({ target: '127.0.0.1', location: 'here', n: 4, availability: 1 });
  const tokens = target?.operations.find(({ operation }) => operation === 'listTokens');
  expect(tokens).toMatchObject({
    n: 1,
    latency: { n: 1, p50: expect.any(Number) },
    freshness: { p50: null },
  });
  expect(numbers.keys).toMatchObject([{ limit: 10_000_000, additionalTotal: 0 }]);
  expect(readFileSync(info.outputPath('report', 'index.html'), 'utf8')).toContain('127.0.0.1 from here');
});

test('a fault ends with 1, a refused key with 3, and no file holds a key', async () => {
  const info = test.info();
  const [data, out] = [info.outputPath('data'), info.outputPath('report')];
  await switchFaults('F25');
  const broken = await run('monitor', '--once', ...flagsFor(served.ready), '--data', data);
  await switchFaults();
  expect(broken).toMatchObject({ code: 1, stderr: '' });
  expect(broken.stdout).toMatch(/history: .*candle\/high-is-highest/);
  const red = await run('report', '--data', data, '--out', out, '--json');
  expect(JSON.parse(red.stdout).targets[0].incidents).toBe(1);
  const page = readFileSync(join(out, 'index.html'), 'utf8');
  expect(page).toContain('Failing now: 127.0.0.1 serves wrong candles');
  expect(page).toMatch(/>1<\/b> incidents.*1 [^<]*, 1 open/s);
  const wrong = `wrong-${'k'.repeat(26)}`;
  const wrongFile = info.outputPath('wrong-key');
  writeFileSync(wrongFile, wrong);
  const right = served.ready;
  const flags = flagsFor({ ...right, apiKeyFile: wrongFile });
  const refused = await run('monitor', '--once', ...flags, '--data', data);
  expect(refused.code).toBe(3);
  expect(refused.stdout).toMatch(/tokens: limited, the key was refused \(40[13]\)/);
  const report = await run('report', '--data', data, '--out', out, '--json');
  const written = [data, out, state().CANDLEPROOF_STATE_DIR].flatMap(filesBelow);
  const texts = [broken, refused, report].flatMap(({ stdout, stderr }) => [stdout, stderr]);
  texts.push(...written.map((file) => readFileSync(file, 'latin1')));
  expect(written.length).toBeGreaterThan(10);
  for (const key of [readFileSync(right.apiKeyFile, 'utf8').trim(), wrong]) {
    const forms = [
      key,
      key.slice(0, 16),
      Buffer.from(key).toString('base64'),
      [...key].toReversed().join(''),
    ];
    for (const form of forms) expect(texts.filter((text) => text.includes(form))).toEqual([]);
  }
});

test('a target out of reach ends with 3 and says why', async () => {
  const flags = ['--base-url', 'https://127.0.0.1:9', '--keyless', '--pools-v1', '0', '--timeout', '2000'];
  const { code, stdout } = await run('monitor', '--once', ...flags, '--data', test.info().outputPath('data'));
  expect(code).toBe(3);
  expect(stdout).toContain('127.0.0.1/tokens: failed, connect refused');
});

test('a monitor serves its figures, suffers no second one and ends when it is stopped', async () => {
  const info = test.info();
  mkdirSync(info.outputDir, { recursive: true });
  const data = ['--data', info.outputPath('data')];
  const config = watchConfig(info.outputDir, served.ready, 'desk');
  const monitor = watching(['--config', config, ...data], state());
  const { url, probes } = await monitor.line('watching');
  expect(probes).toBe(3);
  await monitor.line('ok');
  const [health, metrics, badge, unknown] = await Promise.all(
    ['/healthz', '/metrics', '/badge/shop.json', '/badge/shpo.json'].map((path) => fetch(`${url}${path}`)),
  );
  expect(await health?.json()).toMatchObject({ healthy: true, storeWritable: true });
  expect(await metrics?.text()).toMatch(/^probe_success\{target="shop",.*location="desk"\} 1$/m);
  expect(await badge?.json()).toMatchObject({ schemaVersion: 1, label: 'shop availability' });
  expect(unknown?.status).toBe(404);
  const conformance = await fetch(`${url}/badge/shop/conformance.json`);
  expect(await conformance.json()).toMatchObject({
    label: 'shop conformance',
    message: expect.stringMatching(/^no/),
  });
  const page = await fetch(`${url}/`);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await page.text()).toMatch(/^<!doctype html>.*http-equiv="refresh".*shop/is);
  const still = await (await fetch(`${url}/still?window=7d`)).text();
  expect(still).toMatch(/^<!doctype html>.*shop/is);
  expect(still).not.toContain('http-equiv="refresh"');
  expect(still).toMatch(/id="window-7d"[^>]*aria-current="true"/);
  const feed = await (await fetch(`${url}/feed.xml`)).text();
  expect(feed).toContain('<title>Candleproof: incidents and planned work</title>');
  renameSync(info.outputPath('data'), info.outputPath('moved'));
  expect((await fetch(`${url}/healthz`)).status).toBe(503);
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  renameSync(info.outputPath('moved'), info.outputPath('data'));
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const others = await Promise.all([
    run('monitor', '--config', config, ...data),
    run('monitor', 'results', 'import', config, ...data),
    run('monitor', 'results', 'export', ...data),
  ]);
  for (const { code, stderr } of others.slice(0, 2))
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^candleproof: .* is written by process \d+.*\n$/),
    });
  expect(others[2]?.stdout).toContain('"location":"desk"');
  monitor.stop();
  // A launcher passes on the signal that a terminal has sent to everybody.
  expect(await monitor.stop()).toBe(0);
  const { stdout, stderr } = monitor.said();
  expect(stdout).toBe('');
  expect(stderr).not.toContain(readFileSync(served.ready.apiKeyFile, 'utf8').trim());
  expect(await run('monitor', 'results', 'export', ...data)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('"kind":"monitor-stopped"'),
  });
  // It ran for seconds: what a day brings is known from its plan alone.
  const { stdout: size } = await run('monitor', 'results', 'size', ...data);
  expect(size).toMatch(/^a day +25920 slots, 25920 requests of 3 series, as configured$/m);
});

test('SIGHUP takes a new config, refuses a wrong one in one line, and ends nothing', async () => {
  const info = test.info();
  mkdirSync(info.outputDir, { recursive: true });
  const file = watchConfig(info.outputDir, served.ready, 'desk');
  const config = JSON.parse(readFileSync(file, 'utf8'));
  const args = ['--config', file, '--data', info.outputPath('data')];
  const monitor = watching(args, { ...state(), LOG_LEVEL: 'debug' });
  expect(await monitor.line('watching')).toMatchObject({ probes: 3 });
  await monitor.line('ok');
  const refusal = 'SIGHUP: the config was refused, and the one before stays in force';
  const wrong = { ...config, probes: { tokens: { operation: 'listTokens', every: '1s' } } };
  writeFileSync(file, JSON.stringify(wrong));
  monitor.hangUp();
  const { reason } = await monitor.line(refusal);
  expect(reason).toMatch(/^--config: .*desk\.yaml:1: every 1s is too often/);
  // No process can listen there, which only opening it shows.
  const { listen: _, ...unheard } = config.monitor;
  writeFileSync(file, JSON.stringify({ ...config, monitor: { ...unheard, listen: '192.0.2.1:9464' } }));
  monitor.hangUp();
  expect((await monitor.line(refusal, 2)).reason).toContain('192.0.2.1:9464');
  expect(await monitor.line('watching', 2)).toMatchObject({ probes: 3 });
  writeFileSync(file, JSON.stringify({ ...config, probes: { tokens: config.probes.tokens } }));
  monitor.hangUp();
  const { url, probes } = await monitor.line('watching', 3);
  expect(probes).toBe(1);
  await monitor.line('ok', monitor.said().stderr.split('"msg":"ok"').length);
  expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({
    healthy: true,
    targets: { shop: { lastJudged: expect.any(String), blindSince: null } },
  });
  expect(await monitor.stop()).toBe(0);
});

test('the log has each alert with its text, whether a sink takes it or not', async () => {
  const info = test.info();
  mkdirSync(info.outputDir, { recursive: true });
  const file = watchConfig(info.outputDir, served.ready, 'desk');
  const { keys: _, ...config } = JSON.parse(readFileSync(file, 'utf8'));
  const shop = {
    baseUrl: 'https://127.0.0.1:9',
    keyless: true,
    limit: 10_000_000,
    pools: { v1: [1], v2: [1] },
  };
  writeFileSync(
    file,
    JSON.stringify({ ...config, targets: { shop }, slos: { availability: { objective: 99.99 } } }),
  );
  const monitor = watching(['--config', file, '--data', info.outputPath('data')], state());
  expect(await monitor.line('alert fired')).toMatchObject({
    ...{ level: 40, target: 'shop', id: expect.stringMatching(/^alert\/shop\/availability\/desk\//) },
    reason: expect.stringMatching(
      /^page: availability of shop from desk: connection refused since .*\ndo: /s,
    ),
  });
  expect(await monitor.stop()).toBe(0);
});
