import { expect, test } from '@playwright/test';
import { sampleRehearsal } from '../testing/sample-rehearsal.ts';
import { rehearsalPage } from './rehearsal-page.ts';
import { renderRehearsalJunit } from './rehearsal-text.ts';

test('nothing of a client becomes markup', () => {
  const html = rehearsalPage(sampleRehearsal);
  expect(html).not.toMatch(/<script>|<b>;|--<i>|\u202e/);
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
});

test('the page names the broken rule, the requests concerned and the trouble', () => {
  const html = rehearsalPage(sampleRehearsal);
  expect(html).toContain('Expected no request for 2 s after the 429; found a request 0.05 s after it.');
  expect(html).toContain('class="trouble"');
  expect(html).toContain('the client ended by itself with exit code 1 after 0.1 s');
});

test('the page is headed by the first failure; failures come first, and what decided nothing is dashed', () => {
  const html = rehearsalPage(sampleRehearsal);
  expect(html).toContain(
    '<h1>rate-limited: expected no request for 2 s after the 429, found a request 0.05 s after it</h1>',
  );
  expect(html).toContain('1 of 2 decided scenarios failed, 1 of 3 not decided');
  const rows = [...html.matchAll(/<td class="outcome"><i class="mark (\w+)"><\/i> ([\w ]+)/g)].map((match) =>
    match.slice(1).join(' '),
  );
  expect(rows).toEqual(['failed failed', 'unexercised not decided', 'passed passed']);
});

test('the same rehearsal gives the same page', () => {
  expect(rehearsalPage(sampleRehearsal)).toBe(rehearsalPage(structuredClone(sampleRehearsal)));
});

test('in JUnit a broken rule fails, an unexercised one is skipped, and an undecided scenario is an error', () => {
  const xml = renderRehearsalJunit(sampleRehearsal);
  expect(xml).toContain(
    '<testsuites name="candleproof rehearse" tests="5" failures="2" errors="1" skipped="2"',
  );
  expect(xml).toContain('<failure type="must" message="expected no request for 2 s after the 429;');
  expect(xml).toContain('<error message="the client sent nothing" type="inconclusive"/>');
  expect(xml).not.toMatch(/<script>|<b>/);
});

test('a scenario that decided nothing for want of a flag is skipped in JUnit, and no passed scenario', () => {
  const [steady, , silent] = sampleRehearsal.scenarios;
  if (!steady || !silent) throw new Error('the sample has both');
  const open = { ...silent, requests: 2, reason: 'decides nothing without --expect', unasked: true } as const;
  const rehearsal = { ...sampleRehearsal, verdict: 'conformant', scenarios: [steady, open] } as const;
  const xml = renderRehearsalJunit(rehearsal);
  expect(xml).toContain('<skipped message="decides nothing without --expect"/>');
  expect(xml).not.toContain('<error');
  expect(rehearsalPage(rehearsal)).toContain('0 of 1 decided scenario failed, 1 of 2 not decided');
});
