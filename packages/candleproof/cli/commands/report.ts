import { join } from 'node:path';
import { readDefinition } from '@candleproof/monitors/config/definition';
import { writeReport } from '@candleproof/monitors/page/written-report';
import { formatVisibleJson } from '@candleproof/reports/words/escape';
import type { Command } from 'commander';
import { openConfig } from '../config/config.ts';
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
  const written = await writeReport(readSource(flags, process.env), { out, now: Date.now() }, () =>
    given ? readDefinition(given, undefined).objectives : [],
  );
  if (json) process.stdout.write(`${formatVisibleJson(written.numbers)}\n`);
  else process.stdout.write(`report: ${join(out, 'index.html')}\n`);
}
