import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { movedClock } from '../testing/watched-service.ts';
import { noon } from '../testing/watching.ts';
import { formatBreak, TimeWatch } from './time-watch.ts';

test('a clock without large corrections breaks no time', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ passes: fc.nat(4900), drifts: fc.integer({ min: -900, max: 900 }) })),
      (seconds) => {
        const clock = movedClock(noon);
        const watch = new TimeWatch(clock);
        for (const { passes, drifts } of seconds) {
          clock.set(clock.now() + passes);
          clock.step(drifts);
          expect(watch.check()).toEqual([]);
        }
      },
    ),
  );
});

test('a step of either sign is reported once, by the time that would be', () => {
  const clock = movedClock(noon);
  const watch = new TimeWatch(clock);
  for (const step of [600_000, -600_000, -1001]) {
    const shown = clock.now();
    clock.set(shown + 1000);
    const from = clock.now();
    clock.step(step);
    expect(watch.check()).toEqual([{ kind: 'clock-set', from, to: from + step, shown }]);
    clock.set(clock.now() + 1000);
    expect(watch.check()).toEqual([]);
  }
});

test('a stopped process notices it at its first check', () => {
  const clock = movedClock(noon);
  const watch = new TimeWatch(clock);
  clock.set(noon + 60_000);
  const [stopped, ...more] = watch.check();
  expect(stopped).toEqual({ kind: 'not-running', from: noon, to: noon + 60_000 });
  expect(more).toEqual([]);
  expect(stopped && formatBreak(stopped)).toBe(
    'the monitor was not running from 2026-04-15 12:00:00 UTC to 2026-04-15 12:01:00 UTC',
  );
});

test('a machine that slept was not running, though its steady clock stood still', () => {
  const clock = movedClock(noon);
  let slept = 0;
  const watch = new TimeWatch({
    ...clock,
    now: () => clock.now() + slept,
    uptime: () => clock.uptime() + slept,
  });
  clock.set(noon + 1000);
  slept = 3_600_000;
  expect(watch.check()).toEqual([{ kind: 'not-running', from: noon, to: noon + 3_601_000 }]);
});
