import type { Command } from 'commander';
import { catalogue, edition } from '../../contract/catalogue.ts';
import type { Question, Rule } from '../../contract/rule.ts';
import { UsageError } from '../usage-error.ts';

type Entry = Rule | Question;

export function registerRules(program: Command): void {
  program
    .command('rules [id]')
    .description('the catalogue of rules, or one of them explained')
    .action((id?: string) => {
      process.stdout.write(id === undefined ? listAll() : explain(find(id)));
    });
}

function entries(): Entry[] {
  return [...catalogue.rules, ...catalogue.questions];
}

function find(id: string): Entry {
  const found = entries().find((each) => each.id === id);
  if (found) return found;
  const [, name = id] = id.split('/');
  const near = entries().filter((each) => each.id.includes(name) || each.id.startsWith(id));
  const hint =
    near.length > 0
      ? `; near it: ${near
          .slice(0, 5)
          .map((each) => each.id)
          .join(', ')}`
      : '';
  throw new UsageError(`no rule is called "${id}"${hint}; candleproof rules lists all`);
}

function levelOf(entry: Entry): string {
  return 'level' in entry ? entry.level : 'observe';
}

function textOf(entry: Entry): string {
  return 'level' in entry ? entry.statement : entry.question;
}

function listAll(): string {
  const width = Math.max(...entries().map((each) => each.id.length));
  const lines = entries().map(
    (each) =>
      `${each.id.padEnd(width)}  ${levelOf(each).padEnd(7)}  ${section(each).padEnd(5)}  ${textOf(each)}`,
  );
  return `${lines.join('\n')}\n\n${catalogue.rules.length} rules, ${catalogue.questions.length} questions, edition ${edition}\n`;
}

function section({ section }: Entry): string {
  return section === '' ? '' : `§${section}`;
}

function explain(entry: Entry): string {
  const needs = [...new Set(entry.needs.map((each) => each.operation))].join(', ');
  return [
    `${entry.id}  (${levelOf(entry)}${section(entry) && `, ${section(entry)} of the document`})`,
    '',
    textOf(entry),
    '',
    `Why: ${entry.why}`,
    `Evidence: ${needs}`,
    `Run it alone: npx candleproof check --only ${entry.id}`,
    '',
  ].join('\n');
}
