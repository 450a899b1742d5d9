import { acceptSpec } from '@candleproof/check/target/accepted-spec';
import { requirePools, type Target } from '@candleproof/check/target/target';
import type { NamedFile } from '@candleproof/files/named-file';
import { UsageError } from '@candleproof/files/usage-error';
import { makeOutputFolder } from '@candleproof/files/write-files';
import type { WholeQuota } from '@candleproof/law/reading/quota';
import type { LoadPlan } from '@candleproof/load/load-run';
import { mergeRuns, UnlikeRuns } from '@candleproof/load/merge';
import { formatBill } from '@candleproof/load/page/load-terminal';
import { requireK6 } from '@candleproof/load/running/find-k6';
import { readSegments } from '@candleproof/load/running/read-load-run';
import { type LoadOptions, planLoad, runLoad, Unreachable } from '@candleproof/load/running/run-load';
import { makeTrial } from '@candleproof/load/running/trial';
import { UnknownFault } from '@candleproof/reference-service/faults/registry';
import type { Command } from 'commander';
import { resultFolder } from '../../library/write-run.ts';
import { openConfig } from '../config/config.ts';
import { findLedger } from '../database/read-ledger.ts';
import { addLoadFlags, type LoadFlags, readScenario, readThresholds } from '../loading/load-flags.ts';
import { compareLoads, publishLoad, publishMerged } from '../loading/publish-load.ts';
import { isStdout } from '../running/file-option.ts';
import { stopAtDeadline } from '../running/stopping.ts';
import { withTarget } from '../target/local-service.ts';
import { nameTarget, type RemoteTarget, readTarget } from '../target/read-target.ts';
import { progressLine, wordStream, writeText } from '../words/output.ts';

/** Beyond the load itself: time to get ready, and for the last answers. */
const spareSeconds = 600;

/** Adds the command `load` to the program. */
export function registerLoad(program: Command, exit: (code: number) => void): void {
  addLoadFlags(
    program
      .command('load [scenario] [target]')
      .description('how much a target bears, within what its key can pay; see docs/load.md'),
  )
    .option('--merge <files...>', 'make one run of the load.json, or k6’s logs, of all segments')
    .option('--compare <files...>', 'set a second load.json against a first one of the same load')
    .action(async (scenario: string | undefined, name: string | undefined, flags: LoadFlags & FileFlags) => {
      if (flags.merge && flags.compare)
        throw new UsageError('load: give --merge or --compare: compare what was merged');
      if (flags.merge) return exit(merge(flags.merge, flags));
      if (flags.compare) return exit(compareLoads(flags.compare, flags));
      if (scenario === undefined) throw new UsageError('load: name a scenario, such as smoke');
      exit(await load(scenario, name, flags));
    });
}

type FileFlags = { readonly merge?: readonly string[]; readonly compare?: readonly string[] };

async function load(scenario: string, name: string | undefined, flags: LoadFlags): Promise<number> {
  const id = readScenario(scenario);
  const target = readTarget(name, flags, process.env);
  if (flags.fault && target.kind === 'remote')
    throw new UsageError('--fault: only the embedded service has faults to switch on');
  if (flags.granted !== undefined && !flags.segment)
    throw new UsageError('--granted: only beside --segment, whose bill it names');
  if (target.kind === 'remote') refuseMainnet(target, flags);
  if (target.kind === 'remote') requirePools(target, 'load');
  if (
    target.kind === 'remote' &&
    target.spec.keyPlaces?.some((keyPlace, at) => at > 0 || keyPlace.in === 'query')
  )
    throw new UsageError('load: it sends one key in a header alone: take another document or operation');
  await acceptSpec(target.kind === 'remote' ? target.spec : undefined);
  const out = resultFolder(flags.out, `load-${nameTarget(target)}`);
  if (flags.plan === undefined) makeOutputFolder(out);
  const stop = stopAtDeadline((flags.duration ?? 0) + spareSeconds + 1800);
  const thresholds = readThresholds(
    target.kind === 'remote' && target.configured ? openConfig(flags.config) : undefined,
  );
  const progress = progressLine();
  const send = async (found: Target, remote?: RemoteTarget): Promise<number> => {
    const choices = { ...flags, plan: flags.plan?.file, thresholds };
    const trial = makeTrial(id, found, choices);
    const k6 = trial.engine === 'k6' && flags.plan === undefined ? requireK6() : undefined;
    const options: LoadOptions = {
      ...{ k6, target: found, trial, choices, isEmbedded: remote === undefined, stop: stop.signal },
      ledger: findLedger(remote, process.env),
      onBill: (month) => printBill(trial, month, flags),
      onProgress: (sent) => progress.show(`${sent} of ${trial.bill} requests`),
    };
    if (flags.plan !== undefined) return keepPlan(await planLoad(options), flags.plan);
    const finished = await runLoad(options).finally(() => progress.clear());
    return publishLoad(finished, found, out, flags);
  };
  try {
    return await withTarget(target, { faults: flags.fault ?? [] }, send);
  } catch (error) {
    if (error instanceof UnknownFault) throw new UsageError(`--fault: ${error.message}`);
    if (!(error instanceof Unreachable)) throw error;
    process.stderr.write(`candleproof: inconclusive: ${nameTarget(target)}: ${error.message}\n`);
    return 3;
  } finally {
    stop.dispose();
  }
}

function printBill(trial: LoadOptions['trial'], month: WholeQuota | undefined, flags: LoadFlags): void {
  if (!flags.json) wordStream({ json: isStdout(flags.plan) }).write(formatBill(trial, month));
  if (trial.grant !== undefined && flags.granted === undefined)
    process.stderr.write(`grant: ${trial.grant}\n`);
}

function keepPlan(plan: LoadPlan, file: NamedFile): number {
  writeText(file, `${JSON.stringify(plan)}\n`);
  if (!isStdout(file)) process.stdout.write(`plan: ${file.file}; its whole bill is booked\n`);
  return 0;
}

/** Undeclared and away from loopback it may be mainnet: the careful choice. */
function refuseMainnet({ isLoopback, network, facts }: RemoteTarget, { allowMainnet }: LoadFlags): void {
  if (isLoopback || allowMainnet || network === 'testnet') return;
  const why =
    network === 'mainnet' ? 'is on mainnet' : 'may be on mainnet, since nothing declares its network';
  throw new UsageError(`load: ${facts.name} ${why}: load a testnet target, or give --allow-mainnet`);
}

function merge(files: readonly string[], flags: LoadFlags): number {
  const segments = files.map((file) => readSegments(file, '--merge'));
  const [first, ...others] = segments.flatMap(({ runs }) => runs);
  if (!first) throw new UsageError('--merge: name the load.json files of the segments');
  try {
    const messages = segments.flatMap((segment) => segment.messages);
    return publishMerged(mergeRuns([first, ...others]), messages, flags);
  } catch (error) {
    if (error instanceof UnlikeRuns) throw new UsageError(`--merge: ${error.message}`);
    throw error;
  }
}
