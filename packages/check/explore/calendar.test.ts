import { expect, test } from '@playwright/test';
import { isSummer, listMarks } from './times.ts';

const seconds = (text: string): number => Date.parse(text) / 1000;

test('a winter holds borders of months, a year, a leap day and the clocks of spring', () => {
  const marks = listMarks({ from: seconds('2023-12-15'), to: seconds('2024-04-10') });
  expect(
    marks.map(({ kind, from }) => `${kind} ${new Date(from * 1000).toISOString().slice(0, 10)}`),
  ).toEqual([
    'year 2024-01-01',
    'month 2024-02-01',
    'leap day 2024-02-29',
    'month 2024-03-01',
    'American clocks 2024-03-10',
    'European clocks 2024-03-31',
    'month 2024-04-01',
  ]);
});

test('clocks change on the days that the time zones of New York and Berlin have', () => {
  const zones = { 'American clocks': 'America/New_York', 'European clocks': 'Europe/Berlin' };
  const marks = listMarks({ from: seconds('2019-01-01'), to: seconds('2031-01-01') });
  for (const [kind, timeZone] of Object.entries(zones)) {
    const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
    const offset = (instant: number): string => format.format(instant * 1000).split(', ')[1] ?? '';
    const days = marks.filter((mark) => mark.kind === kind);
    expect(days).toHaveLength(24);
    for (const { from, to } of days) expect(offset(from), `${kind} ${from}`).not.toBe(offset(to + 86_400));
  }
});

test('a year without a 29th of February has no leap day', () => {
  const kinds = listMarks({ from: seconds('2025-01-01'), to: seconds('2026-01-01') }).map(({ kind }) => kind);
  expect(kinds).not.toContain('leap day');
  expect(kinds.filter((kind) => kind === 'month' || kind === 'year')).toHaveLength(13);
});

test('summer begins and ends with the American clocks', () => {
  expect(
    ['2024-03-09', '2024-03-11', '2024-11-02', '2024-11-04'].map((instant) => isSummer(seconds(instant))),
  ).toEqual([false, true, true, false]);
});
