import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { candleproof } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';

const closed = ['--base-url', 'https://127.0.0.1:1', '--pools-v1', '1'];

for (const [length, isDoubted] of [
  [32, false],
  [36, true],
] as const) {
  test(`a key of ${length} characters is ${isDoubted ? 'doubted aloud and used' : 'taken as it is'}`, async () => {
    const folder = test.info().outputPath('keys');
    mkdirSync(folder, { recursive: true });
    const key = join(folder, String(length));
    writeFileSync(key, 'k'.repeat(length));
    const { code, stderr } = await candleproof(['check', ...closed, '--api-key-file', key]);
    expect(stderr.includes(`the key has ${length} characters`)).toBe(isDoubted);
    expect(stderr).not.toContain('kkk');
    expect(code).toBe(3);
  });
}
