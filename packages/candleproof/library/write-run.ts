import { join } from 'node:path';
import { toHar } from '@candleproof/client/har/har';
import { version } from '@candleproof/files/package-files';
import { writeNamedFiles } from '@candleproof/files/write-files';
import type { Run } from '@candleproof/law/judge/verdict';
import type { Recording } from '@candleproof/law/reading/exchange';
import { type FilePlace, renderCodeQuality } from '@candleproof/reports/formats/annotations';
import { renderCsv } from '@candleproof/reports/formats/csv';
import { renderHtml } from '@candleproof/reports/formats/html';
import { renderJunit } from '@candleproof/reports/formats/junit';
import { renderSarif } from '@candleproof/reports/formats/sarif';
import { renderSummary } from '@candleproof/reports/formats/summary';

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
    'findings.csv': renderCsv(run),
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
