import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { isShown, listShellBlocks, listShownCalls } from './page-blocks.ts';

test('a fence says its language, why it is left out and how it ends', () => {
  const page = test.info().outputPath('page.md');
  writeFileSync(
    page,
    '# P\n\n```sh exit 1\na\n```\n\n```sh left out: k6\nb\n```\n\n```ts\nc\n```\n\n```\nd\n```\n',
  );
  expect(listShellBlocks(page)).toEqual([
    { page, line: 3, language: 'sh', exit: 1, text: 'a\n' },
    { page, line: 7, language: 'sh', exit: 0, leftOut: 'k6', text: 'b\n' },
    { page, line: 15, language: '', exit: 0, text: 'd\n' },
  ]);
});

test('a command may have several lines', () => {
  expect(listShownCalls('$ a \\\n  b\none\ntwo\n$ c\nthree\n')).toEqual([
    { command: 'a \\\n  b', output: 'one\ntwo\n' },
    { command: 'c', output: 'three\n' },
  ]);
});

test('ports, durations and slightly older counts are shown well enough; other numbers are not', () => {
  const printed =
    'https://127.0.0.1:4711\nAll 66 musts\n5,566 candles in 35 answers\nok, 2 requests, slowest 15 ms\n';
  expect(isShown(printed.replace('4711', '8443').replace('15 ms', '7 ms'), printed)).toBe(true);
  expect(isShown(printed.replace('66', '65').replace('5,566', '5,551'), printed)).toBe(true);
  for (const [now, before] of [
    ['66', '62'],
    ['35 answers', '22 answers'],
    ['5,566', '3,165'],
    ['2 requests', '3 requests'],
    ['All', 'Every'],
  ])
    expect(isShown(printed.replace(now ?? '', before ?? ''), printed), before).toBe(false);
});
