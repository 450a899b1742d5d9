import type { Rule } from '../../contract/law/rule.ts';
import { levelOf, type RuleEntry, textOf } from './document.ts';
import { evidenceText } from './evidence-text.ts';

/** An entry for somebody who met it in a report. */
export function explain(entry: RuleEntry): string {
  const place = entry.section === '' ? '' : `, §${entry.section} of the document`;
  return [
    `${entry.id}  (${levelOf(entry)}${place})`,
    '',
    textOf(entry),
    '',
    `Why: ${entry.why}`,
    `Evidence: ${evidenceText(entry.needs)}`,
    ...(entry.exactly === undefined ? [] : [`Exactly: ${entry.exactly}`]),
    ...remedy(entry),
    `Run it alone: npx candleproof check --only ${entry.id}`,
    ...(entry.section === '' ? [] : [`The section in plain words: docs/the-api.md, §${entry.section}`]),
    '',
  ].join('\n');
}

const meanings: Readonly<Record<Rule['level'], string>> = {
  must: 'the target breaks its document. Tell its operator',
  should:
    'nothing that the document says is broken, but what HTTP, arithmetic or good practice ask. Ask its operator',
};

function remedy(entry: RuleEntry): string[] {
  if (!('level' in entry)) {
    return [
      'When the answer changes: nothing is broken, but the target is no longer as it was. See what rests on it, then',
      '  pin the new answer with --write-baseline.',
    ];
  }
  return [
    `When it fails: ${meanings[entry.level]}, with the finding’s`,
    '  exchange from the report, and replay it once it is said to be mended. Until then --write-baseline lists it as',
    '  known, with your reason and an end date, so that the next failure is seen.',
  ];
}
