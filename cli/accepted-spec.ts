import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadSpec, type Spec } from '../contract/spec.ts';
import { UnwritableFile } from '../files/unwritable-file.ts';
import { writeFiles } from '../files/write-files.ts';
import { cacheFolder } from './cache-folder.ts';

/** The spec, refused where it is unsound; a content that was found sound once is not linted again. */
export async function loadAcceptedSpec(file: string): Promise<Spec> {
  const spec = loadSpec(file);
  const folder = join(cacheFolder(), 'sound-specs');
  const mark = join(folder, spec.sha256);
  if (existsSync(mark)) return spec;
  const { lintSpec } = await import('../contract/spec-lint.ts');
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
