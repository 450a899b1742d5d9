import { expect, test } from '@playwright/test';
import { sampleRehearsal } from '../testing/sample-rehearsal.ts';
import { renderRehearsalTerminal } from './rehearsal-text.ts';

test('the stderr of a client stands once, for the scenarios in which it differs in digits alone', () => {
  const [steady] = sampleRehearsal.scenarios;
  if (!steady) throw new Error('there is no scenario');
  const silent = (id: string, stderr: string) => ({
    ...{ ...steady, id, client: { how: 'exited', code: 1, at: 9, stderr } as const },
  });
  const scenarios = [silent('a', 'no 1\n\tat x'), silent('b', 'no 23\n\tat x'), silent('c', 'other')];
  const text = renderRehearsalTerminal({ ...sampleRehearsal, scenarios }, { color: false, width: 200 });
  expect(text.split('\n').filter((line) => line.includes('stderr'))).toEqual([
    ...['    stderr: no 1', '    stderr:   at x', '    stderr: as in a', '    stderr: other'],
  ]);
});

test('no line of a rehearsal has more than 80 columns, wherever it goes', () => {
  for (const width of [0, 60, Number.POSITIVE_INFINITY]) {
    const lines = renderRehearsalTerminal(sampleRehearsal, { color: false, width }).split('\n');
    expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(width === 60 ? 60 : 80);
  }
});
