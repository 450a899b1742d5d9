import { PassThrough } from 'node:stream';
import { expect, test } from '@playwright/test';
import { ask } from './ask.ts';

test('a question is put on a terminal, and to nobody in a pipeline', async () => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  const answer = ask('Address: ', { input: terminal, output });
  terminal.write(' https://host \n');
  expect(await answer).toBe('https://host');
  expect(String(output.read())).toBe('Address: ');
  expect(await ask('Address: ', { input: new PassThrough(), output })).toBeUndefined();
  expect(output.read()).toBeNull();
});
