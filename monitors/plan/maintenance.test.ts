import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { type MaintenanceWindow, maintenanceEnd, windowMistake } from './maintenance.ts';

function isExcluded(windows: readonly MaintenanceWindow[], instant: number): boolean {
  return maintenanceEnd(windows, instant) !== undefined;
}

const minute = 60_000;
const hour = 60 * minute;
const step = 5 * minute;

/** Lists the instants around a day that a window covers, in UTC without seconds, every five minutes. */
function covered(window: MaintenanceWindow, day: string): string[] {
  const noon = Date.parse(`${day}T12:00Z`);
  const instants = Array.from({ length: (72 * hour) / step }, (_, at) => noon - 36 * hour + at * step);
  const edges = instants.filter(
    (instant) => isExcluded([window], instant) !== isExcluded([window], instant - step),
  );
  const texts = edges.map((edge) => new Date(edge).toISOString().slice(5, 16));
  return texts.flatMap((text, at) => (at % 2 === 0 ? [`${text} ${texts[at + 1]}`] : []));
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

test('the hour that is left out comes at the moment of the change, and work that lies in it is as long', () => {
  expect(covered(sunday(sydney, '02:30', '03:30'), '2026-10-04')).toEqual(['10-03T16:00 10-03T16:30']);
  expect(covered(sunday(london, '00:30', '01:30'), '2026-03-29')).toEqual(['03-29T00:30 03-29T01:00']);
  expect(covered(sunday(london, '01:10', '01:40'), '2026-03-29')).toEqual(['03-29T01:00 03-29T01:30']);
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

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

/** Hours ahead of UTC, all year: the first and the last of all zones, and one in between. */
const fixed = { 'Pacific/Kiritimati': 14, 'Pacific/Pago_Pago': -11, 'Asia/Kathmandu': 5.75 } as const;

/**
 * Returns whether an instant is in a window by plain arithmetic: a week repeats itself in a zone that never changes its
 * clocks.
 */
function isInWeek({ zone, days, from, to }: DrawnWindow, instant: number): boolean {
  const minutes = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  const [begin, end] = [minutes(from), minutes(to)];
  const length = end > begin ? end - begin : end - begin + 1440;
  // 1970 began on a Thursday.
  const since = instant / minute + fixed[zone] * 60 + 4 * 1440;
  const intoSpan = (day: (typeof weekdays)[number]): number => since - weekdays.indexOf(day) * 1440 - begin;
  return days.some((day) => intoSpan(day) % (7 * 1440) < length);
}

type DrawnWindow = {
  readonly zone: keyof typeof fixed;
  readonly days: readonly (typeof weekdays)[number][];
  readonly from: string;
  readonly to: string;
};

test('an instant is excluded by any window of the week, in the first zone and in the last', () => {
  const times = fc.constantFrom('00:00', '00:59', '01:00', '01:30', '02:30', '12:15', '23:30');
  const drawn: fc.Arbitrary<DrawnWindow> = fc.record({
    zone: fc.constantFrom(...(Object.keys(fixed) as (keyof typeof fixed)[])),
    days: fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1 }),
    from: times,
    to: times,
  });
  const windows = fc.array(drawn, { maxLength: 2 });
  /** Its end is two UTC days after its weekday. */
  const latest: DrawnWindow = { zone: 'Pacific/Pago_Pago', days: ['sunday'], from: '23:30', to: '23:30' };
  const begins = fc.integer({ min: Date.UTC(2026, 0) / hour, max: Date.UTC(2027, 0) / hour });
  fc.assert(
    fc.property(windows, begins, (all, begin) => {
      for (let at = 0; at < 72; at += 0.5) {
        const instant = (begin + at) * hour;
        expect(isExcluded(all, instant)).toBe(all.some((drawnWindow) => isInWeek(drawnWindow, instant)));
      }
    }),
    { numRuns: 25, examples: [[[latest], Date.UTC(2026, 6, 13) / hour]] },
  );
});

test('a window that cannot be meant is reported with its mend', () => {
  const proper = sunday(london, '01:00', '02:00');
  expect(windowMistake(proper)).toBeUndefined();
  expect(windowMistake({ ...proper, to: '24:00' })).toBeUndefined();
  expect(windowMistake({ ...proper, zone: 'Europe/Londno' })?.message).toContain('Europe/Londno');
  expect(windowMistake({ ...proper, from: '25:00' })?.message).toContain('write HH:MM');
  expect(windowMistake({ ...proper, from: '1:00' })?.message).toContain('"1:00" is no time');
  expect(windowMistake({ zone: london, days: [], from: '01:00', to: '02:00' })?.message).toContain('no days');
  expect(
    windowMistake({ zone: london, from: '2026-02-30T01:00', to: '2026-03-01T01:00' })?.message,
  ).toContain('02-30');
  expect(
    windowMistake({ zone: london, from: '2026-03-02T01:00', to: '2026-03-01T01:00' })?.message,
  ).toContain('not after');
});
