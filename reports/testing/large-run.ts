import type { Finding, RuleResult, Run } from '@candleproof/law/judge/verdict';
import { sampleFindings } from './sample-findings.ts';
import { sampleRules } from './sample-rules.ts';
import { sampleRun } from './sample-run.ts';

const { baseline: _, ...run } = sampleRun;
const drawn = sampleFindings.filter((sampleFinding) => (sampleFinding.examples[0]?.candles ?? []).length > 0);

/**
 * Returns a run of this many rules and questions, and as many findings with three drawn examples each: more than any
 * catalogue will have.
 */
export function largeRun(results: number): Run {
  const rules = repeated(sampleRules, results, numberedRule);
  const questions = rules.filter(({ level, outcome }) => level === 'observe' && outcome === 'passed');
  return {
    ...run,
    rules,
    findings: repeated(drawn, results, numberedFinding),
    observations: questions.map(({ id, statement }, index) => ({
      id,
      question: statement,
      answer: `answer ${index}`,
      changed: index % 100 === 0,
    })),
  };
}

function repeated<Item>(
  items: readonly Item[],
  count: number,
  make: (item: Item, index: number) => Item,
): Item[] {
  return Array.from({ length: count }, (_, index) => items[index % items.length])
    .filter((item) => item !== undefined)
    .map(make);
}

function numberedRule(rule: RuleResult, index: number): RuleResult {
  return { ...rule, id: `large/rule-${index}`, section: ['2.1', '2.2', '4.2', '8'][index % 4] ?? '' };
}

function numberedFinding({ known: _, ...finding }: Finding, index: number): Finding {
  const [example] = finding.examples;
  const rule = `large/rule-${index}`;
  return {
    ...finding,
    rule,
    fingerprint: `${rule} ${finding.operation} ${finding.pointer}`,
    replay: `npx candleproof replay reports/out/testnet '${rule}'`,
    examples: example ? [example, example, example] : [],
  };
}
