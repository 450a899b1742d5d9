import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { stringify } from 'yaml';
import { compileSpec } from './load-spec.ts';
import { type Spec, SpecError } from './spec.ts';

const info = { title: 'Quotes', version: '1' };
const number = { type: 'number' };

function parameter(name: string, role: string, more: object = {}): object {
  return { name, in: 'query', required: true, 'x-role': role, schema: { type: 'string', ...more } };
}

const row = {
  type: 'object',
  properties: Object.fromEntries(
    Object.entries({ t: 'start', o: 'open', h: 'high', l: 'low', c: 'close' }).map(([name, role]) => [
      name,
      { ...number, 'x-role': role },
    ]),
  ),
};

function answer(schema: object): object {
  return { 200: { description: 'rows', content: { 'application/json': { schema } } } };
}

const parameters = [
  parameter('symbol', 'pool'),
  parameter('resolution', 'interval', { enum: ['60'], 'x-seconds': { 60: 3600 } }),
  parameter('from', 'from'),
  parameter('to', 'to'),
];
const bars = { 'x-role': 'history', parameters, responses: answer({ type: 'array', items: row }) };
const document = { openapi: '3.0.3', info, paths: { '/bars': { get: bars } } };

/** Compiles a document that is written as a vendor may have it; returns its mistakes if it is refused. */
function compile(given: object | string): Spec | readonly string[] {
  const folder = test.info().outputPath('documents');
  mkdirSync(folder, { recursive: true });
  const file = `${folder}/vendor.json`;
  writeFileSync(file, typeof given === 'string' ? given : JSON.stringify(given, null, 1));
  try {
    return compileSpec(file);
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    return error.mistakes.map((mistake) => mistake.replace(file, 'vendor.json'));
  }
}

function listNotes(given: object): readonly string[] {
  const spec = compile(given);
  if (!('operations' in spec)) throw new Error(spec.join('\n'));
  return (spec.notes ?? []).map((note) => note.replace(/^.*vendor\.json/, 'vendor.json'));
}

test('what is wrong in an operation without a role, or in what it alone uses, spoils nothing', () => {
  const content = { 'application/json': { examples: { a: { value: {} } } } };
  const spoiled = {
    ...document,
    paths: {
      '/with-body': { get: { requestBody: { content }, responses: { 200: { description: 'x' } } } },
      '/stream/candles': { get: { responses: answer({ $ref: '#/components/schemas/Missing' }) } },
      ...document.paths,
    },
    components: { schemas: { Bad: { pattern: '(?<=a)b', properties: { x: { $ref: '#/nowhere' } } } } },
  };
  expect(listNotes(spoiled)).toEqual([]);
});

test('uniqueItems of maps is left out with a note, and that of texts is checked', () => {
  const unique = { ...bars, responses: answer({ type: 'array', uniqueItems: true, items: row }) };
  expect(listNotes({ ...document, paths: { '/bars': { get: unique } } })).toEqual([
    expect.stringMatching(/^vendor\.json:\d+: uniqueItems of maps or lists is left out/),
  ]);
});

test('Swagger 2.0 is converted, and its mistakes are named by their operation', () => {
  const plain = (name: string, role: string, more: object = {}) => ({
    ...{ name, in: 'query', required: true, type: 'string', 'x-role': role },
    ...more,
  });
  const get = {
    'x-role': 'history',
    parameters: [
      plain('symbol', 'pool'),
      plain('resolution', 'interval', { enum: ['60'], 'x-seconds': { 60: 3600 } }),
      ...[plain('from', 'from'), plain('to', 'to')],
    ],
    responses: {
      200: { description: 'rows', schema: { type: 'array', items: { $ref: '#/definitions/Bar' } } },
    },
  };
  const swagger = { swagger: '2.0', info, host: 'a.invalid', produces: ['application/json'] };
  const whole = { ...swagger, paths: { '/bars': { get } }, definitions: { Bar: row } };
  expect(listNotes(whole)).toEqual(['vendor.json: read as OpenAPI 3.1, converted from Swagger 2.0']);
  const { parameters: _, ...without } = get;
  expect(compile({ ...swagger, paths: { '/bars': { get: without } }, definitions: { Bar: row } })).toContain(
    'vendor.json, converted from Swagger 2.0: GET /bars parameters: a parameter with x-role pool is missing here; add it',
  );
});

test('a mistake in a document of one line is named by its operation, and a key that stands twice by both lines', () => {
  const [, interval] = parameters;
  const lacking = { ...document, paths: { '/bars': { get: { ...bars, parameters: [interval] } } } };
  expect(compile(JSON.stringify(lacking))).toContain(
    'vendor.json: GET /bars parameters: a parameter with x-role pool is missing here; add it',
  );
  const twice = stringify(document).replace('info:', 'info: {}\ninfo:');
  expect(compile(twice)).toEqual([
    expect.stringContaining('vendor.json:3: "info" stands here twice, first in line 2: leave one out'),
  ]);
});

test('the success of 2XX or default, of any media type, or in one of two forms is the answer', () => {
  const schema = { type: 'array', items: row };
  const media = { 'application/json': { schema } };
  const error = { type: 'object', properties: { error: { type: 'string' } } };
  const whole = { type: 'object', properties: { data: { ...schema, 'x-role': 'candles' } } };
  const forms: readonly object[] = [
    { '2XX': { description: 'x', content: media } },
    { default: { description: 'x', content: media } },
    { 200: { description: 'x', content: { '*/*': { schema } } } },
    { 200: { description: 'x', content: { 'application/vnd.api+json': { schema } } } },
    answer({ oneOf: [whole, error] }),
  ];
  for (const responses of forms)
    expect(listNotes({ ...document, paths: { '/bars': { get: { ...bars, responses } } } })).toEqual([]);
});
