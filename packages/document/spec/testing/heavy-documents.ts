import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A document, or a config, that would take memory or time without a bound; `write` returns the arguments of a check. */
export type HeavyDocument = { readonly name: string; write(folder: string): string[] };

const head = "openapi: 3.1.0\ninfo: { title: T, version: '1' }\n";

const nowhere = ['--base-url', 'https://127.0.0.1:1', '--keyless'];

/** Writes files into a folder, and returns the paths. */
function writeAll(folder: string, files: Readonly<Record<string, string>>): string[] {
  mkdirSync(folder, { recursive: true });
  return Object.entries(files).map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  });
}

/** A document alone, or with parts beside it. */
function alone(name: string, text: () => string, parts: () => Readonly<Record<string, string>> = () => ({})) {
  return {
    name,
    write: (folder: string) => {
      const [file = ''] = writeAll(folder, { 'api.yaml': text(), ...parts() });
      return [...nowhere, '--spec', file];
    },
  };
}

/** An overlay of so many actions on a document. */
function overlaid(name: string, action: string, count: number, text: string) {
  return {
    name,
    write: (folder: string) => {
      const actions = `  - ${action}\n`.repeat(count);
      const overlay = `overlay: 1.1.0\ninfo: { title: O, version: '1' }\nactions:\n${actions}`;
      const [file = '', over = ''] = writeAll(folder, { 'api.yaml': text, 'overlay.yaml': overlay });
      return [...nowhere, '--spec', file, '--overlay', over];
    },
  };
}

/** A list of so many numbers. */
function numbers(count: number): string {
  return `[${'1,'.repeat(count - 1)}1]`;
}

/** A config with something more at its end. */
function config(name: string, more: string): HeavyDocument {
  return {
    name: `a config with ${name}`,
    write: (folder) => {
      const target = "{ baseUrl: 'https://127.0.0.1:1', keyless: true, pools: { v1: [1], v2: [1] } }";
      const text = `version: 1\ntargets:\n  here: ${target}\n${more}`;
      return ['here', '--config', ...writeAll(folder, { 'candleproof.yaml': text })];
    },
  };
}

const text15 = 'x'.repeat(15_000_000);

/** Each with what it multiplies. */
export const heavyDocuments: readonly HeavyDocument[] = [
  overlaid(
    'an expression of repeated unions',
    `target: "$${'[*,*]'.repeat(40)}"\n    remove: true`,
    1,
    `${head}paths: {}\nx-a: ${'['.repeat(60)}${']'.repeat(60)}\n`,
  ),
  overlaid(
    '2,500 copies of a large part',
    `target: '$.info'\n    copy: "$['x-b']"`,
    2500,
    `${head}paths: {}\nx-b: { x-c: ${numbers(40_000)} }\n`,
  ),
  overlaid(
    '15,000 searches',
    "target: '$..title'\n    update: T",
    15_000,
    `${head}paths: {}\nx-a: ${numbers(50_000)}\n`,
  ),
  alone(
    '20,000 references to one text of 15 MB',
    () =>
      `${head}paths:\n${Array.from({ length: 20_000 }, (_, at) => `  /${at}: { $ref: 'part.yaml#/a' }\n`).join('')}`,
    () => ({ 'part.yaml': `a: { get: { description: ${text15}, responses: {} } }\n` }),
  ),
  alone(
    '99 parts of 15 MB',
    () =>
      `${head}paths:\n${Array.from({ length: 99 }, (_, at) => `  /${at}: { $ref: '${at}.yaml' }\n`).join('')}`,
    () =>
      Object.fromEntries(
        Array.from({ length: 99 }, (_, at) => [
          `${at}.yaml`,
          `get: { description: ${text15}, responses: {} }\n`,
        ]),
      ),
  ),
  alone(
    '20,000 references to one path of 1 MB',
    () =>
      `${head}paths:\n${Array.from({ length: 20_000 }, (_, at) => `  /${at}: { $ref: 'part.yaml#/a' }\n`).join('')}`,
    () => ({ 'part.yaml': `a: { get: { description: ${text15.slice(0, 1e6)}, responses: {} } }\n` }),
  ),
  alone('errors without end', () => `${head}x-a: ${'"" '.repeat(2_000_000)}\n`),
  alone('anchors without end', () => `${head}x-a: ${'&a '.repeat(1_300_000)}1\n`),
  alone(
    'a chain of 9,000 references',
    () =>
      `${head}paths: {}\ncomponents:\n  schemas:\n${Array.from({ length: 9000 }, (_, at) => `    S${at}: { items: { $ref: '#/components/schemas/S${at + 1}' } }\n`).join('')}    S9000: {}\n`,
  ),
  config('a hundred thousand levels', `x: ${'['.repeat(100_000)}\n`),
  config('levels without brackets', `x:\n ${'- '.repeat(100_000)}\n`),
  config(
    'aliases of aliases',
    `x: &a0 [1, 1]\n${Array.from({ length: 40 }, (_, at) => `x${at}: &a${at + 1} [*a${at}, *a${at}]\n`).join('')}`,
  ),
  config('two megabytes', `# ${'x'.repeat(2_000_000)}\n`),
];
