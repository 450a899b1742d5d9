import { join } from 'node:path';
import type { Run } from '../../contract/judge/verdict.ts';
import type { Recording } from '../../contract/reading/exchange.ts';
import { version } from '../../files/package-files.ts';
import { writeNamedFiles } from '../../files/write-files.ts';
import { toHar } from '../../http/har/har.ts';
import { type FilePlace, renderCodeQuality } from '../formats/annotations.ts';
import { renderHtml } from '../formats/html.ts';
import { renderJunit } from '../formats/junit.ts';
import { renderSarif } from '../formats/sarif.ts';
import { renderSummary } from '../formats/summary.ts';

/**
 * Writes all files of a run into its folder, by default one below reports/out, and returns the folder. `place` is the
 * target's place in the config. Throws a UsageError if the folder cannot be written.
 */
export function writeReports(
  { run, recording }: { readonly run: Run; readonly recording: Recording },
  out: string | undefined,
  place?: FilePlace,
): string {
  const folder = out ?? join('reports', 'out', toFolderName(run.target.name));
  const files = {
    'run.json': `${JSON.stringify(run, null, 2)}\n`,
    'index.html': renderHtml(run, recording.exchanges),
    'junit.xml': renderJunit(run),
    'results.sarif': renderSarif(run, place),
    'codequality.json': renderCodeQuality(run, place),
    'summary.md': renderSummary(run),
    'exchanges.har': toHar(recording, version),
  };
  writeNamedFiles('--out', folder, files);
  return folder;
}

/** Returns a target's name as a folder name: a host name may hold characters that no file system accepts. */
export function toFolderName(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^\.+/, '') || 'target';
}
