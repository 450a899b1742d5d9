import { join } from 'node:path';
import type { Command } from 'commander';
import { edition } from '../../contract/catalogue.ts';
import { readFacts } from '../../reports/monitor/facts.ts';
import { monitorPage } from '../../reports/monitor/monitor-page.ts';
import { numbersOf } from '../../reports/monitor/numbers.ts';
import type { MonitorPlan } from '../../reports/monitor/plan.ts';
import { monitorView } from '../../reports/monitor/view.ts';
import { writeFiles } from '../../results/run-files.ts';
import { openResultsForReading } from '../../results/sqlite/open.ts';
import { methodName } from '../monitoring/open-monitor.ts';
import { makeOutFolder } from '../publish-run.ts';
import { version } from '../version.ts';
import { defaultDataDir } from './monitor.ts';

type ReportFlags = { readonly data: string; readonly out: string; readonly json?: boolean };

export function registerReport(program: Command): void {
  program
    .command('report')
    .description('what the monitors found, as one HTML file')
    .option('--data <dir>', 'folder of the results store', defaultDataDir)
    .option('--out <dir>', 'folder for the report', join('reports', 'out', 'monitor'))
    .option('--json', 'print the same numbers too')
    .action(report);
}

async function report({ data, out, json }: ReportFlags): Promise<void> {
  const store = await openResultsForReading(data);
  try {
    makeOutFolder(out);
    const facts = await readFacts(store, Date.now());
    const method = ((await store.state(methodName)) as MonitorPlan | undefined) ?? unknownMethod;
    writeFiles(out, { 'index.html': monitorPage(facts, method) });
    if (json) process.stdout.write(`${JSON.stringify(numbersOf(monitorView(facts, method)), null, 2)}\n`);
    else process.stdout.write(`report: ${join(out, 'index.html')}\n`);
  } finally {
    await store.close();
  }
}

/** A store that only took in what others measured. */
const unknownMethod: MonitorPlan = {
  location: 'unknown',
  objectives: [],
  probes: [],
  maintenance: [],
  shares: {},
  versions: { candleproof: version, catalogue: edition },
};
