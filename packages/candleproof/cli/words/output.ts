import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { styleText } from 'node:util';
import type { LedgerUnavailable } from '@candleproof/client/ledger/ledger-store';
import { type NamedFile, writeNamedFile, writeNamedParts } from '@candleproof/files/named-file';
import { formatVisibleJson } from '@candleproof/reports/words/escape';
import { foldText, toAscii } from '@candleproof/reports/words/terminal-text';
import { isStdout } from '../running/file-option.ts';

/** Flags of the way in which a result is printed. */
export type PrintFlags = { readonly json?: boolean };

/** Prints the result for programs. */
export const jsonFlag = ['--json', 'print the result as JSON on stdout, and words on stderr'] as const;

/** Returns a line of progress that is written over itself on a terminal; in a pipe there is none. */
export function progressLine(): { show(text: string): void; clear(): void } {
  const stream = process.stderr;
  if (!stream.isTTY) return { show: () => {}, clear: () => {} };
  return {
    show: (text) => stream.write(`\r\x1b[2K${text} …`),
    clear: () => stream.write('\r\x1b[2K'),
  };
}

/** Returns the stream for words: stderr if the result takes stdout. */
export function wordStream({ json }: PrintFlags = {}): NodeJS.WriteStream {
  return json ? process.stderr : process.stdout;
}

/** Columns of a line in a pipe or a file, unless COLUMNS says otherwise. */
const pipeColumns = 100;

/** Terminals of unknown width report 0 columns. */
function streamWidth({ isTTY, columns }: NodeJS.WriteStream): number {
  return isTTY ? columns || Infinity : Number(process.env.COLUMNS) || pipeColumns;
}

/** Prints text for people, folded to the columns of the terminal, or to those of a pipe. */
export function printText(text: string, flags?: PrintFlags): void {
  printLines(foldText(text, streamWidth(wordStream(flags))), flags);
}

/** Prints lines for people that are folded already. */
export function printLines(text: string, flags?: PrintFlags): void {
  wordStream(flags).write(inLocale(text));
}

/** Returns the text as the user's locale can show it: ASCII in the one that is called C or POSIX. */
function inLocale(text: string): string {
  const { LC_ALL, LC_CTYPE, LANG } = process.env;
  return /^(C|POSIX)$/.test(LC_ALL || LC_CTYPE || LANG || '') ? toAscii(text) : text;
}

/** Prints a result for programs if `--json` is given. */
export function printJson({ json }: PrintFlags, result: unknown): void {
  if (json) process.stdout.write(`${formatVisibleJson(result)}\n`);
}

/** Returns the style of the words; nothing is ever cut. */
export function terminalStyle(flags?: PrintFlags): { color: boolean; width: number } {
  const stream = wordStream(flags);
  // Heeds NO_COLOR and FORCE_COLOR.
  return { color: styleText('bold', '.', { stream }) !== '.', width: streamWidth(stream) };
}

/** Warns that a run goes on although its requests cannot be booked. */
export function warnUnbooked(error: LedgerUnavailable): void {
  const mend = error.remedy === undefined ? '' : ` (${error.remedy})`;
  process.stderr.write(`candleproof: ${error.message}; the run goes on without a ledger${mend}\n`);
}

/** Writes the file of a flag, or prints its text for `-`. Throws a UsageError. */
export function writeText(named: NamedFile, text: string): void {
  if (isStdout(named)) process.stdout.write(text);
  else writeNamedFile(named, text);
}

/** Does so with a text in parts. A reader that closes the pipe early, such as head, is no error. */
export async function writeParts(named: NamedFile, parts: AsyncIterable<string>): Promise<void> {
  if (!isStdout(named)) return writeNamedParts(named, parts);
  try {
    await pipeline(Readable.from(parts), process.stdout, { end: false });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EPIPE' && code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
