import { measureProcessorMs } from '@candleproof/testing/processor-time';
import { expect, test } from '@playwright/test';
import { renderHtml } from '../formats/html.ts';
import { largeRun } from '../testing/large-run.ts';
import { maxInFull } from '../words/finding-words.ts';

const run = largeRun(maxInFull + 1);
const html = renderHtml(run);

test('findings beyond those in full get a row with all that matters', () => {
  expect(html.match(/<article class="finding/g)).toHaveLength(maxInFull);
  const row = html.slice(html.indexOf(`<tr id="finding-${maxInFull + 1}">`));
  const reported = row.slice(0, row.indexOf('</tbody>'));
  expect(reported).toMatch(/^<tr id="finding-51"><td>51, (must|should)/);
  expect(reported).toMatch(/<b class="got">[^<]+<\/b>/);
  expect(reported).toContain('npx candleproof replay reports/out/testnet &#39;large/rule-');
});

test('a page of many findings says which it leaves to run.json', () => {
  expect(html).toContain('1 more finding<');
  expect(html).toContain('of these, run.json has the examples');
  expect(html).toContain('The run, without the texts of its rules and the examples of its findings,');
});

test('the run in a page of many findings lacks nothing but examples and the texts of its rules', () => {
  const [, embedded = ''] = /id="run">(.*?)<\/script>/s.exec(html) ?? [];
  const { findings, rules, ...rest } = JSON.parse(embedded);
  const { findings: all, rules: judged, ...whole } = run;
  expect(rest).toEqual(whole);
  expect(rules).toHaveLength(judged.length);
  expect(findings).toEqual(all.map((finding) => ({ ...finding, examples: [] })));
});

test('a page of five hundred findings stays below two megabytes', () => {
  let html = '';
  const spent = measureProcessorMs(() => {
    html = renderHtml(largeRun(500));
  });
  expect(html.length).toBeLessThan(2_000_000);
  expect(spent).toBeLessThan(5000);
});

test('fifty findings are all reported in full', () => {
  const full = renderHtml(largeRun(maxInFull));
  expect(full).not.toContain('more finding<');
  expect(full).toContain('The run, without the texts of its rules, is in this page');
});
