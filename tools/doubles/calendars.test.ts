import { readFileSync } from 'node:fs';
import type { Run } from '@candleproof/law/judge/verdict';
import { expect, test } from '@playwright/test';
import { binance } from './binance.double.ts';
import { checkVenue, listFindings } from './check-venue.ts';
import { type DoubleWorld, worlds } from './double.ts';
import { type DoubleFault, furtherFaults } from './faults.ts';
import { dayMs, hourMs } from './market.ts';
import type { Venue } from './venue.ts';

const text = readFileSync('gallery/binance/openapi.yaml', 'utf8');
const newYork = text.replace(
  /(x-role: start\n +)x-unit: ms\n/,
  '$1x-unit: ms\n          x-zone: America/New_York\n',
);

/** Makes a function that returns the start of a day, or of a week from Monday, `phase` ms after midnight UTC. */
function makeIntervalStart(phase: number): NonNullable<Venue['intervalStart']> {
  return (time, length) => {
    const origin = length < dayMs ? 0 : phase + (length > dayMs ? 4 * dayMs : 0);
    return Math.floor((time - origin) / length) * length + origin;
  };
}

const clock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/New_York',
  dateStyle: 'short',
  timeStyle: 'medium',
});

function millisecondsAhead(time: number): number {
  return Date.parse(`${clock.format(time).replace(' ', 'T')}Z`) - Math.floor(time / 1000) * 1000;
}

/** Returns the start of a day or week in New York, whose days have 23 to 25 hours. */
function newYorkStart(time: number, length: number): number {
  if (length < dayMs) return makeIntervalStart(0)(time, length);
  const midnight = makeIntervalStart(0)(time + millisecondsAhead(time), length);
  return midnight - millisecondsAhead(midnight - millisecondsAhead(midnight));
}

function check(
  document: string,
  intervalStart: NonNullable<Venue['intervalStart']>,
  world: DoubleWorld,
  fault?: DoubleFault,
): Promise<Run> {
  return checkVenue({ ...binance, intervalStart }, document, world, fault);
}

test('days that begin at another hour of UTC are accused of nothing', async () => {
  for (const world of worlds.slice(0, 2)) {
    const run = await check(text, makeIntervalStart(16 * hourMs), world);
    expect(listFindings(run)).toEqual([]);
    expect(run.verdict).toBe('conformant');
  }
});

/** Days after the clocks changed, the days on which they did, and one that is far from both. */
const opened = [
  '2026-03-11T15:32:20Z',
  '2026-03-08T15:00:30Z',
  '2026-11-01T23:10:00Z',
  '2026-11-04T12:00:10Z',
  '2026-06-20T09:00:00Z',
];

for (const [at, opensAt] of opened.entries()) {
  test(`days of a zone are accused of nothing at ${opensAt}`, async () => {
    const run = await check(newYork, newYorkStart, { seed: 40 + at, opensAt, age: 60.3 });
    expect(listFindings(run)).toEqual([]);
    expect(run.verdict).toBe('conformant');
    const passed = run.rules.flatMap(({ id, outcome }) => (outcome === 'passed' ? [id] : []));
    const judged = ['history/complete', 'history/contiguous', 'rollup/volume-is-summed'];
    expect(passed).toEqual(expect.arrayContaining(judged));
  });
}

test('a fault in days of a zone is found', async () => {
  const [opensAt = ''] = opened;
  const run = await check(newYork, newYorkStart, { seed: 50, opensAt, age: 60.3 }, furtherFaults.otherScale);
  expect(run.findings.map(({ rule }) => rule)).toContain('rollup/open-is-the-first');
});
