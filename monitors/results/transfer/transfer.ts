import { existsSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { openForReading, openForWriting, type ResultsSource } from '../open-source.ts';
import type { Span } from '../results-store.ts';
import { databaseFile, explainError, missingStore } from '../sqlite/database.ts';
import { exportCsv, exportLines } from './export.ts';
import { type Imported, importFiles, openLines } from './import-lines.ts';

/** The formats of an export: NDJSON has everything, to be imported again; CSV a row for each request. */
const writers = { ndjson: exportLines, csv: exportCsv } as const;
export type ExportFormat = keyof typeof writers;
export const exportFormats = Object.keys(writers) as readonly ExportFormat[];

/** Exports a store, or a span of it, as text in parts; a monitor may write meanwhile. Throws as openForReading does. */
export async function* exportResults(
  source: ResultsSource,
  format: ExportFormat,
  span?: Span,
): AsyncGenerator<string> {
  const store = await openForReading(source);
  try {
    yield* writers[format](store, span);
  } finally {
    await store.close();
  }
}

/** Nothing is forgotten here, however old it is: retention is the monitor's, by its config. */
const everything = { keepRawDays: Infinity, keepHoursDays: Infinity };

/**
 * Takes files of NDJSON into a store, standard input for `-`: all lines or none. Returns how many lines of each kind
 * were read. Throws as openLines, openForWriting and importFiles do.
 */
export async function importResults(
  source: ResultsSource,
  files: readonly string[],
  now: number,
): Promise<Imported> {
  const lines = files.map(openLines);
  const store = await openForWriting(source, everything);
  try {
    const imported = await importFiles(store, lines);
    await store.tidy(now);
    return imported;
  } finally {
    await store.close();
  }
}

/**
 * Copies the store of a data folder into one file, whole and without its log, while a monitor may write to it. The file
 * appears when it is whole. Throws MissingStore, or UnreadableStore for a store that cannot be read.
 */
export function backUp(dataDir: string, file: string): void {
  const path = databaseFile(dataDir);
  if (!existsSync(path)) throw missingStore(dataDir);
  const draft = `${file}.${process.pid}.draft`;
  rmSync(draft, { force: true });
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: 10_000 });
    database.prepare('VACUUM INTO ?').run(draft);
    renameSync(draft, file);
  } catch (error) {
    throw explainError(error, path);
  } finally {
    database?.close();
    rmSync(draft, { force: true });
  }
}
