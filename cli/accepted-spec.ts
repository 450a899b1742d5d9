import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadSpec, type Spec } from '../contract/spec.ts';
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
  writeFiles(folder, { [spec.sha256]: '' });
  return spec;
}
