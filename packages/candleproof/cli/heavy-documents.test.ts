import { measureCommand } from '@candleproof/command/hostile-check';
import { heavyDocuments } from '@candleproof/document/spec/testing/heavy-documents';
import { expect, test } from '@playwright/test';

for (const { name, write } of heavyDocuments) {
  test(`${name}: refused in one line, within 512 MiB and twenty seconds`, { tag: '@endurance' }, async () => {
    const folder = test.info().outputPath('heavy');
    const { code, stdout, stderr, seconds, mib } = await measureCommand(
      ['check', ...write(folder), '--deadline', '5', '--out', `${folder}/out`],
      folder,
    );
    expect([code, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1]);
    expect(stderr).toMatch(/^candleproof: (--config: )?\S*\.yaml:(\d+:)? \S/);
    expect(stderr).not.toMatch(/unexpected|call stack/);
    expect(mib).toBeLessThan(512);
    expect(seconds).toBeLessThan(20);
  });
}
