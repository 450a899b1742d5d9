import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { manifest, publishedManifest, repository, root } from './manifest.ts';
import { thinMappings } from './thin-map.ts';

/** Modules that users start or import, and that the command starts as processes or threads. */
const entries = [
  'packages/candleproof/cli/main',
  'monitors/page/served/pages-thread',
  'packages/proxy/keeping/booking-thread',
  'packages/proxy/judging/judge-thread',
  'load/running/embedded-engine',
  'packages/candleproof/library/candleproof',
  'packages/candleproof/library/observe',
  'packages/candleproof/library/playwright',
  'packages/candleproof/library/rehearse',
  'packages/reference-service/start',
];

const { dependencies, peerDependencies } = publishedManifest();
const others = Object.keys({ ...dependencies, ...peerDependencies });
const external = [manifest.name, ...others, 'k6', 'rolldown'].map((name) => new RegExp(`^${name}(/|$)`));

/**
 * Bundles our code into a few files in `dist`, so that it starts faster; packages stay outside. Returns the bundled
 * sources, relative to the clone.
 */
export async function bundle(dist: string): Promise<string[]> {
  // k6 shares nothing with a process of Node.
  const sources = [...(await write(dist, entries)), ...(await write(dist, ['load/script']))];
  return [...new Set(sources)].toSorted();
}

async function write(dist: string, names: readonly string[]): Promise<string[]> {
  const built = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, join(root, `${name}.ts`)])),
    platform: 'node',
    external,
    plugins: [listPlaces(dist)],
  });
  const { output } = await built.write({
    dir: dist,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Stack traces need only the names of the sources.
    sourcemap: true,
    sourcemapExcludeSources: true,
    // Names stay, for stack traces; comments and white space are two megabytes that no one reads.
    comments: false,
    minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } },
  });
  await built.close();
  for (const chunk of output.filter(({ fileName }) => fileName.endsWith('.map'))) {
    const file = join(dist, chunk.fileName);
    const map = JSON.parse(readFileSync(file, 'utf8'));
    // A source is named by its place in the clone, never by where the build ran.
    const sources = map.sources.map((source: string) =>
      relative(dirname(join(root, 'dist', chunk.fileName)), resolve(dirname(file), source)).replaceAll(
        sep,
        '/',
      ),
    );
    writeFileSync(file, JSON.stringify({ ...map, sources, names: [], mappings: thinMappings(map.mappings) }));
  }
  return output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds.map(packagePlace) : []));
}

/** Loaders that make CommonJS of the package know its `import.meta.url`, but no `import.meta.resolve`. On the first line, so that maps hold. */
const packageImports =
  "import { createRequire as packageRequire } from 'node:module'; import { pathToFileURL as packageUrl } from 'node:url'; ";

/** Makes URLs relative to `import.meta.url` work in bundled files, and copies the assets that they refer to. */
function listPlaces(dist: string): Plugin {
  return {
    name: 'places',
    transform(code, id) {
      if (!code.includes('import.meta.url')) return null;
      for (const [, name = ''] of code.matchAll(/new URL\('(\.[^']+\.\w+)', import\.meta\.url\)/g)) {
        copyAsset(packagePlace(resolve(dirname(id), name)), dist);
      }
      const place = `dist/${packagePlace(id).replace(/\.ts$/, '.js')}`;
      const manifestFile = `packageRequire(import.meta.url).resolve('${manifest.name}/package.json')`;
      const url = `new URL('${place}', packageUrl(${manifestFile})).href`;
      return { code: packageImports + code.replaceAll('import.meta.url', url), map: null };
    },
  };
}

/** Copies a file of the clone to the same place in `dist`; a schema gets the address of its source as its `$id`. */
export function copyAsset(place: string, dist: string): void {
  const copy = join(dist, place);
  mkdirSync(dirname(copy), { recursive: true });
  copyFileSync(join(root, place), copy);
  if (!place.endsWith('.schema.json')) return;
  const address = `${repository}/raw/main/${place}`;
  writeFileSync(copy, readFileSync(copy, 'utf8').replace(/"\$id": "[^"]*"/, `"$id": "${address}"`));
}

function packagePlace(file: string): string {
  return relative(root, file).replaceAll(sep, '/');
}
