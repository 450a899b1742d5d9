import {
  type BaselineChoice,
  type OpenBaseline,
  writeBaseline,
} from '@candleproof/check/baseline/open-baseline';
import type { Run } from '@candleproof/law/judge/verdict';
import type { Command } from 'commander';
import { FileOption } from '../running/file-option.ts';
import { headings } from '../running/options.ts';
import { listBaselineChanges, listBaselineWarnings } from './baseline-notes.ts';

/** Adds the flags of a baseline to a command. */
export function addBaselineFlags(command: Command): Command {
  return command
    .optionsGroup(headings.judged)
    .addOption(
      new FileOption('--baseline <file>', 'known failings and expected answers of the target', {
        isReadFirst: true,
      }),
    )
    .option('--write-baseline', 'bring that file up to date with what the run found');
}

/** Returns the flags with the baseline that the config names for the target, unless they name another. */
export function addConfiguredBaseline(
  configured: { readonly baseline?: string } | undefined,
  flags: BaselineChoice,
): BaselineChoice {
  return { ...(configured?.baseline !== undefined && { baseline: configured.baseline }), ...flags };
}

/** Prints the warnings of a baseline after a run, or writes the baseline and prints its changes. */
export function closeBaseline(baseline: OpenBaseline | undefined, run: Run): void {
  if (!baseline) return;
  const lines = baseline.isWritten
    ? listBaselineChanges(writeBaseline(baseline, run), baseline.file)
    : listBaselineWarnings(run, baseline.file);
  for (const line of lines) process.stderr.write(`candleproof: ${line}\n`);
}
