import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import { readTime, readZone, writeTime, type Zone } from './times.ts';

function zone(name: string): Zone {
  const found = readZone(name);
  if (!found) throw new Error(`${name} is no zone`);
  return found;
}

const any = (): boolean => true;
const unix = (text: string): number => Date.parse(text) / 1000;

const isoCases = [
  ['2026-11-24', 'UTC', '2026-11-24T00:00:00Z'],
  ['2026-11-24 01:00:00', 'UTC', '2026-11-24T01:00:00Z'],
  ['2026-11-24T01:00', 'UTC', '2026-11-24T01:00:00Z'],
  ['2026-11-24T01:00:00.250', 'UTC', '2026-11-24T01:00:00.250Z'],
  ['2026-11-24T01:00:00Z', 'Asia/Tokyo', '2026-11-24T01:00:00Z'],
  ['2026-11-24T01:00:00+05:30', 'Asia/Tokyo', '2026-11-23T19:30:00Z'],
  ['2026-11-24 01:00:00-0500', 'UTC', '2026-11-24T06:00:00Z'],
  ['2026-11-24', 'America/New_York', '2026-11-24T05:00:00Z'],
  ['2026-07-01 09:30:00', 'America/New_York', '2026-07-01T13:30:00Z'],
  ['1985-07-01', 'Europe/Berlin', '1985-06-30T22:00:00Z'],
  ['2026-11-24T09:00:00', 'Asia/Tokyo', '2026-11-24T00:00:00Z'],
] as const;

for (const host of ['UTC', 'America/Los_Angeles', 'Asia/Kolkata']) {
  test(`a host in ${host} reads and writes ISO text by the document's zone`, () => {
    const before = process.env.TZ;
    process.env.TZ = host;
    try {
      for (const [text, name, expected] of isoCases)
        expect(readTime(text, 'iso', zone(name)), `${text} ${name}`).toBe(unix(expected));
      const time = unix('2026-11-24T01:00:00Z');
      expect(writeTime(time, 'iso', zone('America/New_York'), any)).toBe('2026-11-23T20:00:00');
      expect(writeTime(time, 'iso', undefined, any)).toBe('2026-11-24T01:00:00Z');
    } finally {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    }
  });
}

test('text that is no date of the calendar is not read', () => {
  for (const text of ['', '2026', '2026-02-30', '2026-13-01', '2026-11-24T25:00', 'Nov 24, 2026', '20261124'])
    expect(readTime(text, 'iso'), text).toBeNaN();
  expect(readTime(1_773_230_400, 'iso')).toBeNaN();
});

test('whole numbers as text are read in seconds and milliseconds', () => {
  expect(readTime('1773230400', 's')).toBe(1_773_230_400);
  expect(readTime('1773230400000', 'ms')).toBe(1_773_230_400);
  for (const text of ['', '-1', '1.5', '1e9', ' 1']) expect(readTime(text, 's'), text).toBeNaN();
});

test('a time is written in the first form that the document accepts', () => {
  const written = (pattern: RegExp, name?: string) =>
    writeTime(1_773_234_000, 'iso', name === undefined ? undefined : zone(name), (text) =>
      pattern.test(text),
    );
  expect(written(/^[^TZ]+ [^TZ]+$/, 'UTC')).toBe('2026-03-11 13:00:00');
  expect(written(/^[^ ]{10}$/)).toBe('2026-03-11');
  expect(written(/never/)).toBe('2026-03-11T13:00:00Z');
});

test('every hour is read as it was written, except the one that autumn repeats', () => {
  const berlin = zone('Europe/Berlin');
  const repeated = unix('2026-10-25T00:00:00Z');
  for (let at = unix('2026-01-01T00:00:00Z'); at < unix('2027-01-01T00:00:00Z'); at += 3600) {
    const read = readTime(writeTime(at, 'iso', berlin, any), 'iso', berlin);
    if (Math.abs(at - repeated) > 3600) expect(read).toBe(at);
  }
});

test('only an IANA name is a zone', () => {
  expect(readZone('New York')).toBeUndefined();
  expect(readZone('UTC')).toEqual([]);
});
