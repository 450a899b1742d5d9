import { dirname } from 'node:path';
import { MonthSpent } from '@candleproof/client/ledger/ledger-store';
import { version } from '@candleproof/files/package-files';
import { OneLineError } from '@candleproof/files/usage-error';
import { makeVisible } from '@candleproof/reports/words/escape';
import { Command, CommanderError, Option } from 'commander';
import { findConfigFile } from './config/find-config.ts';
import { nameReport, renewArguments } from './former-names.ts';
import { explainMissingPart, explainUsage } from './help/explain-usage.ts';
import { flagHelp, styleHelp } from './help/help.ts';
import { FileOption } from './running/file-option.ts';
import { redactKeys, refuseKeyFlag } from './target/redact-keys.ts';

/** Runs one command line and returns its exit code: 2, with one line on stderr, if the command could not run. */
export async function main(given: readonly string[]): Promise<number> {
  // A reader that closes the pipe early, such as head, is no error and changes no exit code.
  for (const stream of [process.stdout, process.stderr])
    if (stream.listenerCount('error') === 0) stream.on('error', () => {});
  // A pipeline that lost its arguments is not green.
  let exitCode = given.length === 0 ? 2 : 0;
  const args = renewArguments(flagHelp(given));
  try {
    refuseKeyFlag(args);
    if (args[0] === 'open') {
      nameReport(args[1]);
      return 0;
    }
    const program = await buildProgram(args, (code) => {
      exitCode = code;
    });
    const [name = ''] = args;
    // A name that no command has is said to be unknown, whatever follows it.
    const isUnknown = !name.startsWith('-') && !Object.hasOwn(commands, name);
    await program.parseAsync(isUnknown ? [name] : args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode : 2;
    const isSpent = error instanceof MonthSpent;
    const words = `${isSpent ? 'inconclusive: ' : ''}${redactKeys(explain(error), args)}`;
    process.stderr.write(`candleproof: ${words}\n`);
    return isSpent ? 3 : 2;
  }
}

type SetExitCode = (code: number) => void;

type Register = (program: Command, exit: SetExitCode) => void;

/** By their headings in help; each is loaded when it is run, for most need little of what the others take to load. */
const commandGroups: Readonly<Record<string, Readonly<Record<string, () => Promise<Register>>>>> = {
  'Judge a target:': {
    check: async () => (await import('./commands/check.ts')).registerCheck,
    look: async () => (await import('./commands/look.ts')).registerLook,
    gate: async () => (await import('./commands/gate.ts')).registerGate,
    init: async () => (await import('./commands/init.ts')).registerInit,
    plan: async () => (await import('./commands/plan.ts')).registerPlan,
    replay: async () => (await import('./commands/replay.ts')).registerReplay,
    explore: async () => (await import('./commands/explore.ts')).registerExplore,
    audit: async () => (await import('./commands/audit.ts')).registerAudit,
    judge: async () => (await import('./commands/judge.ts')).registerJudge,
    rehearse: async () => (await import('./commands/rehearse.ts')).registerRehearse,
    spec: async () => (await import('./commands/spec.ts')).registerSpec,
    rules: async () => (await import('./commands/rules.ts')).registerRules,
  },
  'Watch it:': {
    monitor: async () => (await import('./commands/monitor.ts')).registerMonitor,
    proxy: async () => (await import('./commands/proxy.ts')).registerProxy,
    report: async () => (await import('./commands/report.ts')).registerReport,
    load: async () => (await import('./commands/load.ts')).registerLoad,
  },
  'The reference service:': {
    serve: async () => (await import('./commands/serve.ts')).registerServe,
  },
  'Show it:': {
    publish: async () => (await import('./commands/publish.ts')).registerPublish,
  },
  'Help:': {
    completion: async () => {
      const { registerCompletion } = await import('./commands/completion.ts');
      return (program) => registerCompletion(program, () => buildProgram([], () => undefined));
    },
  },
};

const commands = Object.assign({}, ...Object.values(commandGroups)) as (typeof commandGroups)[string];

/** Commands below another one, which are loaded only for themselves and for help. */
const parts: Readonly<Record<string, Readonly<Record<string, () => Promise<Register>>>>> = {
  serve: {
    keys: async () => (await import('./commands/keys.ts')).registerKeys,
    ingest: async () => (await import('./commands/ingest.ts')).registerIngest,
    faults: async () => (await import('./commands/faults.ts')).registerFaults,
  },
  monitor: {
    alerts: async () => (await import('./commands/alerts.ts')).registerAlerts,
    results: async () => (await import('./commands/results.ts')).registerResults,
  },
};

/** Builds the named command, or all of them if none is named; `exit` receives the exit code of the one that is run. */
export async function buildProgram(args: readonly string[], exit: SetExitCode): Promise<Command> {
  const program = new Command('candleproof')
    .description('Checks a market-data API against its document, watches it, and serves it as a test double.')
    .version(version)
    .exitOverride()
    .configureHelp(styleHelp(args))
    .commandsGroup('Help:')
    .helpCommand('help [command]', 'the help of one command; all: every command')
    .addHelpOption(new Option('-h, --help', 'show this; with the word all, every flag').helpGroup('Help:'))
    .configureOutput({
      outputError: (text, write) =>
        write(`candleproof: ${redactKeys(explainUsage(text, program, args), args)} (see ${nameHelp(args)})
`),
      writeErr: (text) =>
        process.stderr.write(
          text.startsWith('Usage: ')
            ? `candleproof: ${explainMissingPart(text, program)}
`
            : text,
        ),
    });
  const [name = '', part = ''] = args;
  const isNamed = Object.hasOwn(commands, name);
  for (const [heading, group] of Object.entries(commandGroups)) {
    program.commandsGroup(heading);
    for (const [own, load] of Object.entries(group)) {
      if (isNamed && own !== name) continue;
      (await load())(program, exit);
      await addParts(program.commands.at(-1), isNamed ? part : '', exit);
    }
  }
  program.hook('preAction', async (_program, command) => {
    nameFoundConfig(command);
    // Most commands write no file that a flag names.
    if (command.options.some((option) => option instanceof FileOption))
      await (await import('./running/named-files.ts')).nameWrittenFiles(command);
  });
  return program;
}

/** Names the help that lists all flags of the command that is run. */
function nameHelp([name = '', part = '']: readonly string[]): string {
  if (!Object.hasOwn(commands, name)) return 'candleproof --help';
  return `candleproof ${Object.hasOwn(parts[name] ?? {}, part) ? `${name} ${part}` : name} --help all`;
}

/** Adds the commands below a command: the one that is run, or all of them for help and completion. */
async function addParts(command: Command | undefined, wanted: string, exit: SetExitCode): Promise<void> {
  const below = parts[command?.name() ?? ''];
  if (!command || !below) return;
  if (Object.hasOwn(below, wanted)) {
    // Flags behind the name of a part are the part's, also those that both have.
    command.parent?.enablePositionalOptions();
    command.enablePositionalOptions();
  }
  const isRun = wanted !== '' && !/^(-h|--help|help)$/.test(wanted);
  for (const [name, load] of Object.entries(below))
    if (!isRun || name === wanted) (await load())(command, exit);
}

/** Names the config that a command takes from a parent folder. */
function nameFoundConfig(command: Command): void {
  const isTaken = command.options.some(({ long }) => long === '--config');
  const { config, baseUrl, target = command.args.at(-1) } = command.opts();
  if (!isTaken || config !== undefined || baseUrl !== undefined || target === 'local') return;
  // A call about files needs no config.
  if (command.options.some(({ long }) => long === '--target') && command.opts().target === undefined) return;
  const found = findConfigFile();
  if (found !== undefined && dirname(found) !== '.') process.stderr.write(`candleproof: config ${found}\n`);
}

/** An error of ours is never the target's fault: it prints one line, and its stack with CANDLEPROOF_DEBUG. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (process.env.CANDLEPROOF_DEBUG) return error.stack ?? error.message;
  const [line = ''] = error.message.split('\n');
  if (!(error instanceof OneLineError))
    return `${makeVisible(line)} (unexpected; CANDLEPROOF_DEBUG=1 shows where)`;
  return makeVisible(error.remedy === undefined ? error.message : `${error.message}; ${error.remedy}`);
}
