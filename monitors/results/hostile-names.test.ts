import { expect } from '@playwright/test';
import type { RecordBatch, ResultsStore } from './results-store.ts';
import { goodSlot, sample, series } from './testing/slot.ts';
import { kinds } from './testing/stores.ts';
import { importFiles } from './transfer/import-lines.ts';

const all = { from: 0, to: Number.MAX_SAFE_INTEGER };
const begin = Date.UTC(2026, 10, 1);

/** A text that no compression makes shorter. */
function ideographs(length: number): string {
  const codes = Array.from({ length }, (_, at) => 0x4e00 + ((at * 7919) % 20_000));
  return String.fromCodePoint(...codes);
}

const keys = {
  'a statement of SQL': `'; DROP TABLE results.slots; DROP TABLE slots; --`,
  'quotes and placeholders': `"\\'); SELECT pg_sleep(9); $$ $1 :a ?1 {a,"b"} NULL`,
  'text that runs backwards': 'Ω\u202e\u{1f56f}',
  'the longest name': ideographs(160),
};

/** The hostile text in every field that may hold text: `key` where rows are found by it, `text` elsewhere. */
function makeBatch(key: string, text: string): RecordBatch {
  const named = { ...series, target: key, probe: key, operation: key, location: key };
  const slot = { series: named, reason: text, rules: [text], samples: [sample(begin, { pool: text })] };
  const pin = { target: key, pool: key, interval: key, start: 0, firstSeen: begin, lastSeen: begin };
  return {
    slots: [goodSlot(begin, slot)],
    events: [{ at: begin, kind: key, target: text, key: text, detail: { [text]: text } }],
    quotas: [{ key, at: begin, limit: 9, remaining: 8, additional: 0, resetAt: begin }],
    pins: [{ ...pin, fields: { [text]: text } }],
    deliveries: [{ id: key, sink: key, dueAt: begin, attempts: 0, message: { text } }],
    states: { [key]: text },
  };
}

async function expectKept(store: ResultsStore, key: string, text: string): Promise<void> {
  const batch = makeBatch(key, text);
  await store.record(batch);
  expect(await store.slots(all, { target: key, location: key })).toEqual(batch.slots);
  expect(await store.events(all, [key])).toEqual(batch.events);
  expect(await store.quotas(all)).toEqual(batch.quotas);
  expect(await store.pins(key, key, key, { from: 0, to: 1 })).toEqual(batch.pins);
  expect(await store.dueDeliveries(begin)).toEqual(batch.deliveries);
  expect(await store.state(key)).toBe(text);
}

for (const { name, test } of kinds) {
  for (const [what, key] of Object.entries(keys))
    test(`${name}: ${what} as a name of everything is kept as text`, ({ withStore }) =>
      withStore(async (store) => {
        await store.record({ slots: [goodSlot(begin)] });
        await expectKept(store, key, `${key}\0\r\n${ideographs(10_000)}`);
        expect(await store.slots(all, { target: series.target })).toHaveLength(1);
      }));

  test(`${name}: an import refuses names that a database cannot store`, ({ withStore }) =>
    withStore(async (store) => {
      const named = (target: string): string =>
        JSON.stringify({ type: 'slot', ...goodSlot(begin, { series: { ...series, target } }) });
      const event = JSON.stringify({ type: 'event', at: begin, kind: 'a\0', detail: {} });
      for (const line of [named('a\0b'), named('a\ud800b'), named(ideographs(161)), event])
        await expect(importFiles(store, [{ name: 'a.ndjson', chunks: lineOf(line) }])).rejects.toThrow(
          /^a\.ndjson:1: "[a-z/]+" (holds a character that no name has|must NOT have more than 160 characters); nothing was taken in/,
        );
    }));
}

async function* lineOf(line: string): AsyncGenerator<string> {
  yield line;
}
