import { readFileSync } from 'node:fs';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import { escapePointer } from '@candleproof/document/spec/place';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { expect, test } from '@playwright/test';
import type { OpenAPIV3_1 } from 'openapi-types';
import { findPlaces, renderRules } from './document.ts';

const { document } = loadSpec('openapi.yaml');
const places = findPlaces(document);
const entries = [...catalogue.rules, ...catalogue.questions];
const pointers = entries.flatMap(({ restsOn = [] }) => restsOn.flatMap((ground) => places.get(ground) ?? []));

test('docs/rules.md is what the catalogue makes of it', () => {
  const written = readFileSync('docs/rules.md', 'utf8');
  expect(written, 'run: npx candleproof rules --markdown docs/rules.md --force').toBe(
    renderRules(catalogue, document),
  );
});

test('all that rules rest on stands in openapi.yaml', () => {
  expect(pointers.length).toBeGreaterThan(50);
  expect(entries.flatMap(({ restsOn = [] }) => restsOn).filter((ground) => !places.has(ground))).toEqual([]);
  expect(pointers.filter((pointer) => resolve(pointer) === undefined)).toEqual([]);
});

test('some rule rests on every operation, parameter, header and field of openapi.yaml', () => {
  const isRestedOn = (part: string): boolean =>
    pointers.some((pointer) => `${part}/`.startsWith(`${pointer}/`) || pointer.startsWith(`${part}/`));
  expect(listParts(document).filter((part) => !isRestedOn(part))).toEqual([]);
});

test('every rule rests on openapi.yaml or says exactly what it means', () => {
  const bare = catalogue.rules.filter(({ restsOn, exactly }) => !restsOn && exactly === undefined);
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

/** Lists the parts of the document that a client can meet, as pointers. */
function listParts({ paths = {}, components = {} }: OpenAPIV3_1.Document): string[] {
  const operations = Object.keys(paths).map((path) => `/paths/${escapePointer(path)}/get`);
  const members = Object.entries(paths).flatMap(([path, item]) =>
    (item?.get?.parameters ?? []).flatMap((parameter, at) =>
      '$ref' in parameter ? [] : [`/paths/${escapePointer(path)}/get/parameters/${at}`],
    ),
  );
  const shared = (['parameters', 'headers', 'securitySchemes'] as const).flatMap((kind) =>
    Object.keys(components[kind] ?? {}).map((name) => `/components/${kind}/${name}`),
  );
  const fields = Object.entries(components.schemas ?? {}).flatMap(([name, { properties = {} }]) =>
    Object.keys(properties).map((field) => `/components/schemas/${name}/properties/${field}`),
  );
  return [...operations, ...members, ...shared, ...fields];
}
