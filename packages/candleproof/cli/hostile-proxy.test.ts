import { readFileSync } from 'node:fs';
import { proxyHostile } from '@candleproof/command/hostile-proxy';
import { hostilePassing } from '@candleproof/proxy/testing/hostile-passing';
import { expect, test } from '@playwright/test';

for (const passing of hostilePassing) {
  const title = `a proxy that gets ${passing.name} serves others, in bounded memory, and ends on a signal`;
  test(title, { tag: passing.runsInPipelines ? '@endurance' : '@thorough' }, async () => {
    test.setTimeout(120_000);
    const { code, mib, otherMs, endSeconds } = await proxyHostile(passing, test.info().outputPath('run'), 4);
    expect(code).toBe(0);
    expect(mib).toBeLessThan(512);
    expect(otherMs).toBeDefined();
    // Five seconds for traffic, five for the judge, and the report.
    expect(endSeconds).toBeLessThan(30);
  });
}

test('SECURITY.md has everything that a proxy is attacked with', () => {
  const [, table = ''] = readFileSync('SECURITY.md', 'utf8').split('| It gets | other client |');
  const rows = [...(table.split('\n\n')[0]?.matchAll(/^\| (.+?) \| [\d.]+ \|/gm) ?? [])].map(
    ([, name]) => name,
  );
  expect(rows).toEqual(hostilePassing.map(({ name }) => name));
});
