import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '@candleproof/files/usage-error';
import { nameFlag } from '@candleproof/files/write-files';
import { isAbout, leaveRemark, type Remark } from '@candleproof/monitors/alerting/remarks';
import { readAlerts } from '@candleproof/monitors/alerting/stored-alerts';
import { readDuration } from '@candleproof/monitors/config/durations';
import type { ReportedPlan } from '@candleproof/monitors/page/plan-facts';
import { methodName } from '@candleproof/monitors/results/known-states';
import { openForReading } from '@candleproof/monitors/results/open-source';
import type { Command } from 'commander';
import { defaultDataDir } from '../running/options.ts';
import { printText } from '../words/output.ts';

type RemarkFlags = { readonly data?: string | undefined; readonly by?: string };

/** Longest planned work that is announced, in ms; a longer one belongs into the config. */
const longestWork = 30 * 86_400_000;

/** Adds `monitor note`, `ack` and `maintain`, which leave a remark for the monitor of a data folder. */
export function addRemarks(monitor: Command): void {
  // A flag that is repeated has its last value alone, and locations of one machine have a folder each.
  const folders: string[] = [];
  monitor.on('option:data', (folder: string) => folders.push(folder));
  monitor
    .command('note <about> <text...>')
    .description('add a note about an alert, an incident (their ids) or a target; pages and sites show it')
    .option('--by <name>', 'the name that stands beside it (the user of this process)')
    .action((about: string, words: readonly string[], _: object, command: Command) =>
      remark(about, words, command.optsWithGlobals(), false),
    );
  monitor
    .command('ack <about> [text...]')
    .description(
      'acknowledge an open alert, by its id or its target: no reminder follows until something is new',
    )
    .option('--by <name>', 'the name that stands beside it (the user of this process)')
    .action((about: string, words: readonly string[], _: object, command: Command) =>
      remark(about, words, command.optsWithGlobals(), true),
    );
  monitor
    .command('maintain <target> <for> [why]')
    .description(
      'planned work at a target from now on, such as 2h, with a message as it begins and ends; 0m ends it; --data may be repeated for further locations',
    )
    .option('--by <name>', 'the name that stands beside it (the user of this process)')
    .action((target: string, length: string, why: string | undefined, _: object, command: Command) =>
      maintain(target, length, why, folders, command.optsWithGlobals()),
    );
}

async function remark(
  about: string,
  words: readonly string[],
  flags: RemarkFlags,
  isAcknowledged: boolean,
): Promise<void> {
  const folder = requireResults(flags);
  if (isAcknowledged) await refuseUnknown(about, folder);
  leave(folder, { about, text: words.join(' '), isAcknowledged }, flags);
  confirm(isAcknowledged ? 'acknowledged' : 'noted', folder);
}

async function maintain(
  target: string,
  length: string,
  why: string | undefined,
  named: readonly string[],
  flags: RemarkFlags,
): Promise<void> {
  const folders = (named.length > 0 ? named : [undefined]).map((data) => requireResults({ data }));
  const ms = readDuration(length);
  if (!(ms <= longestWork))
    throw new UsageError(`monitor maintain: "${length}" is no length up to 30d: write one such as 2h`);
  for (const folder of folders) await refuseUnwatched(target, folder);
  const at = Date.now();
  const work = { at, about: target, text: why ?? 'no reason given', isAcknowledged: false, until: at + ms };
  for (const folder of folders) {
    leave(folder, work, flags);
    confirm(ms > 0 ? `planned work at ${target} for ${length}` : `planned work at ${target} ends`, folder);
  }
}

function requireResults({ data = defaultDataDir }: RemarkFlags): string {
  if (existsSync(join(data, 'results.db'))) return data;
  throw new UsageError(
    `monitor: ${data} is no data folder of a monitor: name the one that a monitor writes to with --data`,
  );
}

function leave(
  folder: string,
  said: Omit<Remark, 'at' | 'by'> & Partial<Pick<Remark, 'at'>>,
  { by = userInfo().username }: RemarkFlags,
): void {
  try {
    leaveRemark(folder, { at: Date.now(), by, ...said });
  } catch (error) {
    throw nameFlag('--data', error);
  }
}

function confirm(what: string, folder: string): void {
  printText(`${what}: the monitor of ${folder} takes it within seconds, or when it runs again\n`);
}

/** Throws a UsageError that lists the targets if the last monitor of a folder does not watch this one. */
async function refuseUnwatched(target: string, folder: string): Promise<void> {
  const reader = await openForReading({ kind: 'folder', folder });
  try {
    const { probes = [] } = ((await reader.state(methodName)) ?? {}) as Partial<ReportedPlan>;
    const names = [...new Set(probes.map((probe) => probe.target))];
    if (names.includes(target)) return;
    throw new UsageError(
      `monitor maintain: no target of ${folder} is "${target}": use ${names.join(', ') || 'the folder of a monitor'}`,
    );
  } finally {
    await reader.close();
  }
}

/** Throws a UsageError that lists the open alerts if none of them is meant. */
async function refuseUnknown(about: string, folder: string): Promise<void> {
  const reader = await openForReading({ kind: 'folder', folder });
  try {
    const open = (await readAlerts(reader)).filter(({ state }) => state !== 'resolved');
    if (open.some((alert) => isAbout(alert, about))) return;
    const names = open.map(({ id }) => id);
    throw new UsageError(
      names.length === 0
        ? `monitor ack: no alert is open in ${folder}`
        : `monitor ack: no open alert is "${about}": use ${names.join(', ')}`,
    );
  } finally {
    await reader.close();
  }
}
