import { expect, test } from '@playwright/test';
import { lockedPackages, unacceptedLicences } from './licences.ts';

test('all installed packages have a license that allows redistribution', () => {
  const packages = lockedPackages();
  expect(Object.keys(packages).length).toBeGreaterThan(40);
  expect(unacceptedLicences(packages)).toEqual([]);
});

test('copyleft and missing licenses are listed with their package', () => {
  const packages = {
    'node_modules/free': { license: 'MIT' },
    'node_modules/bound': { license: 'AGPL-3.0-only' },
    'node_modules/unknown': {},
    'node_modules/ours': { license: 'GPL-2.0', dev: true },
  };
  expect(unacceptedLicences(packages)).toEqual(['bound: AGPL-3.0-only', 'unknown: no licence']);
});
