import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { OpenAPIV3_1 } from 'openapi-types';
import { loadSpec } from '../../contract/document/load-spec.ts';
import { escapePointer } from '../../contract/document/place.ts';
import { type Catalogue, catalogue } from '../../contract/law/catalogue.ts';
import type { Rule } from '../../contract/law/rule.ts';
import { pointersIn, readDocument, updateDocument } from './document.ts';

const text = readFileSync('docs/rules.md', 'utf8');
const { document } = loadSpec('openapi.yaml');
const pointers = [...readDocument(text).entries.values()].flatMap(pointersIn);

test('docs/rules.md and the catalogue hold the same entries and facts', () => {
  expect(text, 'run: npx candleproof rules --markdown docs/rules.md').toBe(updateDocument(text, catalogue));
});

test('every pointer of docs/rules.md leads somewhere in openapi.yaml', () => {
  expect(pointers.length).toBeGreaterThan(50);
  expect(pointers.filter((each) => resolve(each) === undefined)).toEqual([]);
});

test('some rule rests on every operation, parameter, header and field of openapi.yaml', () => {
  const isRestedOn = (part: string): boolean =>
    pointers.some((each) => `${part}/`.startsWith(`${each}/`) || each.startsWith(`${part}/`));
  expect(partsOf(document).filter((each) => !isRestedOn(each))).toEqual([]);
});

test('rules that the document states rest on openapi.yaml or say exactly what they mean', () => {
  const { entries } = readDocument(text);
  const bare = catalogue.rules.filter(({ id }) => !/^- (Rests on|Exactly): /m.test(entries.get(id) ?? ''));
  expect(bare.map(({ id }) => id)).toEqual([]);
});

function resolve(pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  const plain = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return plain.reduce<unknown>(
    (node, step) => (node as Record<string, unknown> | undefined)?.[step],
    document,
  );
}

/** What a client can meet, as pointers. */
function partsOf({ paths = {}, components = {} }: OpenAPIV3_1.Document): string[] {
  const operations = Object.keys(paths).map((path) => `/paths/${escapePointer(path)}/get`);
  const own = Object.entries(paths).flatMap(([path, item]) =>
    (item?.get?.parameters ?? []).flatMap((each, at) =>
      '$ref' in each ? [] : [`/paths/${escapePointer(path)}/get/parameters/${at}`],
    ),
  );
  const shared = (['parameters', 'headers', 'securitySchemes'] as const).flatMap((kind) =>
    Object.keys(components[kind] ?? {}).map((name) => `/components/${kind}/${name}`),
  );
  const fields = Object.entries(components.schemas ?? {}).flatMap(([name, { properties = {} }]) =>
    Object.keys(properties).map((field) => `/components/schemas/${name}/properties/${field}`),
  );
  return [...operations, ...own, ...shared, ...fields];
}

function rule(id: string, statement: string): Rule {
  const needs = [{ role: 'tokens' } as const];
  return { id, section: '4', level: 'must', statement, why: 'It matters.', needs, check: () => [] };
}

const before: Catalogue = {
  rules: [rule('tea/is-hot', 'It is hot.'), rule('tea/is-green', 'It is.')],
  questions: [],
};
const after: Catalogue = {
  rules: [rule('tea/is-hot', 'It is very hot.'), rule('cup/is-whole', 'It is.')],
  questions: [],
};

test('what was written by hand stays where its rule does', () => {
  const written = updateDocument('# Tea\n\nPreface.\n', before)
    .replace('## tea\n', '## tea\n\nOf tea.\n')
    .replace('token list\n', 'token list\n- Exactly: 70 °C.\n\nMore.\n');
  const updated = updateDocument(written, after);
  expect(updated).toContain('Preface.\n\n## tea\n\nOf tea.\n\n### tea/is-hot\n');
  expect(updated).toContain('It is very hot.\n- Why: It matters.\n');
  expect(updated).toContain('token list\n- Exactly: 70 °C.\n\nMore.\n\n## cup\n');
  expect(updated).not.toContain('is-green');
  expect(updateDocument(updated, after)).toBe(updated);
});
