import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { requireWritable, writeNamedFile } from '@candleproof/files/named-file';
import { readNamedFile } from '@candleproof/files/read-file';
import { UsageError, unwritableError } from '@candleproof/files/usage-error';
import { writeNamed } from '@candleproof/files/write-files';
import type { Baseline } from '@candleproof/law/judge/baseline';
import { type BaselineUpdate, updateBaseline } from '@candleproof/law/judge/baseline-update';
import type { Run } from '@candleproof/law/judge/verdict';
import type { TargetFacts } from '@candleproof/law/reading/exchange';
import type { Document } from 'yaml';
import { baselineSchema, formatUpdatedBaseline, newBaselineText, parseBaseline } from './baseline-file.ts';

export type OpenBaseline = {
  readonly known: Baseline;
  /** YYYY-MM-DD, UTC, by the clock of this machine. */
  readonly today: string;
  readonly file: string;
  readonly isWritten: boolean;
  /** Undefined for a file that is to be made. */
  readonly document?: Document;
};

export type BaselineChoice = { readonly baseline?: string; readonly writeBaseline?: boolean };

/** A file that people maintain; a larger one is a mistake. */
const mostBytes = 1 << 20;

/** Opens the chosen baseline; throws a UsageError for anything wrong with it, before anything is requested. */
export function openBaseline(
  { baseline: file, writeBaseline: isWritten = false }: BaselineChoice,
  target: Pick<TargetFacts, 'name' | 'baseUrl'>,
): OpenBaseline | undefined {
  if (file === undefined) {
    if (isWritten) throw new UsageError('--write-baseline: name the file with --baseline');
    return undefined;
  }
  if (isWritten) requirePlace(file);
  const today = new Date().toISOString().slice(0, 10);
  if (isWritten && !existsSync(file)) {
    const known = { target: target.name, known: [], observations: {} };
    return { known, today, file, isWritten };
  }
  const { baseline, document } = parseBaseline(readNamedFile(file, '--baseline', mostBytes), file, today);
  requireSameTarget(baseline, target, file, isWritten);
  return { known: baseline, today, file, isWritten, document };
}

/** Brings the file of a baseline up to date with a run, and returns the changes. */
export function writeBaseline({ known, today, file, document }: OpenBaseline, run: Run): BaselineUpdate {
  const update = updateBaseline(run, known, today);
  const target = resolveRealPath(file);
  const text = document
    ? formatUpdatedBaseline(document, update.baseline)
    : newBaselineText(update.baseline, relative(dirname(target), baselineSchema).replaceAll('\\', '/'));
  writeNamedFile({ flag: '--baseline', file, mayReplace: document !== undefined }, text);
  return update;
}

/**
 * Refuses the baseline of another target. An unnamed target is called by its host name, and the baseline of a named one
 * may well be meant for it: that is only a warning.
 */
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

/** Refuses what cannot be read and written, before it is read: that would wait for a pipe for ever. */
function requirePlace(file: string): void {
  requireWritable({ flag: '--baseline', file, mayReplace: true });
  writeNamed('--baseline', () => {
    try {
      accessSync(dirname(resolveRealPath(file)), constants.W_OK);
    } catch (error) {
      throw unwritableError(file, error);
    }
  });
}

/** Returns the file that a link leads to, which is the one that is replaced. */
function resolveRealPath(file: string): string {
  return existsSync(file) ? realpathSync(file) : resolve(file);
}
