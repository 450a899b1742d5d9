import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { mayBeKey } from './read-file.ts';
import { UsageError } from './usage-error.ts';

/** The package's manifest, found by its name both from the sources and from the build, also where a loader makes CommonJS of it. */
const manifest = createRequire(import.meta.url).resolve('candleproof/package.json');

/** A clone has documents, gallery and guides at its top, two folders above the package that publishes them. */
const root = join(dirname(manifest), import.meta.url.endsWith('.ts') ? '../..' : '.');

/** The API's OpenAPI document. */
export const specFile = join(root, 'openapi.yaml');

/** The version in the package's package.json. */
export const version: string = JSON.parse(readFileSync(manifest, 'utf8')).version;

const gallery = join(root, 'gallery');

/** Returns whether a file was published with the package. */
export function isPublished(file: string): boolean {
  return file === specFile || resolve(file).startsWith(join(gallery, '/'));
}

/** Returns whether a text names a document of the gallery and not a file in `folder`. */
export function isGalleryName(text: string, folder = ''): boolean {
  return !isFile(resolve(folder, text)) && listGallery().includes(text);
}

/**
 * Returns the file of a document, given by its name in the gallery or by its path relative to `folder`.
 * @throws UsageError for a text that is neither
 */
export function findDocument(text: string, folder = ''): string {
  if (isGalleryName(text, folder)) return join(gallery, text, 'openapi.yaml');
  const file = folder === '' ? text : resolve(folder, text);
  if (/[./\\]/.test(text) || mayBeKey(text) || isFile(file)) return file;
  throw new UsageError(
    `--spec: "${text}" is neither a file nor in the gallery: name a file, or one of ${listGallery().join(', ')}`,
  );
}

/** Lists the names of the gallery's documents. */
export function listGallery(): string[] {
  return readdirSync(gallery, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
