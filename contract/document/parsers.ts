import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/** Returns the YAML parser. It loads in 20 ms, which commands that judge by the published document never spend. */
export function yamlParser(): typeof import('yaml') {
  return load('yaml');
}

/** Returns the compiler of JSON Schemas, loaded in 15 ms likewise. */
export function schemaCompiler(): typeof import('ajv/dist/2020.js')['Ajv2020'] {
  return load('ajv/dist/2020.js').Ajv2020;
}
