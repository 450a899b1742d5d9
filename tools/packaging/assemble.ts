import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, matchesGlob, relative, resolve, sep } from 'node:path';
import { bundle, copyAsset } from './bundle.ts';
import { cli, manifest, publishedManifest, root, workspaces } from './manifest.ts';

/** Files of the clone that the command needs wherever it runs. */
const needed = ['openapi.yaml', 'gallery/*/openapi.yaml'];

/** Puts the published package into a folder: built code, types, schemas and documents. Throws if the types cannot be built. */
export async function assemblePackage(folder: string): Promise<void> {
  await assembleCommand(folder, manifest.publishConfig.files);
  buildTypes(join(folder, 'dist'));
  for (const target of Object.values(manifest.publishConfig.exports)) {
    if (typeof target === 'string' && target.startsWith('./dist/'))
      copyAsset(target.slice('./dist/'.length), join(folder, 'dist'));
  }
}

/** Puts what the command needs to run into a folder, and returns the file that starts it. */
export async function assembleCommand(folder: string, copied: readonly string[] = needed): Promise<string> {
  rmSync(folder, { recursive: true, force: true });
  for (const file of listCopied(copied)) cpSync(join(root, file), join(folder, file), { recursive: true });
  for (const name of ['candleproof.js', 'runtime.js'])
    cpSync(join(root, cli, name), join(folder, 'cli', name), { recursive: true });
  await bundle(join(folder, 'dist'));
  const published = { ...publishedManifest(), files: readdirSync(folder) };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  return join(folder, 'cli', 'candleproof.js');
}

/** Lists the files of the clone that patterns name; a pattern with `!` leaves files out. */
export function listCopied(patterns: readonly string[] = manifest.publishConfig.files): string[] {
  const leftOut = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  return patterns
    .filter((pattern) => !pattern.startsWith('!'))
    .flatMap((pattern) => globSync([pattern, `${pattern}/**`], { cwd: root }))
    .map((file) => file.replaceAll(sep, '/'))
    .filter((file) => statSync(join(root, file)).isFile())
    .filter(
      (file) => !leftOut.some((pattern) => file.startsWith(`${pattern}/`) || matchesGlob(file, pattern)),
    );
}

/** Writes the declarations that the package's exports refer to. */
function buildTypes(dist: string): void {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', dist];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error('the types of the package could not be built');
  const entries = Object.values(manifest.publishConfig.exports).flatMap((target) =>
    typeof target === 'string' ? [] : [resolve(dirname(dist), target.types)],
  );
  // Since version 6 TypeScript takes no types of Node by itself.
  for (const file of entries)
    writeFileSync(file, `/// <reference types="node" />\n${readFileSync(file, 'utf8')}`);
  const reached = new Set(entries);
  for (const file of reached) for (const next of linkDeclaration(file, dist)) reached.add(next);
  for (const file of globSync('**/*.d.ts', { cwd: dist }).map((name) => join(dist, name))) {
    if (!reached.has(file)) rmSync(file);
  }
}

/** Makes a declaration's imports of other packages relative, and returns the declarations that it refers to. */
function linkDeclaration(file: string, dist: string): string[] {
  const found: string[] = [];
  const linked = readFileSync(file, 'utf8').replaceAll(
    /(from |import\()(['"])(\.[^'"]+|@candleproof\/[^'"]+)\2/g,
    (_, start: string, quote: string, name: string) => {
      const place = name.startsWith('.') ? resolve(dirname(file), name) : join(dist, findDoor(name));
      found.push(place.replace(/\.[jt]s$/, '.d.ts'));
      const to = relative(dirname(file), place).replaceAll(sep, '/').replace(/\.ts$/, '.js');
      return `${start}${quote}${to.startsWith('.') ? to : `./${to}`}${quote}`;
    },
  );
  writeFileSync(file, linked);
  return found;
}

/** Returns the source that `@candleproof/law/judge/judge` names, relative to the clone. */
function findDoor(name: string): string {
  const [scope = '', local = '', ...place] = name.split('/');
  const workspace = workspaces.get(`${scope}/${local}`);
  if (!workspace) throw new Error(`no package of this clone is called ${scope}/${local}`);
  return `${workspace.folder}/${place.join('/')}.ts`;
}
