import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

process.exitCode = build();

/** Makes `dist/`, the code of the published package; development runs the sources as they are. */
function build(): number {
  rmSync(dist, { recursive: true, force: true });
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], {
    stdio: 'inherit',
  });
  if (status !== 0) return status ?? 2;
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const exported = Object.values<string | { types: string }>(exports);
  copyAssets(exported.flatMap((each) => (typeof each === 'string' ? [resolve(root, each)] : [])));
  dropPrivateDeclarations(
    exported.flatMap((each) => (typeof each === 'string' ? [] : [resolve(root, each.types)])),
  );
  return 0;
}

/** What is exported, and files that code reads from beside itself, keep their place beside it. */
function copyAssets(exported: readonly string[]): void {
  for (const each of exported) copyAsset(each);
  for (const module of filesOf('**/*.js')) {
    const text = readFileSync(module, 'utf8');
    for (const [, name = ''] of text.matchAll(/new URL\('(\.[^']+\.\w+)', import\.meta\.url\)/g)) {
      copyAsset(resolve(dirname(module), name));
    }
  }
}

function copyAsset(asset: string): void {
  if (!existsSync(asset)) copyFileSync(join(root, relative(dist, asset)), asset);
}

/** Declarations that no export of the package leads to would only be weight. */
function dropPrivateDeclarations(entries: readonly string[]): void {
  const reached = new Set(entries);
  for (const file of reached) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
      /(?:from |import\()['"](\.[^'"]+)['"]/g,
    )) {
      reached.add(resolve(dirname(file), name.replace(/\.ts$/, '.d.ts')));
    }
  }
  for (const file of filesOf('**/*.d.ts')) if (!reached.has(file)) rmSync(file);
}

function filesOf(pattern: string): string[] {
  return globSync(pattern, { cwd: dist }).map((each) => join(dist, each));
}
