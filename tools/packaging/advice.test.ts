import { expect, test } from '@playwright/test';
import { adviceAgainst } from './advice.ts';

test('a package with an advisory is listed with its severity', () => {
  const report = { auditReportVersion: 2, vulnerabilities: { ajv: { name: 'ajv', severity: 'moderate' } } };
  expect(adviceAgainst(JSON.stringify(report))).toEqual(['ajv (moderate)']);
  expect(adviceAgainst(JSON.stringify({ auditReportVersion: 2, vulnerabilities: {} }))).toEqual([]);
});

test('a registry without an answer reports no package', () => {
  for (const printed of [
    '',
    '{"message":"405 Method Not Allowed"}',
    '{"error":{"code":"ENOTFOUND"}}',
    'null',
    '3',
  ]) {
    expect(adviceAgainst(printed)).toBeUndefined();
  }
});
