import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import type { IncidentRecord } from '../results/results-store.ts';
import { describeOutage, listOutages, measureDowntime } from './outages.ts';

const incident: IncidentRecord = {
  ...{ id: 'a', target: 'mainnet', location: 'fra1', indicator: 'availability' },
  ...{ lastGood: 100, begin: 115, lastBad: 145, end: 160, slots: 3, failures: [] },
};

function without(record: IncidentRecord, name: 'end' | 'lastGood'): IncidentRecord {
  const { [name]: _, ...rest } = record;
  return rest;
}

test('an outage took from its bad looks alone to the good ones around them', () => {
  expect(describeOutage(incident, 500)).toMatchObject({ least: 30, most: 60, isOpen: false });
  expect(describeOutage(without(incident, 'end'), 500)).toMatchObject({
    least: 30,
    most: 400,
    isOpen: true,
  });
  expect(describeOutage(without(incident, 'lastGood'), 500).most).toBeUndefined();
});

test('downtime counts no moment twice and nothing before the window', () => {
  const next = { ...without(incident, 'lastGood'), id: 'b', begin: 200, lastBad: 200, end: 210 };
  const whole = { least: 30, most: 70, unwatched: 0 };
  expect(measureDowntime(listOutages([incident, next], 500), 0, 500)).toEqual(whole);
  expect(measureDowntime(listOutages([incident], 500), 130, 500)).toMatchObject({ least: 15, most: 30 });
  expect(measureDowntime(listOutages([{ ...incident, indicator: 'latency' }], 500), 0, 500).most).toBe(0);
});

test('a time that nobody watched is in neither figure and counted once', () => {
  const lost = { ...incident, end: 145, unwatched: 55 };
  const after = { ...without(incident, 'lastGood'), id: 'b', begin: 200, lastBad: 220, end: 230 };
  const outages = listOutages([lost, { ...after, unwatchedBefore: 55 }], 500);
  expect(outages).toMatchObject([
    { least: 20, most: 30, unwatchedBefore: 55 },
    { least: 30, most: 45, unwatched: 55 },
  ]);
  expect(measureDowntime(outages, 0, 500)).toEqual({ least: 50, most: 75, unwatched: 55 });
});

test('what is sure is never more than what is possible, nor that than the window', () => {
  const gaps = fc.array(fc.tuple(fc.nat(50), fc.nat(50), fc.nat(50), fc.nat(50)), { maxLength: 6 });
  fc.assert(
    fc.property(gaps, fc.nat(200), (all, from) => {
      let at = 0;
      const incidents = all.map(([before, wait, bad, after], index): IncidentRecord => {
        const lastGood = at + before;
        const begin = lastGood + wait;
        at = begin + bad + after;
        return { ...incident, id: String(index), lastGood, begin, lastBad: begin + bad, end: at };
      });
      const now = Math.max(at, from);
      const { least, most } = measureDowntime(listOutages(incidents, now), from, now);
      expect(least).toBeLessThanOrEqual(most);
      expect(most).toBeLessThanOrEqual(now - from);
    }),
  );
});
