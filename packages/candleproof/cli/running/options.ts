import { readTimeout, readWholeNumber } from '@candleproof/files/read-numbers';
import { UsageError } from '@candleproof/files/usage-error';
import { type Command, Option } from 'commander';

/** Makes an option whose value is read with the name of its flag; `usual` is the default value. */
export function option<Value>(
  flags: string,
  means: string,
  read: (text: string, flag: string) => Value,
  usual?: Value,
): Option {
  const made = new Option(flags, means);
  return made.argParser((text) => read(text, made.long ?? flags)).default(usual);
}

/** Makes an option that may be repeated: its value lists all that were given. */
export function repeatable(flags: string, means: string, read = (text: string): string => text): Option {
  return new Option(flags, means).argParser((text, before: readonly string[] = []) => [
    ...before,
    read(text),
  ]);
}

/** Headings of flags in help. */
export const headings = {
  target: 'The target:',
  sent: 'What is sent:',
  judged: 'How it is judged:',
  written: 'What is written:',
  store: 'Where results are kept:',
  listening: 'Where it listens:',
  scripts: 'For scripts and operators:',
} as const;

/** Hides flags that a command accepts and ignores, so that another command's line can be tried on it. */
export function hideFlags(command: Command, flags: string): void {
  for (const option of command.options) if (flags.split(' ').includes(option.long ?? '')) option.hideHelp();
}

/** Folder of the results store if no flag names another. */
export const defaultDataDir = '.candleproof';

/** The flag of the folder for reports. */
export const outFlag = ['--out <dir>', 'folder for the reports'] as const;

/** The flag that makes a run stricter. */
export const strictFlag = [
  '--strict',
  'exit 1 for a failed "should", a known failing that is gone or expired and a changed answer too',
] as const;

/** The flag of all commands that send with a key. */
export const overageFlag = [
  '--allow-overage',
  'send beyond what the key’s month leaves, and its declared reserve: it may be billed',
] as const;

/** Flags that choose the rules to judge by. */
export type LawFlags = { readonly only?: readonly string[] };

/** Adds the flags that choose the rules to judge by. */
export function addLawFlags(command: Command): Command {
  return command
    .optionsGroup(headings.judged)
    .option('--only <names...>', 'rules or groups of rules to judge by');
}

/** Flags that bound the requests of a run; `timeout` in milliseconds, `maxBody` in MB, `deadline` in seconds. */
export type SendingFlags = {
  readonly rate?: number;
  readonly timeout: number;
  readonly maxBody?: number;
  readonly deadline?: number;
  readonly allowOverage?: boolean;
};

/** Adds the flags that bound the requests of a run, but for --rate; `usual` is the usual timeout in milliseconds. */
export function addSendingFlags(command: Command, usual: number): Command {
  return command
    .optionsGroup(headings.sent)
    .option(...overageFlag)
    .addOption(timeoutOption(usual))
    .addOption(
      option(
        '--max-body <mb>',
        'longest answer to read, in MB (8); a run keeps four times as much',
        readMaxBody,
      ),
    )
    .addOption(
      option(
        '--deadline <seconds>',
        'longest time for the whole run (30, and one for each request that it may send)',
        readWholeNumber,
      ),
    );
}

/** Returns the flag for the longest wait for an answer; `usual` in milliseconds. */
export function timeoutOption(usual: number): Option {
  return option('--timeout <ms>', 'longest wait for an answer', readTimeout, usual);
}

/** More would not fit into the memory that one text may take. */
const mostMegabytes = 128;

function readMaxBody(text: string, flag: string): number {
  const megabytes = readWholeNumber(text, flag);
  if (megabytes > mostMegabytes) throw new UsageError(`${flag}: "${text}" is more than ${mostMegabytes} MB`);
  return megabytes;
}
