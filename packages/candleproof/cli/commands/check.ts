import { join } from 'node:path';
import { openBaseline } from '@candleproof/check/baseline/open-baseline';
import type { FirstJudged } from '@candleproof/check/run/run';
import { awaitTarget, checkTarget } from '@candleproof/check/target/check-target';
import { wordProgress } from '@candleproof/check/target/client';
import { listArticles, listMethods, planCheck } from '@candleproof/check/target/plan-check';
import { requirePools } from '@candleproof/check/target/target';
import type { TargetDescription } from '@candleproof/check/target/target-description';
import { readWholeNumber } from '@candleproof/files/read-numbers';
import { UsageError } from '@candleproof/files/usage-error';
import { makeOutputFolder } from '@candleproof/files/write-files';
import type { Run } from '@candleproof/law/judge/verdict';
import type { Catalogue } from '@candleproof/law/rules/catalogue';
import type { Command } from 'commander';
import { chooseLaw } from '../../library/choose-law.ts';
import { resultFolder } from '../../library/write-run.ts';
import { addConfiguredBaseline, closeBaseline } from '../baseline/baseline-flags.ts';
import { findLedger } from '../database/read-ledger.ts';
import { addGithubFlags } from '../running/github.ts';
import { headings, option } from '../running/options.ts';
import { exitCode, publishRun } from '../running/publish-run.ts';
import { addRunFlags, type ChosenNight, chooseNight, type RunFlags } from '../running/run-flags.ts';
import { StageTimes } from '../running/stage-times.ts';
import { defaultDeadline, runStoppable } from '../running/stopping.ts';
import { checkOffline, findRecorded, withTier } from '../running/tier.ts';
import { withServer } from '../target/document-server.ts';
import { withTarget } from '../target/local-service.ts';
import { type NamedTarget, nameTarget, type RemoteTarget, readTarget } from '../target/read-target.ts';
import { addTargetFlags } from '../target/target-flags.ts';
import { printJson, printText, warnUnbooked } from '../words/output.ts';
import { articlesInWords, methodsInWords } from '../words/plan-words.ts';

/** Characters of a key (§5). */
const documentedKeyLength = 32;

/** Names the rules and questions that a check would judge by. */
async function listCheck(target: NamedTarget, flags: TargetDescription & RunFlags): Promise<void> {
  const { describeChecked } = await import('./plan.ts');
  const list = listArticles(
    describeChecked(target),
    { ...flags, law: chooseLaw(flags.only), ...chooseNight(flags, { usual: target.configured?.seed }) },
    flags.tier === 'pr',
  );
  printText(articlesInWords(list), flags);
  printJson(flags, list);
}

/** The embedded service, before it is started. */
const localFacts = { name: 'local', baseUrl: '' };

/** Adds the command `check` to the program. */
export function registerCheck(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('check [target]')
    .description('judge a target against the document; the embedded service is the target "local"');
  addGithubFlags(addRunFlags(addTargetFlags(command)))
    .optionsGroup(headings.sent)
    .addOption(
      option(
        '--wait <seconds>',
        'wait so long for the target to answer, as after a deployment',
        readWholeNumber,
      ),
    )
    .option('--list', 'name what would be judged and send nothing')
    .optionsGroup(headings.written)
    .option('--label <text>', 'a name to find the run by, kept in run.json', readLabel)
    .option('--commit <sha>', 'the commit of what is checked, kept in run.json', readCommit)
    .action(async (name, typed: TargetDescription & RunFlags & RunNames) => {
      const flags = withServer(name, withTier(typed));
      const target = readTarget(name, flags, process.env, {
        needsKey: flags.tier !== 'pr',
      });
      if (flags.list) return listCheck(target, flags);
      const recorded = findRecorded(target, flags);
      exit(await (recorded ? checkFromRecording(recorded, flags) : check(target, flags)));
    });
}

/** Names that the caller gives a run. */
type RunNames = Pick<Run, 'label' | 'commit'>;

function readLabel(text: string): string {
  if (text.trim() !== '' && [...text].length <= 100) return text;
  throw new UsageError('--label: give 1 to 100 characters');
}

function readCommit(text: string): string {
  if (/^[0-9a-f]{7,64}$/i.test(text)) return text.toLowerCase();
  throw new UsageError(`--commit: "${text}" is no commit: give 7 to 64 hexadecimal digits`);
}

/** Returns an outcome whose run has the names that the caller gave it. */
function nameRun<Outcome extends { readonly run: Run }>(
  outcome: Outcome,
  { label, commit }: RunNames,
): Outcome {
  return { ...outcome, run: { ...outcome.run, label, commit } };
}

async function check(target: NamedTarget, flags: TargetDescription & RunFlags & RunNames): Promise<number> {
  const { configured, spec } = target;
  const law = chooseLaw(flags.only);
  if (!flags.only && target.kind === 'remote') requirePools(target, 'check');
  warnOfKey(target);
  const baseline = openBaseline(addConfiguredBaseline(configured, flags), target.facts ?? localFacts);
  makeOutputFolder(resultFolder(flags.out, nameTarget(target)));
  const night = chooseNight(flags, { usual: configured?.seed });
  if (target.kind === 'remote') announceMethods(target, flags, { ...night, law });
  const { wait = 0, deadline = defaultDeadline(flags.budget, spec) } = flags;
  const times = flags.timings ? new StageTimes() : undefined;
  times?.end('start');
  const onStage = (stage: string): void => times?.end(stage);
  const { baseline: _file, ...chosen } = flags;
  const outcome = await runStoppable(wait + deadline, (stop, show) =>
    withTarget(target, { seed: night.seed, onStage }, async (found, remote) => {
      if (remote && wait > 0) {
        show(`waiting for ${remote.facts.name}`);
        await awaitTarget(remote, wait * 1000, { ...flags, stop });
      }
      const options = { ...chosen, ...night, baseline, law, stop, ledger: findLedger(remote, process.env) };
      let first: FirstJudged | undefined;
      return checkTarget(found, options, {
        onFirstJudged: (judged) => {
          first = judged;
        },
        onUnbooked: warnUnbooked,
        onProgress: (...counts) => show(wordProgress(counts, found, flags.rate, first)),
        onJudged: (milliseconds) => times?.addJudging(milliseconds),
        onFinished: () => onStage('requests'),
      });
    }),
  );
  times?.end('closing');
  publishRun(nameRun(outcome, flags), flags, configured?.place);
  closeBaseline(baseline, outcome.run);
  times?.end('reports');
  if (times) process.stderr.write(`timings: ${times.describe(outcome.recording)}\n`);
  if (outcome.recording.exchanges.some((exchange) => exchange.failure?.kind === 'certificate')) {
    process.stderr.write(
      flags.caFile === undefined
        ? `candleproof: where its authority is your own, name it with ${configured ? `caFile at ${configured.place.file}:${configured.place.line}` : '--ca-file'}\n`
        : `candleproof: --ca-file: ${flags.caFile} has no authority that signed this certificate: name the one that did\n`,
    );
  }
  return exitCode(outcome.run, flags.strict === true);
}

/** Prints the methods that the document would have sent, before anything is. */
function announceMethods(
  { facts, spec }: RemoteTarget,
  flags: RunFlags,
  chosen: ChosenNight & { readonly law: Catalogue },
): void {
  const plan = planCheck({ facts, spec }, { ...flags, ...chosen });
  printText(methodsInWords(facts.name, listMethods(spec, plan)), flags);
}

/** Reports the recording alone; if the embedded service fails the same rules, reports it too, in a subfolder. */
async function checkFromRecording(target: RemoteTarget, flags: RunFlags & RunNames): Promise<number> {
  if (flags.out !== undefined) makeOutputFolder(flags.out);
  const { embedded, recorded } = await checkOffline(target, flags);
  const embeddedCode = exitCode(embedded.run, flags.strict === true);
  if (embeddedCode > 0)
    publishRun(embedded, { ...(flags.out !== undefined && { out: join(flags.out, 'embedded') }) });
  publishRun(nameRun(recorded.outcome, flags), flags, target.configured?.place);
  closeBaseline(recorded.baseline, recorded.outcome.run);
  return Math.max(embeddedCode, exitCode(recorded.outcome.run, flags.strict === true));
}

/** A key of another length is ours to doubt, not the target's fault: it is often a shared one, or cut off. */
function warnOfKey(target: NamedTarget): void {
  const { length } = (target.kind === 'remote' && target.apiKey) || { length: documentedKeyLength };
  if (length === documentedKeyLength) return;
  process.stderr.write(
    `candleproof: the key has ${length} characters, the document's have ${documentedKeyLength} (§5): is it whole, and yours alone?\n`,
  );
}
