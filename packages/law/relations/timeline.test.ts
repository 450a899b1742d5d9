import { expect, test } from '@playwright/test';
import type { HistoryAnswer } from '../reading/reading.ts';
import { answer, exchangeText, writeSpec } from '../worlds/other-document.ts';
import { wantedStarts } from './timeline.ts';

const hour = 3600;
const ten = Date.parse('2026-03-11T10:00:00Z') / 1000;

/** Returns the first and the last start that a range from ten to two o'clock owes, by a document with other edges. */
function listWanted(change: (text: string) => string): number[] {
  const spec = writeSpec(change(exchangeText));
  const path =
    '/products/BTC-USD/candles?granularity=3600&region=us&start=2026-03-11T10:00:00Z&end=2026-03-11T14:00:00Z';
  const history = answer(spec, path, []) as HistoryAnswer;
  const conventions = { phase: new Map([[hour, 0]]), alive: new Map() };
  const wanted = wantedStarts(
    history,
    { spec, conventions } as unknown as Parameters<typeof wantedStarts>[1],
    0,
  );
  return wanted ? [(wanted.first - ten) / hour, (wanted.last - ten) / hour] : [];
}

test('the row at an edge is owed only where the document declares the edge inclusive', () => {
  const inclusive = (role: 'from' | 'to') => (text: string) =>
    text.replace(`x-role: ${role},`, `x-role: ${role}, x-edge: inclusive,`);
  expect(listWanted((text) => text)).toEqual([1, 2]);
  expect(listWanted(inclusive('from'))).toEqual([0, 2]);
  expect(listWanted(inclusive('to'))).toEqual([1, 4]);
});
