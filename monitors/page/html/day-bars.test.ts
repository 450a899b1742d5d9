import { expect, test } from '@playwright/test';
import type { WatchStretch } from '../coverage.ts';
import { dayBars } from './day-bars.ts';

type Look = 'ok' | 'degraded' | 'failed' | 'silent';

/** Returns the drawn heights of one day, by style; a slot of a hundred planned is 0.44 high. */
function readHeights(
  day: Pick<WatchStretch, 'condition' | 'run' | 'outcomes'>,
): Partial<Record<Look, number>> {
  const { source } = dayBars([{ begin: Date.UTC(2026, 10, 3), planned: 100, ...day }], 'Days', 'days');
  const pieces = [...source.matchAll(/class="(ok|degraded|failed|silent)" d="M[\d. ]+(?:h6\.4)?v-([\d.]+)/g)];
  return Object.fromEntries(pieces.map(([, look, size]) => [look, Number(size)]));
}

test('parts of a day are drawn to one scale, however small', () => {
  expect(
    readHeights({ condition: 'failed', run: 100, outcomes: { ok: 90, degraded: 9, failed: 1 } }),
  ).toEqual({
    ok: 39.6,
    degraded: 3.96,
    failed: 0.44,
  });
  expect(readHeights({ condition: 'ok', run: 50, outcomes: { ok: 50 } })).toEqual({ ok: 22 });
});

test('what ran and reported nothing fills no part of the service', () => {
  expect(readHeights({ condition: 'failed', run: 100, outcomes: { failed: 1, limited: 99 } })).toEqual({
    ...{ failed: 0.44, silent: 43.56 },
  });
  expect(readHeights({ condition: 'ok', run: 100, outcomes: { ok: 25, unknown: 75 } })).toEqual({
    ...{ ok: 11, silent: 33 },
  });
});
