import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const specFile = fileURLToPath(new URL('../openapi.yaml', import.meta.url));

export const version: string = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).version;
