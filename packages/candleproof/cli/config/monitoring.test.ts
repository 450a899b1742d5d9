import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spec } from '@candleproof/law/worlds/breach-case';
import { defaultDefinition, readDefinition, readSettings } from '@candleproof/monitors/config/definition';
import { monitorPlanInWords } from '@candleproof/monitors/page/plan-words';
import { planMonitoring } from '@candleproof/monitors/plan/plan';
import { expect, test } from '@playwright/test';
import { readKeyFacts } from '../monitoring/last-account.ts';
import { parseConfig } from './config.ts';

const minute = 60_000;
const text = readFileSync('packages/candleproof/cli/config/testing/whole.yaml', 'utf8');
const config = parseConfig(text, '/team/candleproof.yaml');
const bare = parseConfig(text.slice(0, text.indexOf('monitor:')), '/team/candleproof.yaml');
const env = { OPS_WEBHOOK: 'https://hooks.example/T0', OPS_SECRET: 's3cret' };
const facts = { name: 'a.host', baseUrl: 'https://a.host', keyless: false, soleUser: false };

test('probes are those that each target has pools for', () => {
  const { probes, location, control } = readDefinition(config, env);
  expect([location, control]).toEqual(['here', 'one.one.one.one:443']);
  expect(probes.map(({ target, name }) => `${target}/${name}`)).toEqual([
    'mainnet/tokens',
    'mainnet/history',
    'mainnet/latest',
    'mainnet/deep',
    'testnet/tokens',
    'testnet/history',
    'testnet/deep',
  ]);
  expect(probes.slice(1, 4)).toMatchObject([
    { kind: 'light', pools: [1, 2], interval: 'HOUR', rhythm: { every: 'budget' } },
    { kind: 'light', pools: [1], interval: 'FIVEMIN', rhythm: { cron: '*/15 * * * *' } },
    { kind: 'deep', budget: 24, rhythm: { every: 7 * 1440 * minute } },
  ]);
});

test('objectives are fractions and times milliseconds', () => {
  const { objectives, maintenance, alerting } = readDefinition(config, env);
  expect(objectives).toEqual([
    { indicator: 'availability', objective: 0.995 },
    { indicator: 'latency', objective: 0.95, under: 800 },
  ]);
  expect(maintenance[0]).toEqual({
    target: 'mainnet',
    window: { zone: 'Europe/London', days: ['sunday'], from: '02:00', to: '03:00' },
  });
  expect(alerting).toEqual({
    sinks: [
      {
        name: 'ops',
        kind: 'webhook',
        url: env.OPS_WEBHOOK,
        form: 'slack',
        secret: 's3cret',
        severity: 'page',
        targets: ['mainnet'],
      },
      { name: 'pager', kind: 'command', command: ['/team/page.sh'] },
    ],
    reminder: { page: 15 * minute, ticket: 720 * minute },
    heartbeat: { sink: 'ops', every: 10 * minute },
  });
  expect(readSettings(config, {})).toMatchObject({
    listen: '127.0.0.1:9464',
    keep: { raw: 400 * 1440 * minute },
  });
});

test('every sink has the address of the page that its messages link', () => {
  const linked = { ...config, monitoring: { ...config.monitoring } };
  const { alerts } = linked.monitoring;
  if (!alerts) throw new Error('the sample has no alerts');
  linked.monitoring.alerts = { ...alerts, page: 'https://status.example/' };
  const { sinks } = readDefinition(linked, env).alerting;
  expect(sinks.map(({ page }) => page)).toEqual(['https://status.example/', 'https://status.example/']);
});

test('without an environment no secret is requested', () => {
  expect(readDefinition(config, undefined).alerting).toEqual({
    sinks: [],
    reminder: { page: 15 * minute, ticket: 720 * minute },
  });
  expect(() => readDefinition(config, { OPS_WEBHOOK: 'https://hooks.example' })).toThrow(
    /^--config: \/team\/candleproof.yaml:23: sink "ops" needs \$\{OPS_SECRET\}: set it in the environment$/,
  );
});

test('an address from the environment has to be safe too', () => {
  const given = (OPS_WEBHOOK: string) => readDefinition(config, { ...env, OPS_WEBHOOK }).alerting.sinks[0];
  expect(given('http://127.0.0.1:9000/hook')).toMatchObject({ url: 'http://127.0.0.1:9000/hook' });
  expect(() => given('http://hooks.example/T0')).toThrow(
    /:23: .*http:\/\/hooks.example: alerts leave .* https only$/,
  );
  expect(() => given('T0/B0')).toThrow(/^[^T]*:23: sink "ops": the address is no URL[^T]*$/);
});

test('addresses and secrets may stand in files beside the config', () => {
  const folder = test.info().outputPath('team');
  mkdirSync(folder);
  writeFileSync(join(folder, 'hook'), 'https://hooks.example/T1\n');
  writeFileSync(join(folder, 'key'), '');
  const sink = 'webhookFile: hook, secretFile: key, form: slack';
  const filed = parseConfig(text.replace(/webhook: .*form: slack/, sink), join(folder, 'candleproof.yaml'));
  expect(() => readDefinition(filed, {})).toThrow(/:23: sink "ops": .*key is empty/);
  writeFileSync(join(folder, 'key'), 'k');
  expect(readDefinition(filed, {}).alerting.sinks[0]).toMatchObject({
    url: 'https://hooks.example/T1',
    secret: 'k',
  });
});

test('a secret of Standard Webhooks that holds no key is refused before anything is signed with it', () => {
  const folder = test.info().outputPath('team');
  mkdirSync(folder);
  const sink = 'webhook: https://hooks.example/T1, secretFile: key';
  const filed = parseConfig(text.replace(/webhook: .*form: slack/, sink), join(folder, 'candleproof.yaml'));
  const short = Buffer.alloc(23, 7).toString('base64');
  for (const secret of ['whsec_!!!', 'whsec_', `whsec_${short}`, `whsec_${'A'.repeat(31)}!`]) {
    writeFileSync(join(folder, 'key'), secret);
    expect(() => readDefinition(filed, {}), secret).toThrow(
      /^--config: .*candleproof\.yaml:23: sink "ops": the secret begins with whsec_, but no base64 of 24 bytes or more follows: generate another one$/,
    );
  }
  for (const bytes of [24, 25, 26, 32, 64]) {
    writeFileSync(join(folder, 'key'), `whsec_${Buffer.alloc(bytes, 251).toString('base64')}`);
    expect(readDefinition(filed, {}).alerting.sinks[0]).toMatchObject({ kind: 'webhook' });
  }
});

test('only the named targets are watched', () => {
  const { probes, maintenance } = readDefinition(config, env, ['testnet']);
  expect(new Set(probes.map(({ target }) => target))).toEqual(new Set(['testnet']));
  expect(maintenance).toEqual([]);
  expect(() => readDefinition(config, env, ['prod'])).toThrow(/no target is called "prod"/);
});

test('the usual monitors of two targets prove their objectives in one month of a key', async () => {
  const definition = readDefinition(bare, env);
  expect(definition.probes.map(({ name }) => name)).toEqual([
    ...['tokens', 'history', 'latest', 'deep'],
    ...['tokens', 'history', 'deep'],
  ]);
  const keys = (await readKeyFacts(bare, async () => undefined)).map((keyFact) => ({
    ...keyFact,
    targets: ['mainnet', 'testnet'],
  }));
  const plan = planMonitoring({ definition, keys, now: Date.UTC(2026, 9, 1) });
  expect(plan.keys).toMatchObject([{ lacking: 0, known: 'none', requests: expect.any(Number) }]);
  expect(plan.objectives).toHaveLength(8);
  for (const { slots, needed, triggers } of plan.objectives) {
    expect(slots).toBeGreaterThanOrEqual(needed);
    expect(triggers.every(({ failures }) => failures !== undefined)).toBe(true);
  }
});

test('a target that flags describe has the usual monitors', () => {
  const { probes, objectives } = defaultDefinition(spec, { ...facts, pools: { v1: [], v2: [4] } });
  expect(probes.map(({ name, target }) => `${target}/${name}`)).toEqual([
    'a.host/tokens',
    'a.host/history',
    'a.host/deep',
  ]);
  expect(objectives.map(({ indicator }) => indicator)).toHaveLength(4);
});

test('a key knows its targets and what its last answer reported', async () => {
  const account = { limit: 500, remaining: 400, reset: Date.UTC(2026, 10, 1) - 1 };
  expect(await readKeyFacts(config, async (key) => (key === 'main' ? account : undefined))).toMatchObject([
    { name: 'main', account, shares: { monitor: 60 }, targets: ['mainnet'] },
  ]);
});

test('a target without a key has the allowance that its config gives it, or none', () => {
  const open = (limit: string): string => {
    const text = `version: 1\ntargets:\n  open:\n    { baseUrl: https://a.host, keyless: true, pools: { v2: [1] }${limit} }\n`;
    const config = parseConfig(text, 'c.yaml');
    return monitorPlanInWords(
      planMonitoring({ definition: readDefinition(config, undefined), keys: [], now: Date.UTC(2026, 9, 11) }),
      'here',
    );
  };
  expect(open('')).toContain(
    'open (no key): its allowance is not known until an answer tells it; planned for 10,000',
  );
  const more = open(', limit: 100000');
  expect(more).toContain('open (no key): 100,000 requests a month, as the config says');
  expect(more).toContain("requests, of the monitors' share of 60,000");
  const none = open(', limit: none');
  expect(none).toContain('open (no key): any number of requests a month, as the config says');
  expect(none).toMatch(/open\/tokens {3}every 1 min \(budget\) {2}44640 {2}44640 slots of 1\n/);
  expect(none).toMatch(/\d+ {2}requests, which nothing counts\n/);
  expect(() => open(', limit: 0')).toThrow(
    /^--config: c\.yaml:4: "limit" does not hold what belongs here: requests a month that/,
  );
  expect(() => open(', limit: many')).toThrow(
    /^--config: c\.yaml:4: "limit" does not hold what belongs here: requests a month that/,
  );
});
