import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Document } from 'yaml';
import type { Baseline } from '../../contract/judge/baseline.ts';
import { updateBaseline } from '../../contract/judge/baseline-update.ts';
import type { Run } from '../../contract/judge/verdict.ts';
import { edition } from '../../contract/law/catalogue.ts';
import type { TargetFacts } from '../../contract/reading/exchange.ts';
import { writeNamed } from '../../files/named-output.ts';
import { readNamedFile } from '../../files/read-file.ts';
import { unwritable } from '../../files/unwritable-file.ts';
import { UsageError } from '../../files/usage-error.ts';
import { writeFiles } from '../../files/write-files.ts';
import { baselineSchema, parseBaseline } from './file.ts';
import { newBaselineText, updatedBaselineText } from './text.ts';
import { updateNotes, warningsOf } from './words.ts';

export type BaselineFlags = { readonly baseline?: string; readonly writeBaseline?: boolean };

/** A baseline in use: what is known, the day to read it by, and its file. */
export type OpenBaseline = {
  readonly known: Baseline;
  /** YYYY-MM-DD, UTC, by the clock of this machine. */
  readonly today: string;
  readonly file: string;
  readonly isWritten: boolean;
  /** Undefined for a file that is to be made. */
  readonly document?: Document;
};

/** A file that people maintain; a larger one is a mistake. */
const mostBytes = 1 << 20;

export function addBaselineFlags(command: Command): Command {
  return command
    .option('--baseline <file>', 'known failings and expected answers of the target')
    .option('--write-baseline', 'bring that file up to date with what the run found');
}

/** The flags with the baseline that the config names for the target, unless they name another. */
export function withBaselineOf(
  configured: { readonly baseline?: string } | undefined,
  flags: BaselineFlags,
): BaselineFlags {
  return { ...(configured?.baseline !== undefined && { baseline: configured.baseline }), ...flags };
}

/** The baseline that the flags name; all that is wrong with it is said before anything is requested. */
export function openBaseline(
  { baseline: file, writeBaseline: isWritten = false }: BaselineFlags,
  target: Pick<TargetFacts, 'name' | 'baseUrl'>,
): OpenBaseline | undefined {
  if (file === undefined) {
    if (isWritten) throw new UsageError('--write-baseline: name the file with --baseline');
    return undefined;
  }
  if (isWritten) requireWritable(file);
  const today = new Date().toISOString().slice(0, 10);
  if (isWritten && !existsSync(file)) {
    const known = { target: target.name, catalogue: edition, known: [], observations: {} };
    return { known, today, file, isWritten };
  }
  const { baseline, document } = parseBaseline(readNamedFile(file, '--baseline', mostBytes), file);
  requireSameTarget(baseline, target, file, isWritten);
  return { known: baseline, today, file, isWritten, document };
}

/** A host name is nobody's choice, and the baseline of a named target may well be meant for it: that is a warning. */
function requireSameTarget(
  { target }: Baseline,
  { name, baseUrl }: Pick<TargetFacts, 'name' | 'baseUrl'>,
  file: string,
  isWritten: boolean,
): void {
  const isHost = URL.canParse(baseUrl) && new URL(baseUrl).hostname === name;
  if (target === name || (isHost && !isWritten)) return;
  throw new UsageError(
    `--baseline: ${file} belongs to the target "${target}", not to "${name}": name that target, or another file`,
  );
}

function requireWritable(file: string): void {
  writeNamed('--baseline', () => {
    try {
      accessSync(dirname(realPath(file)), constants.W_OK);
    } catch (error) {
      throw unwritable(file, error);
    }
  });
}

/** The file that a link leads to: a baseline is replaced, and a link to it stays one. */
function realPath(file: string): string {
  return existsSync(file) ? realpathSync(file) : resolve(file);
}

/** After a run: says what is to be said of the baseline and, where that is wanted, writes it. */
export function closeBaseline(baseline: OpenBaseline | undefined, run: Run): void {
  if (!baseline) return;
  const lines = baseline.isWritten ? write(baseline, run) : warningsOf(run, baseline.file);
  for (const line of lines) process.stderr.write(`candleproof: ${line}\n`);
}

function write({ known, today, file, document }: OpenBaseline, run: Run): string[] {
  const update = updateBaseline(run, known, today);
  const target = realPath(file);
  const text = document
    ? updatedBaselineText(document, update.baseline)
    : newBaselineText(update.baseline, relative(dirname(target), baselineSchema).replaceAll('\\', '/'));
  writeNamed('--baseline', () => writeFiles(dirname(target), { [basename(target)]: text }));
  return updateNotes(update, file);
}
