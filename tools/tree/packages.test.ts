import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import ts from 'typescript';

type Versions = Readonly<Record<string, string>>;

type Package = {
  readonly folder: string;
  readonly name: string;
  readonly exports: Versions;
  readonly needs: Versions;
  readonly testNeeds: Versions;
};

type Import = {
  readonly file: string;
  readonly folder: string;
  readonly to: string;
  readonly isTest: boolean;
};

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
const packages = tracked.filter((file) => /^[^.]+\/package\.json$/.test(file)).map(readPackage);
const imports = tracked.filter((file) => /\.(ts|js|mjs)$/.test(file)).flatMap(listImports);

test('no relative import leaves a package', () => {
  const leaving = imports.filter(
    ({ file, folder, to }) => to.startsWith('.') && findFolder(join(dirname(file), to)) !== folder,
  );
  expect(leaving.map(({ file, to }) => `${file}: ${to}`)).toEqual([]);
});

test('every door of a package is used by another one', () => {
  const unused = packages.flatMap(({ folder, name, exports }) =>
    Object.keys(exports)
      .map((door) => `${name}${door.slice(1)}`)
      .filter((door) => !imports.some(({ to, folder: from }) => to === door && from !== folder)),
  );
  // Found by its name at run time.
  expect(unused).toEqual(['candleproof/package.json']);
});

test('every package names just the packages that it imports', () => {
  for (const { folder, name, needs, testNeeds } of packages) {
    const own = imports.filter((one) => one.folder === folder && !one.to.startsWith('.'));
    const named = (some: readonly Import[]): string[] =>
      [...new Set(some.map(({ to }) => packageName(to)))].filter(
        (other) => other !== name && !isBuiltin(other),
      );
    const all = { ...needs, ...testNeeds };
    const [needed, tested] = [false, true].map((isTest) => named(own.filter((one) => one.isTest === isTest)));
    const missing = [
      ...(needed ?? []).filter((other) => !(other in needs) && !provided.includes(other)),
      ...(tested ?? []).filter((other) => !(other in all)),
    ];
    const used = [...(needed ?? []), ...(tested ?? []), ...loadedOtherwise];
    const unused = Object.keys(all).filter((other) => !used.includes(other));
    expect.soft({ missing, unused }, folder).toEqual({ missing: [], unused: [] });
  }
});

test('every package names the same version of another one', () => {
  const versions = Map.groupBy(
    packages.flatMap(({ needs, testNeeds }) => Object.entries({ ...needs, ...testNeeds })),
    ([other]) => other,
  );
  const torn = [...versions].filter(([, named]) => new Set(named.map(([, version]) => version)).size > 1);
  expect(torn).toEqual([]);
});

/** k6 brings its own modules; a bundler is there in a clone alone, which builds the script for k6. */
const provided = ['k6', 'rolldown'];

/** Packages of types alone, those of pages and programs, and those that a file names at run time. */
const loadedOtherwise = [
  '@types/autocannon',
  '@types/k6',
  '@types/node',
  '@types/pg',
  '@sparticuz/chromium',
  '@microsoft/jest-sarif',
  'axe-core',
];

function readPackage(file: string): Package {
  const read = JSON.parse(readFileSync(file, 'utf8'));
  const { name, exports = {}, dependencies = {}, peerDependencies = {}, devDependencies = {} } = read;
  // A peer is installed for the tests at a version of ours.
  const peers = Object.keys(peerDependencies).map((peer) => [peer, devDependencies[peer]]);
  const needs = { ...dependencies, ...Object.fromEntries(peers) };
  return { folder: dirname(file), name, exports, needs, testNeeds: devDependencies };
}

function listImports(file: string): Import[] {
  const isTest = /\.(test|spec|setup|packed|breaches)\.ts$|(^|\/)(testing|worlds)\/|^(tests|tools)\//.test(
    file,
  );
  return ts
    .preProcessFile(readFileSync(file, 'utf8'), true, true)
    .importedFiles.map(({ fileName }) => ({ file, folder: findFolder(file), to: fileName, isTest }));
}

/** Returns the folder of the package that holds a file, `.` for the clone's own. */
function findFolder(file: string): string {
  return packages.find(({ folder }) => file.startsWith(`${folder}/`))?.folder ?? '.';
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
