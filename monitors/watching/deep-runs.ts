import { existsSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunOutcome } from '@candleproof/check/run/run-outcome';
import { removeLeftDrafts } from '@candleproof/files/write-files';
import type { Watch } from '../probes/watch.ts';
import type { PortRoute } from '../slots/port.ts';

/** Writes the files of a run into a folder, and returns the folder. */
export type WriteRun = (outcome: RunOutcome, folder: string) => string;

/**
 * Returns what keeps the files of each deep probe's run below a data folder, for `keepMs`. Only its one writer may have
 * it: drafts that an earlier one left are removed.
 */
export function keepDeepRuns(
  dataDir: string,
  keepMs: number,
  writeRun: WriteRun,
): NonNullable<Watch['keepRun']> {
  const folder = join(dataDir, 'runs');
  for (const { name } of listRuns(folder)) removeLeftDrafts(join(folder, name));
  return (probe, slot, outcome) => {
    forgetBefore(folder, formatStamp(slot - keepMs));
    return writeRun(outcome, join(folder, `${probe.target}-${probe.name}-${formatStamp(slot)}`));
  };
}

/** Serves the pages of the kept runs below /runs/. */
export function deepRunRoute(dataDir: string): PortRoute {
  return async (path) => {
    const name = /^\/runs\/([^/\\]+)\/index\.html$/.exec(path)?.[1];
    if (name === undefined || !stamped.test(name)) return undefined;
    const body = await readFile(join(dataDir, 'runs', name, 'index.html'), 'utf8').catch(() => undefined);
    return body === undefined ? undefined : { status: 200, type: 'text/html; charset=utf-8', body };
  };
}

/** Only folders that end in an instant are ours. */
const stamped = /-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z)$/;

/** Formats an instant for a folder's name; later ones come later in the alphabet too. */
function formatStamp(at: number): string {
  return new Date(at).toISOString().replaceAll(/[:.]/g, '-');
}

function forgetBefore(folder: string, first: string): void {
  for (const { name, written } of listRuns(folder))
    if (written < first) rmSync(join(folder, name), { recursive: true });
}

function listRuns(folder: string): { readonly name: string; readonly written: string }[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const [, written] = stamped.exec(entry.name) ?? [];
    return written !== undefined && entry.isDirectory() ? [{ name: entry.name, written }] : [];
  });
}
