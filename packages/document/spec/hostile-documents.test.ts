import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recognizeRequest } from '@candleproof/law/reading/requested';
import { expect } from '@candleproof/testing/expect';
import { measureProcessorMs } from '@candleproof/testing/processor-time';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { loadSpec } from './load-spec.ts';
import { isPool } from './operation.ts';
import { buildPath } from './request-path.ts';
import type { Spec } from './spec.ts';
import { SpecError } from './spec.ts';
import { lintSpec } from './spec-lint.ts';

const klines = readFileSync('gallery/binance/openapi.yaml', 'utf8');

type Read = {
  readonly spec?: Spec;
  readonly refusal?: string;
  readonly mistakes?: readonly string[];
  readonly ms: number;
};

function load(text: string): Read {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  const file = join(folder, 'spec.yaml');
  writeFileSync(file, text);
  // Processor time: other work of the machine is not ours.
  const began = process.cpuUsage();
  const spentMs = (): number => process.cpuUsage(began).user / 1000;
  try {
    return { spec: loadSpec(file), ms: spentMs() };
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    const { message, mistakes } = error;
    return { refusal: message.replace(file, 'spec.yaml'), mistakes, ms: spentMs() };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function replaced(text: string, part: string, by: string): string {
  expect(text).toContain(part);
  return text.replace(part, () => by);
}

const symbol = "pattern: '^[A-Z0-9_.-]{1,20}$'";
const named = 'operationId: getKlines';

/** Matches a reason at the line of a text. */
function at(text: string, reason: string): RegExp {
  return new RegExp(`:${klines.slice(0, klines.indexOf(text)).split('\n').length}: .*${reason}`);
}

test('a pattern that backtracks without end is matched in linear time', async () => {
  const text = replaced(klines, symbol, "pattern: '^(([0-9])+)+$'");
  const { spec } = load(text);
  const accepts = spec?.operations[0]?.parameters.find(({ role }) => role === 'pool')?.accepts;
  const spent = measureProcessorMs(() => {
    expect(accepts?.(`${'1'.repeat(100_000)}x`)).toBe(false);
    expect(accepts?.('1'.repeat(100_000))).toBe(true);
  });
  expect(spent).toBeLessThan(2000);
});

test('a pattern that cannot be matched in linear time is left out, and the note names its line', () => {
  for (const pattern of ['(?<=a)b', '(a)\\1', '(?<n>a)\\k<n>', '(a|b)*a(a|b){300}$']) {
    const { spec, refusal } = load(replaced(klines, symbol, `pattern: '${pattern}'`));
    expect([refusal, spec?.notes?.length], pattern).toEqual([undefined, 1]);
    expect(spec?.notes?.[0]).toMatch(at(symbol, 'the pattern is left out: .*(linear time|too large)'));
  }
});

test('a pool id that is too long for an index is none, whatever the document takes', () => {
  const { spec } = load(replaced(klines, symbol, "pattern: '^.*$'"));
  const [{ space } = { space: '' }] = spec?.operations ?? [];
  const isTaken = (id: string): boolean => spec !== undefined && isPool(spec, space, id);
  expect([200, 201].map((length) => isTaken('x'.repeat(length)))).toEqual([true, false]);
});

test('an example that its pattern would be held up by is linted at once', async () => {
  const text = replaced(klines, symbol, `pattern: '^(([0-9])+)+$', example: '${'1'.repeat(60)}x'`);
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  writeFileSync(join(folder, 'spec.yaml'), text);
  await expect(lintSpec({ file: join(folder, 'spec.yaml') })).resolves.toEqual([]);
  rmSync(folder, { recursive: true });
});

const pair = (name: string): string =>
  `[{ $ref: '#/components/schemas/${name}' }, { $ref: '#/components/schemas/${name}' }]`;
const doubled = Array.from({ length: 30 }, (_, at) => `    D${at}: { allOf: ${pair(`D${at + 1}`)} }\n`).join(
  '',
);
const schemas = 'components:\n  schemas:\n';

/** Mutations of the document, each with the line that must refuse it. */
const hostile: [what: string, text: () => string, said: RegExp][] = [
  [
    'two million values',
    () => replaced(klines, symbol, `enum: [${'A,'.repeat(2e6)}B]`),
    /more than 60000: .*pattern/,
  ],
  [
    'aliases of aliases',
    () =>
      `${klines}\nx-a: &a [1, 1]\n${Array.from({ length: 26 }, (_, at) => `x-${at}: &b${at} [*${at > 0 ? `b${at - 1}` : 'a'}, *${at > 0 ? `b${at - 1}` : 'a'}]\n`).join('')}`,
    /aliases stand for too much.*\$ref/,
  ],
  [
    'a hundred thousand aliases',
    () => `${klines}\nx-a: &a 1\nx-b:\n${'  - *a\n'.repeat(20_000)}`,
    /20000 aliases/,
  ],
  [
    'an alias that holds itself',
    () => `${klines}\nx-a: &a [*a]\n`,
    /holds itself by an alias|aliases stand for/,
  ],
  [
    'a merge that holds itself',
    () => `%YAML 1.1\n---\n${klines}\nx-a: &a { <<: *a }\n`,
    /aliases stand for|holds itself/,
  ],
  [
    'a reference in a circle',
    () =>
      replaced(
        replaced(klines, '          type: string\n\n', "          $ref: '#/components/schemas/A'\n\n"),
        schemas,
        `${schemas}    A: { $ref: '#/components/schemas/B' }\n    B: { $ref: '#/components/schemas/A' }\n`,
      ),
    /:\d+: .*circle/,
  ],
  [
    'a reference to another machine',
    () => replaced(klines, schemas, `${schemas}    A: { $ref: 'http://127.0.0.1/x' }\n`),
    /:\d+: .*leads to the network/,
  ],
  [
    'a schema within itself',
    () => replaced(klines, symbol, "allOf: [{ $ref: '#/paths/~1api~1v3~1klines/get/parameters/0/schema' }]"),
    /:\d+: .*leads back to itself/,
  ],
  [
    'two to the thirtieth',
    () =>
      replaced(
        replaced(klines, schemas, `${schemas}${doubled}    D30: { type: string }\n`),
        symbol,
        `allOf: ${pair('D0')}`,
      ),
    /:\d+: .*more than 50000 values/,
  ],
  [
    'deep nesting',
    () => `${klines}\nx-deep: ${'['.repeat(400)}${']'.repeat(400)}\n`,
    /:\d+: .*deeper than 100/,
  ],
  ['nesting beyond any stack', () => `${klines}\nx-deep: ${'['.repeat(90_000)}`, /^spec\.yaml:/],
  [
    'parameters as a map',
    () => replaced(klines, 'parameters:\n', 'parameters: {}\n      x-others:\n'),
    /:\d+: .*\{\} stands where a list belongs/,
  ],
  [
    'an operation with a name of 10 kB',
    () => replaced(klines, named, `operationId: ${'k'.repeat(10_000)}`),
    at(named, 'operationId is longer than 160 characters'),
  ],
  [
    'an operation with a NUL in its name',
    () => replaced(klines, named, 'operationId: "a\\0b"'),
    at(named, 'holds a control character'),
  ],
  ['a repeated key', () => `${klines}\ninfo: {}\n`, /:\d+: "info" stands here twice/],
];

for (const [what, text, said] of hostile) {
  test(`${what} is refused in one line`, () => {
    const { refusal, ms } = load(text());
    expect(refusal).toMatch(said);
    expect(refusal).not.toContain('\n');
    expect(ms).toBeLessThan(5000);
  });
}

/** Returns the document with further operations like its own. */
function multiplied(times: number): string {
  const whole = parse(klines);
  const [[, item]] = Object.entries<{ get: object }>(whole.paths) as [[string, { get: object }]];
  for (let at = 0; at < times; at++) whole.paths[`/${at}`] = { get: { ...item.get, operationId: `o${at}` } };
  return stringify(whole, { aliasDuplicateObjects: false });
}

test('too many operations with a role are refused in one line before any of them is compiled', () => {
  const many = multiplied(150);
  const unmeant = load(many.replaceAll('x-role', 'x-other'));
  expect(unmeant.refusal).toContain('no GET or POST here has x-role');
  const { refusal, mistakes, ms } = load(many);
  expect(mistakes).toHaveLength(1);
  expect(refusal).toMatch(/:\d+: the operations with a role have more than 10000 schemas together/);
  expect(ms).toBeLessThan(2 * unmeant.ms);
});

test('tuple items that are not a list are refused with their line', () => {
  const { refusal } = load(klines.replace('prefixItems:', 'prefixItems: 7\n      x-others:'));
  expect(refusal).toMatch(/^spec\.yaml:\d+: 7 stands where a list belongs/);
});

type Node = Record<string, unknown> | unknown[];

/** Lists every place of a document that can be changed. */
function listPlaces(node: unknown, found: { parent: Node; name: string }[] = []): typeof found {
  if (typeof node !== 'object' || node === null) return found;
  for (const [name, value] of Object.entries(node)) {
    found.push({ parent: node as Node, name });
    listPlaces(value, found);
  }
  return found;
}

const odd: readonly unknown[] = [
  ...[null, 7, -1.5, true, '', 'x', '(', '__proto__', [], {}, [null], [[]], { type: 7 }, { get: null }],
  ...[
    { $ref: 7 },
    { $ref: '#/nothing' },
    { $ref: '#/info/title' },
    { $ref: '#/components' },
    { $ref: '#/paths' },
  ],
  ...[
    { enum: {} },
    { pattern: '(?=a)' },
    { properties: [] },
    { items: 7 },
    { allOf: {} },
    { 'x-role': 'open' },
  ],
];

const change = fc.record({
  at: fc.nat(1000),
  other: fc.nat(1000),
  kind: fc.constantFrom('replace', 'delete', 'swap', 'nest'),
  by: fc.oneof(fc.constantFrom(...odd), fc.jsonValue({ maxDepth: 2 })),
});

function changed(
  text: string,
  changes: readonly (typeof change extends fc.Arbitrary<infer T> ? T : never)[],
): string {
  const document: unknown = parse(text);
  for (const { at, other, kind, by } of changes) {
    const places = listPlaces(document);
    if (places.length === 0) break;
    const { parent, name } = places[at % places.length] ?? { parent: [], name: '0' };
    const from = places[other % places.length] ?? { parent: [], name: '0' };
    const members = parent as Record<string, unknown>;
    if (kind === 'delete') delete members[name];
    else if (kind === 'replace') members[name] = by;
    else if (kind === 'nest') members[name] = { [from.name]: members[name] };
    else members[name] = structuredClone((from.parent as Record<string, unknown>)[from.name]);
  }
  return stringify(document, { aliasDuplicateObjects: false });
}

const documents = ['openapi.yaml', 'gallery/binance/openapi.yaml', 'gallery/geckoterminal/openapi.yaml'].map(
  (file) => readFileSync(file, 'utf8'),
);

/** Words of errors that are not meant for readers. */
const unexpected =
  /Cannot (read|set|convert)|is not a function|not iterable|\bundefined\b|call stack|circular|\[object|TypeError/;

for (const keyword of [
  'dependentSchemas: { id: }',
  'dependentRequired: { id: }',
  'patternProperties: { id: }',
  'allOf: [null]',
])
  test(`null in ${keyword} of a schema is named as what a keyword cannot have`, () => {
    const { refusal } = load(replaced(klines, symbol, `${symbol}, ${keyword}`));
    expect(refusal).toMatch(
      /^spec\.yaml:\d+: this schema cannot be compiled: a keyword of it has a value that it cannot have/,
    );
  });

test('no mutation of a document causes an unexpected error', () => {
  test.setTimeout(300_000);
  const numRuns = process.env.CANDLEPROOF_THOROUGH ? 2000 : 50;
  const mutation = fc.tuple(
    fc.constantFrom(...documents.keys()),
    fc.array(change, { minLength: 1, maxLength: 3 }),
  );
  fc.assert(
    fc.property(mutation, ([at, changes]) => {
      const { spec, refusal } = load(changed(documents[at] ?? '', changes));
      expect(refusal ?? '').not.toMatch(unexpected);
      if (refusal !== undefined) expect(refusal).toMatch(/^spec\.yaml(:\d+)?: \S/);
      for (const operation of spec?.operations ?? []) {
        for (const value of [null, [], {}, 'x', [[1]]]) {
          operation.acceptsShape(value);
          operation.acceptsRecord(value);
        }
        const url = `https://a.example${buildPath(operation, { pool: '7', interval: 'x', from: 0, to: 1, limit: 1 })}`;
        if (spec)
          recognizeRequest(spec, 'https://a.example', {
            method: 'GET',
            url,
            headers: [],
            credential: 'none',
          });
      }
    }),
    { numRuns },
  );
});
