import { readSpec } from '@candleproof/check/target/accepted-spec';
import type { NamedFile } from '@candleproof/files/named-file';
import { UsageError } from '@candleproof/files/usage-error';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { catalogueVersion } from '@candleproof/law/rules/catalogue-version';
import { type RuleEntry, renderRuleList, renderRules, rulesJson } from '@candleproof/reports/rules/document';
import type { Command } from 'commander';
import { FileOption, forceFlag } from '../running/file-option.ts';
import { printText, writeText } from '../words/output.ts';

type RulesFlags = { readonly json?: boolean; readonly markdown?: NamedFile };

/** Adds the command `rules` to the program. */
export function registerRules(program: Command): void {
  program
    .command('rules [id]')
    .description('the catalogue of rules, a group of them, or one explained')
    .option('--json', 'for programs: everything of each rule')
    .addOption(new FileOption('--markdown <file>', 'write all of it to this file, as docs/rules.md has it'))
    .option(...forceFlag)
    .action((id: string | undefined, flags: RulesFlags) => {
      if (flags.markdown !== undefined) return write(flags.markdown, id);
      const chosen = id === undefined ? entries : find(id);
      if (flags.json) process.stdout.write(rulesJson(chosen, catalogueVersion));
      else printText(renderRuleList(id, chosen));
    });
}

const entries: readonly RuleEntry[] = [...catalogue.rules, ...catalogue.questions];

/** The entry of this id, or all of a group. */
function find(id: string): RuleEntry[] {
  const found = entries.filter((entry) => entry.id === id || entry.id.startsWith(`${id}/`));
  if (found.length > 0) return found;
  const [, name = id] = id.split('/');
  const near = entries.filter((entry) => entry.id.includes(name) || entry.id.startsWith(id)).slice(0, 5);
  const hint = near.length > 0 ? `; near it: ${near.map((ruleEntry) => ruleEntry.id).join(', ')}` : '';
  throw new UsageError(`no rule is called "${id}"${hint}; candleproof rules lists all`);
}

function write(file: NamedFile, id: string | undefined): void {
  if (id !== undefined) throw new UsageError(`--markdown: it writes all rules: leave out "${id}"`);
  writeText(file, renderRules(catalogue, readSpec().document));
}
