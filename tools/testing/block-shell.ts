import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { environment } from './environment.ts';

/** A folder in which blocks of pages run, with a command for `npx candleproof` and what stands in for real hosts. */
export type ShellSetting = {
  readonly folder: string;
  /** The file that `npx candleproof` starts. */
  readonly command: string;
  /** Stands in for placeholders of a page, such as `https://HOST`, which are put back in what is printed. */
  readonly typed?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
};

export type BlockEnd = { readonly code: number | null; readonly printed: string };

const launcher = fileURLToPath(new URL('./npx-of-pages.js', import.meta.url));

/** Runs lines of a page in bash as a reader would; `npx candleproof` starts the command that the setting names. */
export async function runLines(lines: string, setting: ShellSetting): Promise<BlockEnd> {
  const { folder, command, typed = {}, variables = {} } = setting;
  const bin = join(folder, '.bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nexec "${process.execPath}" "${launcher}" "$@"\n`, {
    mode: 0o755,
  });
  let script = lines;
  for (const [placeholder, value] of Object.entries(typed)) script = script.replaceAll(placeholder, value);
  const env = environment({
    PATH: [bin, dirname(process.execPath), process.env.PATH].join(delimiter),
    CANDLEPROOF_STATE_DIR: join(folder, '.state'),
    PAGE_COMMAND: command,
    PAGE_GOES_ON: / &$/m.test(script) ? '1' : '',
    ...variables,
  });
  delete env.COLUMNS;
  const child = spawn('bash', ['-e', '-c', `exec 2>&1\n${script}`], { cwd: folder, env, timeout: 120_000 });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let printed = await text(child.stdout);
  for (const [placeholder, value] of Object.entries(typed)) printed = printed.replaceAll(value, placeholder);
  return { code: await ended, printed };
}
