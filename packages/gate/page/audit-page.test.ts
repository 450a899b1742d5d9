import { hostile } from '@candleproof/reports/testing/hostile';
import { expect, test } from '@playwright/test';
import { auditPage } from './audit-page.ts';

const noon = 1_763_553_600;
const ranges = Array.from({ length: 26 }, (_, at) => ({
  ...{ target: hostile.script, pool: 1, interval: 'HOUR', kind: 'gap', certainty: 'breach' },
  ...{ from: noon + at * 86_400, to: noon + at * 86_400 + 3600, fromIso: '', toIso: '' },
  ...{ rules: ['history/complete'], detail: hostile.script },
})) as unknown as Parameters<typeof auditPage>[0]['damage'];

const audit = {
  ...{
    target: { name: hostile.script, baseUrl: hostile.attribute },
    pools: [1],
    candles: 655,
    damage: ranges,
  },
  ...{ range: { from: noon, to: noon + 26 * 86_400 }, requests: { sent: 3, budget: 21 }, divided: [] },
};

test('an audit has a page that says what is damaged, and one row for one hour of many days', () => {
  const html = auditPage(audit, '1.0.0');
  expect(html).toContain('<h1>Ranges: 26 damaged</h1>');
  expect(html).toContain('12:00 to 13:00 missing on 26 days, 2025-11-19 to 2025-12-14');
  expect(html.match(/<th scope="row">/g)).toHaveLength(1);
});

test('no text of a target becomes markup in it', () => {
  expect(auditPage(audit, '1.0.0').match(/<script/g)).toHaveLength(1);
});
