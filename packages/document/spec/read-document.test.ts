import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { loadSpec } from './load-spec.ts';
import { readDocument } from './read-document.ts';

const roles = 'packages/document/spec/testing/roles.overlay.yaml';
const ours = parse(readFileSync('openapi.yaml', 'utf8'));

/** Writes files into the test's folder, and returns the path of the first. */
function write(files: Readonly<Record<string, unknown>>): string {
  const folder = test.info().outputPath('documents');
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, undefined, '\t'));
  }
  return join(folder, Object.keys(files)[0] ?? '');
}

/** Returns the message of a refusal without the folder. */
function refusal(work: () => unknown): string {
  try {
    work();
    return 'accepted';
  } catch (error) {
    return (error as Error).message.replaceAll(`${test.info().outputPath('documents')}/`, '');
  }
}

/** Returns a document without its extensions; the names of its headers suggest some. */
function withoutExtensions<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value, (name, part) => (/^x-(?!ratelimit)/.test(name) ? undefined : part)),
  );
}

/** A schema in the terms of OpenAPI 3.0 and in those of 3.1. */
const converted: readonly [old: object, now: object][] = [
  [{ type: 'string', nullable: true }, { type: ['string', 'null'] }],
  [
    { type: 'string', nullable: true, enum: ['a'] },
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  [{ type: 'string', nullable: false }, { type: 'string' }],
  [
    { type: 'number', minimum: 0, exclusiveMinimum: true },
    { type: 'number', exclusiveMinimum: 0 },
  ],
  [
    { type: 'number', maximum: 9, exclusiveMaximum: false },
    { type: 'number', maximum: 9 },
  ],
  [
    { type: 'integer', example: 7 },
    { type: 'integer', examples: [7] },
  ],
  [
    { $ref: '#/components/schemas/B', nullable: true, 'x-role': 'open' },
    { $ref: '#/components/schemas/B', 'x-role': 'open' },
  ],
  [
    {
      type: 'array',
      items: { type: 'object', properties: { nullable: { type: 'string', nullable: true } } },
    },
    { type: 'array', items: { type: 'object', properties: { nullable: { type: ['string', 'null'] } } } },
  ],
];

test('schemas of OpenAPI 3.0 are read in the terms of 3.1, among components and beside parameters', () => {
  const uses = { oneOf: ['A', 'B'].map((name) => ({ $ref: `#/components/schemas/${name}` })) };
  const responses = { 200: { content: { 'text/plain': { schema: uses } } } };
  const inDocument = (openapi: string, schema: object): object => ({
    ...{ openapi, info: { title: 'T', version: '1' } },
    paths: {
      '/a': { get: { 'x-role': 'history', parameters: [{ name: 'p', in: 'query', schema }], responses } },
    },
    components: { schemas: { A: schema, B: { type: 'number' } } },
  });
  for (const [old, now] of converted) {
    const { value } = readDocument({ file: write({ 'old.json': inDocument('3.0.3', old) }) });
    expect(value).toEqual(inDocument('3.1.0', now));
    const untouched = readDocument({ file: write({ 'new.json': inDocument('3.2.0', old) }) });
    expect(untouched.value).toEqual(inDocument('3.2.0', old));
  }
});

test('an overlay adds the roles to a document that has none', () => {
  const bare = write({ 'bare.json': withoutExtensions(ours) });
  expect(refusal(() => loadSpec(bare))).toMatch(
    /^bare\.json:\d+: no GET or POST here has x-role history or latest/,
  );
  const { document, sha256, roles: found } = loadSpec(bare, [roles]);
  const spec = loadSpec('openapi.yaml');
  expect(document).toEqual(spec.document);
  expect(found).toEqual(spec.roles);
  expect(sha256).not.toBe(spec.sha256);
});

test('parts of other files are put into the document, and their mistakes are reported where they stand', () => {
  const candle = { type: 'object', properties: { t: { $ref: '../common.json#/Time' } } };
  const files = {
    'api.yaml': `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /rows: { $ref: 'paths/rows.yaml' }
components:
  schemas: { Time: { type: string } }
`,
    'paths/rows.yaml': `parameters:
  - $ref: '../common.json#/Pool'
get:
  x-role: history
  responses:
    '200':
      content:
        application/json:
          schema: { type: array, items: { $ref: 'candle.json' } }
`,
    'paths/candle.json': candle,
    'common.json': {
      Pool: { name: 'pool', in: 'query', schema: { $ref: 'api.yaml#/components/schemas/Time' } },
      Time: { type: 'integer' },
    },
  };
  const { value, findPlace } = readDocument({ file: write(files) });
  const pool = { name: 'pool', in: 'query', schema: { $ref: '#/components/schemas/Time' } };
  expect(value).toMatchObject({
    paths: {
      '/rows': {
        get: {
          parameters: [pool],
          responses: {
            200: {
              content: {
                'application/json': {
                  schema: { type: 'array', items: { $ref: '#/components/schemas/candle' } },
                },
              },
            },
          },
        },
      },
    },
    components: {
      schemas: {
        Time: { type: 'string' },
        Time2: { type: 'integer' },
        candle: { type: 'object', properties: { t: { $ref: '#/components/schemas/Time2' } } },
      },
    },
  });
  const place = (pointer: string): string =>
    findPlace(pointer).replace(`${test.info().outputPath('documents')}/`, '');
  expect(place('/paths/~1rows')).toBe('api.yaml:4');
  expect(place('/paths/~1rows/get/responses/200/content/x')).toBe('paths/rows.yaml:7');
  expect(place('/paths/~1rows/get/parameters/0/schema')).toBe('common.json:5');
  expect(place('/components/schemas/candle/properties/t')).toBe('paths/candle.json:4');
  expect(place('/components/schemas/Time')).toBe('api.yaml:6');
});

test('a reference that leads out of the folder, to the network, in a circle or to nothing is refused', () => {
  const at = (reference: string): string =>
    refusal(() =>
      readDocument({
        file: write({
          'in/api.yaml': `paths:\n  /a: { $ref: '${reference}' }\n`,
          'in/number.yaml': '7',
          'in/key': 'parameters: []\nget: {}\n',
          'in/key.yaml': 'get: {}\n',
          'in/circle.yaml': "a: { $ref: 'circle.yaml#/a' }\nb: [1, [2]]\n",
          'in/broken.yaml': 'a: [\n',
          'secret.yaml': 'a: 1\n',
        }),
      }),
    );
  const link = join(test.info().outputPath('documents'), 'in', 'link.yaml');
  expect(at('b.yaml')).toBe('in/api.yaml:2: "b.yaml" is no file in the document\'s folder: mend it');
  symlinkSync('../secret.yaml', link);
  symlinkSync('key', join(dirname(link), 'named.yaml'));
  expect(at('named.yaml')).toContain('"named.yaml" is no .yaml, .yml or .json file');
  for (const outside of ['../secret.yaml', '/etc/passwd', 'link.yaml', '..%2Fsecret.yaml'])
    expect(at(outside)).toContain(`"${outside}" leads out of the document's folder`);
  for (const away of ['https://127.0.0.1:1/x', 'file:///etc/passwd', '//host/x'])
    expect(at(away)).toContain(`"${away}" leads to the network`);
  for (const kindless of ['number.yaml', "number.yaml', summary: 'S"])
    expect(at(kindless)).toBe(
      'in/api.yaml:2: number.yaml is no path as OpenAPI has them (line 1 there), and a $ref leads to nothing else here: mend it',
    );
  expect(at('key')).toBe('in/api.yaml:2: "key" is no .yaml, .yml or .json file: put that part into one');
  expect(at('circle.yaml#/none')).toBe('in/api.yaml:2: circle.yaml#/none points at nothing: mend it');
  expect(at('circle.yaml#/a')).toMatch(/this \$ref leads in a circle/);
  expect(at('broken.yaml')).toMatch(/^in\/broken\.yaml:\d: /);
});

const document = {
  tags: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
  info: { title: 'T', "it's": { deep: [1] } },
  paths: { '/a': { get: { summary: 'A' } }, '/b': { get: {} } },
};

/** Applies an overlay of one action; returns the document, or the refusal. */
function overlaid(action: object): unknown {
  const overlay = ['overlay: 1.0.0', 'actions:', `  - ${JSON.stringify(action)}`, ''].join('\n');
  const file = write({ 'd.json': document, 'o.yaml': overlay });
  const message = refusal(() => readDocument({ file, overlays: [join(dirname(file), 'o.yaml')] }));
  return message === 'accepted'
    ? readDocument({ file, overlays: [join(dirname(file), 'o.yaml')] }).value
    : message;
}

test('actions of an overlay merge, append, replace, copy and remove', () => {
  expect(overlaid({ target: '$.info', update: { title: 'U', "it's": { deep: [2], more: 1 } } })).toEqual({
    ...document,
    info: { title: 'U', "it's": { deep: [1, 2], more: 1 } },
  });
  expect(overlaid({ target: '$.tags', update: { name: 'd' } })).toMatchObject({ tags: { length: 4 } });
  expect(overlaid({ target: '$.tags', update: [{ name: 'd' }, { name: 'e' }] })).toMatchObject({
    tags: { length: 5 },
  });
  expect(overlaid({ target: '$.paths.*.get.summary', update: 'B' })).toMatchObject({
    paths: { '/a': { get: { summary: 'B' } } },
  });
  expect(overlaid({ target: "$.tags[?@.name!='b']", remove: true })).toMatchObject({ tags: [{ name: 'b' }] });
  expect(overlaid({ target: "$.info['it\\'s'].deep", remove: true })).toMatchObject({ info: { "it's": {} } });
  expect(overlaid({ target: "$.paths['/b']", copy: "$.paths['/a']" })).toMatchObject({
    paths: { '/b': { get: { summary: 'A' } } },
  });
  expect(overlaid({ target: '$', copy: '$' })).toMatchObject({ tags: { length: 6 } });
});

test('an expression selects by place, slice and comparison, and a union selects each part once', () => {
  const names = (target: string): unknown => {
    const found = overlaid({ target, update: { found: true } }) as { tags: { name: string; found?: true }[] };
    return Array.isArray(found.tags)
      ? found.tags.flatMap(({ name, found }) => (found ? [name] : [])).join('')
      : found;
  };
  const selected = Object.entries({
    '$.tags[0,0,-1]': 'ac',
    '$.tags[1:]': 'bc',
    '$.tags[::-2]': 'ac',
    '$.tags[-2:-1]': 'b',
    "$.tags[?@.name>'a' && !(@.name=='c')]": 'b',
    "$.tags[?@.name<='a' || @.name>='c']": 'ac',
    '$.tags[?length(@.name)==1 && count(@.*)==1]': 'abc',
    "$..[?@.name != @.none && value(@.name)=='b']": 'b',
    "$['tags','tags'][*,*]": 'abc',
  });
  for (const [target, found] of selected) expect([target, names(target)]).toEqual([target, found]);
  expect(overlaid({ target: '$.tags[1,0]', remove: true })).toMatchObject({ tags: [{ name: 'c' }] });
});

test('an action that cannot be applied is refused with its line', () => {
  for (const [action, reason] of [
    [{ target: '$.nothing', update: {} }, '"$.nothing" matches nothing in the document: mend it'],
    [{ target: 'info', update: {} }, '"info" cannot be used as a JSONPath: '],
    [{ target: '$.info.toString', update: {} }, '"$.info.toString" matches nothing in the document'],
    [{ target: '$.info', update: [] }, 'a list cannot be merged into a map of the document'],
    [{ target: '$.info', update: { title: {} } }, 'a map cannot be merged into a value of the document'],
    [{ target: '$.info' }, 'an action takes one of update, copy and remove: true'],
    [{ target: '$', remove: true }, 'the whole document cannot be removed'],
    [{ target: '$.info', copy: '$.tags[*]' }, 'this matches 3 parts: name the one to copy'],
    [{ update: {} }, 'nothing stands where a text belongs'],
    [{ target: "$..[?search(@, '(a+)+$')]", update: {} }, 'no expression takes search here'],
    [{ target: '$[?@ == $.info]', update: {} }, 'an expression compares no lists and maps'],
    [{ target: `$${"['info']".repeat(300)}`, update: {} }, 'a JSONPath takes 2000 characters at most'],
  ] as const) {
    const found = overlaid(action);
    expect(found).toContain('o.yaml:3: ');
    expect(found).toContain(reason);
  }
});

test('a mistake that an overlay brings is reported with the line of the overlay', () => {
  const file = write({
    'bare.json': withoutExtensions(ours),
    'wrong.yaml': readFileSync(roles, 'utf8').replace('high: { x-role: high }', 'high: { x-role: higher }'),
  });
  const overlays = [join(dirname(file), 'wrong.yaml')];
  expect(refusal(() => loadSpec(file, overlays))).toMatch(/^wrong\.yaml:41: x-role "higher" is unknown here/);
});

test('parts of other files and overlays take no more room than a document may', () => {
  const many = { a: { get: { tags: Array.from({ length: 9000 }, (_, at) => at) } } };
  const paths = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`/${at}`, { $ref: 'many.json#/a' }]),
  );
  const file = write({ 'api.json': { paths }, 'many.json': many });
  expect(refusal(() => readDocument({ file }))).toMatch(
    /^api\.json:\d+: more than 120000 values in the document with its parts/,
  );
  const doubled = Array.from({ length: 5 }, () => ({ target: '$.tags', copy: '$.tags' }));
  const actions = [{ target: '$.tags', update: many.a.get.tags }, ...doubled];
  const overlay = JSON.stringify({ overlay: '1.1.0', actions });
  const small = write({ 'small.json': document, 'o.json': overlay });
  const overlays = [join(dirname(small), 'o.json')];
  expect(refusal(() => readDocument({ file: small, overlays }))).toContain(
    'o.json:1: more than 120000 values',
  );
});
