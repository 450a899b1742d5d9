import type { Command } from 'commander';
import { catalogue, edition } from '../../contract/catalogue.ts';
import type { Question, Rule } from '../../contract/rule.ts';
import { UsageError } from '../usage-error.ts';

type Entry = Rule | Question;

export function registerRules(program: Command): void {
  program
    .command('rules [id]')
    .description('the catalogue of rules, a group of them, or one explained')
    .action((id?: string) => {
      const group = entries().filter((each) => each.id.startsWith(`${id}/`));
      const text = id === undefined ? listAll() : group.length > 0 ? list(group) : explain(find(id));
      process.stdout.write(text);
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
  const { rules, questions } = catalogue;
  return `${list(entries())}\n${rules.length} rules, ${questions.length} questions, edition ${edition}\n`;
}

function list(some: readonly Entry[]): string {
  const width = Math.max(...some.map((each) => each.id.length));
  const lines = some.map(
    (each) =>
      `${each.id.padEnd(width)}  ${levelOf(each).padEnd(7)}  ${section(each).padEnd(5)}  ${textOf(each)}\n`,
  );
  return lines.join('');
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
