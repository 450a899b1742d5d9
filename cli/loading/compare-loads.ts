import { join } from 'node:path';
import { writeNamedFiles } from '../../files/named-output.ts';
import { UsageError } from '../../files/usage-error.ts';
import { compareRuns, type LoadComparison } from '../../load/comparison.ts';
import { UnlikeRuns } from '../../load/merge.ts';
import { readLoadRun } from '../../load/running/read-load-run.ts';
import { comparisonPage, renderComparison } from '../../reports/load/comparison-page.ts';
import { formatVisibleJson } from '../../reports/words/escape.ts';
import type { LoadFlags } from './flags.ts';

/** Prints the second run against the first, and writes its page where `--out` names a folder. */
export function compareLoads(files: readonly string[], { json, out }: LoadFlags): number {
  const [before, after, ...more] = files.map((file) => readLoadRun(file, '--compare'));
  if (!before || !after || more.length > 0)
    throw new UsageError('--compare: name two load.json files, the earlier run first');
  const comparison = compared(() => compareRuns(before, after));
  process.stdout.write(json ? `${formatVisibleJson(comparison)}\n` : renderComparison(comparison));
  if (out === undefined) return 0;
  const pages = {
    'comparison.json': `${JSON.stringify(comparison, null, 2)}\n`,
    'index.html': comparisonPage(comparison, { before, after }),
  };
  writeNamedFiles('--out', out, pages);
  if (!json) process.stdout.write(`\nreport: ${join(out, 'index.html')}\n`);
  return 0;
}

function compared(work: () => LoadComparison): LoadComparison {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnlikeRuns)
      throw new UsageError(`--compare: ${error.message}; give two runs of the same scenario and flags`);
    throw error;
  }
}
