import { foldLine } from '@candleproof/reports/words/terminal-text';
import { type Argument, type Command, Help, type HelpConfiguration, Option } from 'commander';
import { type Closing, closings } from './closing.ts';

/**
 * Names what help shows at first, where there is more: commands, and flags of a command with many. `help all` and
 * `--help all` show the others.
 */
const namedFirst = listWords({
  '': '--version check gate look monitor serve',
  check: '--base-url --api-key-file --pools-v1 --pools-v2 --keyless --spec --pools --tier --strict --out',
  audit: `--config --base-url --api-key-file --pools-v2 --keyless --spec --pools --from --to --pool --budget --strict
    --tolerate --out --json`,
  judge: '--baseline --only --strict --pools-v1 --pools-v2 --base-url --spec --pools --out --json',
  gate: `--target --columns --interval --unit --gaps --same --join --strict --tolerate --out --repair --clean --json --from
    --to`,
  look: '--write --spec --operation --settle --data --pool --api-key-file --key-header --key-query --header --force --json',
  plan: `--config --base-url --pools-v1 --pools-v2 --keyless --spec --pools --only --budget --tier --other-key-file
    --seed --thorough --json`,
  replay: '--config --base-url --api-key-file --ca-file --all --budget --allow-overage --json',
  explore: `--config --base-url --api-key-file --pools-v1 --pools-v2 --keyless --spec --pools --budget --seed --path
    --counterexamples --strict --out --json`,
  load: `--config --base-url --api-key-file --pools-v1 --pools-v2 --network --spec --pools --rate --duration --scale
    --allow-mainnet --compare --out --json`,
  proxy: `--upstream --ca-file --pools-v1 --pools-v2 --keyless --spec --pools --port --host --cert --key --http --only
    --every --out`,
  monitor:
    '--config --base-url --api-key-file --pools-v1 --pools-v2 --keyless --spec --pools --data --results --once',
  serve:
    '--port --host --cert --key --data --seed --now --profile --fault --quota-limit --quota-remaining --ready-file',
});

function listWords(words: Readonly<Record<string, string>>): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.entries(words).map(([command, text]) => [command, text.split(/\s+/)]));
}

/** The layout of commander itself. */
const plain = new Help();

/** Fewer flags need no headings. */
const fewFlags = 10;

/** Returns the layout of help at any width, for the arguments of a call; commands that are made later inherit it. */
export function styleHelp(args: readonly string[]): HelpConfiguration {
  const isBrief = args.at(-1) !== 'all';
  const isShown = (command: Command, name: string): boolean =>
    !isBrief || namedFirst[commandWords(command)]?.includes(name) !== false;
  return {
    // Below it commander would leave descriptions unfolded.
    minWidthToWrap: 18,
    subcommandTerm: (command) =>
      [
        command.name(),
        ...command.registeredArguments.map((registeredArgument) => formatTerm(registeredArgument)),
      ].join(' '),
    visibleOptions: (command) =>
      plain
        .visibleOptions(command)
        .filter((option) => option.long === '--help' || isShown(command, option.long ?? '')),
    visibleCommands: (command) =>
      plain.visibleCommands(command).filter((part) => command.parent || isShown(command, part.name())),
    groupItems: (all, shown, group) =>
      plain.groupItems(
        all,
        shown,
        all[0] instanceof Option && all.length <= fewFlags ? () => 'Options:' : group,
      ),
    formatHelp: (command, helper) => {
      const width = helper.helpWidth ?? 80;
      const text = Help.prototype.formatHelp.call(helper, command, helper);
      const folded = text.replace(/^Usage: .*/, (line) => foldLine(line, width, 3).join('\n'));
      return `${folded}${formatClosing(command, width, countOthers(command, helper))}`;
    },
  };
}

/** Returns the arguments that say with a flag what others say with the word `help`, or without a word. */
export function flagHelp(args: readonly string[]): readonly string[] {
  if (args.length === 0) return ['--help'];
  if (args[0] !== 'help') return args;
  const isWhole = args.at(-1) === 'all';
  return [...args.slice(1, isWhole ? -1 : undefined), '--help', ...(isWhole ? ['all'] : [])];
}

/** A command and all below it. */
export function listCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(listCommands)];
}

/** Returns the words after `candleproof` that select a command. */
export function commandWords(command: Command): string {
  return command.parent ? `${commandWords(command.parent)} ${command.name()}`.trim() : '';
}

/** Returns the line that says how many commands or flags are not shown, if there are such. */
function countOthers(command: Command, helper: Help): string[] {
  const words = commandWords(command);
  const [all, shown, what, call] = command.parent
    ? [
        command.options.filter(({ hidden }) => !hidden),
        helper.visibleOptions(command),
        'flags',
        `${words} --help all`,
      ]
    : [command.commands, helper.visibleCommands(command), 'commands', 'help all'];
  const count = all.filter((one) => !shown.some((other) => other === one)).length;
  return count > 0 ? ['', `${count} more ${what}: npx candleproof ${call}`] : [];
}

function formatClosing(command: Command, width: number, others: readonly string[]): string {
  const closing = closings[commandWords(command)];
  if (!closing) return '';
  const lines = [
    ...others,
    ...['', 'Examples:'],
    ...listCalls(closing).flatMap((args) => [`  npx candleproof ${args}`, `      ${closing[args]}`]),
    ...['', 'Exit codes:'],
    ...Object.keys(closing)
      .filter(isCode)
      .map((code) => `  ${code}  ${closing[code]}`),
  ];
  return `${lines.flatMap((line) => foldLine(line, width, 3)).join('\n')}\n`;
}

/** Lists the calls that the end of a command's help shows, by their arguments. */
export function listCalls(closing: Closing): string[] {
  return Object.keys(closing).filter((key) => !isCode(key));
}

function isCode(key: string): boolean {
  return /^\d$/.test(key);
}

function formatTerm(argument: Argument): string {
  const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${word}>` : `[${word}]`;
}
