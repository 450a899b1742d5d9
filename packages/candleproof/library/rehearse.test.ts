import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { rehearse, scenarioIds, UnstartableCommand, UsageError, writeRehearsalReports } from './rehearse.ts';

const once = `const { CANDLEPROOF_BASE_URL: base, CANDLEPROOF_API_KEY: key } = process.env;
const response = await fetch(base + '/tokens', { headers: { 'x-api-key': key } });
process.stdout.write('got ' + response.status + ' with ' + key);
process.exitCode = 3;`;
const command = [process.execPath, '--input-type=module', '-e', once];

test('a client is rehearsed from code, and its reports are written', async () => {
  const outcome = await rehearse({ command, scenarios: ['steady'], expect: ['exit=3', 'stdout=got 200'] });
  const { rehearsal } = outcome;
  expect(rehearsal.verdict).toBe('conformant');
  expect(rehearsal.scenarios[0]?.expectations.map(({ outcome }) => outcome)).toEqual(['passed', 'passed']);
  const folder = test.info().outputPath('report');
  writeRehearsalReports(outcome, folder);
  expect(JSON.parse(readFileSync(join(folder, 'rehearsal.json'), 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(rehearsal)),
  );
  expect(readFileSync(join(folder, 'steady.stdout.txt'), 'utf8')).toBe('got 200 with [redacted:api-key]');
  expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toContain('<testsuite name="steady"');
});

test('options that cannot work are refused', async () => {
  await expect(rehearse({ command, scenarios: ['none'] })).rejects.toThrow(UsageError);
  await expect(rehearse({ command, expect: ['exit=many'] })).rejects.toThrow(/exit=N/);
  await expect(rehearse({ command: ['no-such-program'], scenarios: ['steady'] })).rejects.toThrow(
    UnstartableCommand,
  );
  expect(scenarioIds[0]).toBe('steady');
});

test('a signal ends a rehearsal where it stands', async () => {
  const idle = [process.execPath, '-e', 'setInterval(() => {}, 1000)'];
  const { rehearsal } = await rehearse({
    command: idle,
    scenarios: ['steady'],
    signal: AbortSignal.abort('enough'),
  });
  expect(rehearsal).toMatchObject({ verdict: 'inconclusive', reason: 'enough', scenarios: [] });
});
