import { globSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { closings } from '../help/closing.ts';
import { commandWords, listCalls, listCommands } from '../help/help.ts';

/** Pages for readers that are programs: llms.txt lists the documents, SKILL.md says what a coding agent needs. */
export function writeGuides(program: Command): Readonly<Record<string, string>> {
  return { 'llms.txt': writeIndex(program), 'SKILL.md': writeSkill(program) };
}

function writeIndex(program: Command): string {
  const pages = [...globSync('docs/*.md').toSorted(), 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'];
  const commands = program.commands.map(
    (command) => `- \`candleproof ${command.name()}\`: ${command.description()}`,
  );
  return joinParts([
    '# Candleproof',
    `> ${readIntroduction('README.md')}`,
    ['## Documents', ...pages.map((page) => `- [${readTitle(page)}](${page}): ${readSentence(page)}`)],
    ['## Commands', ...commands],
    ['## Schemas', ...listSchemas()],
    ['## Optional', '- [SKILL.md](SKILL.md): tasks, exit codes and keys, for coding agents'],
  ]);
}

function writeSkill(program: Command): string {
  const examples = listCommands(program).flatMap((command) => {
    const closing = closings[commandWords(command)] ?? {};
    return listCalls(closing).map((call) => `- \`npx candleproof ${call}\`: ${closing[call]}`);
  });
  const exits = Object.entries(closings.check ?? {}).filter(([code]) => /^\d$/.test(code));
  return joinParts([
    [
      '---',
      'name: candleproof',
      `description: ${JSON.stringify(`${readSentence('README.md')} Use it to check, watch or imitate such an API, and to judge files of candles.`)}`,
      '---',
    ],
    '# Candleproof for coding agents',
    ['## Tasks', ...readSection('README.md', 'By task').split('\n')],
    ['## Calls', ...examples],
    ['## Exit codes', ...exits.map(([code, meaning]) => `- ${code}: ${meaning}`)],
    'Never treat 3 as a success: nothing was decided. `npx candleproof COMMAND --help all` lists all flags and the exit codes of a command.',
    [
      '## Results',
      '- `--json` prints the result on stdout and words on stderr.',
      '- A check writes `run.json`, `junit.xml`, `results.sarif`, `exchanges.har` and `index.html` to `reports/out/TARGET`, or to `--out DIR`.',
      ...listSchemas(),
    ],
    ['## Keys', readSection('docs/check.md', 'What happens to your key')],
    [
      '- Never write a key into a command line, a config, a commit or a log: set `CANDLEPROOF_API_KEY`, or give `--api-key-file FILE`.',
      '- Never give `--expose-key` without the consent of the owner of the key.',
      '- Each request spends quota: run `npx candleproof plan` first, which sends nothing, and `--tier smoke` while you try.',
      '- Practise with `npx candleproof check local`, which needs neither key nor network.',
    ],
  ]);
}

function joinParts(parts: readonly (string | readonly string[])[]): string {
  return `${parts.map((part) => (typeof part === 'string' ? part : part.join('\n').replace(/^(## .*)\n/, '$1\n\n'))).join('\n\n')}\n`;
}

function listSchemas(): string[] {
  const { publishConfig } = JSON.parse(readFileSync('packages/candleproof/package.json', 'utf8'));
  return Object.keys(publishConfig.exports)
    .filter((name) => name.startsWith('./schemas/'))
    .map((name) => `- JSON Schema: \`candleproof${name.slice(1)}\``);
}

function readTitle(page: string): string {
  return /^# (.*)$/m.exec(readFileSync(page, 'utf8'))?.[1] ?? page;
}

/** Returns the first paragraph of prose of a page, on one line and without the links. */
function readIntroduction(page: string): string {
  const text = readFileSync(page, 'utf8').replaceAll(/^```.*?^```$/gms, '');
  const paragraph = text.split(/\n{2,}/).find((part) => /^[A-Z`]/.test(part)) ?? '';
  return paragraph
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim();
}

function readSentence(page: string): string {
  return /^.*?[.:](?= [A-Z`]|$)/.exec(readIntroduction(page))?.[0].replace(/:$/, '.') ?? '';
}

/** Returns a section of a page, its links as they are. */
function readSection(page: string, title: string): string {
  const [, ...parts] = readFileSync(page, 'utf8').split(/^## /m);
  const section = parts.find((part) => part.startsWith(`${title}\n`));
  if (section === undefined) throw new Error(`${page} has no section "${title}"`);
  return section.slice(title.length).trim();
}
