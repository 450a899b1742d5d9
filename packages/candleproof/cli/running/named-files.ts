import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { identifyFile, type NamedFile, requireWritable } from '@candleproof/files/named-file';
import { UsageError } from '@candleproof/files/usage-error';
import type { Command, Option } from 'commander';
import { findConfigFile } from '../config/find-config.ts';
import { FileOption, isStdout } from './file-option.ts';
import { defaultDataDir } from './options.ts';

/**
 * Turns the files that the flags of a command name to be written into NamedFiles, before it runs. Throws a UsageError for
 * one that cannot be written, for two that are one, and for `-` where more than one result would go to stdout.
 */
export async function nameWrittenFiles(command: Command): Promise<void> {
  const options = command.options.filter(isWritten);
  const flags = command.opts();
  const given = options.filter((option) => flags[option.attributeName()] !== undefined);
  if (given.length === 0) return;
  const inputs = await identifyInputs(command, options);
  const named = given.map((option): NamedFile => {
    const file = String(flags[option.attributeName()]);
    return { flag: option.long ?? '', file, inputs, mayReplace: flags.force === true, ...option.writing };
  });
  refuseTwice(named, flags.json === true);
  for (const [at, option] of given.entries()) {
    const file = named[at] as NamedFile;
    if (!isStdout(file)) {
      refusePrinted(file);
      requireWritable(file);
    }
    command.setOptionValue(option.attributeName(), file);
  }
}

function isWritten(option: Option): option is FileOption {
  return option instanceof FileOption && !option.writing.isReadFirst;
}

/** Refuses the file into which the words of this command go, such as /dev/stdout where a shell has redirected it. */
function refusePrinted({ flag, file }: NamedFile): void {
  const known = identifyFile(file);
  if (known !== undefined && [process.stdout.fd, process.stderr.fd].map(identifyFile).includes(known))
    throw new UsageError(`${flag}: ${file} takes what this command prints; name another file, or give -`);
}

function refuseTwice(named: readonly NamedFile[], isJson: boolean): void {
  const places = named.map(({ file }) => (file === '-' ? file : resolvePlace(file)));
  for (const [at, { flag, file }] of named.entries()) {
    const before = named[places.indexOf(places[at] ?? '')];
    if (before?.flag !== flag)
      throw new UsageError(`${flag}: ${file} is that of ${before?.flag} too; name another file`);
    if (file === '-' && isJson)
      throw new UsageError(
        `${flag}: - is standard output, which --json takes; name a file, or leave one out`,
      );
  }
}

/** Returns what two names of one place share, also if nothing is there yet. */
function resolvePlace(file: string): string {
  const known = identifyFile(file);
  if (known !== undefined) return known;
  try {
    return join(realpathSync(dirname(file)), basename(file));
  } catch {
    return resolve(file);
  }
}

/** Identifies the files that a command reads: those that its line names, or its config, and those of its store. */
async function identifyInputs(
  command: Command,
  written: readonly FileOption[],
): Promise<ReadonlySet<string>> {
  const flags = { ...command.opts() };
  for (const option of written) delete flags[option.attributeName()];
  const texts = [...command.args, ...Object.values(flags).flat()].filter(
    (value) => typeof value === 'string',
  );
  const takes = (name: string): boolean => command.options.some((option) => option.attributeName() === name);
  // The data of a look are the body of a request.
  const hasStore = command.options.some(({ flags: written }) => written === '--data <dir>');
  const config = takes('config') ? (flags.config ?? findConfigFile()) : undefined;
  const files = [
    ...texts,
    ...(texts.includes('-') ? [process.stdin.fd] : []),
    ...(hasStore ? listFolder(flags.data ?? defaultDataDir) : []),
    ...(config === undefined ? [] : [config, ...(await listNamedBy(config))]),
  ];
  return new Set(files.map(identifyFile).filter((known) => known !== undefined));
}

function listFolder(folder: string): string[] {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory();
  return isFolder ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

async function listNamedBy(config: string): Promise<string[]> {
  const { listConfigured } = await import('../config/configured-files.ts');
  return listConfigured(config);
}
