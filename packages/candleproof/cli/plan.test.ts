import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { candleproof } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';

const whole = readFileSync('packages/candleproof/cli/config/testing/whole.yaml', 'utf8');

function plan(text: string, ...args: string[]): ReturnType<typeof candleproof> {
  const folder = test.info().outputPath('team');
  mkdirSync(folder, { recursive: true });
  const config = join(folder, 'candleproof.yaml');
  writeFileSync(config, text);
  return candleproof(['plan', ...args, '--config', config], { TEST_URL: 'https://test.example' });
}

test('a plan tells what monitors take and prove, without any secret', async () => {
  const { code, stdout, stderr } = await plan(whole, 'mainnet');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^A check of mainnet sends:/);
  expect(stdout).toContain(
    'key main: its allowance is not known until an answer tells it; planned for 10,000',
  );
  expect(stdout).toMatch(/mainnet\/history {2}every 41 min 20 s \(budget\) +2160 {2}1080 slots of 2/);
  expect(stdout).toMatch(/mainnet availability +99\.5 % +4805 slots prove 99\.937 %/);
  expect(stdout).toMatch(/mainnet latency +6 \(1h\), 12 \(6h\), 24 \(1d\), 24 \(3d\)/);
  expect(stdout).not.toContain('testnet/');
});

test('without a name the checks and monitors of every target are planned', async () => {
  const { code, stdout } = await plan(whole.replace(/env: '[^']*'/, 'file: k, limit: 20000'));
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^A check of mainnet sends:.* of a month of 20,000 requests.*\nA check of testnet sends:/s,
  );
  expect(stdout.slice(0, stdout.indexOf('A check of testnet'))).not.toContain('is not known');
  expect(stdout).toContain('key main: 20,000 requests a month, as the config says');
  expect(stdout).toContain('testnet (no key): its allowance is not known');
});

test('a plan beyond its budget is refused with probe, line and mend', async () => {
  const { code, stdout, stderr } = await plan(whole.replace('every: 1h', 'every: 5m'), 'mainnet');
  expect(code).toBe(2);
  expect(stdout).toContain('mainnet/tokens');
  expect(stderr).toMatch(
    /^candleproof: --config: .*candleproof\.yaml:9: ask less often: probe "tokens" \(every: 5m\) takes 8928 requests a month at mainnet, and key "main" has 6000 for monitors, \d+ too few for all: give it every: 47m, or raise the share\n$/,
  );
  const mended = await plan(whole.replace('every: 1h', 'every: 47m'), 'mainnet');
  expect(mended.code).toBe(0);
});

test('slots too rare for an alert are reported', async () => {
  const rare = whole.replace(/\n {2}(tokens|history|latest):.*/g, '').replace(/\n {2}latency:.*/, '');
  const { stdout } = await plan(rare, 'mainnet');
  expect(stdout).toContain('5 slots prove 54.92 %; 99.5 % takes 598');
  expect(stdout).toContain('mainnet availability  never: its slots are too rare');
});

test('a config that only names targets shows the monitors that would run', async () => {
  const { code, stdout } = await plan(whole.slice(0, whole.indexOf('monitor:')), 'mainnet');
  expect(code).toBe(0);
  expect(stdout).toMatch(/mainnet\/tokens +every .* \(budget\)/);
  expect(stdout).toMatch(/mainnet\/deep +every 7 d/);
});

test('flags alone show the monitors that would run', async () => {
  const flags = ['--base-url', 'https://host.example', '--pools-v1', '1'];
  const { stdout } = await candleproof(['plan', ...flags, '--api-key-file', 'none']);
  expect(stdout).toMatch(/host\.example\/latest +every .* \(budget\)/);
  expect(stdout).not.toContain('host.example/history');
  const keyless = await candleproof(['plan', ...flags, '--keyless']);
  expect(keyless.stdout).toContain('host.example (no key)');
});

test('a check and the monitors are planned for the same allowance', async () => {
  const text = whole.replace('keyless: true,', 'keyless: true, limit: 500,');
  const { stdout } = await plan(text, 'testnet');
  expect(stdout).toMatch(/in all, .* of a month of 500 requests/);
  expect(stdout).toContain('testnet (no key): 500 requests a month, as the config says');
});

test('a plan tells how long an outage must last, and warns of a cron with both day fields', async () => {
  const twice = whole.replace('deep: 24, every: 7d', "deep: 24, schedule: '17 3 13 * 5'");
  const { stdout, stderr } = await plan(twice, 'mainnet');
  expect(stdout).toMatch(
    /An alert follows an outage of this length; for one after 5 min, probe as shown:\n {2}mainnet {2}\d+ min {2}probe every 2 min 30 s \(17,856 a month\) {2}tokens alone: 120 min; history alone: 80 min; latest alone: 30 min; deep alone: no alert\n/,
  );
  expect(stderr).toMatch(/candleproof\.yaml:\d+: probe "deep" \(17 3 13 \* 5\) runs on days that suit both/);
});

test('a plan for programs holds its checks and its monitors', async () => {
  const { stdout, stderr } = await plan(whole, 'mainnet', '--tier', 'smoke', '--json');
  expect(stderr).toContain('A check of mainnet sends:');
  const { checks, monitors } = JSON.parse(stdout);
  expect(checks).toEqual([
    expect.objectContaining({
      target: 'mainnet',
      requests: 16,
      keyed: 15,
      again: 4,
      month: { limit: 10_000, isKnown: false, shares: expect.anything() },
    }),
  ]);
  expect(monitors.keys).toMatchObject([{ key: 'main', limit: 10_000, known: 'none' }]);
});

test('a plan holds the requests of the tier that is requested', async () => {
  const smoke = await candleproof(['plan', 'local', '--tier', 'smoke']);
  expect(smoke.stdout).toMatch(/^ +16 {2}in all, 15 with the key, .*; at most 4 more to ask again$/m);
  const { stdout } = await plan(whole, 'mainnet', '--tier', 'pr');
  expect(stdout).toMatch(/^A check of --tier pr sends mainnet nothing/);
});

test('a document that counts no requests is planned without a month', async () => {
  const { code, stdout } = await candleproof(['plan', '--spec', 'binance']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/ {2}in all; at most 12 more to ask again\n/);
  expect(stdout).toMatch(/once a night: [\d,]+ requests a month\n/);
  expect(stdout).toContain('(no key): its document counts no requests a month');
  expect(stdout).not.toMatch(/% of a month|10,000|allowance/);
});
