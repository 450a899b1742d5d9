import { foldLine } from '@candleproof/reports/words/terminal-text';
import { type Argument, type Command, Help, type HelpConfiguration } from 'commander';
import { type Closing, closings } from './closing.ts';

/** Headings of the commands in the list of all. */
const commandGroups = headGroups({
  'Judge a target:': 'look, check, init, plan, replay, explore, audit, judge, gate, rehearse, spec, rules',
  'Watch it:': 'monitor, proxy, report, load',
  'Show it:': 'publish',
  'Help:': 'completion',
  'The reference service:': 'serve',
});

/** Headings of flags; those of a single command are listed as `command --flag`. */
export const flagGroups = headGroups({
  'The target:': `--upstream, --target, --config, --base-url, --api-key-file, --ca-file, --pools-v1, --pools-v2, --keyless,
    --shared-key, --gaps`,
  'What is sent:': `--list, --wait, --engine, --budget, --tier, --pool, --from, --to, --rate, --allow-overage, --timeout, --max-body, --deadline,
    --duration, --scale, --floor, --segment, --granted, --allow-mainnet, --seed, --nightly, --path, --counterexamples, --thorough,
    --expose-key, --other-key-file, --once, --scenario, --for, --jobs, rehearse --http`,
  'How it is judged:': `--columns, --interval, --unit, --join, gate --gaps, gate --now, --only, --strict, --tolerate, --same, --baseline, --write-baseline, --judge, --expect, --no-overage`,
  'What is written:': `--out, --repair, --clean, --force, --every, --json, --no-annotations, --no-step-summary, --plan, --merge, --timings,
    --label, --commit, proxy --ledger`,
  'Where it listens:': '--port, --host, --cert, --key, --http, --trust-proxy, --metrics-port',
  'What clients may take:':
    '--max-clients, --max-client-requests, --max-requests, --max-upstream, --idle-timeout, --header-timeout',
  'What it serves:': 'serve --data, serve --seed, --now, --profile, --fault',
  "Its key's month:": '--quota-limit, --quota-remaining, --quota-zone',
  'For scripts and operators:': '--ready-file, --operator-port',
});

/** Flags that a command accepts and ignores, so that another command's line can be tried on it. */
export const unused: Readonly<Record<string, readonly string[]>> = {
  plan: '--baseline --write-baseline --rate --allow-overage --timeout --max-body --deadline --out --strict --timings'.split(
    ' ',
  ),
  audit: ['--pools-v1'],
};

/** Flags that help names at first, of a command with many; `--help all` names the others. */
const usualFlags: Readonly<Record<string, readonly string[]>> = {
  check:
    `--base-url --api-key-file --pools-v1 --pools-v2 --keyless --spec --pools --tier --strict --out`.split(
      ' ',
    ),
};

/** Returns the heading of each name. */
function headGroups(groups: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const headings = Object.entries(groups);
  return Object.fromEntries(
    headings.flatMap(([heading, names]) => names.split(/,\s+/).map((name) => [name, heading])),
  );
}

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
  formatHelp: (command, helper) => {
    const width = helper.helpWidth ?? 80;
    const text = Help.prototype.formatHelp.call(helper, command, helper);
    const folded = text.replace(/^Usage: .*/, (line) => foldLine(line, width, 3).join('\n'));
    return `${folded}${formatClosing(command, width)}`;
  },
};

/**
 * Gives commands and flags their headings, and hides flags that are taken for a command's sake only; if the arguments want
 * help, but not `all` of it, also those that few need.
 */
export function arrangeHelp(program: Command, args: readonly string[]): void {
  const isBrief = args.some((word) => /^(help|-h|--help)$/.test(word)) && args.at(-1) !== 'all';
  for (const command of listCommands(program)) {
    const words = commandWords(command);
    const heading = commandGroups[words];
    if (heading !== undefined) command.helpGroup(heading);
    for (const option of command.options) {
      const flag = option.long ?? option.flags;
      const isRare = isBrief && usualFlags[words]?.includes(flag) === false;
      if (isRare || unused[words]?.includes(flag)) option.hideHelp();
      const group = flagGroups[`${words} ${flag}`] ?? flagGroups[flag];
      if (group !== undefined && command.options.length > fewFlags) option.helpGroup(group);
    }
  }
}

/** A command and all below it. */
export function listCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(listCommands)];
}

/** Returns the words after `candleproof` that select a command. */
export function commandWords(command: Command): string {
  return command.parent ? `${commandWords(command.parent)} ${command.name()}`.trim() : '';
}

function formatClosing(command: Command, width: number): string {
  const words = commandWords(command);
  const closing = closings[words];
  if (!closing) return '';
  const others = command.options.filter(({ hidden, long }) => hidden && !unused[words]?.includes(long ?? ''));
  const lines = [
    ...(others.length > 0 ? ['', `${others.length} more flags: npx candleproof ${words} --help all`] : []),
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
