import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readDefinition, readSettings } from '@candleproof/monitors/config/definition';
import { planMonitoring } from '@candleproof/monitors/plan/plan';
import { expect, test } from '@playwright/test';
import { readKeyFacts } from '../monitoring/last-account.ts';
import { configSchema, parseConfig } from './config.ts';
import { newConfigText } from './new-config.ts';

type Schema = {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
};

const schema: Schema & { readonly $defs: Readonly<Record<string, Schema>> } = JSON.parse(
  readFileSync(configSchema, 'utf8'),
);
const text = readFileSync(join('docs', 'configuration.md'), 'utf8');
const shipped = join('deploy', 'candleproof.yaml');

/** Every key that can be written, with NAME for a chosen name. */
function listKeys(given: Schema, path: string): string[] {
  const { properties, additionalProperties, items } = given.$ref
    ? (schema.$defs[given.$ref.replace('#/$defs/', '')] ?? {})
    : given;
  const below = (name: string): string => (path === '' ? name : `${path}.${name}`);
  if (properties) return Object.entries(properties).flatMap(([name, inner]) => listKeys(inner, below(name)));
  if (typeof additionalProperties === 'object') return listKeys(additionalProperties, below('NAME'));
  return items?.$ref && listKeys(items, '')[0] !== '' ? listKeys(items, `${path}[]`) : [path];
}

test('the reference names every key of the schema, and no other', () => {
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  expect(named.toSorted()).toEqual(listKeys(schema, '').toSorted());
});

test('the reference shows the probes and times that hold by default', () => {
  const [, block = ''] = /these hold:\n\n```yaml\n([\s\S]*?)```/.exec(text) ?? [];
  const target =
    'version: 1\ntargets: { a: { baseUrl: https://a.host, keyless: true, pools: { v1: [1], v2: [2] } } }\n';
  const shown = readDefinition(parseConfig(`${target}${block}`, 'c.yaml'), undefined);
  expect(shown.probes.length).toBeGreaterThan(2);
  expect(shown).toEqual(readDefinition(parseConfig(target, 'c.yaml'), undefined));
  for (const [name, ms] of Object.entries(readSettings(undefined, {}).keep))
    expect(text).toContain(`| \`monitor.keep.${name}\` | \`${ms / 86_400_000}d\` |`);
});

test('the shipped config has monitors that its key can pay', async () => {
  const config = parseConfig(readFileSync(shipped, 'utf8'), shipped);
  const definition = readDefinition(config, { OPS_WEBHOOK: 'https://hooks.example', OPS_SECRET: 's' });
  expect(definition.alerting.sinks).toMatchObject([{ name: 'ops', form: 'slack', secret: 's' }]);
  expect(readSettings(config, {}).listen).toBe('127.0.0.1:9464');
  const keys = await readKeyFacts(config, async () => undefined);
  const plan = planMonitoring({ definition, keys, now: Date.UTC(2026, 9, 1) });
  expect(plan.keys.map(({ key, lacking, known }) => [key, lacking, known])).toEqual([
    ['main', 0, 'config'],
    [undefined, 0, 'none'],
  ]);
  expect(plan.objectives.every(({ slots, needed }) => slots >= needed)).toBe(true);
});

test('the schema that a config names is there', () => {
  const made = newConfigText(
    { name: 'a', baseUrl: 'https://a', pools: { v1: [1], v2: [] }, shared: false },
    resolve('deploy'),
  );
  for (const text of [made, readFileSync(shipped, 'utf8')]) {
    const [, address = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
    expect(resolve(dirname(shipped), address)).toBe(configSchema);
  }
});

test('the config of the page about alerts is read as its words say', () => {
  const page = readFileSync(join('docs', 'alerts.md'), 'utf8');
  const yaml = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text).join('');
  const config = parseConfig(
    `version: 1\ntargets: { mainnet: { baseUrl: 'https://host.invalid', keyless: true, pools: { v1: [1] } } }\n${yaml}`,
    'candleproof.yaml',
  );
  const urls = { ALIVE_WEBHOOK: 'https://alive.invalid/x', SLACK_WEBHOOK: 'https://slack.invalid/y' };
  const { sinks, heartbeat } = readDefinition(config, urls).alerting;
  expect(heartbeat).toMatchObject({ sink: 'alive' });
  expect(sinks).toMatchObject([
    { name: 'alive', severity: 'page', targets: ['mainnet'] },
    { name: 'chat', kind: 'webhook', form: 'slack', url: urls.SLACK_WEBHOOK },
    {
      name: 'pager',
      kind: 'command',
      command: [resolve('pagerduty.sh')],
      severity: 'page',
      targets: ['mainnet'],
    },
  ]);
});
