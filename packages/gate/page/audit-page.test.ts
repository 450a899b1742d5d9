import { hostile } from '@candleproof/reports/testing/hostile';
import { expect, test } from '@playwright/test';
import type { Audit } from '../audit/audit.ts';
import { groupCauses, nameCauses } from '../audit/causes.ts';
import { countUsable, type PastTable } from '../audit/row-states.ts';
import { auditPage } from './audit-page.ts';

const noon = 1_763_553_600;
const ranges = Array.from({ length: 26 }, (_, at) => ({
  ...{ target: hostile.script, pool: 1, interval: 'HOUR', kind: 'gap', certainty: 'breach' },
  ...{ from: noon + at * 86_400, to: noon + at * 86_400 + 3600 },
  fromIso: new Date(1000 * (noon + at * 86_400)).toISOString(),
  toIso: new Date(1000 * (noon + at * 86_400 + 3600)).toISOString(),
  ...{ rules: ['history/complete'], detail: hostile.script },
})) as unknown as Audit['damage'];

const tables: readonly PastTable[] = [
  {
    ...{ pool: 1, interval: 'HOUR', length: 3600 },
    rows: Array.from({ length: 24 * 26 }, (_, at) => ({
      start: noon + 3600 * at,
      state: at % 24 === 0 ? 'missing' : 'usable',
    })),
  },
];
const damage = nameCauses(ranges, { findings: [], appliedRules: [] });
const audit: Audit = {
  target: { name: hostile.script, baseUrl: hostile.attribute },
  ...{ verdict: 'damaged', failing: [], pools: [1], candles: 598, damage, divided: [] },
  ...{ causes: groupCauses(damage, tables), usable: tables.map(countUsable) },
  ...{ range: { from: noon, to: noon + 26 * 86_400 }, requests: { sent: 3, budget: 21 } },
};

test('the page of a past says its cause, what can still be used, and how to leave the rest out', () => {
  const html = auditPage(audit, tables, '1.0.0');
  expect(html).toContain('<h1>12:00 to 13:00 is missing every day</h1>');
  expect(html).toContain('HOUR: 598 of 624 usable, 26 missing');
  expect(html.match(/class="missing" d="(M[^M]*){26}"/g)).toHaveLength(1);
  expect(html).toContain('26 ranges of no row: unknown, not quiet');
});

test('a year is a row for each month', () => {
  const rows = Array.from({ length: 365 * 24 }, (_, at) => ({
    start: 1_735_689_600 + 3600 * at,
    state: at < 12 ? ('damaged' as const) : ('usable' as const),
  }));
  const html = auditPage(audit, [{ pool: 1, interval: 'HOUR', length: 3600, rows }], '1.0.0');
  expect(html.match(/<text class="name"/g)).toHaveLength(12);
  // Twelve hours are half of a day's height.
  expect(html).toMatch(/class="damaged" d="M54 30h9\.59v9\.2h-9\.59z"/);
});

test('no text of a target becomes markup in it', () => {
  const html = auditPage(audit, tables, '1.0.0');
  expect(html.match(/<script/g)).toHaveLength(2);
  expect(html).not.toContain(hostile.script);
});
