import { join } from 'node:path';
import type { TargetDescription } from '@candleproof/check/target/target-words';
import { toHar } from '@candleproof/client/har/har';
import { version } from '@candleproof/files/package-files';
import { readTime, readWholeNumber } from '@candleproof/files/read-numbers';
import { UsageError } from '@candleproof/files/usage-error';
import { makeOutputFolder, writeNamedFiles } from '@candleproof/files/write-files';
import type { Audited } from '@candleproof/gate/audit/audit';
import { auditTarget, planAudit } from '@candleproof/gate/audit/audit';
import type { AuditRange } from '@candleproof/gate/audit/part';
import { auditPage } from '@candleproof/gate/page/audit-page';
import { renderAudit } from '@candleproof/gate/page/audit-text';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { formatVisibleJson } from '@candleproof/reports/words/escape';
import type { Command } from 'commander';
import { toFolderName } from '../../library/write-run.ts';
import { findLedger } from '../database/read-ledger.ts';
import { addSendingFlags, option, type SendingFlags } from '../running/options.ts';
import { defaultDeadline, runStoppable } from '../running/stopping.ts';
import { withTarget } from '../target/local-service.ts';
import { addTargetFlags, readPools, readTarget } from '../target/target-flags.ts';
import { type PrintFlags, printLines, terminalStyle, warnUnbooked } from '../words/output.ts';

type AuditFlags = TargetDescription &
  PrintFlags &
  SendingFlags & {
    readonly from?: number;
    readonly to?: number;
    readonly pool?: readonly string[];
    readonly budget?: number;
    readonly out?: string;
  };

const year = 365 * 86_400;

/** Adds the command `audit` to the program. */
export function registerAudit(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('audit [target]')
    .description('sweep the past of pools and list damaged ranges; see docs/audit.md');
  addTargetFlags(command)
    .addOption(option('--from <time>', 'ISO 8601 or Unix seconds (a year before --to)', readTime))
    .addOption(option('--to <time>', 'ISO 8601 or Unix seconds (now)', readTime))
    .option('--pool <ids...>', 'pools to sweep (all that have a history)')
    .addOption(
      option('--budget <n>', 'most requests to send (3 for each pool, and 18 more)', readWholeNumber),
    )
    .option('--out <dir>', 'folder for the page, damage.ndjson and exchanges.har')
    .option('--json', 'print the result as JSON instead of a table')
    .addOption(option('--rate <n>', 'requests per second (5 away from loopback)', readWholeNumber));
  addSendingFlags(command, 30_000).action(async (name, flags: AuditFlags) => exit(await audit(name, flags)));
}

async function audit(name: string | undefined, flags: AuditFlags): Promise<number> {
  const target = readTarget(name, flags, process.env);
  const now = Math.floor(Date.now() / 1000);
  const range = readRange(flags, now);
  const chosen = flags.pool?.flatMap((text) => readPools(text, '--pool'));
  if (flags.out !== undefined) makeOutputFolder(flags.out);
  const audited = await withTarget(target, { handlesSignals: true }, async (found, remote) => {
    const plan = planAudit(found, { pools: chosen, budget: flags.budget });
    return runStoppable(flags.deadline ?? defaultDeadline(plan.budget, found.spec), (stop, show) =>
      auditTarget(found, plan, {
        ...flags,
        ...{ range, now, stop, ledger: findLedger(remote, process.env), onUnbooked: warnUnbooked },
        law: catalogue,
        onProgress: (sent) => show(`${sent} of at most ${plan.budget} requests`),
      }),
    );
  });
  return publish(audited, flags);
}

/** Writes the files, prints the result and returns the exit code: 1 for a breach, else 3 if not all was read. */
function publish({ audit: found, recording }: Audited, { out, json }: AuditFlags): number {
  const folder = out ?? join('reports', 'out', `${toFolderName(found.target.name)}-audit`);
  makeOutputFolder(folder);
  writeNamedFiles('--out', folder, {
    'damage.ndjson': found.damage.map((damage) => `${JSON.stringify(damage)}\n`).join(''),
    'exchanges.har': toHar(recording, version),
    'index.html': auditPage(found, version),
  });
  if (json) process.stdout.write(`${formatVisibleJson(found)}\n`);
  else {
    printLines(renderAudit(found, terminalStyle()));
    process.stdout.write(`ranges: ${join(folder, 'damage.ndjson')}\nreport: ${join(folder, 'index.html')}\n`);
  }
  const isFound = (certainty: string): boolean =>
    found.damage.some((damage) => damage.certainty === certainty);
  if (isFound('breach')) return 1;
  return isFound('unknown') || found.candles === 0 ? 3 : 0;
}

function readRange({ from, to: given }: AuditFlags, now: number): AuditRange {
  const to = given ?? now;
  const range = { from: from ?? to - year, to };
  if (range.from >= range.to) throw new UsageError('--from: it has to lie before --to, or before now');
  if (range.from >= now) throw new UsageError('--from: it lies in the future, which has no history');
  return range;
}
