import { expect } from '@playwright/test';
import { parseHar, toHar } from '../har/har.ts';
import { test } from '../testing/targets.ts';

const SEND = { path: '/tokens', credential: 'api-key' } as const;

test('bodies beyond the limit of a run are left out, and stay so in its recording', async ({
  serve,
  connectTo,
}) => {
  const body = JSON.stringify(Array(1000).fill({ id: '0.0.1' }));
  const target = await serve((_request, response) => response.end(body));
  const client = connectTo(target, { maxKeptBytes: 300_000 });
  const exchanges = [await client.send(SEND), await client.send(SEND), await client.send(SEND)];
  const held = exchanges.map(({ response, failure }) => [response?.status, response?.body?.text, failure]);
  expect(held).toEqual([body, body, undefined].map((text) => [200, text, undefined]));
  const facts = { name: 'x', baseUrl: target.baseUrl, pools: { v1: [], v2: [] } };
  const recording = { target: { ...facts, keyless: false, soleUser: true }, seed: 1, exchanges };
  expect(parseHar([...toHar(recording, '1.0.0')].join(''), 'x.har').exchanges).toEqual(exchanges);
});

test('small values cost more than their text, since they take more memory', async ({ serve, connectTo }) => {
  const target = await serve((_request, response) => response.end(`[${Array(10_000).fill('{}').join()}]`));
  const exchange = await connectTo(target, { maxKeptBytes: 200_000 }).send(SEND);
  expect(exchange.response).toMatchObject({ status: 200 });
  expect(exchange.response?.body).toBeUndefined();
});
