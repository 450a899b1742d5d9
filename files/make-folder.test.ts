import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { makeFolder } from './make-folder.ts';

test('processes that make the same folder at the same moment all have it', async () => {
  const under = test.info().outputPath('under');
  mkdirSync(under);
  const script = `
    import { makeFolder } from ${JSON.stringify(join(import.meta.dirname, 'make-folder.ts'))};
    for (let n = 0; n < 300; n++) {
      while (Date.now() % 3 !== 0);
      makeFolder(${JSON.stringify(under)} + '/' + Math.floor(n / 10) + '/' + n);
    }`;
  const ends = [1, 2, 3].map(async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
    return (await once(child, 'close'))[0];
  });
  expect(await Promise.all(ends)).toEqual([0, 0, 0]);
  expect(statSync(join(under, '29', '299')).isDirectory()).toBe(true);
});

test('a file in the way of a folder is refused', () => {
  const file = test.info().outputPath('file');
  writeFileSync(file, '');
  expect(() => makeFolder(file)).toThrow('is no folder');
  expect(() => makeFolder(join(file, 'below'))).toThrow('is no folder');
});
