import { passingFolder } from '@candleproof/files/testing/passing-folder';
import { defineConfig } from '@playwright/test';
import fc from 'fast-check';

// Nothing may depend on the zone of the machine: tests run in one that nobody expects.
process.env.TZ ??= 'Asia/Kathmandu';

const isPipeline = process.env.CI === 'true';

// Every worker reads this file too. A property that needs another number of cases says so itself.
fc.configureGlobal({ numRuns: process.env.CANDLEPROOF_THOROUGH ? 400 : isPipeline ? 20 : 10 });

// Workers share the markets that one of them has built.
process.env.CANDLEPROOF_MARKETS ??= passingFolder();

// Node takes the types off in place, so that traces need no source maps, which Playwright reads twice for each test.
if (process.env.PW_DISABLE_TS_ESM) Reflect.deleteProperty(Error, 'prepareStackTrace');

/** Further cases of what others show already; attacks, crashes and waits that a pipeline endures, but no one who waits. */
const leftOut = process.env.CANDLEPROOF_THOROUGH
  ? undefined
  : isPipeline
    ? /@thorough\b/
    : /@(thorough|endurance)\b/;

/** Tests of seconds in which little is computed. */
const waiting = ['full-disk', 'hostile-proxy', 'monitor', 'rehearse', 'stopped-monitor'].map(
  (name) => `**/cli/${name}.test.ts`,
);

export default defineConfig({
  testDir: '.',
  // On two cores a third worker computes while others wait for sockets, clocks and browsers.
  workers: 3,
  // On a busy machine some things come late.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  outputDir: 'test-results',
  snapshotPathTemplate: '{testFileDir}/golden/{arg}{ext}',
  forbidOnly: isPipeline,
  reporter: [['./tools/command/test-summary.ts']],
  ...(leftOut && { grepInvert: leftOut }),
  projects: [
    // One after the other, so that the other workers keep the processors busy meanwhile.
    { name: 'waiting', testMatch: waiting, workers: 1 },
    { name: 'unit', testMatch: '**/*.test.ts', testIgnore: ['**/*.browser.test.ts', ...waiting] },
    { name: 'browser', testMatch: '**/*.browser.test.ts' },
    { name: 'evidence', testMatch: 'tests/support/*.setup.ts' },
    // Takes npm and minutes: `npm run package`.
    ...(process.env.CANDLEPROOF_PACKAGE
      ? [{ name: 'package', testMatch: 'tools/packaging/*.packed.ts', workers: 1 }]
      : []),
    { name: 'conformance', testMatch: 'tests/*.spec.ts', dependencies: ['evidence'] },
  ],
});
