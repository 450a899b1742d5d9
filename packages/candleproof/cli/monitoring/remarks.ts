import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '@candleproof/files/usage-error';
import { nameFlag } from '@candleproof/files/write-files';
import { isAbout, leaveRemark } from '@candleproof/monitors/alerting/remarks';
import { readAlerts } from '@candleproof/monitors/alerting/stored-alerts';
import { openForReading } from '@candleproof/monitors/results/open-source';
import type { Command } from 'commander';
import { defaultDataDir } from '../running/options.ts';
import { printText } from '../words/output.ts';

type RemarkFlags = { readonly data?: string; readonly by?: string };

/** Adds `monitor note` and `monitor ack`, which leave a remark for the monitor of a data folder. */
export function addRemarks(monitor: Command): void {
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
}

async function remark(
  about: string,
  words: readonly string[],
  { data = defaultDataDir, by = userInfo().username }: RemarkFlags,
  isAcknowledged: boolean,
): Promise<void> {
  if (!existsSync(join(data, 'results.db')))
    throw new UsageError(`monitor: ${data} holds no results: name the monitor's folder with --data`);
  if (isAcknowledged) await refuseUnknown(about, data);
  try {
    leaveRemark(data, { at: Date.now(), about, text: words.join(' '), by, isAcknowledged });
  } catch (error) {
    throw nameFlag('--data', error);
  }
  printText(
    `${isAcknowledged ? 'acknowledged' : 'noted'}: the monitor of ${data} takes it within seconds, or when it runs again\n`,
  );
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
