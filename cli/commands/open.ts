import { spawn } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { UsageError } from '../../files/usage-error.ts';

const usualFolder = join('reports', 'out');

/** Adds the command `open` to the program. */
export function registerOpen(program: Command): void {
  program
    .command('open [report]')
    .description('show a report in the browser: the newest, or that of a folder')
    .action(async (report?: string) => {
      const page = report === undefined ? newestReport() : findReport(report);
      process.stdout.write(`report: ${page}\n`);
      await show(pathToFileURL(resolve(page)).href);
    });
}

function newestReport(): string {
  const pages = globSync(join(usualFolder, '**', 'index.html'));
  const [newest] = pages.toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  if (newest === undefined)
    throw new UsageError(
      `open: there is no report below ${usualFolder}: run a check first, or name the folder of a report`,
    );
  return newest;
}

function findReport(path: string): string {
  const page = statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, 'index.html') : path;
  if (!statSync(page, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(`open: ${page}: there is no such page; name the folder of a report`);
  return page;
}

/** The program that $BROWSER names, else the platform's; without one, the printed path has to do. */
async function show(address: string): Promise<void> {
  const [command = '', ...args] = opener();
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true });
  await new Promise<void>((done) => {
    child.once('spawn', done);
    child.once('error', () => {
      process.stderr.write(
        `candleproof: no browser was found here: open ${address} yourself, or name one in BROWSER\n`,
      );
      done();
    });
  });
  child.unref();
}

function opener(): readonly string[] {
  if (process.env.BROWSER) return [process.env.BROWSER];
  if (process.platform === 'darwin') return ['open'];
  return process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open'];
}
