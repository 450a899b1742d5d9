import { expect, test } from '@playwright/test';
import type { SlotRecord } from '../probe-record.ts';
import { goodSlot, sample, series } from '../testing/slot.ts';
import { withSqlite } from '../testing/stores.ts';
import { csvColumns, exportCsv } from './export.ts';

const begin = Date.UTC(2026, 10, 1);

async function csvOf(slots: readonly SlotRecord[]): Promise<string> {
  let text = '';
  await withSqlite(async (store) => {
    await store.record({ slots });
    text = (await Array.fromAsync(exportCsv(store))).join('');
  });
  return text;
}

/** The fields of RFC 4180 rows, read by its grammar alone. */
function parseRows(text: string): string[][] {
  return (text.match(/(?:(?:"(?:[^"]|"")*"|[^",\r\n]*),)*(?:"(?:[^"]|"")*"|[^",\r\n]*)\r\n/g) ?? []).map(
    (row) =>
      [...row.slice(0, -2).matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
      ),
  );
}

function recordsOf(text: string): Record<string, string>[] {
  const [names = [], ...rows] = parseRows(text);
  return rows.map((row) => Object.fromEntries(row.map((cell, index) => [names[index] ?? '', cell])));
}

test('every request has a row under the documented header', async () => {
  const text = await csvOf([
    goodSlot(begin, {
      age: 61_000,
      slow: false,
      samples: [sample(begin + 3), sample(begin + 60, { cold: true })],
    }),
    { series, scheduledAt: begin + 1000, state: 'missed', rules: [], samples: [] },
  ]);
  expect(text.startsWith(`${csvColumns.map(({ name }) => name).join(',')}\r\n`)).toBe(true);
  const [first, second, ...more] = recordsOf(text);
  expect(more).toEqual([]);
  expect(first).toMatchObject({
    ...{ target: 'main', scheduled_at: '2026-11-01T00:00:00.000Z', outcome: 'ok', raw_outcome: 'ok' },
    ...{ request: '1', cold: 'false', slow: 'false', stale: '', age_ms: '61000', status: '200' },
    ...{ dns_ms: '', wait_ms: '49.5', total_ms: '50.75', since_planned_ms: '53.75' },
  });
  expect(second).toMatchObject({ request: '2', cold: 'true', sent_at: '2026-11-01T00:00:00.060Z' });
});

test('hostile text stays one cell and is never a formula', async () => {
  const hostile = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    ' \n=1',
    '＝1',
    'a"b,c\r\nd',
    "it's",
    'plain',
  ];
  const text = await csvOf(hostile.map((reason, index) => goodSlot(begin + index, { reason })));
  const reasons = recordsOf(text).map(({ reason }) => reason);
  expect(reasons).toEqual([...hostile.slice(0, 8).map((text) => `'${text}`), ...hostile.slice(8)]);
  expect(text.endsWith('\r\n')).toBe(true);
});

test('a negative number stays a number', async () => {
  const [row] = recordsOf(await csvOf([goodSlot(begin, { age: -5 })]));
  expect(row?.age_ms).toBe('-5');
});
