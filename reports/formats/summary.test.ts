import { expect, test } from '@playwright/test';
import { hostile } from '../testing/hostile.ts';
import { largeRun } from '../testing/large-run.ts';
import { cleanRun, inTwoPlaces, sampleRun } from '../testing/sample-run.ts';
import { renderSummary } from './summary.ts';

const outsideCode = (markdown: string): string => markdown.replace(/`[^`\n]*`/g, '');

test('the first line gives verdict and target', () => {
  expect(renderSummary(cleanRun).split('\n')[0]).toBe('## ✅ Conformant: `local`');
});

test('each finding is one row of six cells', () => {
  const rows = renderSummary(sampleRun)
    .split('\n')
    .filter((line) => /^\| (must|should)/.test(line));
  expect(rows).toHaveLength(sampleRun.findings.length);
  for (const row of rows) expect(row.split('|')).toHaveLength(8);
});

test('texts of the target stay inside code', () => {
  const bare = outsideCode(renderSummary(sampleRun));
  expect(bare).not.toMatch(/@someone|evil|onerror|<(script|img)|\p{Cf}/u);
});

test('reasons and statements bring no markup, mention or link to life', () => {
  const reason = `${hostile.markdown} www.evil.example https://evil.example $x$`;
  const summary = renderSummary({ ...cleanRun, verdict: 'inconclusive', reason });
  const sentence = summary.split('\n')[2] ?? '';
  expect(sentence).not.toMatch(/@someone|[^&]#12\b|[^`]http:\/\/|www\.|[*[\]|$]/);
  expect(summary.split('\n').filter((line) => line.startsWith('|'))).toHaveLength(3);
});

test('a summary of very many findings stays short', () => {
  const summary = renderSummary(largeRun(500));
  expect(summary).toMatch(/### \d+ causes, 500 findings/);
  expect(summary).toMatch(/And \d+ more causes in the HTML report/);
  expect(summary.split('\n').filter((line) => line.startsWith('| must')).length).toBeLessThan(51);
});

test('observations are folded, with the number of changes in sight', () => {
  expect(renderSummary(sampleRun)).toContain('<details><summary>3 observations, 1 changed</summary>');
});

test('rules that were not judged are named with their reason', () => {
  const rules = cleanRun.rules.map((rule, at) =>
    at < 2 ? { ...rule, outcome: 'unexercised' as const, reason: 'no answer reported' } : rule,
  );
  const [one, other] = rules.map(({ id }) => id);
  expect(renderSummary({ ...cleanRun, rules })).toContain(
    `<details><summary>2 rules not judged</summary>\n\n- no answer reported: \`${one}\`, \`${other}\`\n`,
  );
  expect(renderSummary(cleanRun)).not.toContain('not judged');
});

test('what the baseline says of this run is seen without unfolding', () => {
  const [, reported = ''] = /^### Against the baseline\n\n(.*?)\n\n/ms.exec(renderSummary(sampleRun)) ?? [];
  expect(reported.split('\n')).toEqual([
    '- **Expired, counts again:** `history/complete listV2PoolCandles` until 2025-11-01: the outage of October',
    '- **Gone, take it off the baseline:** `transport/length-agrees listTokens header:content-length` until 2026-01-31: no reason given',
    '- **Changed answer:** What do the end times of closed and open candles mean? Now `closed: start of the next, open: the last observation`, before `closed: start of the next, open: start of the next`',
    '- **Known failing:** `authentication/key-is-required getLatestV1PoolCandle status` until 2026-01-31: agreed with the operator',
  ]);
});

test('a run as usual has no news', () => {
  expect(renderSummary(cleanRun)).not.toContain('baseline');
});

test('places of one cause are one row, which names the others', () => {
  const summary = renderSummary(inTwoPlaces);
  expect(summary).toContain('### 1 cause, 2 findings');
  expect(summary).toContain('also finding 2');
});
