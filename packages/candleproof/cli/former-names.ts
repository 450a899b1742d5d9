import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@candleproof/files/usage-error';

/** Commands that became parts of others, with their words of today; scripts may use the former ones. */
const moved: Readonly<Record<string, readonly string[]>> = {
  faults: ['serve', 'faults'],
  ingest: ['serve', 'ingest'],
  keys: ['serve', 'keys'],
  alerts: ['monitor', 'alerts'],
  results: ['monitor', 'results'],
};

/** Returns the arguments of today for those of an earlier version, and says so in one line. */
export function renewArguments(args: readonly string[]): readonly string[] {
  const [name = '', ...rest] = args;
  const words = Object.hasOwn(moved, name) ? moved[name] : undefined;
  if (words === undefined) return args;
  process.stderr.write(`candleproof: ${name} is now ${words.join(' ')}\n`);
  return [...words, ...rest];
}

/** Names a report, as the former command `open` did before it started a browser. */
export function nameReport(folder: string | undefined): void {
  process.stderr.write('candleproof: open is gone: open the page below in your browser\n');
  process.stdout.write(`report: ${folder === undefined ? newestReport() : findReport(folder)}\n`);
}

function newestReport(): string {
  const all = join('reports', 'out');
  const pages = globSync(join(all, '**', 'index.html'));
  const [newest] = pages.toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  if (newest === undefined) throw new UsageError(`open: there is no report below ${all}: run a check first`);
  return newest;
}

function findReport(path: string): string {
  const page = statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, 'index.html') : path;
  if (!statSync(page, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(`open: ${page}: there is no such page; name the folder of a report`);
  return page;
}
