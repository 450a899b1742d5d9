import type { SlotRecord } from '@candleproof/monitors/results/probe-record';
import { goodSlot, sample, series } from '@candleproof/monitors/results/testing/slot';
import { expect, test } from '@playwright/test';
import { slotInWords, slotsExitCode } from './monitor.ts';

const at = Date.UTC(2026, 10, 1);
const elsewhere = { series: { ...series, target: 'other' } };

const failed: Partial<SlotRecord> = { outcome: 'failed', failure: { phase: 'status', class: '503' } };
const wrong: Partial<SlotRecord> = {
  ...{ outcome: 'failed', failure: { phase: 'contract', class: 'candle/average' } },
  rules: ['candle/average'],
};

const codes: [what: string, slots: Partial<SlotRecord>[], code: number][] = [
  ['all is well', [{}, { outcome: 'degraded' }, { outcome: 'excluded' }], 0],
  ['a must is broken', [{}, wrong], 1],
  ['one operation fails where others answer', [{}, failed], 1],
  ['a target answers nothing at all', [failed, failed], 3],
  ['only another target answers', [elsewhere, failed], 3],
  ['the key is refused', [{ outcome: 'limited' }, { outcome: 'limited' }], 3],
  ['our own monitor is to blame', [{}, { outcome: 'unknown' }], 3],
  ['the quota is kept', [{ state: 'quota-skipped', outcome: undefined }], 3],
  ['a broken must outranks silence', [wrong, { outcome: 'limited' }], 1],
] as [string, Partial<SlotRecord>[], number][];

for (const [what, slots, code] of codes) {
  test(`a round in which ${what} ends with ${code}`, () => {
    expect(slotsExitCode(slots.map((slot) => goodSlot(at, slot)))).toBe(code);
  });
}

test('a line tells what failed, whose fault it was and how long it took', () => {
  const refused = goodSlot(at, { outcome: 'limited', samples: [sample(at, { status: 401 })] });
  expect(slotInWords(refused)).toBe(
    'main/latest: limited, the key was refused (401), 1 request, slowest 51 ms',
  );
  const spent = goodSlot(at, { outcome: 'limited', samples: [sample(at, { status: 429 })] });
  expect(slotInWords(spent)).toContain('limited, rate limited (429)');
  expect(slotInWords({ ...spent, reason: 'the quota is spent' })).toMatch(/ms, the quota is spent$/);
  const degraded = goodSlot(at, { outcome: 'degraded', degradedBy: ['candle/fields', 'latency'] });
  expect(slotInWords(degraded)).toContain('main/latest: degraded, by candle/fields latency, 1 request');
  const twice = goodSlot(at, { ...wrong, age: 61_400, samples: [sample(at), sample(at + 60)] });
  expect(slotInWords(twice)).toBe(
    'main/latest: failed, contract candle/average, 2 requests, slowest 51 ms, newest candle 61 s old',
  );
  expect(slotInWords({ ...twice, age: 2_501_315_000 })).toContain('newest candle 28 d 22 h old');
});
