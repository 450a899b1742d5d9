import { expect, test } from '@playwright/test';
import type { Audit } from '../../conformance/audit/audit.ts';
import { type Mark, mergeMarks } from '../../conformance/audit/damage.ts';
import { renderAudit } from './audit.ts';

const suspects = ['day', 'hour'] as const;
const rungs = { hour: { name: 'HOUR', seconds: 3600 }, day: { name: 'DAY', seconds: 86_400 } };
const mark: Mark = {
  pool: 1,
  interval: 'day',
  from: 1_773_100_800,
  to: 1_773_187_200,
  kind: 'rollup',
  rule: 'rollup/volume-is-summed',
  detail: 'expected 7; received 8',
};

function inWords(marks: readonly Mark[], width = 160): string {
  const audit: Audit = {
    target: { name: 't', baseUrl: 'https://target.invalid' },
    range: { from: mark.from, to: mark.to },
    pools: [1],
    requests: { sent: 3, budget: 3 },
    candles: 32,
    damage: mergeMarks('t', marks, rungs),
    divided: [],
  };
  return renderAudit(audit, { color: false, width });
}

test('lengths that disagree are both named, as suspects, where nothing decides', () => {
  const reported = inWords(suspects.map((interval) => ({ ...mark, interval, suspects })));
  expect(reported).toContain('✗ Ranges: 2 of which one or the other is damaged');
  expect(reported).toMatch(/^1 +HOUR .*rollup +DAY or HOUR is wrong, nothing decides which: rollup/m);
  expect(reported).toMatch(/^1 +DAY .*rollup +DAY or HOUR is wrong, nothing decides which: rollup/m);
});

test('a length that is known to be wrong is damaged, and no suspect', () => {
  const reported = inWords([mark, { ...mark, rule: 'rollup/close-is-the-last', suspects }]);
  expect(reported).toContain('✗ Ranges: 1 damaged: t ');
  expect(reported).not.toContain('nothing decides');
});

test('a narrow terminal folds the ranges, and nothing of them is cut', () => {
  const reported = inWords([mark], 60);
  expect(Math.max(...reported.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
  expect(reported.replace(/\s/g, '')).toBe(inWords([mark], Infinity).replace(/\s/g, ''));
});
