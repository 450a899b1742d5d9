import { expect, test } from '@playwright/test';
import { isExcluded, type MaintenanceWindow, windowMistake } from './maintenance.ts';

const hour = 3_600_000;

const step = 5 * 60_000;

/** What one window covers around a day, as UTC instants without seconds; looked at every five minutes. */
function covered(window: MaintenanceWindow, day: string): string[] {
  const noon = Date.parse(`${day}T12:00Z`);
  const instants = Array.from({ length: (72 * hour) / step }, (_, at) => noon - 36 * hour + at * step);
  const edges = instants.filter((each) => isExcluded([window], each) !== isExcluded([window], each - step));
  const texts = edges.map((each) => new Date(each).toISOString().slice(5, 16));
  return texts.flatMap((each, at) => (at % 2 === 0 ? [`${each} ${texts[at + 1]}`] : []));
}

function sunday(zone: string, from: string, to: string): MaintenanceWindow {
  return { zone, days: ['sunday'], from, to };
}

const london = 'Europe/London';
const sydney = 'Australia/Sydney';

test('a Sunday night in London follows summer time', () => {
  const window = sunday(london, '00:30', '03:30');
  expect(covered(window, '2026-10-18')).toEqual(['10-17T23:30 10-18T02:30']);
  expect(covered(window, '2026-10-25')).toEqual(['10-24T23:30 10-25T03:30']);
  expect(covered(window, '2026-11-01')).toEqual(['11-01T00:30 11-01T03:30']);
  expect(covered(window, '2026-03-29')).toEqual(['03-29T00:30 03-29T02:30']);
});

test('a Sunday night in Sydney follows summer time', () => {
  const window = sunday(sydney, '01:00', '04:00');
  expect(covered(window, '2026-09-27')).toEqual(['09-26T15:00 09-26T18:00']);
  expect(covered(window, '2026-10-04')).toEqual(['10-03T15:00 10-03T17:00']);
  expect(covered(window, '2026-10-11')).toEqual(['10-10T14:00 10-10T17:00']);
  expect(covered(window, '2026-04-05')).toEqual(['04-04T14:00 04-04T18:00']);
});

test('the hour that comes twice is covered both times', () => {
  expect(covered(sunday(london, '01:15', '01:45'), '2026-10-25')).toEqual(['10-25T00:15 10-25T01:45']);
  expect(covered(sunday(sydney, '02:00', '02:30'), '2026-04-05')).toEqual(['04-04T15:00 04-04T16:30']);
});

test('the hour that is left out comes at the moment of the change', () => {
  expect(covered(sunday(sydney, '02:30', '03:30'), '2026-10-04')).toEqual(['10-03T16:00 10-03T16:30']);
  expect(covered(sunday(london, '00:30', '01:30'), '2026-03-29')).toEqual(['03-29T00:30 03-29T01:00']);
  expect(covered(sunday(london, '01:10', '01:40'), '2026-03-29')).toEqual([]);
});

test('half an hour of summer time on Lord Howe is enough', () => {
  expect(covered(sunday('Australia/Lord_Howe', '01:00', '03:00'), '2026-10-04')).toEqual([
    '10-03T14:30 10-03T16:00',
  ]);
});

test('a window over midnight belongs to the day on which it begins', () => {
  const window = sunday(london, '22:00', '02:00');
  expect(covered(window, '2026-07-12')).toEqual(['07-12T21:00 07-13T01:00']);
  expect(isExcluded([window], Date.parse('2026-07-12T00:30Z'))).toBe(false);
});

test('a whole Sunday has 25 hours when the clocks go back', () => {
  expect(covered(sunday(london, '00:00', '24:00'), '2026-10-25')).toEqual(['10-24T23:00 10-26T00:00']);
});

test('a dated window is read by its zone’s clocks', () => {
  const window = { zone: sydney, from: '2026-10-04T01:30', to: '2026-10-04T03:30' };
  expect(covered(window, '2026-10-04')).toEqual(['10-03T15:30 10-03T16:30']);
  expect(isExcluded([window], Date.parse('2026-10-03T16:30Z'))).toBe(false);
});

test('a window that cannot be meant is reported with its mend', () => {
  const proper = sunday(london, '01:00', '02:00');
  expect(windowMistake(proper)).toBeUndefined();
  expect(windowMistake({ ...proper, to: '24:00' })).toBeUndefined();
  expect(windowMistake({ ...proper, zone: 'Europe/Londno' })).toContain('Europe/Londno');
  expect(windowMistake({ ...proper, from: '25:00' })).toContain('write HH:MM');
  expect(windowMistake({ ...proper, from: '1:00' })).toContain('"1:00" is no time');
  expect(windowMistake({ zone: london, days: [], from: '01:00', to: '02:00' })).toContain('no days');
  expect(windowMistake({ zone: london, from: '2026-02-30T01:00', to: '2026-03-01T01:00' })).toContain(
    '02-30',
  );
  expect(windowMistake({ zone: london, from: '2026-03-02T01:00', to: '2026-03-01T01:00' })).toContain(
    'not after',
  );
});
