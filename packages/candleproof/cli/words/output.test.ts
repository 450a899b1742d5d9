import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { candleproof } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';

const commands: readonly (readonly [command: string, args: readonly string[], file: string])[] = [
  ['check', ['check', 'local', '--only', 'tokens'], 'run.json'],
  ['explore', ['explore', 'local', '--budget', '6'], 'run.json'],
  ['faults', ['serve', 'faults', '--only', 'F111'], 'kill-matrix.json'],
];

for (const [command, args, file] of commands) {
  const tag = command === 'faults' ? '@endurance' : [];
  test(`${command} --json prints the result on stdout and words on stderr`, { tag }, async () => {
    const out = test.info().outputPath('out');
    const { stdout, stderr } = await candleproof([...args, '--out', out, '--json']);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(readFileSync(join(out, file), 'utf8')));
    expect(stderr).toContain(`report: ${join(out, 'index.html')}`);
  });
}

test('FORCE_COLOR paints the words in a pipe, and none of them is lost', async () => {
  const args = ['check', 'local', '--only', 'tokens', '--out', test.info().outputPath('out')];
  const plain = await candleproof(args);
  const painted = await candleproof(args, { FORCE_COLOR: '1', NO_COLOR: '' });
  expect(plain.stdout).not.toContain('\u001b[');
  expect(stripVTControlCharacters(painted.stdout)).toMatch(/^✓ Conformant; 6 of \d+ judged {2}local/);
  expect(painted.stdout).not.toBe(stripVTControlCharacters(painted.stdout));
});

test('in a pipe a line has at most 100 columns, but for an address, and LC_ALL=C has ASCII alone', async () => {
  const args = ['plan', '--spec', 'kraken', '--pools', 'XXBTZUSD'];
  const judge = ['judge', 'tests/fixtures/published-answers.har', '--out', test.info().outputPath('out')];
  for (const line of [args, judge]) {
    const { stdout } = await candleproof(line, { LC_ALL: 'C.UTF-8', COLUMNS: '' });
    const wide = stdout.split('\n').filter((text) => [...text].length > 100);
    expect(wide.filter((text) => text.trim().includes(' ') && !text.startsWith('report: '))).toEqual([]);
  }
  const { stdout } = await candleproof(judge, { LC_ALL: 'C', COLUMNS: '' });
  expect(stdout).toMatch(/^x Nonconformant: /m);
  expect(stdout.replace(/^report: .*/m, '')).toMatch(/^[ -~\n]*$/);
});
