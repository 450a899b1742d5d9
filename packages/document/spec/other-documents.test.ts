import { answer, exchangeText, writeSpec } from '@candleproof/law/worlds/other-document';
import { expect, test } from '@playwright/test';
import { requireOperation } from './operation.ts';
import { buildPath, listValues } from './request-path.ts';
import { moveParameters } from './sent-request.ts';

/** The newest candle inside an envelope, its end an ISO time and its prices text. */
const latestText = `
openapi: 3.1.0
info: { title: Ticker, version: '1' }
paths:
  /latest:
    get:
      operationId: newest
      x-role: latest
      parameters:
        - { name: pair, x-role: pool, in: query, required: true, schema: { type: string } }
        - { name: bar, x-role: interval, in: query, required: true, schema: { type: string, x-seconds: { 1m: 60, 1H: 3600 } } }
      responses:
        '200':
          description: One.
          content:
            application/json; charset=utf-8:
              schema: { $ref: '#/components/schemas/Answer' }
components:
  schemas:
    Answer:
      type: object
      required: [result]
      properties: { result: { $ref: '#/components/schemas/Bar' } }
    Bar:
      x-role: candle
      type: object
      properties:
        o: { x-role: open, type: string }
        h: { x-role: high, type: string }
        l: { x-role: low, type: string }
        c: { x-role: close, type: string }
        t: { x-role: end, x-unit: iso, type: string }
`;

test('ISO times, lengths as numbers, tuples and a required parameter with a default are sent and read', () => {
  const spec = writeSpec(exchangeText);
  const operation = requireOperation(spec, 'history');
  const values = { pool: 'BTC-USD', interval: spec.rungs.hour?.name, from: 1_773_230_400, to: 1_773_244_800 };
  const path = buildPath(operation, values);
  expect(path).toBe(
    '/products/BTC-USD/candles?granularity=3600&start=2026-03-11T12%3A00%3A00Z&end=2026-03-11T16%3A00%3A00Z&region=us',
  );
  const { requested, entitled, candles, misshapen } = answer(spec, path, [
    [1_773_241_200, 9, 12, 10, 11, 5.5],
    [1_773_237_600, 8, 11, 9, 10, 'much'],
  ]);
  expect(requested).toMatchObject({
    proper: true,
    rung: 'hour',
    length: 3600,
    from: values.from,
    to: values.to,
  });
  expect(entitled).toBe(true);
  expect(candles[0]).toMatchObject({ start: 1_773_241_200, end: 1_773_244_800, low: 9, high: 12, open: 10 });
  expect(misshapen.map(({ pointer, expected }) => [pointer, expected])).toEqual([['/1/5', 'type number']]);
  expect(spec.keyHeader).toBe('x-other-key');
  expect(spec.roles).toEqual(expect.arrayContaining(['key', 'volume', 'gapless']));
});

test('a parameter without a role is never sent, and another value than its default is not judged', () => {
  const spec = writeSpec(exchangeText);
  const values = { pool: 'BTC-USD', interval: '3600', from: 1_773_230_400, to: 1_773_244_800 };
  const path = buildPath(requireOperation(spec, 'history'), { ...values, limit: 4 });
  expect(path).not.toMatch(/limit|from/);
  const isProper = (more: string): boolean | undefined => answer(spec, path + more, []).requested?.proper;
  expect(['', '&limit=100', '&limit=4', '&from=2026', '&region=eu'].map(isProper)).toEqual([
    ...[true, true, false, false, false],
  ]);
  expect(answer(spec, path.replace('=us', '=eu'), []).requested?.proper).toBe(false);
});

test('parameters of headers and cookies are sent there and recognized there, and the key is none of them', () => {
  const spec = writeSpec(
    exchangeText.replace(
      '        - { name: limit,',
      `        - { name: X-Chain, in: header, required: true, schema: { type: string, enum: [solana] } }
        - { name: X-Other-Key, in: header, required: true, schema: { type: string } }
        - { name: Accept, in: header, required: true, schema: { type: string } }
        - { name: side, x-role: inverted, in: cookie, schema: { type: boolean } }
        - { name: limit,`,
    ),
  );
  const values = {
    pool: 'BTC-USD',
    interval: '3600',
    from: 1_773_230_400,
    to: 1_773_244_800,
    inverted: true,
  };
  const { path, headers } = moveParameters(spec, buildPath(requireOperation(spec, 'history'), values));
  expect(path).toMatch(/&region=us$/);
  expect(headers).toEqual([
    ['X-Chain', 'solana'],
    ['cookie', 'side=true'],
  ]);
  expect(moveParameters(spec, path).headers).toEqual([['X-Chain', 'solana']]);
  const read = (lines: typeof headers) => answer(spec, path, [], lines).requested;
  expect(read(headers)).toMatchObject({ proper: true, inverted: true });
  expect(read([['x-chain', 'solana']])).toMatchObject({ proper: true });
  expect(read([['x-chain', 'base']])).toMatchObject({ proper: false });
  expect(read([])).toMatchObject({ proper: false });
  const refused = (header: string) => () =>
    writeSpec(exchangeText.replace('{ name: limit, in: query,', `{ name: ${header}, in: header,`));
  expect(refused('Host')).toThrow(/the header "Host" cannot be set/);
  expect(refused('"X-A\\r\\nX-B"')).toThrow(/cannot be set/);
});

test('values of parameters with a role are listed under any base URL, escaped or not', () => {
  const spec = writeSpec(exchangeText);
  const url =
    'https://any.invalid/base/products/BTC%2FUSD/candles?granularity=60&token=T&start=2026-01-01T00%3A00';
  expect(listValues(spec, url)).toEqual(['BTC/USD', '60', '2026-01-01T00:00']);
  expect(listValues(spec, 'https://any.invalid/products?start=1')).toEqual([]);
});

test('a range of more rows than one answer may hold is improper', () => {
  const spec = writeSpec(exchangeText);
  const path = buildPath(requireOperation(spec, 'history'), {
    ...{ pool: 'BTC-USD', interval: '60', from: 1_773_000_000, to: 1_773_230_400 },
  });
  expect(answer(spec, path, []).requested?.proper).toBe(false);
});

test('one candle in an envelope is read, and an envelope without it is reported at its place', () => {
  const spec = writeSpec(latestText);
  const path = buildPath(requireOperation(spec, 'latest'), { pool: 'BTC-USD', interval: '1H' });
  const bar = { o: '1.50', h: '2.00', l: '1.00', c: '1.75', t: '2026-03-11T15:00:00Z' };
  const { candles, rowsAt } = answer(spec, path, { result: bar });
  expect(rowsAt).toBe('/result');
  expect(candles[0]).toMatchObject({ start: 1_773_237_600, end: 1_773_241_200, open: 1.5, high: 2 });
  const empty = answer(spec, path, { other: 1 });
  expect(empty.candles).toEqual([]);
  expect(empty.misshapen.map(({ expected }) => expected)).toContain('this field, which is required');
  expect(spec.roles).not.toContain('key');
});

test('the rate of a document is that of its slowest operation by weight', () => {
  const rated = (document: string, operation: string): number | undefined =>
    writeSpec(
      exchangeText
        .replace('security:', `${document}\nsecurity:`)
        .replace('x-role: history', `x-role: history\n      ${operation}`),
    ).ratePerMinute;
  expect(rated('', '')).toBeUndefined();
  expect(rated('x-rate: { requests: 60 }', '')).toBe(60);
  expect(rated('x-rate: { requests: 60 }', 'x-rate: { weight: 4 }')).toBe(15);
  expect(rated('x-rate: { requests: 60 }', 'x-rate: { requests: 5 }')).toBe(5);
  expect(() => rated('x-rate: { requests: none }', '')).toThrow(/x-rate takes requests/);
});

test('an exclusive start is requested a step earlier, and read as the range that is meant', () => {
  const values = { pool: 'BTC-USD', interval: '3600', from: 1_773_230_400, to: 1_773_244_800 };
  for (const [unit, sent] of [
    ['ms', '1773230399999'],
    ['s', '1773230399'],
    ['iso', '2026-03-11T11%3A59%3A59Z'],
  ] as const) {
    const text = exchangeText.replace(
      'x-role: from, x-unit: iso',
      `x-role: from, x-edge: exclusive, x-unit: ${unit}`,
    );
    const spec = writeSpec(
      text.replace(
        '{ type: string } }\n        - { name: end',
        '{ type: [string, integer] } }\n        - { name: end',
      ),
    );
    const path = buildPath(requireOperation(spec, 'history'), values);
    expect(path).toContain(`start=${sent}&end=2026-03-11T16%3A00%3A00Z`);
    expect(answer(spec, path, []).requested).toMatchObject({
      from: values.from,
      to: values.to,
      proper: true,
    });
  }
  expect(() => writeSpec(exchangeText.replace('x-role: to,', 'x-role: to, x-edge: open,'))).toThrow(
    /x-edge "open"/,
  );
});

/** A history whose refusals come with status 200, and whose empty ranges have no list. */
const envelopeText = exchangeText
  .replace(
    'type: array\n                items:',
    'x-role: candles\n                    x-empty: absent\n                    type: array\n                    items:',
  )
  .replace(
    /schema:\n {16}x-role: candles/,
    `schema:
                type: object
                properties:
                  code: { x-role: status, x-ok: 0, type: integer }
                  errors: { x-role: status, type: array }
                  rows:
                    x-role: candles`,
  )
  .replace(
    /(?<=items:\n) {18}type: array\n(?: {18}prefixItems:\n)/,
    '                      type: array\n                      prefixItems:\n',
  )
  .replaceAll(/^ {20}- \{ x-role/gm, '                        - { x-role');

test('a 200 whose status member is another than x-ok is a refusal', () => {
  const spec = writeSpec(envelopeText);
  const values = { pool: 'BTC-USD', interval: '3600', from: 1_773_230_400, to: 1_773_244_800 };
  const path = buildPath(requireOperation(spec, 'history'), values);
  const rows = [[1_773_237_600, 8, 11, 9, 10, 5.5]];
  const read = (body: unknown) => {
    const { success, status, refusal, candles, misshapen } = answer(spec, path, body);
    return [success, status, refusal?.text, candles.length, misshapen.length];
  };
  expect(read({ code: 0, errors: [], rows })).toEqual([true, 200, undefined, 1, 0]);
  expect(read({ code: '0', rows }).slice(0, 3)).toEqual([true, 200, undefined]);
  expect(read({ code: 10001, rows: {} })).toEqual([false, 400, 'status 200 with code 10001', 0, 0]);
  expect(read({ code: 429 })).toEqual([false, 429, 'status 200 with code 429', 0, 0]);
  expect(read({ errors: ['EQuery:Unknown asset pair'] }).slice(0, 2)).toEqual([false, 400]);
});

test('no rows come without a list, or as a refusal with a named status', () => {
  const absent = writeSpec(envelopeText);
  const values = { pool: 'BTC-USD', interval: '3600', from: 1_773_230_400, to: 1_773_244_800 };
  const path = buildPath(requireOperation(absent, 'history'), values);
  expect(answer(absent, path, { code: 0 })).toMatchObject({ success: true, records: [], misshapen: [] });
  const refused = writeSpec(envelopeText.replace('x-empty: absent', 'x-empty: 404'));
  const empty = { success: true, status: 200, isList: true, records: [], misshapen: [] };
  expect(answer(refused, path, { code: 404 })).toMatchObject(empty);
  expect(answer(refused, path, { code: 0 }).misshapen).toHaveLength(1);
});

test('operations without any role are left out, and keywords without their type are no mistake', () => {
  const item =
    '{ oneOf: [{ properties: { a: { example: 1 } } }], discriminator: { propertyName: a }, xml: {} }';
  const other = `  /other:\n    get: { parameters: [{ name: n, in: query, schema: ${item} }], responses: {} }\n`;
  const spec = writeSpec(exchangeText.replace('paths:\n', `paths:\n${other}`));
  expect(spec.operations.map(({ path }) => path)).toEqual(['/products/{product}/candles']);
  const typeless = exchangeText.replace(
    '{ type: string, default: us }',
    '{ minLength: 1, default: us, example: us }',
  );
  expect(writeSpec(typeless).operations).toHaveLength(1);
});

test('parameters that stand beside an operation are its own', () => {
  const product = /^ {8}- \{ name: product.*\n/m;
  const [line = ''] = product.exec(exchangeText) ?? [];
  const shared = `  /products/{product}/candles:\n    parameters:\n${line}`;
  const text = exchangeText.replace(product, '').replace('  /products/{product}/candles:\n', shared);
  const names = writeSpec(text).operations[0]?.parameters.map(({ name }) => name);
  const declared = writeSpec(exchangeText).operations[0]?.parameters.map(({ name }) => name) ?? [];
  expect(names).toEqual([...declared.slice(1), 'product']);
});

test('one page of several is held to the range from its first row to its last', () => {
  const text = envelopeText
    .replace('errors: { x-role: status, type: array }', 'next: { x-role: next-cursor, type: string }')
    .replace(
      '- { name: region,',
      '- { name: page, x-role: cursor, in: query, schema: { type: string } }\n        - { name: region,',
    );
  const spec = writeSpec(text);
  const values = { pool: 'BTC-USD', interval: '3600', from: 1_773_230_400, to: 1_773_244_800 };
  const path = buildPath(requireOperation(spec, 'history'), values);
  const rows = [1_773_237_600, 1_773_234_000].map((start) => [start, 8, 11, 9, 10, 5.5]);
  const page = { from: 1_773_234_000, to: 1_773_241_200, proper: true };
  expect(path).not.toContain('page');
  expect(answer(spec, path, { code: 0, rows, next: 'b' }).requested).toMatchObject(page);
  expect(answer(spec, `${path}&page=b`, { code: 0, rows }).requested).toMatchObject(page);
  expect(answer(spec, path, { code: 0, rows, next: '' }).requested).toMatchObject(values);
  expect(answer(spec, `${path}&page=c`, { code: 0, rows: [] }).requested).toMatchObject({
    from: values.from,
    to: values.from,
  });
});

test('a request that leaves an edge of its range open is held to the rows that came', () => {
  const open = exchangeText.replace('name: limit,', 'name: limit, x-role: limit,');
  const rows = [1_773_237_600, 1_773_234_000].map((start) => [start, 8, 11, 9, 10, 5.5]);
  const ask = (text: string, query: string, body: unknown = rows) =>
    answer(writeSpec(text), `/products/BTC-USD/candles?granularity=3600&region=us${query}`, body);
  const held = { from: 1_773_234_000, to: 1_773_241_200, openRange: true, proper: true };
  for (const query of ['', '&limit=2', '&limit=2&start=2026-03-11T10:00:00Z', '&start=2026-03-11T10:00:00Z'])
    expect(ask(open, query), query).toMatchObject({ requested: held, entitled: true });
  const unbounded = exchangeText.replace('      x-max-rows: 300\n', '');
  expect(ask(unbounded, '&end=2026-03-11T15:00:00Z').requested).toMatchObject(held);
  expect(ask(open, '&limit=2&start=2099-12-31T00:00:00Z').requested?.proper).toBe(false);
  expect(ask(open, '&limit=x').requested?.proper).toBe(false);
  const needed = open.replace('name: end,', 'name: end, required: true,');
  expect(ask(needed, '&limit=2').requested?.proper).toBe(false);
  expect(ask(open, '&limit=2', { code: 1 }).candles).toEqual([]);
});

test('extensions of a parameter stand at it or at its schema', () => {
  const moved = exchangeText
    .replace(
      'x-role: from, x-unit: iso, in: query, schema: {',
      'in: query, schema: { x-role: from, x-unit: iso,',
    )
    .replace(
      'in: path, required: true, schema: { type: string }',
      "in: path, required: true, schema: { $ref: '#/components/schemas/Pool' }",
    )
    .replace('x-role: pool, ', '')
    .replace(/, (x-seconds: \{.*?\}) \} \}/, ' }, $1 }')
    .replace('components:', 'components:\n  schemas: { Pool: { x-role: pool, type: string } }');
  const read = (text: string) => {
    const { operations, intervals } = writeSpec(text);
    return {
      intervals,
      parameters: operations[0]?.parameters.map(({ name, role, unit }) => [name, role, unit]),
    };
  };
  expect(moved).not.toBe(exchangeText);
  expect(read(moved)).toEqual(read(exchangeText));
});

test('keys stand where the schemes of one requirement say', () => {
  const places = (security: string, schemes: string): unknown =>
    writeSpec(
      exchangeText
        .replace('security: [{ key: [] }]', `security: ${security}`)
        .replace(/securitySchemes: .*/, `securitySchemes: { ${schemes} }`),
    ).keyPlaces;
  const bearer = 'b: { type: http, scheme: bearer }';
  const prefixed = "p: { type: apiKey, in: header, name: Authorization, x-prefix: 'apikey ' }";
  const query = 'q: { type: apiKey, in: query, name: apiKey }';
  const inQuery = { scheme: 'q', in: 'query', name: 'apiKey', prefix: '' };
  expect(places('[{ b: [] }]', bearer)).toEqual([
    { scheme: 'b', in: 'header', name: 'authorization', prefix: 'Bearer ' },
  ]);
  expect(places('[{ o: [] }, { p: [], q: [] }]', `o: { type: oauth2 }, ${prefixed}, ${query}`)).toEqual([
    { scheme: 'p', in: 'header', name: 'authorization', prefix: 'apikey ' },
    inQuery,
  ]);
  expect(places('[{ b: [] }, {}]', bearer)).toBeUndefined();
  expect(() => places('[{ o: [] }]', 'o: { type: oauth2 }')).toThrow(/no requirement here can be met/);
  const listed = writeSpec(
    exchangeText
      .replace('security: [{ key: [] }]\n', '')
      .replace('x-role: history', 'security: [{ key: [] }]\n      x-role: history'),
  );
  expect(listed.keyHeader).toBe('x-other-key');
});

test('a key in the query is no parameter of the operation', () => {
  const text = exchangeText.replace(
    /key: \{ type: apiKey.*?\}/,
    'key: { type: apiKey, in: query, name: limit }',
  );
  const spec = writeSpec(text);
  const values = { pool: 'BTC-USD', interval: '3600', from: 1_773_230_400, to: 1_773_244_800 };
  const path = `${buildPath(requireOperation(spec, 'history'), values)}&limit=[redacted:api-key]`;
  expect(answer(spec, path, []).requested?.proper).toBe(true);
});

test('a document without candles is refused with its place and a mend', () => {
  const text = "openapi: 3.1.0\ninfo: { title: Nothing, version: '1' }\npaths: {}\n";
  expect(() => writeSpec(text)).toThrow(
    /openapi\.yaml:3: no GET or POST here has x-role history or latest; give one/,
  );
});
