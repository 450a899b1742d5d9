import { createReadStream, statSync } from 'node:fs';
import { UsageError } from '@candleproof/files/usage-error';
import type { SlotRecord } from '../probe-record.ts';
import type {
  EventRecord,
  IncidentRecord,
  QuotaRecord,
  RecordBatch,
  ResultsStore,
} from '../results-store.ts';
import { UnreadableLine } from '../store-error.ts';
import { LineReader, type TransferLine } from './line.ts';

/** The number of lines of each kind, known ones included. */
export type Imported = Record<TransferLine['type'], number>;

const linesInBatch = 2000;

/** A file of NDJSON: its name for error messages, and its text in chunks of any length. */
export type LinesFile = { readonly name: string; readonly chunks: AsyncIterable<string> };

/** Opens a file to import, standard input for `-`; throws a UsageError for one that cannot be read. */
export function openLines(file: string): LinesFile {
  if (file === '-') return { name: 'stdin', chunks: process.stdin.setEncoding('utf8') };
  try {
    if (statSync(file).isDirectory()) throw new Error('it is a folder');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : message;
    throw new UsageError(`results import: ${file}: ${why}; give files that results export wrote`);
  }
  return { name: file, chunks: readText(file) };
}

async function* readText(file: string): AsyncGenerator<string> {
  try {
    yield* createReadStream(file, 'utf8') as AsyncIterable<string>;
  } catch (error) {
    const { message } = error as Error;
    throw new UsageError(`results import: ${file}: ${message}; nothing was taken in`);
  }
}

/**
 * Takes NDJSON of other stores, or of this one, in: all lines of all files or none. The same lines again change nothing.
 * @throws UnreadableLine with file, line and remedy
 */
export async function importFiles(store: ResultsStore, files: readonly LinesFile[]): Promise<Imported> {
  const imported: Imported = { slot: 0, event: 0, incident: 0, quota: 0 };
  await store.merge(batches(readRecords(files), imported));
  return imported;
}

async function* readRecords(files: readonly LinesFile[]): AsyncGenerator<TransferLine> {
  const reader = new LineReader();
  for (const { name, chunks } of files) {
    for await (const line of splitLines(withoutMark(chunks))) {
      const record =
        line.text === undefined ? `is longer than ${longestLine} characters` : reader.read(line.text);
      if (typeof record === 'string') throw refusal(name, line, record);
      if (record !== undefined) yield record;
    }
  }
}

function refusal(fileName: string, { number }: TextLine, trouble: string): UnreadableLine {
  return new UnreadableLine(
    `${fileName}:${number}: ${trouble}; nothing was taken in: mend the line, or leave it out.`,
  );
}

/** Some editors begin a file with a byte order mark. */
async function* withoutMark(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const chunk of chunks) {
    yield isFirst ? chunk.replace(/^\ufeff/, '') : chunk;
    isFirst &&= chunk === '';
  }
}

type GrowingBatch = {
  slots: SlotRecord[];
  events: EventRecord[];
  incidents: IncidentRecord[];
  quotas: QuotaRecord[];
};

async function* batches(
  records: AsyncIterable<TransferLine>,
  imported: Imported,
): AsyncGenerator<RecordBatch> {
  let batch: GrowingBatch = { slots: [], events: [], incidents: [], quotas: [] };
  let lines = 0;
  for await (const record of records) {
    imported[record.type]++;
    add(batch, record);
    if (++lines % linesInBatch !== 0) continue;
    yield batch;
    batch = { slots: [], events: [], incidents: [], quotas: [] };
  }
  yield batch;
}

function add(batch: GrowingBatch, line: TransferLine): void {
  const { type, ...record } = line;
  if (type === 'slot') batch.slots.push(record as SlotRecord);
  if (type === 'event') batch.events.push(record as EventRecord);
  if (type === 'incident') batch.incidents.push(record as IncidentRecord);
  if (type === 'quota') batch.quotas.push(record as QuotaRecord);
}

/** A line that is not blank: its number, from 1, and its text; no text if the line was too long to be kept. */
export type TextLine = { readonly number: number; readonly text: string | undefined };

/** Characters that a line may have: an incident with its evidence has some thousands. */
export const longestLine = 4000000;

/** Cuts text into lines as it comes in; no more than one line and one chunk are held at a time. */
export async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<TextLine> {
  let number = 0;
  let begun: string | undefined = '';
  for await (const chunk of chunks) {
    const parts = chunk.split('\n');
    for (const [index, part] of parts.entries()) {
      if (index > 0) {
        number++;
        if (begun?.trim() !== '') yield { number, text: begun };
        begun = '';
      }
      begun = begun === undefined || begun.length + part.length > longestLine ? undefined : begun + part;
    }
  }
  if (begun?.trim() !== '') yield { number: number + 1, text: begun };
}
