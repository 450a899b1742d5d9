import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import type { DocumentFiles, Spec } from '@candleproof/document/spec/spec';
import { isPublished, specFile } from '@candleproof/files/package-files';
import { readNamedFile } from '@candleproof/files/read-file';
import { UnwritableFile } from '@candleproof/files/usage-error';
import { cacheFolder } from '@candleproof/files/user-folders';
import { writeFiles } from '@candleproof/files/write-files';

/** The largest documents of public APIs; ours has 12 kB. */
const mostBytes = 16 << 20;

const read = new Map<string, Spec>();

const ours: DocumentFiles = { file: specFile };

/** Returns a document, compiled once; ours if none is given. Throws a SpecError. */
export function readSpec({ file, overlays = [] }: DocumentFiles = ours): Spec {
  // Read twice, for the words in which a file that cannot be read is refused.
  if (!isPublished(file)) readNamedFile(file, '--spec', mostBytes);
  for (const overlay of overlays) readNamedFile(overlay, '--overlay', mostBytes);
  const key = JSON.stringify([file, ...overlays]);
  const known = read.get(key) ?? loadSpec(file, overlays);
  read.set(key, known);
  return known;
}

/**
 * Returns a compiled document. If the linters, optional peers of the package, are installed, they have to accept it;
 * content that was accepted once is not linted again.
 * @throws SpecError for an unsound one
 */
export async function acceptSpec(files?: DocumentFiles): Promise<Spec> {
  const spec = readSpec(files);
  if (!existsSync(join(markFolder(), spec.sha256))) await listWarnings(spec);
  return spec;
}

/** Lints a document, and returns the linters' warnings, one line each. Throws a SpecError for an unsound one. */
export async function listWarnings(spec: Spec): Promise<string[]> {
  const { notes = [] } = spec;
  const lintSpec = await importLinter();
  if (lintSpec === undefined) return [...notes];
  const warnings = await lintSpec(spec);
  remember(spec.sha256);
  return [...notes, ...warnings];
}

function markFolder(): string {
  return join(cacheFolder(), 'sound-specs');
}

/** Marks a content as accepted; without a cache, such as in a read-only HOME, the next command lints again. */
function remember(mark: string): void {
  try {
    writeFiles(markFolder(), { [mark]: '' });
  } catch (error) {
    if (!(error instanceof UnwritableFile)) throw error;
  }
}

const linters = ['@redocly/openapi-core', '@seriousme/openapi-schema-validator'];

/** Returns undefined if one of the linters is not installed. */
async function importLinter(): Promise<((files: DocumentFiles) => Promise<string[]>) | undefined> {
  try {
    return (await import('@candleproof/document/spec/spec-lint')).lintSpec;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' && linters.some((linter) => message.includes(linter));
    if (isMissing) return undefined;
    throw error;
  }
}
