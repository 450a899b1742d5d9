import { expect } from '@candleproof/testing/expect';
import fc from 'fast-check';
import type { ResultsReader, ResultsStore } from '../results-store.ts';
import { UnreadableLine } from '../store-error.ts';
import { anyEvent, anyIncident, anyQuota } from '../testing/arbitrary-occurrences.ts';
import { anySlot } from '../testing/arbitrary-slots.ts';
import { manySlots } from '../testing/many-slots.ts';
import { goodSlot, series } from '../testing/slot.ts';
import { kinds } from '../testing/stores.ts';
import { exportCsv, exportLines } from './export.ts';
import { type Imported, importFiles } from './import-lines.ts';

const all = { from: 0, to: Number.MAX_SAFE_INTEGER };
const begin = Date.UTC(2026, 10, 1);

async function exported(store: ResultsReader): Promise<string> {
  return (await Array.fromAsync(exportLines(store))).join('');
}

/** In chunks that end anywhere. */
async function* chunksOf(text: string, length = 777): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += length) yield text.slice(from, from + length);
}

const take = (store: ResultsStore, text: string): Promise<Imported> =>
  importFiles(store, [{ name: 'other.ndjson', chunks: chunksOf(text) }]);

async function allOf(store: ResultsReader): Promise<unknown> {
  return [
    ...[await store.slots(all), await store.hours(all), await store.days(all), await store.events(all)],
    ...[await store.incidents(all), await store.quotas(all), await store.extent()],
  ];
}

/** In an order that does not depend on which series came first. */
async function linesOf(store: ResultsReader): Promise<string[]> {
  return (await exported(store)).split('\n').toSorted();
}

for (const { name, test } of kinds) {
  // The plain suite shows it on SQLite; the forms of rows are the same.
  const tag = name === 'SQLite' ? '' : '@thorough';

  test(`${name}: what is exported and imported is the same, once or twice ${tag}`, ({ withStore }) =>
    withStore((one) =>
      withStore(async (other) => {
        for (const batch of manySlots({ begin, days: 12 })) await one.record(batch);
        await one.record({ events: [{ at: 5, kind: 'before all', detail: { text: 'ü\n"' } }] });
        const text = await exported(one);
        const counts = await take(other, text);
        expect(counts.slot).toBe((await one.slots(all)).length);
        expect(Math.min(counts.event, counts.incident, counts.quota)).toBeGreaterThan(0);
        expect(await allOf(other)).toEqual(await allOf(one));
        await other.tidy(begin + 6 * 86_400_000);
        expect(await take(other, text)).toEqual(counts);
        expect(await allOf(other)).toEqual(await allOf(one));
        expect(await exported(other)).toBe(text);
      }),
    ));

  test(`${name}: a slot at the end of time is exported, and refused by an import`, ({ withStore }) =>
    withStore((one) =>
      withStore(async (other) => {
        const end = 8_640_000_000_000_000;
        await one.record({
          slots: [goodSlot(begin), goodSlot(end)],
          events: [{ at: end, kind: 'last', detail: {} }],
        });
        const text = await exported(one);
        const times = text.split('\n').map((line) => /"(?:scheduledAt|at)":(\d+)/.exec(line)?.[1]);
        expect(times).toEqual([String(begin), String(end), String(end), undefined]);
        const rows = (await Array.fromAsync(exportCsv(one))).join('').split('\r\n');
        expect(rows[2]).toContain('+275760-09-13T00:00:00.000Z');
        await expect(take(other, text)).rejects.toThrow(/other\.ndjson:2: "\w+" must be <= 253402300799999/);
      }),
    ));

  test(`${name}: any line that can be written is read again, whatever fields it has`, async ({
    withStore,
  }) => {
    const lines = fc.record({
      slots: fc.array(anySlot, { maxLength: 15 }),
      events: fc.array(anyEvent, { maxLength: 5 }),
      incidents: fc.array(anyIncident, { maxLength: 5 }),
      quotas: fc.array(anyQuota, { maxLength: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(lines, (batch) =>
        withStore((one) =>
          withStore(async (other) => {
            await one.record(batch);
            await take(other, await exported(one));
            expect(await linesOf(other)).toEqual(await linesOf(one));
          }),
        ),
      ),
      { numRuns: process.env.CANDLEPROOF_THOROUGH ? 25 : 6 },
    );
  });

  test(`${name}: several locations come together and stay apart in figures`, ({ withStore }) =>
    withStore((one) =>
      withStore(async (other) => {
        const far = { ...series, location: 'nyc-1' };
        await one.record({ slots: [goodSlot(begin)] });
        await other.record({ slots: [goodSlot(begin, { series: far, outcome: 'degraded' })] });
        await take(one, await exported(other));
        expect(await one.series()).toEqual([series, far]);
        expect((await one.days(all)).map(({ outcomes }) => outcomes)).toEqual([{ ok: 1 }, { degraded: 1 }]);
      }),
    ));

  test(`${name}: a bad line is refused by file and line, and nothing is taken in`, ({ withStore }) =>
    withStore(async (store) => {
      const good = JSON.stringify({ type: 'slot', ...goodSlot(begin) });
      const filling = `${good}\n`.repeat(2500);
      const bad: [line: string, trouble: RegExp][] = [
        ['{"type":', /is not JSON/],
        ['[]', /the line must be object/],
        ['{"type":"pin"}', /"type" must be one of slot, event, incident, quota/],
        [good.replace('"ok"', '"fine"'), /"outcome" must be one of ok, degraded/],
        [good.replace('49.5', '-1'), /"samples\/0\/timings\/wait" must be >= 0/],
        [good.replace('"rules"', '"rule"'), /must have required property 'rules'/],
        [good.replace('"state"', '"mood":1,"state"'), /has a field that results do not have/],
        [good.replace('"outcome"', '"rawOutcome"'), /property outcome when property rawOutcome is present/],
        [good.replace(String(begin), '1.5'), /"scheduledAt" must be integer/],
        ['"'.padEnd(4_100_000, 'x'), /is longer than 4000000 characters/],
      ];
      for (const [line, trouble] of bad) {
        const refused = importFiles(store, [
          { name: 'b.ndjson', chunks: chunksOf(`\ufeff${filling}\n${line}\n${good}`, 60_000) },
        ]);
        await expect(refused).rejects.toThrow(UnreadableLine);
        await expect(refused).rejects.toThrow(/^b\.ndjson:2502: .*; nothing was taken in: mend the line/);
        await expect(refused).rejects.toThrow(trouble);
      }
      expect([await store.slots(all), await store.series()]).toEqual([[], []]);
      expect(await take(store, `${good}\r\n`)).toMatchObject({ slot: 1 });
      expect(await store.slots(all)).toEqual([goodSlot(begin)]);
    }));
}
