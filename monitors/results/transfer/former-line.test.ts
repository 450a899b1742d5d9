import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { memoryStore } from '../../testing/memory-store.ts';
import { importFiles } from './import-lines.ts';

const always = { from: 0, to: 9e15 };

async function* onePart(text: string): AsyncGenerator<string> {
  yield text;
}

for (const layout of [3, 6]) {
  test(`an export of layout ${layout} is taken in, without the traffic that passed by`, async () => {
    const packed = readFileSync(
      join('monitors', 'results', 'testing', 'earlier', `layout-${layout}.ndjson.gz`),
    );
    const store = memoryStore();
    await importFiles(store, [{ name: 'old', chunks: onePart(gunzipSync(packed).toString()) }]);
    const slots = await store.slots(always);
    expect(slots).toHaveLength(102);
    expect([...new Set(slots.map(({ series }) => series.probe))].toSorted()).toEqual(['deep', 'tokens']);
    expect(slots.filter(({ state }) => state === 'quota-unknown')).toHaveLength(1);
    expect(await store.openIncidents()).toHaveLength(1);
    expect(await store.quotas(always)).toHaveLength(1);
  });
}

test('a line with a source that no version wrote is refused', async () => {
  const line = { type: 'slot', series: { source: 'active', extra: 1 } };
  await expect(
    importFiles(memoryStore(), [{ name: 'odd', chunks: onePart(JSON.stringify(line)) }]),
  ).rejects.toThrow(/odd:1: /);
});
