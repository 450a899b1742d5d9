import type { Command } from 'commander';
import { checkTarget } from '../check-target.ts';
import { exitCodeOf } from '../exit-code.ts';
import { publishRun } from '../publish-run.ts';
import { addRunFlags, chosenCatalogue, type RunFlags } from '../run-flags.ts';
import { addTargetFlags, readTarget, type TargetFlags } from '../target-flags.ts';

export function registerCheck(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('check [target]')
    .description('judge a target against the document; the embedded service is the target "local"');
  addRunFlags(addTargetFlags(command)).action(async (name, flags: TargetFlags & RunFlags) => {
    const target = readTarget(name, flags, process.env);
    const law = chosenCatalogue(flags.only);
    const outcome = await checkTarget({ target, flags, law });
    publishRun(outcome, flags.out);
    exit(exitCodeOf(outcome.run, flags.strict === true));
  });
}
