import type { Run } from '@candleproof/law/judge/verdict';
import { expect, test } from '@playwright/test';
import { cleanRun, sampleRun } from '../testing/sample-run.ts';
import { renderCsv } from './csv.ts';

const head =
  /^finding,rule,level,operation,count,known,intermittent,exchange,pointer,address,expected,actual,/;

test('each reported place of a finding is a row with the number of its finding', () => {
  const lines = renderCsv(sampleRun).split('\r\n').slice(0, -1);
  const places = sampleRun.findings.flatMap(({ rule, level, examples }, at) =>
    examples.map(() => `${at + 1},${rule},${level},`),
  );
  expect(lines[0]).toMatch(head);
  expect(lines).toHaveLength(1 + places.length);
  for (const [at, place] of places.entries()) expect(lines[at + 1]).toContain(place);
  expect(renderCsv(cleanRun)).toMatch(/^finding,[^\n]*\r\n$/);
});

test('no cell of a target is a formula, a control character or a second row', () => {
  const [finding] = sampleRun.findings;
  const [example] = finding?.examples ?? [];
  if (!finding || !example) throw new Error('the sample has no finding');
  for (const actual of ['=HYPERLINK("x")', '+1', '-1', '@SUM(A1)', '\t=1', 'a\r\n=1']) {
    const run: Run = { ...sampleRun, findings: [{ ...finding, examples: [{ ...example, actual }] }] };
    const text = renderCsv(run);
    expect(text.split('\r\n'), actual).toHaveLength(3);
    expect(text, actual).not.toMatch(/[,\n]"?[\s]*[=+\-@]/);
  }
});
