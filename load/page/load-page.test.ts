import { hostile } from '@candleproof/reports/testing/hostile';
import { sampleRun as judgedRun } from '@candleproof/reports/testing/sample-run';
import { expect, test } from '@playwright/test';
import { sampleRun } from '../testing/runs.ts';
import { loadPage } from './load-page.ts';

test('the page tells the verdict with its reasons, the figures and the command', () => {
  const page = loadPage(
    sampleRun({ dropped: 7, quota: { limit: 10_000, remaining: 8999, additional: 0, reset: 1 } }),
  );
  for (const text of [
    'load not delivered: 7 requests were due and nobody was free to send them.',
    'npx candleproof load smoke local',
    '10 % of the key’s month of 10,000; 8,999 left',
    '20 % of its core at most',
    '<code>listTokens</code> all',
  ])
    expect(page).toContain(text);
});

test('the breakpoint and the rate of the first wrong answer stand at the top', () => {
  const { figures } = sampleRun();
  const slices = figures.slices.map((slice, at) => (at < 10 ? slice : { ...slice, breached: 2, errors: 20 }));
  const page = loadPage(sampleRun({ slices, breached: 20, rules: { 'candle/high-is-highest': 20 } }));
  expect(page).toContain('<h1>Errors began at 50 requests/s, at 10 s</h1>');
  expect(page).toMatch(/over the offered rate, up to 50 requests a second"[\s\S]*<rect class="errors"/);
  expect(page).toContain('Wrong answers began at 50 requests/s, at 10 s.');
  expect(page).toContain('<code>candle/high-is-highest</code>');
  expect(page.slice(0, page.indexOf('</header>')).match(/20 of 1,?000 judged answers/g)).toHaveLength(1);
});

test('nothing of a target becomes markup, and the whole run is in the page as JSON', () => {
  const target = { name: hostile.script, baseUrl: `https://${hostile.script}` };
  const run = sampleRun({ rules: { [hostile.script]: 1 } }, { trial: { target, command: hostile.script } });
  const page = loadPage(run, judgedRun);
  expect(page.match(/<script/g)).toHaveLength(1);
  const [, json = ''] = /<script type="application\/json" id="load">(.*)<\/script>/s.exec(page) ?? [];
  expect(JSON.parse(json)).toEqual(run);
});
