import { join } from 'node:path';
import type { Target } from '@candleproof/check/target/target';
import { toHar } from '@candleproof/client/har/har';
import { version } from '@candleproof/files/package-files';
import { quoteForShell } from '@candleproof/files/shell-word';
import { shownPath } from '@candleproof/files/shown-path';
import { UsageError } from '@candleproof/files/usage-error';
import { writeNamedFiles } from '@candleproof/files/write-files';
import { compareRuns, type LoadComparison } from '@candleproof/load/comparison';
import type { LoadMessage, LoadRun } from '@candleproof/load/load-run';
import { UnlikeRuns } from '@candleproof/load/merge';
import { comparisonPage, renderComparison } from '@candleproof/load/page/comparison-page';
import { loadPage } from '@candleproof/load/page/load-page';
import { renderLoadTerminal } from '@candleproof/load/page/load-terminal';
import { type JudgedLoad, judgeKept } from '@candleproof/load/running/judge-wrong';
import { readLoadRun } from '@candleproof/load/running/read-load-run';
import { resultFolder } from '../../library/write-run.ts';
import { printJson, printText } from '../words/output.ts';
import type { LoadFlags } from './load-flags.ts';

const codes = { conformant: 0, nonconformant: 1, inconclusive: 3 } as const;

/** Writes the files of a run into a folder, prints it, and gives the exit code. */
export function publishLoad(
  { run, wrong }: JudgedLoad,
  target: Target,
  folder: string,
  flags: LoadFlags,
): number {
  const har = quoteForShell(shownPath(join(folder, 'exchanges.har')));
  const { run: judged, recording } = judgeKept(
    ...([target.spec, target.facts, wrong, run] as const),
    (rule) => `npx candleproof judge ${har} --only ${rule}`,
  );
  const files = {
    'load.json': `${JSON.stringify(run, null, 2)}\n`,
    'run.json': `${JSON.stringify(judged, null, 2)}\n`,
    'index.html': loadPage(run, judged),
    'exchanges.har': toHar(recording, version),
  };
  writeNamedFiles('--out', folder, files);
  return printLoad(run, folder, flags);
}

/**
 * Publishes a merged run. The answers that k6 sampled elsewhere are in its messages, for `judge`; those of segments that
 * are judged stay in their files.
 */
export function publishMerged(run: LoadRun, messages: readonly LoadMessage[], flags: LoadFlags): number {
  const folder = resultFolder(flags.out, 'load-merged');
  const exchanges = messages.flatMap((message) => (message.kind === 'sample' ? [message.exchange] : []));
  const [begun] = messages.filter((message) => message.kind === 'begun');
  const target = begun?.target ?? { ...run.trial.target, pools: {}, keyless: false, soleUser: false };
  const files = {
    'load.json': `${JSON.stringify(run, null, 2)}\n`,
    'index.html': loadPage(run),
    ...(exchanges.length > 0 && { 'exchanges.har': toHar({ target, seed: 0, exchanges }, version) }),
  };
  writeNamedFiles('--out', folder, files);
  const code = printLoad(run, folder, flags);
  const har = quoteForShell(join(folder, 'exchanges.har'));
  if (exchanges.length > 0) process.stderr.write(`judge its answers: npx candleproof judge ${har}\n`);
  return code;
}

function printLoad(run: LoadRun, folder: string, { json }: LoadFlags): number {
  if (json) printJson({ json }, run);
  else printText(renderLoadTerminal(run));
  if (!json) process.stdout.write(`\nreport: ${join(folder, 'index.html')}\n`);
  return codes[run.verdict];
}

/** Prints the second run compared with the first, and writes a page if `--out` names a folder. */
export function compareLoads(files: readonly string[], { json, out }: LoadFlags): number {
  const [before, after, ...more] = files.map((file) => readLoadRun(file, '--compare'));
  if (!before || !after || more.length > 0)
    throw new UsageError('--compare: name two load.json files, the earlier run first');
  const comparison = compared(() => compareRuns(before, after));
  if (json) printJson({ json }, comparison);
  else printText(renderComparison(comparison));
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
