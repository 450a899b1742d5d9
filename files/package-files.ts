import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The package's OpenAPI document, found by the package's name: from the sources and from the build alike. */
export const specFile = fileURLToPath(import.meta.resolve('candleproof/openapi.yaml'));

/** The version of the package, as its package.json has it. */
export const version: string = JSON.parse(
  readFileSync(fileURLToPath(import.meta.resolve('candleproof/package.json')), 'utf8'),
).version;
