import { existsSync, readFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { accountId } from '@candleproof/client/ledger/ledger-store';
import { openLedgers } from '@candleproof/client/ledger/ledgers';
import { called } from '@candleproof/command/called';
import { candleproof, start } from '@candleproof/command/command';
import { ordinaryTraffic } from '@candleproof/proxy/testing/ordinary-clients';
import { rawRequest } from '@candleproof/proxy/testing/raw-sockets';
import { expect, test } from '@playwright/test';
import { type RunningTarget, startTarget } from './testing/target.ts';

type ProxyReady = {
  readonly url: string;
  readonly upstream: string;
  readonly metricsUrl: string;
  readonly caFile?: string;
};

type Proxied = { readonly ready: ProxyReady; stop(): Promise<{ code: number | null; log: string }> };

async function proxy(
  folder: string,
  { ready: { url, caFile } }: RunningTarget,
  ...flags: string[]
): Promise<Proxied> {
  const readyFile = join(folder, 'proxy.json');
  const args = ['proxy', '--upstream', url, '--ca-file', caFile, '--port', '0', '--ready-file', readyFile];
  const out = ['--out', join(folder, 'out'), '--metrics-port', '0'];
  const child = start([...args, ...out, ...flags], { LOG_LEVEL: 'info' });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      log += chunk;
    });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  await expect.poll(() => existsSync(readyFile) || child.exitCode !== null, { timeout: 20_000 }).toBe(true);
  if (child.exitCode !== null) throw new Error(log);
  return {
    ready: JSON.parse(readFileSync(readyFile, 'utf8')),
    stop: async () => {
      child.kill('SIGTERM');
      return { code: await ended, log };
    },
  };
}

test('a fault of the upstream is found from what passes, and its key is in nothing that is left', async () => {
  const folder = test.info().outputPath();
  const served = await startTarget(folder, { faults: ['F31'] });
  const { ready, stop } = await proxy(folder, served, '--http');
  const { poolsV1, poolsV2, apiKeyFile } = served.ready;
  const apiKey = readFileSync(apiKeyFile, 'utf8').trim();
  const statuses = await ordinaryTraffic({
    url: ready.url,
    apiKey,
    poolsV1,
    poolsV2,
    seed: 2,
    requests: 120,
  });
  const metrics = async (): Promise<string> => (await fetch(`${ready.metricsUrl}/metrics`)).text();
  const breached = /traffic_breaches_total\{rule="candle\/average-is-within-range",level="must"/;
  await expect.poll(metrics, { timeout: 20_000 }).toMatch(breached);
  const figures = await metrics();
  const { code, log } = await stop();
  await served.stop();
  expect(statuses).not.toContain(502);
  expect(figures).toContain('candleproof_traffic_seen_total 120\n');
  expect([code, existsSync(join(folder, 'proxy.json'))]).toEqual([0, false]);
  const lines = log.split('\n').filter((line) => line.includes('"msg":"finding"'));
  expect(lines.length).toBeGreaterThan(0);
  const read = (name: string): string => readFileSync(join(folder, 'out', name), 'utf8');
  const run = JSON.parse(read('run.json'));
  expect(run).toMatchObject({ verdict: 'nonconformant', entries: { recorded: 120 }, requests: { sent: 0 } });
  for (const text of [log, figures, ...['run.json', 'index.html', 'exchanges.har'].map(read)])
    expect(text).not.toContain(apiKey);
  // The kept exchanges show the findings again.
  const again = await candleproof([
    'judge',
    join(folder, 'out', 'exchanges.har'),
    '--out',
    join(folder, 'again'),
  ]);
  expect([again.code, again.stdout]).toEqual([1, expect.stringContaining('candle/average-is-within-range')]);
});

test('counters that pass are booked in the ledger, which holds no key', async () => {
  const folder = test.info().outputPath();
  const served = await startTarget(folder);
  const books = join(folder, 'books');
  const { ready, stop } = await proxy(folder, served, '--http', '--ledger', books);
  const { poolsV1, apiKeyFile, url } = served.ready;
  const apiKey = readFileSync(apiKeyFile, 'utf8').trim();
  const paths = ['/tokens', `/pools/conversionRates/latest/${poolsV1[0]}?interval=HOUR`];
  for (let n = 0; n < 40; n++) {
    for (const path of paths) await fetch(ready.url + path, { headers: { 'x-api-key': apiKey } });
  }
  const { code, log } = await stop();
  await served.stop();
  expect([code, log]).toEqual([0, expect.not.stringContaining('not kept')]);
  const ledgers = await openLedgers(join(books, 'ledger.db'), { readQuota: () => undefined });
  const status = await ledgers.account(accountId(url, apiKey)).status(Date.now());
  await ledgers.close();
  expect((status?.limit ?? 0) - (status?.remaining ?? 0)).toBe(80);
  expect(readFileSync(join(books, 'ledger.db'), 'latin1')).not.toContain(apiKey);
});

test('clients trust the certificate that is made, and a sound upstream is accused of nothing', async () => {
  const folder = test.info().outputPath();
  const served = await startTarget(folder);
  const { ready, stop } = await proxy(folder, served);
  const ca = readFileSync(ready.caFile ?? '');
  const key = readFileSync(served.ready.apiKeyFile, 'utf8').trim();
  const body = await new Promise<string>((resolve, reject) => {
    get(`${ready.url}/tokens`, { ca, headers: { 'x-api-key': key } }, (answer) => resolve(text(answer))).on(
      'error',
      reject,
    );
  });
  expect(JSON.parse(body).length).toBeGreaterThan(0);
  const { code } = await stop();
  await served.stop();
  const run = JSON.parse(readFileSync(join(folder, 'out', 'run.json'), 'utf8'));
  expect([code, run.verdict, run.findings]).toEqual([0, 'conformant', []]);
});

test('what clients may take is bounded by flags, and what did not pass is in the metrics and the log', async () => {
  const folder = test.info().outputPath();
  const served = await startTarget(folder);
  const limits = ['--max-requests', '8', '--max-upstream', '1', '--max-client-requests', '1'];
  const { ready, stop } = await proxy(folder, served, '--http', ...limits);
  const { port } = new URL(ready.url);
  const request = 'GET /tokens HTTP/1.1\r\nHost: a\r\n\r\n';
  const { text } = await rawRequest(
    Number(port),
    request.repeat(6),
    (received) => received.split('HTTP/1.1 ').length > 6 && /[}\]]\s*$/.test(received),
  );
  expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
    ...Array(4).fill('401'),
    ...Array(2).fill('503'),
  ]);
  const figures = await (await fetch(`${ready.metricsUrl}/metrics`)).text();
  expect(figures).toContain('candleproof_proxy_not_passed_total{reason="too many requests"} 2\n');
  expect(figures).toContain('candleproof_proxy_upstream_connections 1\n');
  const { code, log } = await stop();
  await served.stop();
  expect([code, log.match(/"msg":"not passed"/g)?.length]).toEqual([0, 1]);
  expect(log).toContain('"notPassed":{"too many requests":2}');
});

test('flags that cannot work are refused in one line', async () => {
  const refusal = async (...flags: string[]): Promise<unknown> => {
    const { code, stderr } = await called(['proxy', '--out', test.info().outputPath('out'), ...flags]);
    return [code, stderr.trimEnd()];
  };
  const [ours, plain] = ['https://127.0.0.1:1', 'http://example.com'];
  expect(await refusal('--upstream', plain)).toEqual([
    2,
    expect.stringMatching(/^candleproof: --upstream: .*clear/),
  ]);
  expect(await refusal('--upstream', 'nonsense')).toEqual([2, expect.stringMatching(/--upstream: .*no URL/)]);
  expect(await refusal('--upstream', ours, '--host', '0.0.0.0')).toEqual([
    2,
    expect.stringMatching(/--cert and --key/),
  ]);
  expect(await refusal('--upstream', ours, '--host', '0.0.0.0', '--http')).toEqual([
    2,
    expect.stringMatching(/--http: /),
  ]);
  expect(await refusal('--upstream', ours, '--max-clients', '0')).toEqual([
    2,
    expect.stringMatching(/--max-clients: "0" is no whole number: give one of at least 1/),
  ]);
  expect(await refusal('--upstream', ours, '--only', 'nothing')).toEqual([
    2,
    expect.stringMatching(/--only: /),
  ]);
});
