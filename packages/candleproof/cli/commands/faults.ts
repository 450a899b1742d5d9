import { join } from 'node:path';
import { splitBudget } from '@candleproof/check/plan/plan';
import { acceptSpec } from '@candleproof/check/target/accepted-spec';
import { version } from '@candleproof/files/package-files';
import { UsageError } from '@candleproof/files/usage-error';
import { makeOutputFolder, writeNamedFiles } from '@candleproof/files/write-files';
import { FAULTS, parseFault, UnknownFault } from '@candleproof/reference-service/faults/registry';
import { isProven } from '@candleproof/reports/kill-matrix/facts';
import { renderKillMatrix } from '@candleproof/reports/kill-matrix/kill-matrix';
import type { Command } from 'commander';
import { makeKillMatrix } from '../../kill-matrix/kill-matrix.ts';
import { jsonFlag, type PrintFlags, printJson, printText, progressLine } from '../words/output.ts';

type FaultsFlags = PrintFlags & { readonly out: string; readonly only?: readonly string[] };

/** About those of the tier smoke, half of a whole check, and the most that a whole one sends. */
const budgets = [20, 40, splitBudget(undefined).budget];

/** Adds the command `faults` to the program. */
export function registerFaults(program: Command, exit: (code: number) => void): void {
  program
    .command('faults')
    .description('the kill matrix: every known fault switched on alone, and which rules find it')
    .option(
      '--out <dir>',
      'folder for kill-matrix.json, kill-matrix.md, proofs.json and index.html',
      join('reports', 'out', 'kill-matrix'),
    )
    .option('--only <ids...>', 'faults by name or number')
    .option(...jsonFlag)
    .action(async (flags: FaultsFlags) => {
      const { out, only } = flags;
      const faults = only === undefined ? FAULTS : only.flatMap((list) => list.split(',')).map(findFault);
      makeOutputFolder(out);
      const progress = progressLine();
      const matrix = await makeKillMatrix({
        spec: await acceptSpec(),
        faults,
        version,
        budgets,
        onProgress: (done, all, fault) => progress.show(`${done} of ${all} faults, now ${fault}`),
      }).finally(() => progress.clear());
      const { files, terminal } = renderKillMatrix(matrix);
      writeNamedFiles('--out', out, files);
      printText(`${terminal}\nreport: ${join(out, 'index.html')}\n`, flags);
      printJson(flags, matrix);
      exit(isProven(matrix) ? 0 : 1);
    });
}

function findFault(name: string): (typeof FAULTS)[number] {
  try {
    const { fault, size } = parseFault(name);
    if (size === undefined) return fault;
    throw new UsageError(
      `--only: "${name}": the matrix tries every size of ${fault.number}: say ${fault.number} alone`,
    );
  } catch (error) {
    if (error instanceof UnknownFault) throw new UsageError(`--only: ${error.message}`);
    throw error;
  }
}
