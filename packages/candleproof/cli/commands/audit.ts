import { join } from 'node:path';
import type { TargetDescription } from '@candleproof/check/target/target-description';
import { toHar } from '@candleproof/client/har/har';
import { version } from '@candleproof/files/package-files';
import { UsageError } from '@candleproof/files/usage-error';
import { makeOutputFolder, writeNamedFiles } from '@candleproof/files/write-files';
import type { Audited } from '@candleproof/gate/audit/audit';
import { auditTarget, planAudit } from '@candleproof/gate/audit/audit';
import type { AuditRange } from '@candleproof/gate/audit/part';
import type { Tolerable } from '@candleproof/gate/gated';
import { auditPage } from '@candleproof/gate/page/audit-page';
import { renderAudit } from '@candleproof/gate/page/audit-text';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { formatVisibleJson } from '@candleproof/reports/words/escape';
import type { Command } from 'commander';
import { resultFolder } from '../../library/write-run.ts';
import { findLedger } from '../database/read-ledger.ts';
import { addPastFlags, exits, hasSuspicion } from '../running/candle-flags.ts';
import { headings, hideFlags, type SendingFlags } from '../running/options.ts';
import { defaultDeadline, runStoppable } from '../running/stopping.ts';
import { withTarget } from '../target/local-service.ts';
import { nameTarget, readTarget } from '../target/read-target.ts';
import { readPools } from '../target/target-flags.ts';
import { type PrintFlags, printLines, terminalStyle, warnUnbooked } from '../words/output.ts';

/** The flags of a call about a target's past. */
export type PastFlags = TargetDescription &
  PrintFlags &
  SendingFlags & {
    readonly from?: number;
    readonly to?: number;
    readonly pool?: readonly string[];
    readonly budget?: number;
    readonly out?: string;
    readonly strict?: boolean;
    readonly tolerate?: Tolerable[];
  };

const year = 365 * 86_400;

/** Adds the command `audit` to the program. */
export function registerAudit(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('audit [target]')
    .description('judge the past of pools as tables, as gate --target does; see docs/audit.md');
  addPastFlags(command)
    .optionsGroup(headings.written)
    .option('--out <dir>', 'folder for the page, damage.ndjson and exchanges.har')
    .action(async (name, flags: PastFlags) => exit(await judgePast(name, flags)));
  hideFlags(command, '--pools-v1');
}

/** Judges the past of a target, writes the files, prints the result and returns the exit code. */
export async function judgePast(name: string | undefined, flags: PastFlags): Promise<number> {
  const target = readTarget(name, flags, process.env);
  const now = Math.floor(Date.now() / 1000);
  const range = readRange(flags, now);
  const chosen = flags.pool?.flatMap((text) => readPools(text, '--pool'));
  const out = resultFolder(flags.out, `${nameTarget(target)}-audit`);
  const audited = await withTarget(target, {}, async (found, remote) => {
    const plan = planAudit(found, { pools: chosen, budget: flags.budget });
    makeOutputFolder(out);
    return runStoppable(flags.deadline ?? defaultDeadline(plan.budget, found.spec), (stop, show) =>
      auditTarget(found, plan, {
        ...flags,
        ...{ range, now, stop, ledger: findLedger(remote, process.env), onUnbooked: warnUnbooked },
        ...{ law: catalogue, tolerated: flags.tolerate ?? [] },
        onProgress: (sent) => show(`${sent} of at most ${plan.budget} requests`),
      }),
    );
  });
  publish(audited, out, flags);
  return flags.strict && hasSuspicion(audited.audit.damage, flags.tolerate ?? [])
    ? 1
    : exits[audited.audit.verdict];
}

function publish({ audit: found, recording, tables }: Audited, folder: string, { json }: PastFlags): void {
  writeNamedFiles('--out', folder, {
    'damage.ndjson': found.damage.map((damage) => `${JSON.stringify(damage)}\n`).join(''),
    'exchanges.har': toHar(recording, version),
    'index.html': auditPage(found, tables, version),
  });
  if (json) process.stdout.write(`${formatVisibleJson(found)}\n`);
  else {
    printLines(renderAudit(found, terminalStyle()));
    process.stdout.write(`ranges: ${join(folder, 'damage.ndjson')}\nreport: ${join(folder, 'index.html')}\n`);
  }
}

function readRange({ from, to: given }: PastFlags, now: number): AuditRange {
  const to = given ?? now;
  const range = { from: from ?? to - year, to };
  if (range.from >= range.to) throw new UsageError('--from: it has to lie before --to, or before now');
  if (range.from >= now) throw new UsageError('--from: it lies in the future, which has no history');
  return range;
}
