import { join } from 'node:path';
import { version } from '@candleproof/files/package-files';
import { makeOutputFolder, writeNamedFiles } from '@candleproof/files/write-files';
import { catalogueVersion } from '@candleproof/law/rules/catalogue-version';
import { monitorPages } from '@candleproof/monitors/page/monitor-page';
import { monitorNumbers } from '@candleproof/monitors/page/numbers';
import { readFacts, withoutRemoved } from '@candleproof/monitors/page/page-facts';
import type { ReportedPlan } from '@candleproof/monitors/page/plan-facts';
import { listStatements } from '@candleproof/monitors/page/plan-facts';
import { monitorView } from '@candleproof/monitors/page/view';
import { methodName } from '@candleproof/monitors/results/known-states';
import { openForReading } from '@candleproof/monitors/results/open-source';
import { formatVisibleJson } from '@candleproof/reports/words/escape';
import type { Command } from 'commander';
import { type Config, openConfig } from '../config/config.ts';
import { readDefinition } from '../config/monitoring.ts';
import { dataFlag, type ResultsFlags, readSource, resultsFlag } from '../database/read-results.ts';
import { keepYoungSpaceSmall } from '../running/young-space.ts';

type ReportFlags = ResultsFlags & {
  readonly out: string;
  readonly json?: boolean;
  readonly config?: string;
};

/** Adds the command `report` to the program. */
export function registerReport(program: Command): void {
  program
    .command('report')
    .description(
      'what the monitors found: an index and a page for each target, or one HTML file for one target',
    )
    .option(...dataFlag)
    .option(...resultsFlag)
    .option('--out <dir>', 'folder for the report', join('reports', 'out', 'monitor'))
    .option('--json', 'print the same numbers too')
    .option('--config <file>', 'objectives of a store that only took in what other locations measured')
    .action(report);
}

async function report(flags: ReportFlags): Promise<void> {
  keepYoungSpaceSmall();
  const { out, json, config } = flags;
  const given = config === undefined ? undefined : openConfig(config);
  const store = await openForReading(readSource(flags, process.env));
  try {
    makeOutputFolder(out);
    const kept = (await store.state(methodName)) as ReportedPlan | undefined;
    const method = { ...(kept ?? describeUnknown(given)), rules: listStatements() };
    const facts = withoutRemoved(await readFacts(store, Date.now()), method);
    writeNamedFiles('--out', out, monitorPages(facts, method));
    if (json) process.stdout.write(`${formatVisibleJson(monitorNumbers(monitorView(facts, method)))}\n`);
    else process.stdout.write(`report: ${join(out, 'index.html')}\n`);
  } finally {
    await store.close();
  }
}

/** A store that only imported results has no objectives; a shared config may define them. */
function describeUnknown(config: Config | undefined): ReportedPlan {
  return {
    location: 'unknown',
    objectives: config ? readDefinition(config, undefined).objectives : [],
    probes: [],
    maintenance: [],
    shares: {},
    versions: { candleproof: version, catalogue: catalogueVersion },
  };
}
