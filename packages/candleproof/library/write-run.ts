import { join } from 'node:path';
import { toHar } from '@candleproof/client/har/har';
import { version } from '@candleproof/files/package-files';
import { writeNamedFiles } from '@candleproof/files/write-files';
import type { Run } from '@candleproof/law/judge/verdict';
import type { Recording } from '@candleproof/law/reading/exchange';
import { type ReportedRun, renderFiles } from '@candleproof/reports/formats/formats';

/**
 * Writes all files of a run into its folder, by default one below reports/out, and returns the folder. `place` is the
 * target's place in the config. Throws a UsageError if the folder cannot be written.
 */
export function writeReports(
  { run, recording }: { readonly run: Run; readonly recording: Recording },
  out: string | undefined,
  place?: ReportedRun['place'],
): string {
  const folder = resultFolder(out, run.target.name);
  const files = {
    'run.json': `${JSON.stringify(run, null, 2)}\n`,
    ...renderFiles({ run, exchanges: recording.exchanges, place }),
    'exchanges.har': toHar(recording, version),
  };
  writeNamedFiles('--out', folder, files);
  return folder;
}

/** Returns the folder that a run's result is written into: the given one, or one below reports/out by the run's name. */
export function resultFolder(out: string | undefined, name: string): string {
  return out ?? join('reports', 'out', toFolderName(name));
}

/** Returns a target's name as a folder name: a host name may hold characters that no file system accepts. */
function toFolderName(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^\.+/, '') || 'target';
}
