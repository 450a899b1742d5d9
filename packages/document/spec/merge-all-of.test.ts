import { answer, exchangeText, writeSpec } from '@candleproof/law/worlds/other-document';
import { expect, test } from '@playwright/test';

const path = '/products/BTC-USD/candles?granularity=3600&region=us';
const row = { t: 1_773_241_200, o: 10, h: 12, l: 9, c: 11, v: 5.5 };

/** A document whose envelope and rows are made of parts. */
function write(parts: Readonly<Record<string, string>>, schema = "{ $ref: '#/components/schemas/Page' }") {
  const schemas = Object.entries({ ...usualParts, ...parts }).map(([name, text]) => `    ${name}: ${text}\n`);
  return writeSpec(
    exchangeText.replace(
      / {16}type: array\n {16}items:.*?components:\n/s,
      `                ${schema}\ncomponents:\n  schemas:\n${schemas.join('')}`,
    ),
  );
}

const usualParts = {
  Page: "{ allOf: [{ $ref: '#/components/schemas/Status' }, { $ref: '#/components/schemas/Rows' }] }",
  Status: "{ type: object, required: [code], properties: { code: { $ref: '#/components/schemas/Code' } } }",
  Code: '{ x-role: status, x-ok: 0, type: integer }',
  Rows: '{ properties: { data: { allOf: [{ type: object, required: [rows], properties: { rows: { x-role: candles, type: array } } }, { properties: { rows: { items: { $ref: "#/components/schemas/Row" } } } }] } } }',
  Row: "{ allOf: [{ $ref: '#/components/schemas/Times' }, { $ref: '#/components/schemas/Prices' }, { type: object, required: [v], properties: { v: { x-role: volume, type: number } } }] }",
  Times: '{ type: object, required: [t], properties: { t: { x-role: start, type: integer } } }',
  Prices:
    "{ allOf: [{ $ref: '#/components/schemas/Ends' }], properties: { o: { x-role: open, $ref: '#/components/schemas/Price' }, h: { allOf: [{ $ref: '#/components/schemas/Price' }], x-role: high } } }",
  Ends: "{ properties: { l: { x-role: low, $ref: '#/components/schemas/Price' }, c: { x-role: close, $ref: '#/components/schemas/Price' } } }",
  Price: '{ type: number }',
};

test('parts of an allOf are read as one schema, in rows and in what is around them', () => {
  const spec = write({});
  const read = answer(spec, path, { code: 0, data: { rows: [row] } });
  expect(read).toMatchObject({
    rowsAt: '/data/rows',
    misshapen: [],
    candles: [{ open: 10, low: 9, volume: 5.5 }],
  });
  expect(spec.operations[0]?.recordFields.toSorted()).toEqual(['c', 'h', 'l', 'o', 't', 'v']);
  const wrong = answer(spec, path, { code: 0, data: { rows: [{ ...row, t: 'x', h: '12', v: undefined }] } });
  expect(wrong.misshapen.map(({ pointer, expected }) => [pointer, expected]).sort()).toEqual([
    ['/data/rows/0/h', 'type number'],
    ['/data/rows/0/t', 'type integer'],
    ['/data/rows/0/v', 'this field, which is required'],
  ]);
  expect(answer(spec, path, { code: 7 }).status).toBe(400);
  expect(answer(spec, path, { data: { rows: [] } }).misshapen).toHaveLength(1);
});

test('constraints of several parts all hold, and types are narrowed', () => {
  const price = "{ allOf: [{ type: [number, 'null'], minimum: 0 }, { type: number, minimum: 9 }] }";
  const spec = write({ Price: price });
  const rows = [row, { ...row, l: 8 }, { ...row, l: null }];
  const { misshapen } = answer(spec, path, { code: 0, data: { rows } });
  expect(misshapen.map(({ pointer }) => pointer)).toEqual(['/data/rows/1/l', '/data/rows/2/l']);
});

const conflicts: readonly [string, Readonly<Record<string, string>>, RegExp][] = [
  ['two roles', { Price: '{ x-role: open }' }, /x-role "open" and "high": keep one|x-role "high" and "open"/],
  [
    'two types',
    { Price: '{ allOf: [{ type: number }, { type: string }] }' },
    /type "number" and "string": keep one/,
  ],
  [
    'a closed part',
    { Times: '{ additionalProperties: false, properties: { t: { x-role: start } } }' },
    /refuses \w, which another part has: write unevaluatedProperties: false/,
  ],
  ['a circle', { Ends: "{ allOf: [{ $ref: '#/components/schemas/Row' }] }" }, /leads back to itself/],
];
for (const [name, parts, message] of conflicts)
  test(`an allOf with ${name} is refused with its line`, () => {
    expect(() => write(parts)).toThrow(message);
    expect(() => write(parts)).toThrow(/openapi\.yaml:\d+: /);
  });

test('parts that double at each level are merged in bounded time or refused', () => {
  const names = Array.from({ length: 30 }, (_, at) => `D${at}`);
  const doubled = names.map((name, at) => {
    const next = `{ $ref: '#/components/schemas/D${at + 1}' }`;
    return [
      name,
      `{ properties: { p: { allOf: [${next}, { title: a }] }, q: { allOf: [${next}, ${next}] } } }`,
    ];
  });
  const twice =
    "{ allOf: [{ properties: { p: { allOf: [{ $ref: '#/components/schemas/D0' }, { $ref: '#/components/schemas/D1' }] } } }, { $ref: '#/components/schemas/D0' }] }";
  expect(() => write({ ...Object.fromEntries(doubled), D30: '{}', Rows: twice })).toThrow(
    /more than 5000|is missing here/,
  );
});
