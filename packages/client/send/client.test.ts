import { headerValues } from '@candleproof/law/reading/exchange';
import { expect } from '@playwright/test';
import { KEY, test } from '../testing/targets.ts';
import { ClientError } from './failure.ts';

test('an exchange records the whole answer and its sizes', async ({ serve, connectTo }) => {
  const target = await serve((_request, response) => {
    response.writeHead(
      200,
      'Fine',
      [
        ['X-Twice', 'one'],
        ['x-twice', 'two'],
        ['content-type', 'application/json'],
      ].flat(),
    );
    response.end('{"price":"1ħ"}');
  });
  const exchange = await connectTo(target).send({ path: '/tokens?a=1', credential: 'api-key' });
  expect(exchange.failure).toBeUndefined();
  expect(exchange.request).toMatchObject({
    method: 'GET',
    url: `${target.baseUrl}/tokens?a=1`,
    credential: 'api-key',
  });
  expect(exchange.response).toMatchObject({
    status: 200,
    statusText: 'Fine',
    httpVersion: 'HTTP/1.1',
    body: { text: '{"price":"1ħ"}', encoding: 'utf8', decodedBytes: 15, wireBytes: 15 },
  });
  expect(headerValues(exchange.response?.headers ?? [], 'x-twice')).toEqual(['one', 'two']);
  expect(JSON.parse(JSON.stringify(exchange))).toEqual(exchange);
  expect(Object.isFrozen(exchange.response?.headers[0])).toBe(true);
});

test('the target gets the key and the record gets its marker', async ({ serve, connectTo }) => {
  const got: (string | string[] | undefined)[] = [];
  const target = await serve((request, response) => {
    got.push(request.headers['x-api-key'], request.headers['user-agent'], request.headers.host);
    response.end(`you sent ${request.headers['x-api-key']}`);
  });
  const exchange = await connectTo(target, { version: '9.8.7' }).send({
    path: '/tokens',
    credential: 'api-key',
  });
  expect(got).toEqual([KEY, 'Candleproof/9.8.7 (API contract tests)', `localhost:${target.port}`]);
  expect(headerValues(exchange.request.headers, 'x-api-key')).toEqual(['[redacted:api-key]']);
  expect(exchange.response?.body).toMatchObject({ text: 'you sent [redacted:api-key]', decodedBytes: 41 });
});

for (const [place, header, query] of [
  [{ in: 'header', name: 'authorization', prefix: 'Bearer ' }, `Bearer ${KEY}`, ''],
  [{ in: 'header', name: 'authorization', prefix: 'apikey ' }, `apikey ${KEY}`, ''],
  [{ in: 'query', name: 'appid', prefix: '' }, undefined, `appid=${KEY}`],
] as const) {
  test(`a key in the ${place.in} after "${place.prefix}" and a further one are sent and in no record`, async ({
    serve,
    connectTo,
  }) => {
    const second = `second-${KEY}`;
    const got: unknown[] = [];
    const target = await serve((request, response) => {
      got.push(request.headers.authorization, request.headers['x-secret'], request.url);
      response.end(JSON.stringify([request.headers, request.url]));
    });
    const further = { place: { in: 'header', name: 'x-secret', prefix: '' } as const, text: second };
    const client = connectTo(target, { keyPlace: place, furtherKeys: [further] });
    const keyed = await client.send({ path: '/bars?a=1', credential: 'api-key' });
    expect(got).toEqual([header, second, `/bars?a=1${query && `&${query}`}`]);
    const trial = await client.send({ path: '/bars', credential: 'trial:empty', trialKey: 'short' });
    await client.send({ path: '/bars', credential: 'none' });
    expect(got.slice(-3)).toEqual([undefined, undefined, expect.not.stringContaining('appid')]);
    expect(JSON.stringify([keyed, trial.request])).not.toMatch(new RegExp(`${KEY}|short|second-`));
    expect(JSON.stringify(keyed.request)).toContain('[redacted:api-key]');
    expect(JSON.stringify(trial.request)).toContain('[redacted:trial:empty]');
  });
}

test('parameters that a document has in headers leave the path before it is sent and recorded', async ({
  serve,
  connectTo,
}) => {
  const target = await serve((request, response) => response.end(JSON.stringify(request.rawHeaders)));
  const moveParameters = (path: string) => ({
    path: path.replace('?chain=solana', ''),
    headers: [['x-chain', 'solana'] as const],
  });
  const { request, response } = await connectTo(target, { moveParameters }).send({
    path: '/bars?chain=solana',
    credential: 'none',
    headers: [['x-other', '1']],
  });
  expect(request.url).toMatch(/\/bars$/);
  expect(headerValues(request.headers, 'x-chain')).toEqual(['solana']);
  expect(response?.body?.text).toMatch(/"x-chain","solana","x-other","1"/);
});

test('a request without credential carries no key header', async ({ serve, connectTo }) => {
  const target = await serve((request, response) => response.end(JSON.stringify(request.rawHeaders)));
  const exchange = await connectTo(target).send({ path: '/', credential: 'none' });
  expect(exchange.response?.body?.text).not.toMatch(/x-api-key/i);
  expect(headerValues(exchange.request.headers, 'x-api-key')).toEqual([]);
});

test('recorded request headers are those on the wire', async ({ serve, connectTo }) => {
  const target = await serve((request, response) => response.end(JSON.stringify(request.rawHeaders)));
  const exchange = await connectTo(target).send({
    path: '/',
    credential: 'none',
    headers: [['Accept', 'text/csv']],
  });
  expect(JSON.parse(exchange.response?.body?.text ?? '')).toEqual(exchange.request.headers.flat());
  expect(headerValues(exchange.request.headers, 'accept')).toEqual(['text/csv']);
});

test('a trial key is sent and stays concealed ever after', async ({ serve, connectTo }) => {
  const trialKey = KEY.slice(0, -1);
  const seen: unknown[] = [];
  const target = await serve((request, response) => {
    seen.push(request.headers['x-api-key']);
    response.end(`last refused: ${trialKey}!`);
  });
  const client = connectTo(target);
  const trial = await client.send({ path: '/', credential: 'trial:missing-last-character', trialKey });
  const later = await client.send({ path: '/', credential: 'none' });
  expect(seen).toEqual([trialKey, undefined]);
  expect(headerValues(trial.request.headers, 'x-api-key')).toEqual([
    '[redacted:trial:missing-last-character]',
  ]);
  expect(later.response?.body?.text).toBe('last refused: [redacted:trial:missing-last-character]!');
});

test('a redirect is recorded and not followed', async ({ serve, connectTo }) => {
  let requests = 0;
  const target = await serve((_request, response) => {
    requests += 1;
    response.writeHead(302, { location: 'https://elsewhere.invalid/' }).end();
  });
  const exchange = await connectTo(target).send({ path: '/tokens', credential: 'api-key' });
  expect([exchange.response?.status, requests]).toEqual([302, 1]);
});

test('connections are numbered and their reuse is reported', async ({ serve, connectTo }) => {
  const client = connectTo(await serve((_request, response) => response.end('ok')));
  const send = (freshConnection = false) => client.send({ path: '/', credential: 'none', freshConnection });
  const exchanges = [await send(), await send(), await send(true), await send()];
  const tls = { version: 'TLSv1.3', certificateEnd: expect.stringMatching(/Z$/) };
  expect(exchanges.map(({ connection }) => connection)).toEqual([
    { id: 1, reused: false, remoteAddress: '127.0.0.1', tls },
    { id: 1, reused: true, remoteAddress: '127.0.0.1' },
    { id: 2, reused: false, remoteAddress: '127.0.0.1', tls },
    { id: 1, reused: true, remoteAddress: '127.0.0.1' },
  ]);
});

test('the path cannot lead to another origin', async ({ serve, connectTo }) => {
  const target = await serve((request, response) => response.end(request.url));
  const client = connectTo(target, { baseUrl: `${target.baseUrl}/base/` });
  for (const path of ['//elsewhere.invalid/x', '/@elsewhere.invalid', '/../up']) {
    const exchange = await client.send({ path, credential: 'api-key' });
    expect(exchange.response?.body?.text).toBe(`/base${path}`);
    expect(exchange.request.url).toBe(`${target.baseUrl}/base${path}`);
  }
});

test('requests that cannot be sent are refused as our own', async ({ serve, connectTo }) => {
  const target = await serve((_request, response) => response.end());
  const client = connectTo(target);
  const keyless = connectTo(target, { apiKey: undefined });
  const refused = [
    client.send({ path: 'tokens', credential: 'none' }),
    client.send({ path: '/a b', credential: 'none' }),
    client.send({ path: '/', credential: 'trial:empty' }),
    client.send({ path: '/', credential: 'none', trialKey: 'x' }),
    client.send({ path: '/', credential: 'none', headers: [['X-API-Key', 'x']] }),
    client.send({ path: '/', credential: 'trial:line-break', trialKey: `${KEY}\n` }),
    keyless.send({ path: '/', credential: 'api-key' }),
  ];
  for (const outcome of await Promise.allSettled(refused)) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(ClientError) });
    expect(JSON.stringify(outcome)).not.toContain(KEY);
  }
});

test('options that cannot work are refused in clear words', async ({ connectTo }) => {
  const make =
    (baseUrl: string, options = {}) =>
    () =>
      connectTo({ port: 0, baseUrl }, options);
  expect(make('http://host')).toThrow(/only https: is spoken/);
  expect(make('https://user:secret@host/')).toThrow(/^The base URL for host holds credentials/);
  expect(make('https://host/?x=1')).toThrow(/query/);
  expect(make('https://host/#')).toThrow(/fragment/);
  expect(make('localhost:1234x')).toThrow(ClientError);
  expect(make('https://host', { ca: 'no certificate' })).toThrow(/PEM/);
  expect(make('https://host', { apiKey: 'line\nbreak' })).toThrow(/line break/);
  expect(make('https://host', { ratePerSecond: 0 })).toThrow(/rate/);
});

test('a closed client ends what is under way and waiting', async ({ serve, connectTo }) => {
  const client = connectTo(await serve(() => undefined), { ratePerSecond: 1 });
  const sends = [1, 2].map(() => client.send({ path: '/', credential: 'none' }));
  const outcomes = Promise.allSettled(sends);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await client.close();
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: expect.any(ClientError) });
  await expect(client.send({ path: '/', credential: 'none' })).rejects.toThrow(/closed/);
});

test('thirty concurrent sends each get their own answer', async ({ serve, connectTo }) => {
  const target = await serve((request, response) => setTimeout(() => response.end(request.url), 20));
  const client = connectTo(target);
  const paths = Array.from({ length: 30 }, (_, index) => `/${index}`);
  const exchanges = await Promise.all(paths.map((path) => client.send({ path, credential: 'api-key' })));
  expect(exchanges.map(({ response }) => response?.body?.text)).toEqual(paths);
});

test('an exchange says whether another one was under way when it was sent', async ({ serve, connectTo }) => {
  const target = await serve((_request, response) => response.end());
  const client = connectTo(target);
  const send = () => client.send({ path: '/', credential: 'none' });
  const exchanges = [await send(), ...(await Promise.all([send(), send(), send()])), await send()];
  expect(exchanges.map(({ sentBeside }) => sentBeside)).toEqual([false, false, true, true, false]);
});
