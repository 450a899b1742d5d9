import { quoteForShell } from '@candleproof/files/shell-word';
import { UsageError } from '@candleproof/files/usage-error';
import type { GapMode } from '@candleproof/gate/gated';
import type { Command } from 'commander';
import type { PastFlags } from './audit.ts';

/** The flags of a call of gate as far as they may be about the past of a target. */
export type TargetFlags = Omit<PastFlags, 'gaps'> & { readonly target?: string; readonly gaps: GapMode };

/** Flags of both, and of files alone; all others are of the past of a target alone. */
const ofBoth = ['target', 'gaps', 'out', 'json', 'strict', 'tolerate'];
const ofFiles = ['columns', 'interval', 'unit', 'now', 'repair', 'clean', 'force', 'same', 'join'];

/** Throws UsageError for files and flags that the call is not about. */
export function refuseOthers(command: Command, isPast: boolean, [file]: readonly string[]): void {
  if (isPast && file !== undefined)
    throw new UsageError(`gate: takes files or --target, not both; leave ${quoteForShell(file)} out`);
  if (!isPast && file === undefined)
    throw new UsageError('gate: no file is given; name one, - for standard input, or --target NAME');
  for (const option of command.options) {
    const name = option.attributeName();
    if (command.getOptionValueSource(name) !== 'cli' || ofBoth.includes(name)) continue;
    const isOfFiles = ofFiles.includes(name);
    if (isPast && isOfFiles)
      throw new UsageError(`${option.long}: is about files, and the past of a target has none; leave it out`);
    if (!isPast && !isOfFiles)
      throw new UsageError(`${option.long}: is about the past of a target; name one with --target`);
  }
}

/** Judges the past of a target. What only it needs is loaded for it. */
export async function gatePast(command: Command, { target, gaps, ...flags }: TargetFlags): Promise<number> {
  const isGiven = command.getOptionValueSource('gaps') === 'cli';
  const { judgePast } = await import('./audit.ts');
  if (!isGiven) return judgePast(target, flags);
  if (gaps !== 'none' && gaps !== 'idle')
    throw new UsageError(`--gaps: the past of a target takes none or idle, not ${gaps}`);
  return judgePast(target, { ...flags, gaps });
}
