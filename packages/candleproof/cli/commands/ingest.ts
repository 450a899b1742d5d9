import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@candleproof/files/usage-error';
import { thousands } from '@candleproof/law/reading/words';
import { PostgresTrouble } from '@candleproof/postgres/trouble';
import type { IngestReport } from '@candleproof/reference-service/ingest/ingest';
import { dropBefore, ingest, SimulatedStore } from '@candleproof/reference-service/ingest/ingest';
import type { Store } from '@candleproof/reference-service/store/store';
import { plural } from '@candleproof/reports/words/format';
import type { Command } from 'commander';
import { databaseFlag, readDatabase } from '../database/read-database.ts';
import { openServiceStore } from '../serving/service-store.ts';
import { printText, progressLine } from '../words/output.ts';

type IngestFlags = {
  readonly data: string;
  readonly database?: string;
  readonly dropBefore?: number;
  readonly yes?: true;
};

/** Adds the command `ingest` to the program. */
export function registerIngest(program: Command, exit: (code: number) => void): void {
  program
    .command('ingest [file]')
    .description(
      "bring tokens, pools and minutely observations into the service's store (NDJSON; - for stdin)",
    )
    .option('--data <dir>', 'folder of the store', join('.candleproof', 'service'))
    .option(...databaseFlag)
    .option(
      '--drop-before <month>',
      'be rid of the observations before a month (2026-11); candles stay',
      readMonth,
    )
    .option('--yes', 'drop them; left out, what would go is only shown')
    .action(async (file: string | undefined, flags: IngestFlags) => {
      const { data, database, dropBefore } = flags;
      refuseMixture(file, flags);
      const store = await openServiceStore(data, readDatabase(database, process.env));
      try {
        if (dropBefore !== undefined)
          return printText(await dropMonths(store, dropBefore, flags.yes !== true));
        exit(await ingestInto(store, file ?? ''));
      } finally {
        await store.close();
      }
    });
}

function refuseMixture(file: string | undefined, { data, database, dropBefore, yes }: IngestFlags): void {
  if (file === undefined && dropBefore === undefined)
    throw new UsageError('ingest: name a file of lines, or - for stdin');
  if (file !== undefined && file !== '-' && !existsSync(file))
    throw new UsageError(`ingest: ${file}: there is no such file: name one of lines, or - for stdin`);
  if (file !== undefined && (dropBefore ?? yes) !== undefined)
    throw new UsageError('ingest: a file is taken in, or --drop-before drops months: give one of them');
  if (dropBefore !== undefined && !readDatabase(database, process.env) && !existsSync(data))
    throw new UsageError(`--data: ${data} is no data folder of serve: give the one that it serves`);
}

async function ingestInto(store: Store, file: string): Promise<number> {
  const report = await ingestFile(store, file);
  for (const { line, reason } of report.refused.lines) {
    process.stderr.write(`candleproof: ${file}:${line}: ${reason}\n`);
  }
  printText(describeIngest(report));
  return report.refused.count > 0 ? 2 : 0;
}

async function ingestFile(store: Store, file: string): Promise<IngestReport> {
  const stream = file === '-' ? process.stdin : createReadStream(file);
  stream.setEncoding('utf8');
  const progress = progressLine();
  try {
    return await ingest(store, stream as AsyncIterable<string>, {
      onProgress: ({ accepted }) => progress.show(`${accepted.observations} observations`),
    });
  } catch (error) {
    const isPlace = error instanceof SimulatedStore;
    const place = error instanceof PostgresTrouble ? '--database' : isPlace ? '--data' : file;
    throw new UsageError(`ingest: ${place}: ${(error as Error).message}`);
  } finally {
    progress.clear();
  }
}

function describeIngest({ accepted, unchanged, corrected, refused }: IngestReport): string {
  const { tokens, pools, observations } = accepted;
  return `${tokens} tokens, ${pools} pools, ${observations} observations taken in; ${unchanged} known already, ${corrected} corrected, ${refused.count} refused\n`;
}

/** The first instant (Unix seconds) of a month that has begun, such as 2026-11. Throws a UsageError. */
function readMonth(text: string, _before?: unknown, now = Date.now()): number {
  const begin = /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? Date.parse(`${text}-01T00:00:00Z`) : Number.NaN;
  if (begin <= now) return begin / 1000;
  const what = Number.isNaN(begin) ? 'no month' : 'to come';
  throw new UsageError(
    `--drop-before: ${text} is ${what}: give one such as ${new Date(now).toISOString().slice(0, 7)}`,
  );
}

/** Drops the observations before an instant (Unix seconds), or only counts them; returns text. Throws a UsageError. */
async function dropMonths(store: Store, instant: number, isTrial: boolean): Promise<string> {
  const { months, isDone } = await dropBefore(store, instant, isTrial).catch(throwUsageError);
  const sum = months.reduce((total, { samples }) => total + samples, 0);
  const rows = months.map(({ month, samples }) => `  ${month}  ${thousands(samples)}\n`).join('');
  const before = new Date(instant * 1000).toISOString().slice(0, 7);
  const words = isDone
    ? `${sum === 1 ? 'is' : 'are'} dropped, and none of before ${before} is taken in any more`
    : `would go, and none of before ${before} be taken in any more: add --yes`;
  return `${rows}${plural(sum, 'observation')} ${words}; candles stay\n`;
}

function throwUsageError(error: unknown): never {
  if (error instanceof SimulatedStore)
    throw new UsageError(
      'ingest: --drop-before: the store holds a simulated market, of which nothing is dropped',
    );
  if (error instanceof PostgresTrouble)
    throw new UsageError(`ingest: --drop-before: ${error.message}: try again when nobody reads for long`);
  throw error;
}
