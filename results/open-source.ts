import { makeOutputFolder } from '../files/named-output.ts';
import type { PostgresAddress } from '../postgres/address.ts';
import { openPostgresResults, openPostgresResultsForReading } from './postgres/open.ts';
import type { ResultsReader, ResultsStore, Retention } from './results-store.ts';
import { openResults, openResultsForReading } from './sqlite/open.ts';

/** A results store to be looked at, wherever it is. */
export function openForReading(source: ResultsSource): Promise<ResultsReader> {
  return source.kind === 'folder'
    ? openResultsForReading(source.folder)
    : openPostgresResultsForReading(source.address);
}

/** The same for what is brought in. */
export async function openForWriting(source: ResultsSource, retention: Retention): Promise<ResultsStore> {
  if (source.kind === 'database') return openPostgresResults(source.address, retention);
  makeOutputFolder(source.folder, '--data');
  return openResults(source.folder, retention);
}

/** The source of results: a folder, or a database. */
export type ResultsSource =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'database'; readonly address: PostgresAddress };
