import { Argument, type Command } from 'commander';
import { completionScript, type Shell, shells } from '../help/completion.ts';

/** Adds the command `completion` to the program; `build` makes the program with all commands. */
export function registerCompletion(program: Command, build: () => Promise<Command>): void {
  program
    .command('completion')
    .description('a script that completes commands and flags in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action(async (shell: Shell) => {
      process.stdout.write(completionScript(await build(), shell));
    });
}
