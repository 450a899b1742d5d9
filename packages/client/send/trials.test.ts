import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { headerValues } from '@candleproof/law/reading/exchange';
import { expect } from '@playwright/test';
import { KEY, test } from '../testing/targets.ts';
import { ClientError } from './failure.ts';
import type { SendRequest, TrialPlace } from './request-lines.ts';

/** Returns the whole request in every part of the answer that can contain it. */
const echo: RequestListener = (request, response) => {
  const reported = `${request.url} ${JSON.stringify(request.rawHeaders)}`;
  response.setHeader('x-echo', encodeURIComponent(reported));
  response.writeHead(401, 'No').end(reported);
};

/** Expects that no twelve characters of the key in a row have left the client. */
function expectConcealed(exchange: Exchange, key = KEY): void {
  const text = JSON.stringify(exchange);
  for (let at = 0; at + 12 <= key.length; at++) expect(text).not.toContain(key.slice(at, at + 12));
}

const places: [TrialPlace, (request: { url: string; headers: string[] }) => boolean][] = [
  ['query', ({ url }) => url === `/tokens?x-api-key=${KEY}&api_key=${KEY}&apikey=${KEY}`],
  ['cookie', ({ headers }) => headers.includes(`x-api-key=${KEY}`)],
  ['authorization', ({ headers }) => headers.includes(`Bearer ${KEY}`)],
  ['basic', ({ headers }) => headers.includes(`Basic ${Buffer.from(`${KEY}:`).toString('base64')}`)],
  ['other header', ({ headers }) => headers[headers.indexOf('api-key') + 1] === KEY],
  ['other headers', ({ headers }) => headers.includes(`Bearer ${KEY}`) && headers.includes('x-auth-token')],
  ['capitals', ({ headers }) => headers[headers.indexOf('X-API-KEY') + 1] === KEY],
];

for (const [trialPlace, arrived] of places) {
  test(`a key in ${trialPlace} arrives there alone and is concealed in the record`, async ({
    serve,
    connectTo,
  }) => {
    const got: { url: string; headers: string[] }[] = [];
    const target = await serve((request, response) => {
      got.push({ url: request.url ?? '', headers: request.rawHeaders });
      echo(request, response);
    });
    const send: SendRequest = { path: '/tokens', credential: 'trial:elsewhere', trialKey: KEY, trialPlace };
    const exchange = await connectTo(target).send(send);
    expect(got.map(arrived)).toEqual([true]);
    const count = { query: 0, basic: 0, 'other header': 2, 'other headers': 4 }[trialPlace as string] ?? 1;
    expect(got[0]?.headers.filter((header) => header.includes(KEY)).length).toBe(count);
    expect(got[0]?.headers).not.toContain('x-api-key');
    expectConcealed(exchange);
    expect(exchange.response?.body?.text).toContain('[redacted:');
    expect(headerValues(exchange.response?.headers ?? [], 'x-echo')[0]).toContain('[redacted:');
  });
}

test('a key in the query follows a query that is there', async ({ serve, connectTo }) => {
  const target = await serve(echo);
  const exchange = await connectTo(target).send({
    path: '/tokens?a=1',
    credential: 'trial:in-query',
    trialKey: KEY,
    trialPlace: 'query',
  });
  expect(exchange.request.url).toBe(
    `${target.baseUrl}/tokens?a=1&x-api-key=[redacted:api-key]&api_key=[redacted:api-key]&apikey=[redacted:api-key]`,
  );
});

const nearMisses: [string, string][] = [
  ['last-character-missing', KEY.slice(0, -1)],
  ['one-character-more', `${KEY}0`],
  ['other-case', KEY.toUpperCase()],
  ['good-beginning', `${KEY.slice(0, 16)}0123456789abcdef`],
  ['inner-blank', `${KEY.slice(0, 16)} ${KEY.slice(17)}`],
  ['random', '0123456789abcdef0123456789abcdef'],
];

for (const [name, trialKey] of nearMisses) {
  test(`a trial key that is ${name} is concealed with the good one in all echoes`, async ({
    serve,
    connectTo,
  }) => {
    const client = connectTo(await serve(echo));
    await client.send({ path: '/', credential: 'api-key' });
    const trial = await client.send({ path: '/', credential: `trial:${name}`, trialKey });
    expectConcealed(trial, trialKey);
    expectConcealed(trial);
    expect(headerValues(trial.request.headers, 'x-api-key')).toEqual([`[redacted:trial:${name}]`]);
  });
}

test('an empty key is sent as an empty header and spoils no answer', async ({ serve, connectTo }) => {
  const target = await serve(echo);
  const exchange = await connectTo(target).send({ path: '/', credential: 'trial:empty', trialKey: '' });
  expect(headerValues(exchange.request.headers, 'x-api-key')).toEqual(['[redacted:trial:empty]']);
  expect(exchange.response?.body?.text).toContain('"x-api-key",""');
});

test('a request to change something announces that it has no body', async ({ serve, connectTo }) => {
  const target = await serve((request, response) => response.end(JSON.stringify(request.rawHeaders)));
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const exchange = await connectTo(target).send({ path: '/', method, credential: 'api-key' });
    expect(headerValues(exchange.request.headers, 'content-length')).toEqual(['0']);
    expect(exchange.response?.body?.text).not.toMatch(/transfer-encoding/i);
  }
});

test('plain HTTP goes without a key, follows nothing and is recorded as such', async ({ connectTo }) => {
  const seen: string[][] = [];
  const server = createServer((request, response) => {
    seen.push(request.rawHeaders);
    response.writeHead(301, { location: 'https://elsewhere.invalid/' }).end();
  }).listen(0, '127.0.0.1');
  try {
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const client = connectTo({ port, baseUrl: `https://127.0.0.1:${port}/api` });
    const exchange = await client.send({ path: '/tokens', credential: 'none', plainHttp: true });
    expect(exchange.request.url).toBe(`http://127.0.0.1:${port}/api/tokens`);
    expect(exchange.response?.status).toBe(301);
    expect(exchange.timings.tls).toBeUndefined();
    expect(seen).toHaveLength(1);
    expect(JSON.stringify(seen).toLowerCase()).not.toContain('x-api-key');
  } finally {
    server.close();
  }
});

test('a key is never sent over plain HTTP', async ({ connectTo }) => {
  const client = connectTo({ port: 9, baseUrl: 'https://127.0.0.1:9' });
  for (const more of [{ credential: 'api-key' }, { credential: 'trial:random', trialKey: KEY }] as const) {
    const send = client.send({ path: '/tokens', plainHttp: true, ...more });
    await expect(send).rejects.toThrow(ClientError);
  }
});

test('plain HTTP to a port that speaks TLS ends in a failure', async ({ serve, connectTo }) => {
  const target = await serve(echo);
  const exchange = await connectTo(target).send({ path: '/', credential: 'none', plainHttp: true });
  expect(exchange.response?.status ?? exchange.failure?.kind).toBeDefined();
  expect(exchange.response?.status).not.toBe(200);
});

test('behind a proxy nothing is sent in plain', async ({ serveProxy, connectTo }) => {
  const proxy = await serveProxy();
  const client = connectTo(
    { port: 9, baseUrl: 'https://target.invalid' },
    { proxyEnv: { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` } },
  );
  const exchange = await client.send({ path: '/', credential: 'none', plainHttp: true });
  expect(exchange.failure).toMatchObject({ kind: 'unreachable' });
  expect(proxy.requested).toEqual([]);
});

test('requests of a burst start side by side on a client that is paced', async ({ serve, connectTo }) => {
  let open = 0;
  let most = 0;
  const target = await serve((_request, response) => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      response.end('[]');
    }, 150);
  });
  const client = connectTo(target, { ratePerSecond: 2 });
  await Promise.all([1, 2, 3, 4].map(() => client.send({ path: '/', credential: 'none', unpaced: true })));
  expect(most).toBe(4);
});
