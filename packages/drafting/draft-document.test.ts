import { expect, test } from '@playwright/test';
import { draftApi } from './draft-document.ts';
import { markAnswer } from './mark-answer.ts';
import { writeDraft } from './write-draft.ts';

const facts = { step: 3600 };
const rows = Array.from({ length: 30 }, (_, at) => {
  const [open, close] = [100 + Math.sin(at), 100 + Math.sin(at + 1)];
  return {
    time: 1_773_241_200 + 3600 * at,
    open,
    high: Math.max(open, close) + 1,
    low: Math.min(open, close) - 1,
    close,
    volume: at,
  };
});

const draft = (url: string, body: unknown) => draftApi(new URL(url), body, facts);
const written = (url: string, body: unknown) => {
  const drafted = draft(url, body);
  return drafted && writeDraft(drafted);
};

type Drafted = {
  paths: Record<string, { get: { parameters: Record<string, unknown>[] } & Record<string, unknown> }>;
};
const draftParameters = (url: string, body: unknown) => {
  const [[path, { get }] = ['', { get: { parameters: [] } }]] = Object.entries(
    ((written(url, body) ?? { paths: {} }) as Drafted).paths,
  );
  return [
    path,
    ...get.parameters.map((parameter) => [
      parameter.name,
      parameter['x-role'],
      parameter['x-unit'] ?? parameter['x-seconds'],
    ]),
  ];
};

test('parameters have roles by their names and values, in query and path', () => {
  expect(
    draftParameters(
      'https://a.invalid/klines?symbol=BTCUSDT&interval=1h&startTime=1773241200000&endTime=1773345600000&limit=500&kind=spot',
      rows,
    ),
  ).toEqual([
    '/klines',
    ['symbol', 'pool', undefined],
    ['interval', 'interval', { '1h': 3600 }],
    ['startTime', 'from', 'ms'],
    ['endTime', 'to', 'ms'],
    ['limit', 'limit', undefined],
    ['kind', undefined, undefined],
  ]);
  expect(
    draftParameters(
      'https://a.invalid/v2/products/BTC-USD/candles?granularity=3600&start=2026-03-11T00:00:00Z&end=2026-03-13T00:00:00Z',
      rows,
    ),
  ).toEqual([
    '/v2/products/{pool}/candles',
    ['pool', 'pool', undefined],
    ['granularity', 'interval', { 3600: 3600 }],
    ['start', 'from', 'iso'],
    ['end', 'to', 'iso'],
  ]);
});

test('a number named max is the limit though fewer rows came', () => {
  const url = 'https://a.invalid/bars?market=BTC-EUR&size=1h&max=100';
  expect(draftParameters(url, rows)).toEqual([
    '/bars',
    ['market', 'pool', undefined],
    ['size', 'interval', { '1h': 3600 }],
    ['max', 'limit', undefined],
  ]);
});

test('each guess says its evidence, and what a check lacks is named', () => {
  const { guesses = [], missing } =
    draft('https://a.invalid/x?symbol=BTCUSDT', { code: '0', data: rows }) ?? {};
  expect(guesses).toContain('symbol: x-role pool by its name and value');
  expect(guesses).toContain('x-max-rows 30: as many rows came');
  expect(missing).toEqual([
    expect.stringContaining('x-role interval: no part of the URL is the interval of 3600 s'),
  ]);
  expect(draft('https://a.invalid/x', { data: [] })).toBeUndefined();
});

test('an envelope keeps what says that the request was served', () => {
  expect(JSON.stringify(written('https://a.invalid/x?s=BTC&tf=1h', { code: '0', data: rows }))).toContain(
    '"code":{"type":"string","x-role":"status","x-ok":"0"}',
  );
});

/** The rows in another form: for each field, an object of its values by their times. */
const columnsByKey = Object.fromEntries(
  (['open', 'high', 'low', 'close', 'volume'] as const).map((name) => [
    name,
    Object.fromEntries(rows.map((row) => [String(row.time), row[name]])),
  ]),
);

test('an object of values by time for each field is described as such, and named as what no check can read', () => {
  const { schema, missing = [], rows: read } = draft('https://a.invalid/x?s=BTC&tf=1h', columnsByKey) ?? {};
  const values = (role: string) => ({
    type: 'object',
    additionalProperties: { type: 'number', 'x-role': role },
  });
  expect(schema).toEqual({
    type: 'object',
    properties: Object.fromEntries(Object.keys(columnsByKey).map((name) => [name, values(name)])),
  });
  expect(missing).toEqual([
    expect.stringContaining('x-role candles: a document cannot say rows whose values'),
  ]);
  expect(read?.map(({ start }) => start)).toEqual(rows.map(({ time }) => time));
});

test('no overlay is drafted by an answer in a form that no document can say', () => {
  const node = { at: [], value: { type: 'object' } };
  expect(markAnswer({}, node, rows, {})?.rows).toBe(rows.length);
  expect(markAnswer({}, node, columnsByKey, {})).toBeUndefined();
});
