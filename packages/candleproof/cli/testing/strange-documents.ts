import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';

/** Writes a document of candles that needs no key, with this server; its requests are POSTs if `isPosted`. */
export function writeStrangeDocument(file: string, server: string, isPosted = false): string {
  const document = parse(readFileSync('gallery/binance/openapi.yaml', 'utf8'));
  const path = '/api/v3/klines';
  const { get } = document.paths[path];
  if (isPosted) document.paths = { [path]: { post: moveIntoBody(get) } };
  writeFileSync(file, JSON.stringify({ ...document, servers: [{ url: server }] }));
  return file;
}

type Parameter = {
  readonly name: string;
  readonly required?: boolean;
  readonly schema: object;
  readonly 'x-role'?: string;
  readonly 'x-unit'?: string;
};

function moveIntoBody({ parameters, ...operation }: { readonly parameters: readonly Parameter[] }): object {
  const members = parameters.map(({ name, schema, 'x-role': role, 'x-unit': unit }) => [
    name,
    { ...schema, ...(role && { 'x-role': role }), ...(unit && { 'x-unit': unit }) },
  ]);
  const schema = {
    type: 'object',
    required: ['kind', ...parameters.flatMap(({ name, required }) => (required ? [name] : []))],
    properties: { kind: { const: 'DROP TABLE' }, ...Object.fromEntries(members) },
  };
  return { ...operation, requestBody: { content: { 'application/json': { schema } } } };
}
