import { answer, exchangeText, writeSpec } from '@candleproof/law/worlds/other-document';
import { expect, test } from '@playwright/test';

const path = '/products/BTC-USD/candles?granularity=3600&region=us';

/** The document of an exchange whose 200 has another schema. */
const withSchema = (schema: string) =>
  writeSpec(
    exchangeText.replace(
      / {14}schema:\n {16}type: array\n {16}items:.*?(?=components:)/s,
      `              schema: ${schema}\n`,
    ),
  );

const column = (role: string) => `{ type: array, x-role: ${role}, items: { type: number } }`;
const prices = `{ o: ${column('open')}, h: ${column('high')}, l: ${column('low')}, c: ${column('close')} }`;

const read = (spec: ReturnType<typeof withSchema>, body: unknown) => {
  const { candles, misshapen, unreadable } = answer(spec, path, body);
  return {
    rows: candles.map(({ start, open, high, low, close }) => [start, open, high, low, close]),
    misshapen: misshapen.map(({ pointer, expected }) => [pointer, expected]),
    unreadable,
  };
};

const [one, two] = [
  [1_773_241_200, 10, 12, 9, 11],
  [1_773_244_800, 11, 13, 10, 12],
];

test('columns are read row by row, also in lists of one, and a wrong value is named where it is', () => {
  const flat = withSchema(
    `{ type: object, required: [s], properties: { s: { type: string, x-role: status, x-ok: ok }, t: ${column('start')}, ${prices.slice(1, -1)} }, x-role: candles }`,
  );
  const body = { s: 'ok', t: [one[0], two[0]], o: [10, 11], h: [12, 13], l: [9, 10], c: [11, 12] };
  expect(read(flat, body)).toEqual({ rows: [one, two], misshapen: [], unreadable: 0 });
  expect(read(flat, { ...body, h: [12, 'x'] })).toMatchObject({
    misshapen: [['/h/1', 'type number']],
    unreadable: 1,
  });
  expect(read(flat, { ...body, c: [11] })).toMatchObject({ unreadable: 1 });
  const nested = withSchema(
    `{ type: object, properties: { chart: { type: object, x-role: candles, properties: { result: { type: array, items: { type: object, properties: { timestamp: ${column('start')}, quote: { type: array, items: { type: object, properties: ${prices} } } } } } } } } }`,
  );
  const { t, o, h, l, c } = body;
  expect(read(nested, { chart: { result: [{ timestamp: t, quote: [{ o, h, l, c }] }] } }).rows).toEqual([
    one,
    two,
  ]);
});

const field = (role: string) => `{ type: number, x-role: ${role} }`;
const names = `{ o: ${field('open')}, h: ${field('high')}, l: ${field('low')}, c: ${field('close')} }`;

test('values in a member of the row, and rows in a member of an element, are read', () => {
  const spec = withSchema(
    `{ type: array, x-role: candles, items: { type: object, additionalProperties: false, properties: { time: { type: string, x-role: start, x-unit: iso }, mid: { type: object, properties: ${names} } } } }`,
  );
  const rows = [one, two].map(([start = 0, o, h, l, c]) => ({
    time: new Date(start * 1000).toISOString(),
    mid: { o, h, l, c },
  }));
  expect(read(spec, rows)).toEqual({ rows: [one, two], misshapen: [], unreadable: 0 });
});

test('rows under their time are read, and a document without a role for the key says so', () => {
  const schema = `{ type: object, properties: { series: { type: object, x-role: candles, additionalProperties: { type: object, properties: ${names} } } } }`;
  const keyed = (key: string) => withSchema(schema.replace('x-role: candles', `x-role: candles${key}`));
  const rows = [one, two].map(([start = 0, o, h, l, c]) => [
    new Date(start * 1000).toISOString(),
    { o, h, l, c },
  ]);
  expect(read(keyed(''), { series: Object.fromEntries(rows) })).toEqual({
    rows: [one, two],
    misshapen: [],
    unreadable: 0,
  });
  expect(() => keyed(', x-key: {}')).toThrow(/x-key has no x-role: give it one/);
});

test('a shared parameter gives no role to other operations', () => {
  const text = exchangeText
    .replace(
      '\npaths:',
      '\npaths:\n  /trades:\n    get:\n      parameters: [{ $ref: "#/components/parameters/from" }]\n      responses: { "200": { description: trades } }',
    )
    .replace(
      'components:\n',
      'components:\n  parameters: { from: { name: from, in: query, x-role: from, schema: { type: integer } } }\n',
    );
  const { operations } = writeSpec(text);
  expect(operations.map(({ role }) => role)).not.toContain(undefined);
  expect(operations.map(({ id }) => id)).toEqual(writeSpec(exchangeText).operations.map(({ id }) => id));
});
