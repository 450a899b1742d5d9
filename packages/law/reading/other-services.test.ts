import { loadSpec } from '@candleproof/document/spec/load-spec';
import { expect, test } from '@playwright/test';
import { judge } from '../judge/judge.ts';
import type { Exchange, TargetFacts } from './exchange.ts';
import { readExchange } from './reading.ts';

const gallery = loadSpec('gallery/coinbase/openapi.yaml');
const ours = loadSpec('openapi.yaml');
const target: TargetFacts = {
  ...{ name: 'other', baseUrl: 'https://a.invalid', pools: { pools: ['BTC-USD'] } },
  ...{ keyless: true, soleUser: false },
};
const start = 1_773_230_400;
const rows = Array.from({ length: 5 }, (_, at) => [start + (4 - at) * 3600, 99, 102, 100, 101, 1.5]);

type Sent = { readonly status?: number; readonly type?: string; readonly text?: string };

function exchange({ status = 200, type = 'application/json', text = JSON.stringify(rows) }: Sent): Exchange {
  const query = `granularity=3600&start=${start}&end=${start + 4 * 3600}`;
  const headers = [
    ['content-type', type],
    ['date', 'Thu, 12 Mar 2026 15:32:20 GMT'],
  ] as const;
  return {
    request: {
      ...{ method: 'GET', headers: [], credential: 'none' },
      url: `https://a.invalid/products/BTC-USD/candles?${query}`,
    },
    response: {
      ...{ status, statusText: '', httpVersion: '1.1', headers },
      body: { text, encoding: 'utf8' },
    },
    timings: { total: 1 },
    startedAt: '2026-03-12T15:32:20.000Z',
  };
}

/** Lists the musts that an answer of another API breaks. */
function listBroken(sent: Sent): string[] {
  const recording = { target, seed: 0, exchanges: [exchange(sent)] };
  const { findings } = judge(gallery, recording, { replay: () => '' });
  return findings.filter(({ level }) => level === 'must').map(({ rule, actual }) => `${rule}: ${actual}`);
}

test('rows with another 2xx, with a label of JSON or behind a byte order mark break nothing of another document', () => {
  for (const sent of [
    { status: 203 },
    { status: 201 },
    { type: 'application/vnd.api+json; charset=utf-8' },
    { text: `\uFEFF${JSON.stringify(rows)}` },
  ]) {
    expect(readExchange(gallery, target, exchange(sent), 0).candles, JSON.stringify(sent)).toHaveLength(5);
    expect(listBroken(sent), JSON.stringify(sent)).toEqual([]);
  }
  expect(listBroken({ type: 'text/html' })).toEqual(['transport/media-type-is-json: text/html']);
});

test('our document means 200 alone', () => {
  const { request, response } = exchange({ status: 203, text: '[]' });
  if (!response) throw new Error('no response');
  const url = 'https://a.invalid/tokens';
  const answer = readExchange(ours, target, { ...exchange({}), request: { ...request, url }, response }, 0);
  expect([answer.success, answer.status]).toEqual([false, 203]);
});

test('what is before JSON or around it is named', () => {
  expect(listBroken({ text: `)]}',\n${JSON.stringify(rows)}` })).toEqual([
    "transport/strict-json: the body begins with )]}', which keeps it from being JSON",
  ]);
  expect(listBroken({ text: `/**/callback(${JSON.stringify(rows)});` })).toEqual([
    'transport/strict-json: the body is JSONP, a call of callback, and no JSON',
  ]);
});
