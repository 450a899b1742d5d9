import { answer, exchangeText, writeSpec } from '@candleproof/law/worlds/other-document';
import { expect, test } from '@playwright/test';
import { findMaxRows, requireOperation } from './operation.ts';
import { buildPath } from './request-path.ts';
import { moveParameters } from './sent-request.ts';

const [from, to] = [1_773_187_200, 1_773_360_000];
const row = [1_773_241_200, 9, 12, 10, 11, 5.5];

/** The document whose parameters are in the path, as text of lines. */
function withParameters(path: string, operation: string, lines: readonly string[]): string {
  return exchangeText
    .replace('/products/{product}/candles', path)
    .replace('x-max-rows: 300', 'x-max-rows: 1000')
    .replace('x-role: history', `x-role: history\n      ${operation}`)
    .replace(
      / {6}parameters:.*?(?= {6}responses:)/s,
      `      parameters:\n${lines.map((line) => `        - ${line}\n`).join('')}`,
    );
}

const pool = '{ name: product, x-role: pool, in: path, required: true, schema: { type: string } }';
const day = (name: string, role: string) =>
  `{ name: ${name}, x-role: ${role}, x-unit: iso, in: path, required: true, schema: { type: string, format: date } }`;
const daysText = withParameters(
  '/range/{product}/{multiplier}/{timespan}/{first}/{last}',
  'x-intervals: [{ multiplier: 5, timespan: minute, x-seconds: 300 }, { multiplier: 1, timespan: day, x-seconds: 86400 }]',
  [
    pool,
    '{ name: multiplier, x-role: interval, in: path, required: true, schema: { type: integer } }',
    '{ name: timespan, x-role: interval, in: path, required: true, schema: { type: string } }',
    day('first', 'from'),
    day('last', 'to'),
  ],
);

test('an interval of two parameters is sent and recognized as a pair', () => {
  const spec = writeSpec(daysText);
  expect(spec.intervals).toEqual([
    { name: '5-minute', seconds: 300 },
    { name: '1-day', seconds: 86_400 },
  ]);
  const path = buildPath(requireOperation(spec, 'history'), { pool: 'BTC', interval: '5-minute', from, to });
  expect(path).toBe('/range/BTC/5/minute/2026-03-11/2026-03-12');
  expect(answer(spec, path, [row]).requested).toMatchObject({
    proper: true,
    interval: '5-minute',
    length: 300,
  });
  expect(answer(spec, path.replace('/5/', '/1/'), [row]).requested).toMatchObject({ proper: false });
  expect(() => writeSpec(daysText.replace('multiplier: 5', 'multiple: 5'))).toThrow(
    /:\d+: an interval has multiple, timespan, but the parameters with x-role interval are multiplier, timespan/,
  );
});

test('a day at the end of a range belongs to it as a whole, unless that edge is exclusive', () => {
  const read = (text: string, path: string) => answer(writeSpec(text), path, [row]).requested;
  const path = '/range/BTC/1/day/2026-03-11/2026-03-12';
  expect(read(daysText, path)).toMatchObject({ proper: true, from, to });
  const exclusive = daysText.replace('x-role: to', 'x-role: to, x-edge: exclusive');
  expect(read(exclusive, path)).toMatchObject({ from, to: to - 86_400 });
  const operation = requireOperation(writeSpec(exclusive), 'history');
  expect(buildPath(operation, { pool: 'BTC', interval: '1-day', from, to })).toMatch(/2026-03-13$/);
  expect(buildPath(operation, { pool: 'BTC', interval: '1-day', from, to: to - 1 })).toMatch(/2026-03-13$/);
});

test('a time in several units is sent in the first and read in each', () => {
  const text = exchangeText
    .replaceAll('x-unit: iso', 'x-unit: [ms, iso]')
    .replace(
      '{ x-role: start, type: integer }',
      '{ x-role: start, x-unit: [s, ms, iso], type: [integer, string] }',
    )
    .replaceAll(/(name: (start|end).*?)schema: \{ type: string \}/g, '$1schema: { type: [integer, string] }');
  const spec = writeSpec(text);
  const path = buildPath(requireOperation(spec, 'history'), { pool: 'BTC-USD', interval: '3600', from, to });
  expect(path).toContain(`start=${from}000&`);
  const inText = path.replace(`${from}000`, '2026-03-11T00:00:00Z');
  for (const sent of [path, inText])
    expect(answer(spec, sent, []).requested).toMatchObject({ proper: true, from, to });
  const starts = [row[0], Number(row[0]) * 1000, '2026-03-11T15:00:00Z', 'noon'];
  const { candles } = answer(
    spec,
    path,
    starts.map((start) => [start, ...row.slice(1)]),
  );
  expect(candles.map(({ start }) => start)).toEqual([row[0], row[0], row[0], Number.NaN]);
});

test('rows that show their ends alone are requested and read by their ends', () => {
  const spec = writeSpec(
    exchangeText.replace('x-role: start', 'x-role: end').replaceAll('x-unit: iso, ', ''),
  );
  const path = buildPath(requireOperation(spec, 'history'), { pool: 'BTC-USD', interval: '3600', from, to });
  expect(path).toContain(`start=${from + 3600}&end=${to + 3600}&`);
  const { requested, candles } = answer(spec, path, [[from + 3600, ...row.slice(1)]]);
  expect(requested).toMatchObject({ proper: true, from, to });
  expect(candles[0]?.start).toBe(from);
});

const postText = exchangeText
  .replace('    get:', '    post:')
  .replace(
    / {6}parameters:.*?(?= {6}responses:)/s,
    `      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [kind, req]
              properties:
                kind: { const: snapshot }
                version: { type: integer, default: 2 }
                req:
                  type: object
                  required: [coin, interval]
                  properties:
                    coin: { x-role: pool, type: string }
                    interval: { x-role: interval, enum: [60, 3600], x-seconds: { 60: 60, 3600: 3600 } }
                    start: { x-role: from, x-unit: ms, type: integer }
                    end: { x-role: to, x-unit: ms, type: integer }
`,
  )
  .replace('/products/{product}/candles', '/info');

test('values of a JSON body have roles: a POST is sent with them and recognized by them', () => {
  const spec = writeSpec(postText);
  const given = buildPath(requireOperation(spec, 'history'), { pool: '17', interval: '3600', from, to });
  const sent = moveParameters(spec, given);
  expect(sent).toMatchObject({
    path: '/info',
    method: 'POST',
    headers: [['content-type', 'application/json']],
  });
  const body = { kind: 'snapshot', req: { coin: '17', interval: 3600, start: from * 1000, end: to * 1000 } };
  expect(JSON.parse(sent.body ?? '')).toEqual(body);
  const read = (changed: object, method = 'POST') =>
    answer(spec, '/info', [row], [], { method, body: JSON.stringify(changed) });
  expect(read(body)).toMatchObject({ requested: { proper: true, pool: '17', interval: '3600', from, to } });
  expect(read(body).candles).toHaveLength(1);
  expect(read({ ...body, version: 2 }).requested?.proper).toBe(true);
  for (const wrong of [{ ...body, version: 3 }, { ...body, kind: 'other' }, { kind: 'snapshot' }])
    expect(read(wrong).requested?.proper).toBe(false);
  expect(read(body, 'GET')).toMatchObject({ requested: { proper: false, otherMethod: true }, candles: [] });
});

test('a POST without a JSON body, and a role of another method, are refused in one line', () => {
  expect(() =>
    writeSpec(
      postText.replace(
        'application/json:\n            schema:\n              type: object\n              required: [kind',
        'text/plain:\n            schema:\n              type: object\n              required: [kind',
      ),
    ),
  ).toThrow(/:\d+: the body has no JSON schema here: describe its members, or leave the x-role out/);
  expect(() => writeSpec(exchangeText.replace('    get:', '    put:'))).toThrow(
    /:\d+: no GET or POST here has x-role history or latest: that of PUT \S+ cannot be used, since only GET and POST may read/,
  );
});

test('names of members that could be those of every object stay members', () => {
  const spec = writeSpec(postText.replace(/\breq\b/g, '__proto__'));
  const given = buildPath(requireOperation(spec, 'history'), { pool: '17', interval: '60', from, to });
  expect(moveParameters(spec, given).body).toContain('"__proto__":{"coin":"17"');
  expect(({} as { coin?: string }).coin).toBeUndefined();
});

test('an unknown keyword and a required member that is not described refuse nothing', () => {
  const text = exchangeText.replace(
    'type: array\n',
    'type: array\n                oddity: 1\n                required: [nope]\n',
  );
  expect(text).toContain('oddity');
  const path = '/products/BTC-USD/candles?granularity=3600&region=us';
  expect(answer(writeSpec(text), path, [row]).candles).toHaveLength(1);
});

test('an interval of several steps of the path, and a number of rows for each interval, are read', () => {
  const text = exchangeText
    .replace('/products/{product}/candles', '/candles/{granularity}/{product}')
    .replace(
      'in: query, required: true, schema: { type: integer, enum: [60, 300, 3600, 21600, 86400], x-seconds: { 60: 60, 300: 300, 3600: 3600, 21600: 21600, 86400: 86400 } }',
      'in: path, required: true, schema: { type: string, x-seconds: { minutes/5: 300, days: 86400 } }',
    )
    .replace('x-max-rows: 300', 'x-max-rows: { minutes/5: 100, days: 10 }');
  const spec = writeSpec(text);
  const history = requireOperation(spec, 'history');
  const path = buildPath(history, { pool: 'BTC-USD', interval: 'minutes/5', from, to: from + 3000 });
  expect(path).toMatch(/^\/candles\/minutes\/5\/BTC-USD\?/);
  expect(answer(spec, path, []).requested).toMatchObject({
    proper: true,
    interval: 'minutes/5',
    pool: 'BTC-USD',
  });
  const days = buildPath(history, { pool: 'BTC-USD', interval: 'days', from: from - 20 * 86_400, to: from });
  expect(answer(spec, days, []).requested).toMatchObject({ proper: false, interval: 'days' });
  expect([findMaxRows(history, 300), findMaxRows(history, 86_400)]).toEqual([100, 10]);
});
