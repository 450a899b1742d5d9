import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { openProxy } from '@candleproof/proxy/forwarding/proxy';
import { openTrafficObserver } from '@candleproof/proxy/testing/open-traffic-observer';
import { ordinaryTraffic } from '@candleproof/proxy/testing/ordinary-clients';
import { startBuilt } from '@candleproof/reference-service/testing/built-market';
import { expect, test } from '@playwright/test';
import { observe } from './observe.ts';

/** The service without TLS, so that the fetch of Node trusts it. */
async function reachable(faults: readonly string[]) {
  const service = await startBuilt({ seed: 1, faults });
  const upstream = { baseUrl: service.url, ca: service.caPem };
  const observer = openTrafficObserver();
  const proxy = await openProxy({ upstream, host: '127.0.0.1', port: 0, observer, patienceMs: 10_000 });
  const close = async (): Promise<void> => {
    await proxy.close(0);
    await service.close();
  };
  return { ...service, url: proxy.url, close };
}

for (const faults of [[], ['F31']])
  test(`answers that pass are judged: ${faults[0] ?? 'a sound service'}`, async () => {
    const { url, apiKey, poolsV1, poolsV2, close } = await reachable(faults);
    const rules: string[] = [];
    const observed = observe(fetch, { baseUrl: url, onFinding: ({ rule }) => rules.push(rule) });
    await ordinaryTraffic({ url, apiKey, poolsV1, poolsV2, seed: 9, requests: 120, fetch: observed });
    const { run, recording } = await observed.result();
    await observed.close();
    await close();
    expect(run.verdict).toBe(faults.length > 0 ? 'nonconformant' : 'conformant');
    expect(new Set(run.findings.map(({ rule }) => rule))).toEqual(new Set(rules));
    expect(rules.includes('candle/average-is-within-range')).toBe(faults.length > 0);
    expect(run.entries?.recorded).toBe(120);
    expect(JSON.stringify({ run, recording })).not.toContain(apiKey);
  });

test('the caller gets the very answer of its fetch, and its errors', async () => {
  const given = new Response('[]', { headers: { 'content-type': 'application/json' } });
  const observed = observe(async () => given, { baseUrl: 'https://target.invalid' });
  const answer = await observed('https://target.invalid/tokens');
  expect(answer).toBe(given);
  expect(await answer.text()).toBe('[]');
  await observed.close();
  const trouble = new TypeError('fetch failed');
  const broken = observe(() => Promise.reject(trouble), { baseUrl: 'https://target.invalid' });
  await expect(broken('https://target.invalid/tokens')).rejects.toBe(trouble);
  await expect(broken('no address')).rejects.toBe(trouble);
  const { run } = await broken.result();
  expect([run.verdict, run.entries?.skipped]).toEqual(['inconclusive', [{ reason: 'no answer', count: 1 }]]);
  await broken.close();
});

test('a stream reaches the caller piece by piece, and one without end is not kept', async () => {
  let produced = 0;
  const piece = new Uint8Array(1 << 20);
  const source = (): ReadableStream =>
    new ReadableStream({
      pull: (controller) => {
        produced += 1;
        controller.enqueue(piece);
      },
    });
  const observed = observe(async () => new Response(source()), { baseUrl: 'https://target.invalid' });
  const reader = (await observed('https://target.invalid/tokens')).body?.getReader();
  expect((await reader?.read())?.value).toHaveLength(piece.length);
  const { run } = await observed.result();
  expect(run.entries?.skipped).toEqual([{ reason: 'too large', count: 1 }]);
  // One copy's worth was read ahead, and no more.
  expect(produced).toBeLessThan(10);
  await reader?.cancel();
  await observed.close();
});

test('an answer that came compressed is judged as the caller sees it', async () => {
  const server = createServer((_request, response) => {
    const body = gzipSync('[{"id":"0.0.1","decimals":"8"}]');
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Encoding': 'gzip',
      'Content-Length': body.length,
    });
    response.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const observed = observe(fetch, { baseUrl, keyless: true });
  expect(await (await observed(new Request(`${baseUrl}/tokens`))).json()).toHaveLength(1);
  const { run } = await observed.result();
  const rules = run.findings.map(({ rule }) => rule);
  expect(rules).toContain('tokens/documented-types');
  expect(rules).not.toContain('transport/length-agrees');
  await observed.close();
  server.close();
});
