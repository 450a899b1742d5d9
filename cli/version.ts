import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// By the package's own name: the same file from the sources and from what is built of them.
export const specFile = fileURLToPath(import.meta.resolve('candleproof/openapi.yaml'));

export const version: string = JSON.parse(
  readFileSync(fileURLToPath(import.meta.resolve('candleproof/package.json')), 'utf8'),
).version;
