import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Names of a config, in the order of the search. */
const configFiles = ['candleproof.yaml', 'candleproof.yml'] as const;

export const [defaultConfigFile] = configFiles;

/** Returns the config of the working folder or of its parents, up to the repository's root; undefined for none. */
export function findConfigFile(): string | undefined {
  const [folder = '', ...parents] = listFolders(process.cwd());
  const root = parents.findIndex((parent) => existsSync(join(parent, '.git')));
  const isRoot = existsSync(join(folder, '.git'));
  const searched = [folder, ...(isRoot ? [] : parents.slice(0, root + 1))];
  const found = searched
    .flatMap((folder) => configFiles.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
  return found === undefined ? undefined : relative(process.cwd(), found);
}

/** Lists a folder and all above it. */
function listFolders(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...listFolders(parent)];
}
