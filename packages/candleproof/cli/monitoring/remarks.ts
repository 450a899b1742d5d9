import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { readDuration } from '@candleproof/files/read-numbers';
import { UsageError } from '@candleproof/files/usage-error';
import { nameFlag } from '@candleproof/files/write-files';
import { leaveRemark, type Remark, requireFitting } from '@candleproof/monitors/alerting/remarks';
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
  const said = { about, text: words.join(' '), isAcknowledged };
  await requireFitting(folder, said);
  leave(folder, said, flags);
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
  const at = Date.now();
  const work = { at, about: target, text: why ?? 'no reason given', isAcknowledged: false, until: at + ms };
  for (const folder of folders) await requireFitting(folder, work);
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
