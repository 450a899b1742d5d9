import { writeNamedFiles } from '@candleproof/files/write-files';
import type { RehearsalOutcome } from '../rehearse.ts';
import { rehearsalPage } from './rehearsal-page.ts';
import { renderRehearsalJunit } from './rehearsal-text.ts';

/** Writes all files of a rehearsal into its folder; the client's output among them is for its owner, and has no key. */
export function writeRehearsal({ rehearsal, printed }: RehearsalOutcome, folder: string): void {
  const files: Record<string, string> = {
    'rehearsal.json': `${JSON.stringify(rehearsal, null, 2)}\n`,
    'index.html': rehearsalPage(rehearsal),
    'junit.xml': renderRehearsalJunit(rehearsal),
  };
  for (const { id, files: names } of rehearsal.scenarios) {
    if (!names) continue;
    files[names.stdout] = printed.get(id)?.stdout ?? '';
    files[names.stderr] = printed.get(id)?.stderr ?? '';
  }
  writeNamedFiles('--out', folder, files);
}
