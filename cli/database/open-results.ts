import { makeOutputFolder } from '../../files/named-output.ts';
import { openPostgresResults, openPostgresResultsForReading } from '../../results/postgres/open.ts';
import type { ResultsReader, ResultsStore, Retention } from '../../results/results-store.ts';
import { openResults, openResultsForReading } from '../../results/sqlite/open.ts';
import type { ResultsSource } from './read-results.ts';

/** A results store to be looked at, wherever it is. */
export function openSource(source: ResultsSource): Promise<ResultsReader> {
  return source.kind === 'folder'
    ? openResultsForReading(source.folder)
    : openPostgresResultsForReading(source.address);
}

/** The same for what is brought in. */
export async function openSourceToWrite(source: ResultsSource, retention: Retention): Promise<ResultsStore> {
  if (source.kind === 'database') return openPostgresResults(source.address, retention);
  makeOutputFolder(source.folder, '--data');
  return openResults(source.folder, retention);
}
