import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadSpec, type Spec } from '../contract/spec.ts';
import { UnwritableFile } from '../files/unwritable-file.ts';
import { writeFiles } from '../files/write-files.ts';
import { cacheFolder } from './cache-folder.ts';
import { UsageError } from './usage-error.ts';
import { specFile } from './version.ts';

/** The spec, refused where it is unsound; a content that was found sound once is not linted again. */
export async function loadAcceptedSpec(file: string): Promise<Spec> {
  const spec = loadSpec(file);
  const folder = join(cacheFolder(), 'sound-specs');
  const mark = join(folder, spec.sha256);
  if (existsSync(mark)) return spec;
  const lintSpec = await linter();
  if (lintSpec === undefined) {
    // Ours was linted before it was published.
    if (file === specFile) return spec;
    throw new UsageError(
      `${file}: reading another document takes two linters that are not installed: npm install --save-dev ${linters.join(' ')}`,
    );
  }
  await lintSpec(file);
  remember(folder, spec.sha256);
  return spec;
}

/** Where no cache can be kept, as with a HOME that is not writable, the next command lints again. */
function remember(folder: string, mark: string): void {
  try {
    writeFiles(folder, { [mark]: '' });
  } catch (error) {
    if (!(error instanceof UnwritableFile)) throw error;
  }
}

/** Optional peers of the package. */
const linters = ['@redocly/openapi-core', '@seriousme/openapi-schema-validator'];

/** Undefined where one of the linters is not installed. */
async function linter(): Promise<((file: string) => Promise<void>) | undefined> {
  try {
    return (await import('../contract/spec-lint.ts')).lintSpec;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' && linters.some((each) => message.includes(each));
    if (isMissing) return undefined;
    throw error;
  }
}
