import type { Command } from 'commander';
import { readSpec } from '../../conformance/check/accepted-spec.ts';
import { chooseEdition } from '../../conformance/judging/choose-law.ts';
import { type Catalogue, edition } from '../../contract/law/catalogue.ts';
import { writeNamedFile } from '../../files/named-output.ts';
import { readWholeNumber } from '../../files/read-numbers.ts';
import { UsageError } from '../../files/usage-error.ts';
import {
  explainRule,
  type RuleEntry,
  renderRules,
  ruleLevel,
  ruleText,
} from '../../reports/rules/document.ts';
import { countRequests } from '../../reports/rules/evidence-text.ts';
import { option } from '../running/options.ts';
import { say } from '../words/output.ts';

type RulesFlags = { readonly json?: boolean; readonly markdown?: string; readonly edition: number };

/** Adds the command `rules` to the program. */
export function registerRules(program: Command): void {
  program
    .command('rules [id]')
    .description('the catalogue of rules, a group of them, or one explained')
    .option('--json', 'for programs: everything of each rule')
    .option('--markdown <file>', 'write all of it to this file, as docs/rules.md has it')
    .addOption(option('--edition <n>', 'rules of an earlier edition', readWholeNumber, edition))
    .action((id: string | undefined, flags: RulesFlags) => {
      const law = chooseEdition(flags.edition);
      if (flags.markdown !== undefined) return write(flags.markdown, id, law);
      const chosen = id === undefined ? listEntries(law) : find(id, listEntries(law));
      if (flags.json) process.stdout.write(toJson(chosen, flags.edition));
      else say(toText(id, chosen, flags.edition));
    });
}

function listEntries({ rules, questions }: Catalogue): RuleEntry[] {
  return [...rules, ...questions];
}

/** The entry of this id, or all of a group. */
function find(id: string, entries: readonly RuleEntry[]): RuleEntry[] {
  const found = entries.filter((entry) => entry.id === id || entry.id.startsWith(`${id}/`));
  if (found.length > 0) return found;
  const [, name = id] = id.split('/');
  const near = entries.filter((entry) => entry.id.includes(name) || entry.id.startsWith(id)).slice(0, 5);
  const hint = near.length > 0 ? `; near it: ${near.map((ruleEntry) => ruleEntry.id).join(', ')}` : '';
  throw new UsageError(`no rule is called "${id}"${hint}; candleproof rules lists all`);
}

function toText(id: string | undefined, chosen: readonly RuleEntry[], edition: number): string {
  const [only] = chosen;
  if (only && only.id === id) return explainRule(only);
  if (id !== undefined) return list(chosen);
  const rules = chosen.filter((ruleEntry) => 'level' in ruleEntry).length;
  return `${list(chosen)}\n${rules} rules, ${chosen.length - rules} questions, edition ${edition}\n`;
}

function list(some: readonly RuleEntry[]): string {
  const width = Math.max(...some.map((ruleEntry) => ruleEntry.id.length));
  const lines = some.map((ruleEntry) => {
    const section = ruleEntry.section === '' ? '' : `§${ruleEntry.section}`;
    return `${ruleEntry.id.padEnd(width)}  ${ruleLevel(ruleEntry).padEnd(7)}  ${section.padEnd(5)}  ${ruleText(ruleEntry)}\n`;
  });
  return lines.join('');
}

function toJson(chosen: readonly RuleEntry[], edition: number): string {
  const rules = chosen.map((ruleEntry) => ({
    id: ruleEntry.id,
    level: ruleLevel(ruleEntry),
    section: ruleEntry.section,
    statement: ruleText(ruleEntry),
    why: ruleEntry.why,
    ...(ruleEntry.exactly !== undefined && { exactly: ruleEntry.exactly }),
    since: ruleEntry.since ?? 1,
    requests: countRequests(ruleEntry.needs),
    needs: ruleEntry.needs,
  }));
  return `${JSON.stringify({ edition, rules }, undefined, 2)}\n`;
}

function write(file: string, id: string | undefined, law: Catalogue): void {
  if (id !== undefined) throw new UsageError(`--markdown: it writes all rules: leave out "${id}"`);
  writeNamedFile('--markdown', file, renderRules(law, readSpec().document));
}
