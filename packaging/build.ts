import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, copyAsset } from './bundle.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

process.exitCode = await build();

/** Builds `dist/`, the code of the published package. Development runs the sources directly. */
async function build(): Promise<number> {
  rmSync(dist, { recursive: true, force: true });
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], {
    stdio: 'inherit',
  });
  if (status !== 0) return status ?? 2;
  await bundle(dist);
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const exported = Object.values<string | { types: string }>(exports);
  for (const target of exported) {
    if (typeof target === 'string' && target.startsWith('./dist/'))
      copyAsset(target.slice('./dist/'.length), dist);
  }
  dropPrivateDeclarations(
    exported.flatMap((target) => (typeof target === 'string' ? [] : [resolve(root, target.types)])),
  );
  return 0;
}

/** Deletes declarations that no export of the package refers to. */
function dropPrivateDeclarations(entries: readonly string[]): void {
  const reached = new Set(entries);
  for (const file of reached) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
      /(?:from |import\()['"](\.[^'"]+)['"]/g,
    )) {
      reached.add(resolve(dirname(file), name.replace(/\.ts$/, '.d.ts')));
    }
  }
  for (const file of globSync('**/*.d.ts', { cwd: dist }).map((name) => join(dist, name))) {
    if (!reached.has(file)) rmSync(file);
  }
}
