import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { indicators, rateIndicator, type SlotRecord } from '../results/probe-record.ts';
import type { IncidentRecord } from '../results/results-store.ts';
import { advance, withoutForgotten } from './incidents.ts';
import { makeSlot, midnight, minute } from './testing/slots.ts';

const candles = { probe: 'candles', operation: 'listV2PoolCandles' } as const;

/** All incidents that slots lead to, in the order in which they began. */
function incidentsOf(slots: readonly SlotRecord[]): IncidentRecord[] {
  const all = new Map<string, IncidentRecord>();
  for (const slot of slots) {
    const open = [...all.values()].filter(({ end }) => end === undefined);
    for (const incidentRecord of advance(open, slot, {})) all.set(incidentRecord.id, incidentRecord);
  }
  return [...all.values()];
}

test('an incident has its last good, first and last bad and first good slot', () => {
  const [opened] = advance(
    [],
    makeSlot(midnight, 'failed'),
    { availability: midnight - minute },
    () => 'seen',
  );
  const [extended] = advance(opened ? [opened] : [], makeSlot(midnight + minute, 'failed'), {});
  const [ended] = advance(extended ? [extended] : [], makeSlot(midnight + 2 * minute), {});
  expect(ended).toEqual({
    id: `incident/mainnet/availability/sydney/tokens/listTokens/${midnight}`,
    target: 'mainnet',
    location: 'sydney',
    indicator: 'availability',
    lastGood: midnight - minute,
    begin: midnight,
    lastBad: midnight + minute,
    firstFailed: midnight,
    lastFailed: midnight + minute,
    end: midnight + 2 * minute,
    slots: 2,
    failures: [{ phase: 'wait', class: 'timeout' }],
    evidence: 'seen',
  });
});

test('one broken operation is one incident however often the others succeed', () => {
  const slots = Array.from({ length: 20 }, (_, n) => [
    makeSlot(midnight + n * minute, 'failed', { series: candles }),
    makeSlot(midnight + n * minute + 1),
  ]).flat();
  expect(incidentsOf(slots)).toMatchObject([{ slots: 20 }]);
});

test('an incident ends only when every probe that failed in it is good again', () => {
  const outage = [makeSlot(midnight, 'failed'), makeSlot(midnight + 1, 'failed', { series: candles })];
  expect(incidentsOf([...outage, makeSlot(midnight + minute)])[0]).not.toHaveProperty(
    'end',
    expect.anything(),
  );
  const whole = [
    ...outage,
    makeSlot(midnight + minute),
    makeSlot(midnight + minute + 1, 'ok', { series: candles }),
  ];
  expect(incidentsOf(whole)).toMatchObject([{ end: midnight + minute + 1 }]);
});

test('slots without evidence about the service neither open nor end an incident', () => {
  const silent = [
    ...(['limited', 'unknown', 'excluded'] as const).map((outcome) => makeSlot(midnight + minute, outcome)),
    makeSlot(midnight + minute, 'ok', { state: 'missed', outcome: undefined }),
  ];
  const before = incidentsOf([makeSlot(midnight, 'failed')]);
  for (const slotRecord of silent) {
    expect(advance([], slotRecord, {})).toEqual([]);
    expect(advance(before, slotRecord, {})).toEqual([]);
  }
});

test('a wrong answer is an incident of correctness and none of availability', () => {
  const wrong = makeSlot(midnight, 'failed', { failure: { phase: 'contract', class: 'candles/order' } });
  expect(advance([], wrong, {}).map(({ indicator }) => indicator)).toEqual(['correctness']);
});

test('other targets and other locations have separate incidents', () => {
  const elsewhere = [{ target: 'testnet' }, { location: 'oslo' }, {}].map((series) =>
    makeSlot(midnight, 'failed', { series }),
  );
  expect(incidentsOf(elsewhere)).toHaveLength(3);
});

test('an incident of removed probes ends', () => {
  const [incident] = incidentsOf([makeSlot(midnight, 'failed')]);
  if (!incident) throw new Error('no incident');
  expect(withoutForgotten(incident, () => true, midnight + minute)).toBeUndefined();
  expect(withoutForgotten(incident, () => false, midnight + minute)).toMatchObject({
    end: midnight,
    unwatched: minute,
  });
});

test('every bad slot lies in exactly one incident and every end has a good slot', () => {
  const step = fc.record({
    outcome: fc.constantFrom('ok', 'degraded', 'failed', 'unknown', 'limited'),
    slow: fc.option(fc.boolean(), { nil: undefined }),
    isOther: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const slots = steps.map(({ outcome, slow, isOther }, n) =>
        makeSlot(midnight + n * minute, outcome, {
          ...(isOther && { series: candles }),
          slow,
        }),
      );
      for (const indicator of indicators) {
        const ofIndicator = incidentsOf(slots).filter(
          (incidentRecord) => incidentRecord.indicator === indicator,
        );
        const said = (word: string) => slots.filter((slot) => rateIndicator(slot, indicator) === word);
        const bad = said('bad').map(({ scheduledAt }) => scheduledAt);
        expect(ofIndicator.reduce((sum, incident) => sum + incident.slots, 0)).toBe(bad.length);
        for (const { begin, lastBad, end = Number.POSITIVE_INFINITY } of ofIndicator) {
          expect(bad).toContain(begin);
          expect(bad).toContain(lastBad);
          const next = ofIndicator.find((incidentRecord) => incidentRecord.begin > begin);
          expect(next?.begin ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(end);
        }
        for (const { end } of ofIndicator) {
          if (end !== undefined) expect(said('good').map(({ scheduledAt }) => scheduledAt)).toContain(end);
        }
      }
    }),
  );
});
