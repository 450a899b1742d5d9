import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Watch } from '../../monitors/slots/watch.ts';
import { writeReports } from '../../reports/files/write-run.ts';

/** Keeps the files of each deep probe's run below a data folder, for so many ms. */
export function deepRunsIn(dataDir: string, keepMs: number): NonNullable<Watch['keepRun']> {
  const folder = join(dataDir, 'runs');
  return (probe, slot, outcome) => {
    forgetBefore(folder, stamp(slot - keepMs));
    return writeReports(outcome, join(folder, `${probe.target}-${probe.name}-${stamp(slot)}`));
  };
}

/** An instant as a folder's name can hold it; later ones come later in the alphabet too. */
function stamp(at: number): string {
  return new Date(at).toISOString().replaceAll(/[:.]/g, '-');
}

/** Only folders that end in an instant are ours to remove. */
function forgetBefore(folder: string, first: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const [, written] = /-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z)$/.exec(name) ?? [];
    if (written !== undefined && written < first) rmSync(join(folder, name), { recursive: true });
  }
}
