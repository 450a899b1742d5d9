import { globSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The clone. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The folder of the command, relative to the clone. */
export const cli = 'packages/candleproof/cli';

const cliPackage = 'packages/candleproof/package.json';

type Versions = Readonly<Record<string, string>>;

type Manifest = {
  readonly name: string;
  readonly repository: { readonly url: string };
  readonly dependencies?: Versions;
  readonly peerDependencies?: Versions;
  readonly publishConfig: {
    readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
    /** Files of the clone that are published as they are, relative to it. */
    readonly files: readonly string[];
  };
};

type Workspace = { readonly folder: string; readonly manifest: Manifest };

/** The packages of the clone, by their names. */
export const workspaces: ReadonlyMap<string, Workspace> = new Map(listWorkspaces());

/** The package that is published, as it stands in the clone. */
export const manifest: Manifest = read(cliPackage);

/** The address of the repository; a fork sets it in the package's package.json only. */
export const repository: string = manifest.repository.url.replace(/^git\+|\.git$/g, '');

/** Returns whether no one has set the repository's address yet. */
export const isPlaceholder = repository.includes('your-organisation');

/**
 * Returns the package.json that is published. Our packages are bundled, and what they need of others is needed by the
 * package that holds them.
 */
export function publishedManifest() {
  const { private: _, scripts: __, devDependencies: ___, publishConfig, ...kept } = read(cliPackage);
  const dependencies = collect('dependencies');
  const peerDependencies = Object.fromEntries(
    Object.entries(collect('peerDependencies')).filter(([name]) => !(name in dependencies)),
  );
  const peerDependenciesMeta = Object.fromEntries(
    Object.keys(peerDependencies).map((name) => [name, { optional: true }]),
  );
  return { ...kept, exports: publishConfig.exports, dependencies, peerDependencies, peerDependenciesMeta };
}

/** Returns what the published package and all packages of ours below it need of others, sorted by name. */
function collect(kind: 'dependencies' | 'peerDependencies'): Versions {
  const reached = new Set([manifest.name]);
  const found = new Map<string, string>();
  for (const name of reached) {
    const needed = workspaces.get(name)?.manifest;
    for (const ours of Object.keys(needed?.dependencies ?? {})) if (workspaces.has(ours)) reached.add(ours);
    for (const [other, version] of Object.entries(needed?.[kind] ?? {}))
      if (!workspaces.has(other)) found.set(other, version);
  }
  return Object.fromEntries([...found].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function listWorkspaces(): [name: string, workspace: Workspace][] {
  const { workspaces: patterns } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const files = patterns.flatMap((pattern: string) => globSync(`${pattern}/package.json`, { cwd: root }));
  return files.map((file: string) => {
    const found: Manifest = read(file);
    return [found.name, { folder: dirname(file).replaceAll(sep, '/'), manifest: found }];
  });
}

function read(file: string): Manifest & Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}
