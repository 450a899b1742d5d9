import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { type FirstLook, maxLooks, type SeenPool, takeFirstLook } from '@candleproof/check/run/first-look';
import { acceptSpec } from '@candleproof/check/target/accepted-spec';
import { withClient } from '@candleproof/check/target/client';
import { planCheck } from '@candleproof/check/target/plan-check';
import { requirePools } from '@candleproof/check/target/target';
import type { TargetDescription } from '@candleproof/check/target/target-description';
import type { DocumentFiles, PoolsBySpace } from '@candleproof/document/spec/spec';
import { requireWritable, writeNamedFile } from '@candleproof/files/named-file';
import { isGalleryName } from '@candleproof/files/package-files';
import { UsageError } from '@candleproof/files/usage-error';
import type { Command } from 'commander';
import { type Config, openConfig } from '../config/config.ts';
import { defaultConfigFile } from '../config/find-config.ts';
import { addTarget, isTargetName, type NewTarget, newConfigText } from '../config/new-config.ts';
import { addPipeline, planPipeline } from '../config/new-pipeline.ts';
import { findLedger } from '../database/read-ledger.ts';
import { ask } from '../running/ask.ts';
import { FileOption } from '../running/file-option.ts';
import { headings, overageFlag } from '../running/options.ts';
import { defaultDeadline, runStoppable } from '../running/stopping.ts';
import { withServer } from '../target/document-server.ts';
import { type RemoteTarget, readTarget } from '../target/read-target.ts';
import { addAccessFlags } from '../target/target-flags.ts';
import { describeFirstLook } from '../words/first-look-words.ts';
import { printText, warnUnbooked } from '../words/output.ts';
import { assumedMonth, planInWords } from '../words/plan-words.ts';

type InitFlags = Omit<TargetDescription, 'config' | 'baseUrl'> & {
  readonly config: string;
  readonly name?: string;
  readonly allowOverage?: boolean;
  readonly ci?: boolean;
};

const timeout = 10_000;

/** As an inconclusive check ends. */
const inconclusive = 3;

/** Adds the command `init` to the program. */
export function registerInit(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('init [url]')
    .description(
      'at most 6 requests to a target; writes candleproof.yaml, or adds to it, and shows what a check costs',
    );
  addAccessFlags(command)
    .optionsGroup(headings.written)
    .addOption(
      new FileOption('--config <file>', 'file to write, or to add the target to', {
        isReadFirst: true,
      }).default(defaultConfigFile),
    )
    .option('--name <name>', 'name of the target in commands (its host)')
    .option('--ci', 'show and add a workflow that checks each night, and its script in package.json')
    .optionsGroup(headings.sent)
    .option(...overageFlag)
    .action(async (given: string | undefined, flags: InitFlags) => {
      const { config: file, ...described } = flags;
      requireWritable({ flag: '--config', file, mayReplace: true });
      const existing = existsSync(file) ? openConfig(file) : undefined;
      refuseName(flags.name);
      const url =
        given ??
        (flags.spec === undefined ? await ask('Address of the API, such as https://host: ') : undefined);
      const served = withServer(url, { ...described, baseUrl: url }, 'init');
      if (served.baseUrl === undefined)
        throw new UsageError('init: give the address of the target, or a --spec that has one');
      const target = readTarget(flags.name, served, process.env);
      if (target.kind === 'local')
        throw new UsageError('init: local describes itself: give the address of another target');
      refuseName(target.facts.name);
      if (existing) refuseSecond(existing, target);
      requirePools(target, 'look at');
      const hasKey = target.apiKey !== undefined;
      const pipeline = flags.ci
        ? planPipeline(dirname(resolve(file)), { target: target.facts.name, hasKey })
        : undefined;
      const look = await requestFirstLook(target, flags);
      printText(describeFirstLook(look, target));
      const answered = look.pools.filter((pool) => pool.answers !== false);
      if (look.trouble !== undefined || answered.every((pool) => pool.isUnreadable)) {
        printText('Nothing was written.\n');
        exit(inconclusive);
        return;
      }
      write(file, newTarget(target, answered, look, flags, file), existing !== undefined);
      printText(
        `${file} ${existing ? 'has one more target' : 'written'}. Next: npx candleproof check ${target.facts.name}\n\n${costs(target, answered, look)}`,
      );
      if (pipeline) await addPipeline(pipeline, hasKey);
    });
}

function refuseName(name: string | undefined): void {
  if (name === undefined || isTargetName(name)) return;
  throw new UsageError(
    `--name: no target can be called "${name}": give another name, of at most 40 letters, digits, dots and dashes`,
  );
}

/** Refuses a target that cannot be added to a config, before anything is sent. */
function refuseSecond({ file, targets, document }: Config, { facts, spec }: RemoteTarget): void {
  if (Object.hasOwn(targets, facts.name))
    throw new UsageError(`init: ${file} has a target "${facts.name}" already: give another --name`);
  const files = ({ file, overlays = [] }: DocumentFiles) =>
    String([file, ...overlays].map((name) => resolve(name)));
  if (files(spec) !== files(document))
    throw new UsageError(
      `init: ${file} is about another document, and a config holds its targets to one: give its --spec and --overlay, or name another file with --config`,
    );
}

async function requestFirstLook(target: RemoteTarget, { allowOverage }: InitFlags): Promise<FirstLook> {
  const spec = await acceptSpec(target.spec);
  const booking = { ledger: findLedger(target, process.env), onUnbooked: warnUnbooked, allowOverage };
  const sending = { timeout, budget: maxLooks, ...booking };
  const hasKey = target.apiKey !== undefined;
  return runStoppable(defaultDeadline(maxLooks, spec), (stop) =>
    withClient(target, sending, (client) =>
      takeFirstLook({ spec, target: target.facts, client, hasKey, stop }),
    ),
  );
}

function newTarget(
  { facts }: RemoteTarget,
  pools: readonly SeenPool[],
  { quota }: FirstLook,
  flags: InitFlags,
  file: string,
): NewTarget {
  const toPath = (named: string): string =>
    relative(dirname(resolve(file)), resolve(named)).replaceAll('\\', '/');
  const { apiKeyFile, caFile, sharedKey = false } = flags;
  // A pipeline has no file of the key.
  const key =
    apiKeyFile === undefined || flags.ci ? { env: 'CANDLEPROOF_API_KEY' } : { file: toPath(apiKeyFile) };
  return {
    name: facts.name,
    baseUrl: facts.baseUrl,
    pools: groupIds(pools),
    gaps: facts.gaps,
    caFile: caFile && toPath(caFile),
    overlays: flags.overlay?.map(toPath),
    ...(flags.spec !== undefined && { spec: isGalleryName(flags.spec) ? flags.spec : toPath(flags.spec) }),
    shared: sharedKey,
    ...(!facts.keyless && { key }),
    ...(quota.limit !== undefined && quota.limit > 0 && { limit: quota.limit }),
  };
}

function groupIds(pools: readonly SeenPool[]): PoolsBySpace {
  return Object.fromEntries(
    [...Map.groupBy(pools, ({ space }) => space)].map(([space, all]) => [space, all.map(({ id }) => id)]),
  );
}

function write(file: string, target: NewTarget, isRead: boolean): void {
  const text = isRead
    ? addTarget(readFileSync(file, 'utf8'), target)
    : newConfigText(target, dirname(resolve(file)));
  writeNamedFile({ flag: '--config', file, mayReplace: isRead }, text);
}

function costs({ facts, spec }: RemoteTarget, pools: readonly SeenPool[], { quota }: FirstLook): string {
  const plan = planCheck({ spec, facts: { ...facts, pools: groupIds(pools) } });
  const month = quota.limit ? { limit: quota.limit, isKnown: true } : assumedMonth(spec);
  return planInWords(plan, undefined, month, facts.name);
}
