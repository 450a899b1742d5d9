import { version } from '@candleproof/files/package-files';
import { makeOutputFolder, writeNamedFiles } from '@candleproof/files/write-files';
import { catalogueVersion } from '@candleproof/law/rules/catalogue-version';
import { openForReading, type ResultsSource } from '../results/open-source.ts';
import { monitorPages } from './monitor-page.ts';
import { type MonitorNumbers, monitorNumbers } from './numbers.ts';
import { readFacts, withoutRemoved } from './page-facts.ts';
import { listStatements, type ReportedObjective, type ReportedPlan, readPlan } from './plan-facts.ts';
import { monitorView } from './view.ts';

/** A report that was written: its numbers are made when they are read. */
export type WrittenReport = { readonly numbers: MonitorNumbers };

/**
 * Writes the report of a store at `now` (Unix ms) into a folder: an index and a page for each target, or one file. A
 * store that only imported results has no objectives; then those of `readObjectives` count. Throws as openForReading
 * does, and a UsageError for a folder that cannot be written.
 */
export async function writeReport(
  source: ResultsSource,
  { out, now }: { readonly out: string; readonly now: number },
  readObjectives: () => readonly ReportedObjective[],
): Promise<WrittenReport> {
  const store = await openForReading(source);
  try {
    makeOutputFolder(out);
    const plan = { ...((await readPlan(store)) ?? unknownPlan(readObjectives())), rules: listStatements() };
    const facts = withoutRemoved(await readFacts(store, now), plan);
    writeNamedFiles('--out', out, monitorPages(facts, plan));
    return {
      get numbers() {
        return monitorNumbers(monitorView(facts, plan));
      },
    };
  } finally {
    await store.close();
  }
}

function unknownPlan(objectives: readonly ReportedObjective[]): ReportedPlan {
  const versions = { candleproof: version, catalogue: catalogueVersion };
  return { location: 'unknown', objectives, probes: [], maintenance: [], shares: {}, versions };
}
