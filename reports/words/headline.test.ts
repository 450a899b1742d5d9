import { expect, test } from '@playwright/test';
import type { Run } from '../../contract/judge/verdict.ts';
import { renderCtrf } from '../formats/ctrf.ts';
import { renderHtml } from '../formats/html.ts';
import { renderJunit } from '../formats/junit.ts';
import { renderSarif } from '../formats/sarif.ts';
import { renderSummary } from '../formats/summary.ts';
import { renderTerminal } from '../formats/terminal.ts';
import { cleanRun, inconclusiveRun, sampleRun } from '../testing/sample-run.ts';
import { headline, remarks } from './headline.ts';

/** The clean run in which these rules came to something else. */
function withRules(change: object, ...ids: string[]): Run {
  return {
    ...cleanRun,
    rules: cleanRun.rules.map((rule) => (ids.includes(rule.id) ? { ...rule, ...change } : rule)),
  };
}

const shoulds = cleanRun.rules.filter(({ level }) => level === 'should').map(({ id }) => id);
const musts = cleanRun.rules.filter(({ level }) => level === 'must').map(({ id }) => id);

test('failed shoulds stand beside the verdict, by name where they are few', () => {
  expect(headline(cleanRun)).toBe('Conformant');
  const failing = (count: number) => headline(withRules({ outcome: 'failed' }, ...shoulds.slice(0, count)));
  expect(failing(1)).toBe('Conformant; 1 should fails: transport/length-agrees');
  expect(failing(3)).toBe(`Conformant; 3 shoulds fail: ${shoulds.slice(0, 3).join(', ')}`);
  expect(failing(5)).toBe(`Conformant; 5 shoulds fail: ${shoulds.slice(0, 2).join(', ')} and 3 more`);
  expect(headline(withRules({ outcome: 'known' }, ...shoulds))).toBe('Conformant');
});

test('a verdict that a must decides is headed by it alone', () => {
  expect(headline(sampleRun)).toBe('Nonconformant');
  expect(headline(inconclusiveRun)).toBe('Inconclusive');
});

test('musts that the budget left out are named, the key that is required first', () => {
  const curbed = (...ids: string[]): Run => ({
    ...withRules({ outcome: 'unexercised', beyondBudget: true }, ...ids),
    requests: { sent: 10, budget: 11 },
  });
  const door = 'authentication/key-is-required';
  expect(remarks(curbed(...musts))).toEqual([
    `Not exercised within 11 requests: ${door}, ${musts[0]} and ${musts.length - 2} more musts.`,
  ]);
  expect(remarks(curbed('history/complete', door))).toEqual([
    `Not exercised within 11 requests: ${door}, history/complete.`,
  ]);
  expect(remarks(withRules({ outcome: 'unexercised' }, door))).toEqual([]);
});

test('musts that were not chosen are counted', () => {
  expect(remarks({ ...cleanRun, unchosen: 50 })).toEqual([
    `Only ${musts.length} of ${musts.length + 50} musts were chosen to be judged.`,
  ]);
});

test('what went beyond the key’s limit is said', () => {
  const quota = { limit: 2000, remaining: 0, additional: 1045 };
  expect(remarks({ ...cleanRun, quota })).toEqual(['The key is 1,045 requests beyond its limit of 2,000.']);
  expect(remarks({ ...cleanRun, quota: { ...quota, additional: 0 } })).toEqual([]);
});

test('every format is headed by the same words', () => {
  const run = { ...withRules({ outcome: 'failed' }, 'transport/length-agrees'), unchosen: 3 };
  const words = 'Conformant; 1 should fails: transport/length-agrees';
  const [remark = ''] = remarks(run);
  const page = renderHtml(run);
  expect(page).toContain(`<title>${words}: local`);
  expect(page).toContain('<b class="verdict">Conformant</b> · 1 should fails: transport/length-agrees · ');
  expect(renderTerminal(run, { colour: false, width: 100 })).toMatch(
    new RegExp(`^✓ ${words}  local  https://127\\.0\\.0\\.1:8443\\n`),
  );
  expect(renderSummary(run).split('\n')[0]).toBe(`## ✅ ${words}: \`local\``);
  expect(renderJunit(run)).toContain(`<property name="headline" value="${words}"/>`);
  expect(JSON.parse(renderCtrf(run)).results.extra).toMatchObject({ headline: words, remarks: [remark] });
  expect(renderSarif(run)).toContain(`"headline": "${words}. ${remark}"`);
  const short = [
    page,
    renderTerminal(run, { colour: false, width: 100 }),
    renderSummary(run),
    renderJunit(run),
  ];
  for (const text of short) expect(text).toContain(remark);
});

test('a headline longer than the terminal is wide is broken between words', () => {
  const run = withRules({ outcome: 'failed' }, ...shoulds.slice(0, 3));
  const lines = renderTerminal(run, { colour: false, width: 60 }).split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
  const at = lines.indexOf('  local  https://127.0.0.1:8443');
  expect(lines.slice(0, at).join(' ')).toBe(`✓ ${headline(run)}`);
});

test('an unknown pool is named unless the verdict names it already', () => {
  const read = { candles: 5, answers: 1, unreadable: 0, unknownPools: ['V2 pool 88'] };
  const words = 'The target refuses every request for V2 pool 88: check the ids.';
  expect(remarks({ ...sampleRun, read })).toContain(words);
  expect(remarks({ ...inconclusiveRun, read, reasonCode: 'rows-withheld' })).not.toContain(words);
});
