import { Argument, type Command, type Option } from 'commander';
import { commandWords, listCommands } from '../help/help.ts';

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

/** Shells with a completion. */
const shells = ['bash', 'zsh', 'fish'] as const;

type Shell = (typeof shells)[number];
/** A command as a shell completes it: the words that lead to it, and what may follow. */
type Completed = {
  readonly words: string;
  readonly description: string;
  readonly next: readonly Command[];
  readonly flags: readonly Option[];
};

/** Returns a script that completes the commands of a program and their flags. */
function completionScript(program: Command, shell: Shell): string {
  const commands = listCommands(program).map((command) => ({
    words: commandWords(command),
    description: command.description(),
    next: command.commands,
    flags: command.options.filter(({ hidden }) => !hidden),
  }));
  if (shell === 'fish') return fishScript(commands);
  return shell === 'zsh'
    ? `autoload -U +X bashcompinit && bashcompinit\n${bashScript(commands)}`
    : bashScript(commands);
}

function bashScript(commands: readonly Completed[]): string {
  const [root, ...others] = commands;
  // The longest first: "keys issue" before "keys".
  const cases = others.toReversed().map(({ words, next, flags }) => {
    const list = [...next.map((command) => command.name()), ...flags.map(({ long }) => long ?? '')].join(' ');
    return `    "${words} "*) words="${list}" ;;`;
  });
  return `_candleproof() {
  local words=""
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1} " in
    " ") words="${root?.next.map((command) => command.name()).join(' ')} --help --version" ;;
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _candleproof candleproof
`;
}

function fishScript(commands: readonly Completed[]): string {
  const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = commands.flatMap(({ words, next, flags }) => {
    const [first, ...rest] = words.split(' ').filter(Boolean);
    const names = next.map((command) => command.name());
    const seen = [first, ...rest].map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
    const condition = first === undefined ? '__fish_use_subcommand' : seen;
    const last =
      names.length > 0 && first !== undefined
        ? `; and not __fish_seen_subcommand_from ${names.join(' ')}`
        : '';
    return [
      ...next.map(
        (command) =>
          `complete -c candleproof -f -n ${quote(condition + last)} -a ${command.name()} -d ${quote(command.description())}`,
      ),
      ...flags.map(
        ({ long, required, description }) =>
          `complete -c candleproof -n ${quote(condition)} -l ${long?.slice(2)}${required ? ' -r' : ''} -d ${quote(description)}`,
      ),
    ];
  });
  return `${lines.join('\n')}\n`;
}
