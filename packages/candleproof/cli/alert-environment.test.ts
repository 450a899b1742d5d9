import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { candleproof } from '@candleproof/command/command';
import { openReceiver } from '@candleproof/monitors/alerting/testing/receiver';
import { expect, test } from '@playwright/test';
import { startTarget } from './testing/target.ts';
import { watching } from './testing/watching.ts';

const reference = (name: string): string => `\${${name}}`;

test('an alert command inherits nothing that the config refers to', async () => {
  const info = test.info();
  mkdirSync(info.outputDir, { recursive: true });
  const served = await startTarget(info.outputPath('service'));
  const { url, caFile, apiKeyFile, poolsV1 } = served.ready;
  const seen = info.outputPath('seen.json');
  const script = "require('node:fs').writeFileSync(process.argv[1], JSON.stringify(process.env))";
  const config = info.outputPath('candleproof.yaml');
  const whole = {
    version: 1,
    keys: { main: { env: reference('SHOP_KEY') } },
    targets: { shop: { baseUrl: reference('SHOP_URL'), key: 'main', caFile, pools: { v1: poolsV1 } } },
    probes: { tokens: { operation: 'listTokens', every: '1h' } },
    alerts: {
      heartbeat: { sink: 'pager' },
      sinks: {
        pager: { command: [process.execPath, '-e', script, seen] },
        chat: { webhook: reference('SHOP_CHAT'), secret: reference('SHOP_SECRET') },
      },
    },
  };
  writeFileSync(config, JSON.stringify(whole));
  const secrets = {
    SHOP_KEY: readFileSync(apiKeyFile, 'utf8').trim(),
    SHOP_URL: url,
    SHOP_CHAT: 'https://chat.example/T0',
    SHOP_SECRET: 'hush',
  };
  const monitor = watching(['--config', config, '--data', info.outputPath('data')], {
    ...secrets,
    SHOP_PAGER: 'for the pager alone',
    CANDLEPROOF_STATE_DIR: info.outputPath('state'),
  });
  await expect
    .poll(() => existsSync(seen) && readFileSync(seen, 'utf8') !== '', { timeout: 40_000 })
    .toBe(true);
  await monitor.stop();
  await served.stop();
  const inherited = JSON.parse(readFileSync(seen, 'utf8'));
  expect(inherited).toMatchObject({ SHOP_PAGER: 'for the pager alone', CANDLEPROOF_KIND: 'heartbeat' });
  const values = Object.values(inherited);
  expect(Object.values(secrets).filter((secret) => values.includes(secret))).toEqual([]);
});

test('alerts test sends one message through every sink and tells who took it', async () => {
  const receiver = await openReceiver((response) => response.writeHead(204).end());
  const refusing = await openReceiver((response) => response.writeHead(500).end());
  const config = test.info().outputPath('candleproof.yaml');
  const target = { baseUrl: 'https://host.invalid', keyless: true, pools: { v1: [1] } };
  const sinks = { chat: { webhook: receiver.url }, pager: { webhook: refusing.url } };
  writeFileSync(config, JSON.stringify({ version: 1, targets: { shop: target }, alerts: { sinks } }));
  const all = await candleproof(['monitor', 'alerts', 'test', '--config', config]);
  const one = await candleproof(['monitor', 'alerts', 'test', 'chat', '--config', config]);
  const none = await candleproof(['monitor', 'alerts', 'test', 'mail', '--config', config]);
  await receiver.close();
  await refusing.close();
  expect(all).toMatchObject({ code: 1, stdout: expect.stringMatching(/^chat {2}delivered$/m) });
  expect(all.stdout).toMatch(/^pager {2}failed: status 500$/m);
  expect([one.code, one.stdout]).toEqual([0, 'chat  delivered\n']);
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('it has chat, pager') });
  expect(receiver.received.map(({ body }) => JSON.parse(body).kind)).toEqual(['test', 'test']);
});
