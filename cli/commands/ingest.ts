import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { PostgresTrouble } from '../../postgres/trouble.ts';
import { ingest, SimulatedStore } from '../../service/ingest/ingest.ts';
import type { IngestReport } from '../../service/ingest/report.ts';
import type { Store } from '../../service/store/store.ts';
import { databaseFlag, readDatabase } from '../database/read-database.ts';
import { openServiceStore } from '../serving/service-store.ts';
import { UsageError } from '../usage-error.ts';
import { progressLine } from '../words/progress.ts';
import { say } from '../words/say.ts';

export function registerIngest(program: Command, exit: (code: number) => void): void {
  program
    .command('ingest <file>')
    .description(
      "bring tokens, pools and minutely observations into the service's store (NDJSON; - for stdin)",
    )
    .option('--data <dir>', 'folder of the store', join('.candleproof', 'service'))
    .option(...databaseFlag)
    .action(async (file: string, { data, database }: { data: string; database?: string }) => {
      const store = await openServiceStore(data, readDatabase(database, process.env));
      try {
        const report = await ingestFile(store, file);
        for (const { line, reason } of report.refused.lines) {
          process.stderr.write(`candleproof: ${file}:${line}: ${reason}\n`);
        }
        say(inWords(report));
        exit(report.refused.count > 0 ? 2 : 0);
      } finally {
        await store.close();
      }
    });
}

async function ingestFile(store: Store, file: string): Promise<IngestReport> {
  const stream = file === '-' ? process.stdin : createReadStream(file);
  stream.setEncoding('utf8');
  const progress = progressLine(process.stderr);
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

function inWords({ accepted, unchanged, corrected, refused }: IngestReport): string {
  const { tokens, pools, observations } = accepted;
  return `${tokens} tokens, ${pools} pools, ${observations} observations taken in; ${unchanged} known already, ${corrected} corrected, ${refused.count} refused\n`;
}
