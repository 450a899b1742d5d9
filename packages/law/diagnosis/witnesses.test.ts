import { expect, test } from '@playwright/test';
import { judgeIt } from '../worlds/breach-case.ts';
import { damageExchange, everyRow } from '../worlds/damage.ts';
import { record } from '../worlds/recorded.ts';
import { usualWorld } from '../worlds/world.ts';

const healthy = record(usualWorld);

/** Doubles the volumes of every answer of days. */
const doubled = healthy.names
  .filter((name) => /^(recent|week|one).*DAY/.test(name))
  .reduce(
    (recorded, name) =>
      damageExchange(
        recorded,
        name,
        everyRow(({ volume }) => ({ volume: String(2n * BigInt(String(volume))) })),
      ),
    healthy,
  );

const { explanations = [] } = judgeIt(doubled);
const witnesses = explanations[0]?.witnesses;

test('witnesses show that other intervals agree with one another and not with the wrong one', () => {
  const wrong = witnesses?.parts.findIndex(({ isWrong }) => isWrong) ?? -1;
  expect(witnesses?.field).toBe('volume');
  expect(witnesses?.parts.map(({ interval }) => interval)).toEqual(['FIVEMIN', 'HOUR', 'DAY', 'WEEK']);
  expect(witnesses?.parts[wrong]?.interval).toBe('DAY');
  const ofDays = witnesses?.links.filter(({ parts }) => parts.includes(wrong)) ?? [];
  const others = witnesses?.links.filter(({ parts }) => !parts.includes(wrong)) ?? [];
  expect(ofDays.map(({ agreeing }) => agreeing)).toEqual(ofDays.map(() => 0));
  expect(ofDays.map(({ factor }) => factor)).toContain(2);
  expect(others.length).toBeGreaterThan(0);
  expect(others.every(({ agreeing, of }) => agreeing === of && of > 0)).toBe(true);
});

test('wrong rows stand beside what others show, where the answer has them', () => {
  const rows = witnesses?.rows ?? [];
  expect(rows.length).toBe(explanations[0]?.rows?.wrong);
  for (const { actual, expected, exchange, pointer, start } of rows) {
    expect(actual).toBe(2 * expected);
    const body = JSON.parse(doubled.recording.exchanges[exchange]?.response?.body?.text ?? '[]');
    const row = body[Number(pointer.slice(1))];
    expect([row.startTimestampSeconds, Number(row.volume)]).toEqual([start, actual]);
  }
});
