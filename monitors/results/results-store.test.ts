import { isDeepStrictEqual } from 'node:util';
import { expect } from '@candleproof/testing/expect';
import fc from 'fast-check';
import { day, hour } from './calendar.ts';
import type { SlotRecord } from './probe-record.ts';
import type { IncidentRecord, RecordBatch } from './results-store.ts';
import { afterLastDay, anySlot, firstDay, someSeries } from './testing/arbitrary-slots.ts';
import { keepLastOfEach, plainRollUp, sortRecords } from './testing/plain-roll-up.ts';
import { goodSlot, sample, series } from './testing/slot.ts';
import { kinds } from './testing/stores.ts';

const all = { from: 0, to: Number.MAX_SAFE_INTEGER };
const begin = Date.UTC(2026, 10, 1);
const announced = (at: number): SlotRecord => ({
  series,
  scheduledAt: at,
  state: 'run',
  rules: [],
  samples: [],
});

for (const { name, test } of kinds) {
  test(`${name}: slots come back as they went in, in their order`, async ({ withStore }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(anySlot, { maxLength: 30 }), (slots) =>
        withStore(async (store) => {
          await store.record({ slots });
          const found = await store.slots(all);
          expect(sortRecords(found)).toEqual(sortRecords(keepLastOfEach(slots)));
          expect(found).toEqual(found.toSorted((a, b) => a.scheduledAt - b.scheduledAt));
          const expected = await store.slots(
            { from: firstDay + day, to: firstDay + 2 * day },
            { location: 'fra-1' },
          );
          expect(expected).toEqual(
            found.filter(
              ({ scheduledAt, series: { location } }) =>
                location === 'fra-1' && scheduledAt >= firstDay + day && scheduledAt < firstDay + 2 * day,
            ),
          );
        }),
      ),
      { numRuns: 25 },
    );
  });

  test(`${name}: roll-ups equal a plain computation, however slots came in`, async ({ withStore }) => {
    const steps = fc.array(
      fc.record({
        slots: fc.array(anySlot, { maxLength: 12 }),
        tidyAt: fc.option(fc.integer({ min: firstDay, max: afterLastDay + day })),
      }),
      { maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(steps, (history) =>
        withStore(async (store) => {
          for (const { slots, tidyAt } of history) {
            await store.record({ slots });
            if (tidyAt !== null) await store.tidy(tidyAt);
          }
          const slots = history.flatMap((step) => step.slots);
          expect(sortRecords(await store.hours(all))).toEqual(sortRecords(plainRollUp(slots, hour)));
          expect(sortRecords(await store.days(all))).toEqual(sortRecords(plainRollUp(slots, day)));
          const before = [await store.hours(all), await store.days(all)];
          const span = { from: firstDay + 7 * hour, to: firstDay + day + 1 };
          const of = slots[0]?.series ?? series;
          for (const read of [store.hours, store.days])
            expect(await read(span, of)).toEqual(
              (await read(span)).filter((record) => isDeepStrictEqual(record.series, of)),
            );
          await store.tidy(afterLastDay);
          expect([await store.hours(all), await store.days(all)]).toEqual(before);
        }),
      ),
      { numRuns: 30 },
    );
  });

  test(`${name}: hours and days begin with their first millisecond and touch their span`, ({ withStore }) =>
    withStore(async (store) => {
      const times = [begin - 1, begin, begin + hour - 1, begin + hour];
      await store.record({ slots: times.map((at) => goodSlot(at)) });
      for (const now of [begin - day, begin + 3 * day]) {
        await store.tidy(now);
        const hours = (await store.hours(all)).map((hourRecord) => [hourRecord.begin, hourRecord.states.run]);
        expect(hours).toEqual([
          [begin - hour, 1],
          [begin, 2],
          [begin + hour, 1],
        ]);
        expect(
          (await store.days(all)).map((hourRecord) => [hourRecord.begin, hourRecord.states.run]),
        ).toEqual([
          [begin - day, 1],
          [begin, 3],
        ]);
        const touched = await store.hours({ from: begin - 1, to: begin + hour });
        expect(touched.map((hourRecord) => hourRecord.begin)).toEqual([begin - hour, begin]);
        expect((await store.days({ from: begin + 1, to: begin + 2 })).length).toBe(1);
        expect((await store.days({ from: begin - day, to: begin })).length).toBe(1);
      }
    }));

  test(`${name}: an extent names the newest look, and incidents are found by their target`, ({ withStore }) =>
    withStore(async (store) => {
      await store.record({ slots: [goodSlot(begin), announced(begin + hour)] });
      await store.record({
        slots: [goodSlot(begin - hour), goodSlot(begin + 2 * hour, { outcome: 'limited' })],
      });
      const [extent] = await store.extents({ target: series.target });
      expect(extent).toMatchObject({ from: begin - hour, to: begin + 2 * hour, lastRun: begin });
      expect(await store.extents({ target: 'another' })).toEqual([]);
      const incident = {
        location: 'fra-1',
        indicator: 'availability',
        begin,
        lastBad: begin,
        slots: 1,
        failures: [],
      } as const;
      const incidents = ['a', 'b'].map((target) => ({ ...incident, id: target, target }));
      await store.record({ incidents });
      expect(await store.incidents(all, 'b')).toEqual([incidents[1]]);
      expect(await store.incidents(all)).toHaveLength(2);
    }));

  test(`${name}: a run that was announced is replaced by what it came to`, ({ withStore }) =>
    withStore(async (store) => {
      await store.record({ slots: [goodSlot(begin, { samples: [sample(begin), sample(begin + 1)] })] });
      await store.record({ slots: [announced(begin)] });
      expect(await store.slots(all)).toEqual([announced(begin)]);
      await store.tidy(begin + day);
      await store.record({ slots: [goodSlot(begin)] });
      expect(await store.slots(all)).toEqual([goodSlot(begin)]);
      expect(await store.hours(all)).toMatchObject([{ outcomes: { ok: 1 }, requests: 1 }]);
    }));

  test(`${name}: a batch that fails leaves nothing, and the next one is written`, ({ withStore }) =>
    withStore(async (store) => {
      const broken = goodSlot(begin, { samples: [sample(begin, { sincePlanned: Number.NaN })] });
      const event = { at: begin, kind: 'reported', detail: {} };
      const failed = store.record({
        slots: [goodSlot(begin + 1), broken],
        events: [event],
        states: { a: 1 },
      });
      const next = store.record({ states: { b: 2 } });
      await expect(failed).rejects.toThrow();
      await next;
      expect(await store.slots(all)).toEqual([]);
      expect(await store.hours(all)).toEqual([]);
      expect(await store.series()).toEqual([]);
      expect([await store.state('a'), await store.state('b')]).toEqual([undefined, 2]);
    }));

  test(`${name}: slots go after their days, hours after theirs, days never`, ({ withStore }) =>
    withStore(
      async (store) => {
        const slots = Array.from({ length: 20 * 8 }, (_, index) => goodSlot(begin + index * 3 * hour));
        await store.record({ slots, events: [{ at: begin, kind: 'old', detail: {} }] });
        const [hours, days] = [await store.hours(all), await store.days(all)];
        const now = begin + 20 * day + hour;
        await store.tidy(now);
        expect(await store.slots(all)).toEqual(slots.filter((slot) => slot.scheduledAt >= begin + 15 * day));
        expect(await store.hours(all)).toEqual(
          hours.filter((hourRecord) => hourRecord.begin >= begin + 10 * day),
        );
        expect(await store.days(all)).toEqual(days);
        expect(await store.events(all)).toEqual([]);
        expect(await store.extent()).toEqual({ from: begin, to: begin + 20 * day - 3 * hour });
        // A slot that comes late has been counted in the sums of its time.
        await store.record({
          slots: [goodSlot(begin), goodSlot(begin + 12 * day), goodSlot(begin + 16 * day)],
        });
        const late = { ...series, location: 'nyc-1' };
        await store.record({ slots: [goodSlot(begin + hour, { series: late })] });
        await store.tidy(now);
        expect(
          (await store.days(all)).filter((hourRecord) => hourRecord.series.location === 'fra-1'),
        ).toEqual(days);
        expect(await store.days(all)).toContainEqual(
          expect.objectContaining({ series: late, begin, requests: 1 }),
        );
        expect((await store.slots(all)).length).toBe(5 * 8);
      },
      { keepRawDays: 5, keepHoursDays: 10 },
    ));

  test(`${name}: events, incidents and quotas are found by their time`, ({ withStore }) =>
    withStore(async (store) => {
      const reported = { at: begin, kind: 'reported', target: 'main', detail: { n: 1 } };
      const fired = { at: begin, kind: 'fired', key: 'k', detail: {} };
      const incident: IncidentRecord = {
        ...{ id: 'i', target: 'main', location: 'fra-1', indicator: 'availability' as const },
        ...{ begin, lastBad: begin + 1, slots: 2, failures: [] },
      };
      const ended = { ...incident, end: begin + hour, slots: 3 };
      const quota = { key: 'k', limit: 10, remaining: 9, additional: 0, resetAt: begin + day };
      const at = (ms: number): typeof quota & { at: number } => ({ ...quota, at: begin + ms });
      await store.record({
        events: [reported, fired, reported],
        incidents: [incident],
        quotas: [at(5), at(9), at(7)],
      });
      expect(await store.events({ from: begin, to: begin + 1 })).toEqual([reported, fired]);
      expect(await store.events(all, ['fired'])).toEqual([fired]);
      expect(await store.events({ from: begin + 1, to: begin + 2 })).toEqual([]);
      expect(await store.openIncidents()).toEqual([incident]);
      expect(await store.incidents({ from: begin + day, to: begin + 2 * day })).toEqual([incident]);
      await store.record({ incidents: [ended], quotas: [at(hour)] });
      expect(await store.openIncidents()).toEqual([]);
      expect(await store.incidents({ from: begin + hour - 1, to: begin + day })).toEqual([ended]);
      expect(await store.incidents({ from: begin + hour, to: begin + day })).toEqual([]);
      expect(await store.quotas(all)).toEqual([at(9), at(hour)]);
    }));

  test(`${name}: pins, deliveries and states outlive their writer`, ({ withStore }) =>
    withStore(async (store) => {
      const pin = (start: number, target = 'main') => ({
        ...{ target, pool: 1, interval: 'HOUR', start, firstSeen: begin, lastSeen: begin },
        fields: { open: '0.1' },
      });
      const delivery = { id: 'd', sink: 's', dueAt: begin, attempts: 0, message: { text: 'x' } };
      const batch: RecordBatch = {
        pins: [pin(0), pin(3600), pin(0, 'test')],
        deliveries: [delivery, { ...delivery, id: 'later', dueAt: begin + 5 }],
        states: { alert: { since: 1 }, none: null },
      };
      await store.record(batch);
      expect(await store.pins('main', 1, 'HOUR', { from: 0, to: 3600 })).toEqual([pin(0)]);
      expect(await store.dueDeliveries(begin)).toEqual([delivery]);
      expect([await store.state('alert'), await store.state('none')]).toEqual([{ since: 1 }, undefined]);
      await store.record({ states: { alert: null } });
      expect(await store.state('alert')).toBeUndefined();
      await store.record({ unpinned: ['main'], pins: [pin(7200)], delivered: ['d'] });
      expect(await store.pins('main', 1, 'HOUR', all)).toEqual([pin(7200)]);
      expect(await store.pins('test', 1, 'HOUR', all)).toEqual([pin(0, 'test')]);
      expect(await store.dueDeliveries(begin + 4)).toEqual([]);
      await store.record({ deliveries: [{ ...delivery, id: 'later', dueAt: begin + 9, attempts: 1 }] });
      expect(await store.dueDeliveries(begin + 9)).toMatchObject([{ id: 'later', attempts: 1 }]);
    }));

  test(`${name}: what another store reported replaces nothing that is known better`, ({ withStore }) =>
    withStore(async (store) => {
      const incident: IncidentRecord = {
        ...{ id: 'i', target: 'main', location: 'fra-1', indicator: 'latency' as const },
        ...{ begin, lastBad: begin + 1, slots: 2, failures: [] },
      };
      const ended = { ...incident, end: begin + hour, slots: 3 };
      await store.record({ slots: [goodSlot(begin)], incidents: [ended] });
      await store.merge(
        (async function* () {
          yield { slots: [announced(begin), announced(begin + 1)], incidents: [incident] };
          yield { slots: [goodSlot(begin + 1)] };
        })(),
      );
      expect(await store.slots(all)).toEqual([goodSlot(begin), goodSlot(begin + 1)]);
      expect(await store.incidents(all)).toEqual([ended]);
    }));

  test(`${name}: series, extent and size tell what is held`, ({ withStore }) =>
    withStore(async (store) => {
      expect([await store.series(), await store.extent()]).toEqual([[], undefined]);
      expect(await store.size()).toMatchObject({ series: 0, slotsPerDay: 0, requestsPerDay: 0 });
      const slots = someSeries.flatMap((series) =>
        [0, 6, 12, 18].map((hours) => goodSlot(begin + hours * hour, { series })),
      );
      await store.record({ slots });
      expect(await store.series()).toEqual(someSeries);
      expect(await store.extent()).toEqual({ from: begin, to: begin + 18 * hour });
      const extents = await store.extents();
      expect(extents.map(({ series }) => series)).toEqual(await store.series());
      expect(Math.min(...extents.map(({ from }) => from))).toBe(begin);
      expect(Math.max(...extents.map(({ to }) => to))).toBe(begin + 18 * hour);
      const { slotsPerDay, ...rest } = await store.size();
      expect(rest).toMatchObject({ firstSlot: begin, series: 4 });
      expect(slotsPerDay).toBeCloseTo((16 * 24) / 19);
    }));
}
