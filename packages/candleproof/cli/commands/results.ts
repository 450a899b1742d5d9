import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { NamedFile } from '@candleproof/files/named-file';
import { readTime } from '@candleproof/files/read-numbers';
import { UsageError } from '@candleproof/files/usage-error';
import { formatStoreSize } from '@candleproof/monitors/page/store-size';
import { keepName, readKeptDays, readPace } from '@candleproof/monitors/results/known-states';
import { openForReading, openForWriting } from '@candleproof/monitors/results/open-source';
import type { ResultsReader, Span } from '@candleproof/monitors/results/results-store';
import { usualRetention } from '@candleproof/monitors/results/results-store';
import { exportCsv, exportLines } from '@candleproof/monitors/results/transfer/export';
import { type Imported, importFiles, openLines } from '@candleproof/monitors/results/transfer/import-lines';
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
    .action(importResults);
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
  const span: Span = { from, to };
  const isAll = from === 0 && to === endOfTime;
  const store = await openForReading(readSource(flags, process.env));
  try {
    await exportResults(store, { format, out, ...(!isAll && { span }) });
  } finally {
    await store.close();
  }
}

/** Nothing is forgotten here, however old it is: retention is the monitor's, by its config. */
const everything = { keepRawDays: Infinity, keepHoursDays: Infinity };

async function importResults(files: readonly string[], flags: ResultsFlags): Promise<void> {
  const sources = files.map(openLines);
  const store = await openForWriting(readSource(flags, process.env), everything);
  try {
    const counts = await importFiles(store, sources);
    await store.tidy(Date.now());
    printText(describeImported(counts, files.length));
  } finally {
    await store.close();
  }
}

function describeImported({ slot, event, incident, quota }: Imported, files: number): string {
  const read = [`slots ${slot}`, `events ${event}`, `incidents ${incident}`, `quota counters ${quota}`];
  return `read ${files === 1 ? '1 file' : `${files} files`}: ${read.join(', ')}; what was known already changed nothing\n`;
}

async function size(flags: ResultsFlags): Promise<void> {
  const source = readSource(flags, process.env);
  const store = await openForReading(source);
  try {
    const keep = await store.state(keepName);
    const [kept, pace] = [readKeptDays(keep), readPace(keep)];
    const rawDays = kept ?? usualRetention.keepRawDays;
    // Deep runs lie with the monitor that made them.
    const runs = source.kind === 'folder' ? bytesBelow(join(source.folder, 'runs')) : 0;
    printText(
      formatStoreSize(await store.size(), { rawDays, isUsual: kept === undefined, runs, pace }, Date.now()),
    );
  } finally {
    await store.close();
  }
}

function bytesBelow(folder: string): number {
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) =>
    statSync(join(folder, file)),
  );
  return files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}

const exportFormats = ['ndjson', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];
const writers = { ndjson: exportLines, csv: exportCsv } as const;

/** Writes a span of a store as text into a file that appears whole or not at all, or to stdout (`-`). */
async function exportResults(
  store: ResultsReader,
  { format, span, out }: { readonly format: ExportFormat; readonly span?: Span; readonly out: NamedFile },
): Promise<void> {
  await writeParts(out, writers[format](store, span));
}
