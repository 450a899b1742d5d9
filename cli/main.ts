import { Command, CommanderError } from 'commander';
import { SpecError } from '../contract/spec-error.ts';
import { UnwritableFile } from '../files/unwritable-file.ts';
import { ClientError } from '../http/client-error.ts';
import { HarError } from '../http/har-error.ts';
import { LedgerUnavailable } from '../http/ledger/ledger-unavailable.ts';
import { visible } from '../reports/escape.ts';
import { StoreError } from '../results/store-error.ts';
import { FullStore, UnreadableStore } from '../service/store/database.ts';
import { registerAudit } from './commands/audit.ts';
import { registerCheck } from './commands/check.ts';
import { registerExplore } from './commands/explore.ts';
import { registerFaults } from './commands/faults.ts';
import { registerIngest } from './commands/ingest.ts';
import { registerInit } from './commands/init.ts';
import { registerJudge } from './commands/judge.ts';
import { registerKeys } from './commands/keys.ts';
import { registerLoad } from './commands/load.ts';
import { registerMonitor } from './commands/monitor.ts';
import { registerPlan } from './commands/plan.ts';
import { registerReplay } from './commands/replay.ts';
import { registerReport } from './commands/report.ts';
import { registerResults } from './commands/results.ts';
import { registerRules } from './commands/rules.ts';
import { registerServe } from './commands/serve.ts';
import { firstWords } from './first-words.ts';
import { arrangeHelp, helpStyle } from './help/help.ts';
import { refuseKeyFlag, withoutKeys } from './key-text.ts';
import { UsageError } from './usage-error.ts';
import { version } from './version.ts';

/** Runs one command line and returns its exit code: 2 with one line on stderr for trouble of our own. */
export async function main(args: readonly string[]): Promise<number> {
  // Whoever reads only the head of what is printed has seen enough: no reason to break down.
  process.stdout.on('error', () => {});
  if (args.length === 0) {
    process.stdout.write(firstWords);
    // A pipeline that lost its arguments is not green.
    return 2;
  }
  let exitCode = 0;
  const program = buildProgram(args, (code) => {
    exitCode = code;
  });
  try {
    refuseKeyFlag(args);
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    process.stderr.write(`candleproof: ${withoutKeys(explain(error), args)}\n`);
    return 2;
  }
}

type SetExitCode = (code: number) => void;

/** All commands; `exit` takes the exit code of the one that is run. */
export function buildProgram(args: readonly string[], exit: SetExitCode): Command {
  const program = new Command('candleproof')
    .description('Checks a market-data API against its document, watches it, and serves it as a test double.')
    .version(version)
    .exitOverride()
    .configureHelp(helpStyle)
    .commandsGroup('Help:')
    .configureOutput({
      outputError: (text, write) =>
        write(
          `candleproof: ${withoutKeys(text, args)
            .trim()
            .replace(/^error: /, '')
            .replace(/\s*\n\s*/g, ' ')} (see candleproof --help)\n`,
        ),
    });
  for (const register of [
    registerCheck,
    registerAudit,
    registerJudge,
    registerInit,
    registerPlan,
    registerReplay,
    registerRules,
    registerServe,
    registerExplore,
    registerFaults,
    registerIngest,
    registerKeys,
    registerLoad,
    registerMonitor,
    registerReport,
    registerResults,
  ]) {
    register(program, exit);
  }
  arrangeHelp(program);
  return program;
}

/** Errors whose message is one line with the mend already. */
const expected = [
  ...[UsageError, SpecError, ClientError, HarError, StoreError, LedgerUnavailable],
  ...[UnwritableFile, UnreadableStore, FullStore],
];

/** Whatever breaks down in us is never the target's fault: one line, and the stack for whoever asks. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (process.env.CANDLEPROOF_DEBUG) return error.stack ?? error.message;
  const isExpected = expected.some((each) => error instanceof each);
  const [line = ''] = error.message.split('\n');
  if (error instanceof LedgerUnavailable)
    return `${error.message}; CANDLEPROOF_STATE_DIR names another folder`;
  return isExpected
    ? visible(error.message)
    : `${visible(line)} (unexpected; CANDLEPROOF_DEBUG=1 shows where)`;
}
