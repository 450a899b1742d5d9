import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { identifyFile } from '@candleproof/files/named-file';
import { parseDocument, visit } from 'yaml';

/** Lists what a config may name as files, relative to its folder; a config that cannot be read is refused by its reader. */
export function listConfigured(config: string): string[] {
  if (identifyFile(config) === undefined) return [];
  const files: string[] = [];
  visit(parseDocument(readFileSync(config, 'utf8')), {
    Scalar: (_, { value }) => {
      if (typeof value === 'string') files.push(resolve(dirname(config), value));
    },
  });
  return files;
}
