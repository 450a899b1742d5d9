import type { NamedFile } from '@candleproof/files/named-file';
import { readTime } from '@candleproof/files/read-numbers';
import { UsageError } from '@candleproof/files/usage-error';
import { describeStoreSize } from '@candleproof/monitors/page/store-size';
import {
  type ExportFormat,
  exportFormats,
  exportResults,
  importResults,
} from '@candleproof/monitors/results/transfer/transfer';
import { type Command, Option } from 'commander';
import { dataFlag, type ResultsFlags, readSource, resultsFlag } from '../database/read-results.ts';
import { FileOption, forceFlag } from '../running/file-option.ts';
import { option } from '../running/options.ts';
import { printText, writeParts } from '../words/output.ts';

type ExportFlags = ResultsFlags & {
  readonly format: ExportFormat;
  readonly from?: number;
  readonly to?: number;
  readonly out: NamedFile;
};

const endOfTime = 8_640_000_000_000_000;

/** Adds the command `results` to the program. */
export function registerResults(program: Command): void {
  const results = program.command('results').description('export, import and size of what monitors keep');
  const readMs = (text: string, flag: string): number => readTime(text, flag) * 1000;
  results
    .command('export')
    .description('every slot, event, incident and quota counter as text; a monitor may write meanwhile')
    .option(...dataFlag)
    .option(...resultsFlag)
    .addOption(
      new Option('--format <name>', 'ndjson: everything, to be imported again; csv: a row for each request')
        .choices([...exportFormats])
        .default('ndjson'),
    )
    .addOption(option('--from <time>', 'ISO 8601 or Unix seconds (all there is)', readMs))
    .addOption(option('--to <time>', 'ISO 8601 or Unix seconds, itself left out', readMs))
    .addOption(new FileOption('--out <file>', 'a file, written whole; - for stdout').default('-'))
    .option(...forceFlag)
    .action(exportToFile);
  results
    .command('import <files...>')
    .description("take other locations' NDJSON in: all lines or none (- for stdin)")
    .option(...dataFlag)
    .option(...resultsFlag)
    .action(importFiles);
  results
    .command('size')
    .description('disk space of the store, now and to come')
    .option(...dataFlag)
    .option(...resultsFlag)
    .action(size);
}

async function exportToFile(flags: ExportFlags): Promise<void> {
  const { format, from = 0, to = endOfTime, out } = flags;
  if (from >= to) throw new UsageError('--from: it has to lie before --to');
  const isAll = from === 0 && to === endOfTime;
  const source = readSource(flags, process.env);
  await writeParts(out, exportResults(source, format, isAll ? undefined : { from, to }));
}

async function importFiles(files: readonly string[], flags: ResultsFlags): Promise<void> {
  const counts = await importResults(readSource(flags, process.env), files, Date.now());
  printText(describeImported(counts, files.length));
}

function describeImported(
  { slot, event, incident, quota }: Awaited<ReturnType<typeof importResults>>,
  files: number,
): string {
  const read = [`slots ${slot}`, `events ${event}`, `incidents ${incident}`, `quota counters ${quota}`];
  return `read ${files === 1 ? '1 file' : `${files} files`}: ${read.join(', ')}; what was known already changed nothing\n`;
}

async function size(flags: ResultsFlags): Promise<void> {
  printText(await describeStoreSize(readSource(flags, process.env), Date.now()));
}
