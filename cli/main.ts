import { Command, CommanderError } from 'commander';
import { SpecError } from '../contract/spec.ts';
import { ClientError } from '../http/client-error.ts';
import { HarError } from '../http/har-error.ts';
import { registerCheck } from './commands/check.ts';
import { registerJudge } from './commands/judge.ts';
import { registerPlan } from './commands/plan.ts';
import { registerRules } from './commands/rules.ts';
import { registerServe } from './commands/serve.ts';
import { UsageError } from './usage-error.ts';
import { version } from './version.ts';

/** Runs one command line and returns its exit code: 2 with one line on stderr for trouble of our own. */
export async function main(args: readonly string[]): Promise<number> {
  let exitCode = 0;
  const program = buildProgram((code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!isOurs(error)) throw error;
    process.stderr.write(`candleproof: ${error.message}\n`);
    return 2;
  }
}

type SetExitCode = (code: number) => void;

function buildProgram(exit: SetExitCode): Command {
  const program = new Command('candleproof')
    .description('Checks a market-data API against its document, and is one itself.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(see candleproof --help)')
    .configureOutput({
      outputError: (text, write) =>
        write(
          `candleproof: ${text
            .trim()
            .replace(/^error: /, '')
            .replace(/\s*\n\s*/g, ' ')}\n`,
        ),
    });
  for (const register of [registerCheck, registerJudge, registerPlan, registerRules, registerServe]) {
    register(program, exit);
  }
  return program;
}

function isOurs(error: unknown): error is Error {
  return (
    error instanceof UsageError ||
    error instanceof SpecError ||
    error instanceof ClientError ||
    error instanceof HarError
  );
}
