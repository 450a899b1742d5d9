import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostileTargets } from '@candleproof/client/testing/hostile-targets';
import { test } from '@candleproof/client/testing/targets';
import { heavyFiles } from '@candleproof/command/heavy-files';
import { checkHostile } from '@candleproof/command/hostile-check';
import { heavyDocuments } from '@candleproof/document/spec/testing/heavy-documents';
import { expect } from '@playwright/test';

for (const { name, answer, exit, seconds, mib, runsInPipelines } of hostileTargets) {
  const title = `a check of a target that answers ${name} ends in a verdict, in bounded time and memory`;
  test(title, { tag: runsInPipelines ? '@endurance' : '@thorough' }, async ({ serve, authority }) => {
    test.setTimeout(seconds * 3000);
    const folder = test.info().outputPath('run');
    const { baseUrl } = await serve(answer);
    const taken = await checkHostile(baseUrl, authority.ca, folder);
    expect([taken.code, taken.headline]).toEqual([exit, expect.stringMatching(/onconformant|nconclusive/)]);
    expect(taken.seconds).toBeLessThan(seconds);
    expect(taken.mib).toBeLessThan(mib);
    expect(existsSync(join(folder, 'exchanges.har'))).toBe(true);
  });
}

test('SECURITY.md has every hostile target, file and document, with the exit code of its command', () => {
  const rows = readFileSync('SECURITY.md', 'utf8').matchAll(/^\| (.+?) \| (\d) \|/gm);
  expect([...rows].map(([, name, exit]) => [name, Number(exit)])).toEqual(
    [...hostileTargets, ...heavyFiles, ...heavyDocuments.map(({ name }) => ({ name, exit: 2 }))].map(
      ({ name, exit }) => [name, exit],
    ),
  );
});

test('every test that SECURITY.md names is there', () => {
  const named = [...readFileSync('SECURITY.md', 'utf8').matchAll(/`([\w./-]+\.test\.ts)`/g)].map(
    ([, file]) => file,
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((file) => !existsSync(file as string))).toEqual([]);
});
