import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { worlds } from '../worlds/arbitraries.ts';
import { spec } from '../worlds/breach-case.ts';
import { damageExchange, everyRow, fields, rows } from '../worlds/damage.ts';
import { type NamedRecording, record } from '../worlds/recorded.ts';
import { intervalOffset, intervalSeconds, intervals, usualWorld, type World } from '../worlds/world.ts';
import { gatherEvidence } from './evidence.ts';

function conventionsOf({ recording }: NamedRecording) {
  return gatherEvidence(spec, recording).conventions;
}

test('phases and end stamps are those that the world chose', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const { phase, endsEarly, openEnd } = conventionsOf(record(world));
      for (const [length, seen] of phase)
        expect(seen).toBe(
          intervalOffset(world, intervals.find((interval) => intervalSeconds[interval] === length) ?? 'WEEK'),
        );
      expect([world.endsEarly, undefined]).toContain(endsEarly);
      expect([world.openEnd, undefined]).toContain(openEnd);
    }),
    { numRuns: 25 },
  );
});

const choices: Partial<World>[] = [
  { endsEarly: 0, openEnd: 'interval end', weekPhase: 0 },
  { endsEarly: 1, openEnd: 'last observation', weekPhase: 259_200 },
  { endsEarly: 60, openEnd: 'interval end', weekPhase: 345_600, dayPhase: 14_400 },
];

for (const choice of choices) {
  test(`a service of ${JSON.stringify(choice)} is seen as such`, () => {
    const world = { ...usualWorld, ...choice };
    const { phase, endsEarly, openEnd } = conventionsOf(record(world));
    expect({ endsEarly, openEnd }).toEqual({ endsEarly: world.endsEarly, openEnd: world.openEnd });
    expect([...phase.keys()]).toEqual([300, 3600, 86_400, 604_800]);
    expect(phase.get(604_800)).toBe(intervalOffset(world, 'WEEK'));
  });
}

test('a few candles of another kind do not change the convention', () => {
  const healthy = record(usualWorld);
  const mixed = damageExchange(
    healthy,
    'recent HOUR of 2',
    rows((all) =>
      all.map((candle, row) => ({
        ...candle,
        timestampSeconds: Number(candle.timestampSeconds) - (row < 20 ? 1 : 0),
      })),
    ),
  );
  expect(conventionsOf(mixed).endsEarly).toBe(0);
});

test('an end that is none of the usual speaks for no convention', () => {
  const odd = record({ ...usualWorld, poolsV2: [1] });
  const names = odd.names.filter((name) => /^(recent|week|one|no) /.test(name) && !name.endsWith('unkeyed'));
  const all = names.reduce(
    (recorded, name) =>
      damageExchange(
        recorded,
        name,
        everyRow((row) => ({ timestampSeconds: row.startTimestampSeconds })),
      ),
    odd,
  );
  expect(conventionsOf(all).endsEarly).toBeUndefined();
});

test('a pool is alive from the end of the earliest interval that any answer shows', () => {
  const birth = usualWorld.now - 10 * 3600;
  const { alive } = conventionsOf(record({ ...usualWorld, ages: [1e9, 10 * 3600] }));
  const reported = alive.get('listV2PoolCandles 2') ?? 0;
  expect(reported).toBeGreaterThanOrEqual(birth);
  expect(reported).toBeLessThan(birth + 2 * 3600);
  expect(alive.get('listV2PoolCandles 1')).toBeLessThan(birth);
});

test('times that cannot be read tell no convention', () => {
  const broken = record({ ...usualWorld, poolsV1: [1], poolsV2: [1] });
  const names = broken.names.filter(
    (name) => /^(recent|week|latest|one) /.test(name) && !name.endsWith('unkeyed'),
  );
  const all = names.reduce(
    (recorded, name) => damageExchange(recorded, name, fields(0, { startTimestampSeconds: 'noon' })),
    broken,
  );
  expect(conventionsOf(all).phase.get(3600)).toBe(0);
});
