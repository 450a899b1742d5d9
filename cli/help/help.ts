import { type Argument, type Command, Help, type HelpConfiguration } from 'commander';
import { foldLine } from '../../reports/words/terminal-text.ts';
import { closings } from './closing.ts';
import { commandGroups, flagGroups, unused } from './groups.ts';

/** Fewer flags need no headings. */
const fewFlags = 8;

/** The layout of help at any width; commands that are made later inherit it. */
export const helpStyle: HelpConfiguration = {
  // Below it commander would leave descriptions unfolded.
  minWidthToWrap: 18,
  subcommandTerm: (command) =>
    [
      command.name(),
      ...command.registeredArguments.map((registeredArgument) => formatTerm(registeredArgument)),
    ].join(' '),
  formatHelp: (command, helper) =>
    [
      Help.prototype.formatHelp.call(helper, command, helper),
      formatClosing(command, helper.helpWidth ?? 80),
    ].join(''),
};

/** Gives commands and flags their headings, and hides flags that are taken for a command's sake only. */
export function arrangeHelp(program: Command): void {
  for (const command of listCommands(program)) {
    const words = commandWords(command);
    const heading = commandGroups[words];
    if (heading !== undefined) command.helpGroup(heading);
    for (const option of command.options) {
      const flag = option.long ?? option.flags;
      if (unused[words]?.includes(flag)) option.hideHelp();
      const group = flagGroups[`${words} ${flag}`] ?? flagGroups[flag];
      if (group !== undefined && command.options.length > fewFlags) option.helpGroup(group);
    }
  }
}

/** A command and all below it. */
export function listCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(listCommands)];
}

/** Returns the words after `candleproof` that reach a command. */
export function commandWords(command: Command): string {
  return command.parent ? `${commandWords(command.parent)} ${command.name()}`.trim() : '';
}

function formatClosing(command: Command, width: number): string {
  const closing = closings[commandWords(command)];
  if (!closing) return '';
  const lines = [
    ...['', 'Examples:'],
    ...closing.examples.flatMap(([args, does]) => [`  npx candleproof ${args}`, `      ${does}`]),
    ...['', 'Exit codes:'],
    ...Object.entries(closing.exits).map(([code, says]) => `  ${code}  ${says}`),
  ];
  return `${lines.flatMap((line) => foldLine(line, width, 3)).join('\n')}\n`;
}

function formatTerm(argument: Argument): string {
  const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${word}>` : `[${word}]`;
}
