import type { Command } from 'commander';
import { commandWords, listCommands } from './help.ts';

/** Returns one line for an error of commander, with what to write instead where that is known. */
export function explainUsage(text: string, program: Command, args: readonly string[]): string {
  const line = text
    .trim()
    .replace(/^error: /, '')
    .replace(/\s*\n\s*/g, ' ')
    .replace(' (Did you mean --help?)', '');
  const [, missing] = /^missing required argument '(.+)'$/.exec(line) ?? [];
  if (missing !== undefined) return explainMissing(missing, program, args);
  const [, unknown] = /^unknown command '([a-z]+)'$/.exec(line) ?? [];
  const part = program.commands.flatMap(({ commands }) => commands).find((each) => each.name() === unknown);
  if (part !== undefined) return `${line}: write candleproof ${commandWords(part)}`;
  const [, flag] = /^unknown option '(--[^'=]+)/.exec(line) ?? [];
  if (flag === undefined) return line;
  // A value is not repeated, for it may be a secret.
  if (args.some((arg) => arg.startsWith(`${flag}=`)) && isFlag(program, flag))
    return `${flag}: it takes no value: write ${flag} alone`;
  if (args[0] === 'rehearse') return `${line}: write -- before the command of the client`;
  if (flag === '--target') return `${line}: write the target without a flag`;
  return line;
}

function explainMissing(argument: string, program: Command, args: readonly string[]): string {
  const command = args.reduce(
    (found, arg) => found.commands.find((part) => part.name() === arg) ?? found,
    program,
  );
  const words = commandWords(command);
  const usage = command.usage().replace('[options] ', words === 'rehearse' ? '-- ' : '');
  return `${words}: <${argument}> is missing: write candleproof ${words} ${usage}`;
}

function isFlag(program: Command, flag: string): boolean {
  return listCommands(program).some(({ options }) => options.some(({ long }) => long === flag));
}

/** Returns the line for a command that was called without the word of a part, for which commander prints its help. */
export function explainMissingPart(help: string, program: Command): string {
  const [, words = ''] = /^Usage: candleproof ([a-z ]+) \[/.exec(help) ?? [];
  const command = listCommands(program).find((candidate) => commandWords(candidate) === words);
  const parts = command?.commands.map((part) => part.name()) ?? [];
  return `${words}: say what to do: ${parts.join(', ')} (see candleproof ${words} --help)`;
}
