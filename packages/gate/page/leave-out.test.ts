import { DatabaseSync } from 'node:sqlite';
import type { RunningService } from '@candleproof/reference-service/start';
import { startBuilt } from '@candleproof/reference-service/testing/built-market';
import { expect, test } from '@playwright/test';
import { auditUnder, noon } from '../audit/testing/audited.ts';
import { writeHeadline } from './audit-words.ts';
import { writeSqlFilter } from './leave-out.ts';

let service: RunningService;

test.beforeAll(async () => {
  service = await startBuilt({ seed: 2, now: () => noon * 1000, quota: { limit: 1_000_000 } });
});

test.afterAll(() => service.close());

test('a past with two faults is said by its causes, and its query leaves exactly what can still be used', async () => {
  const { audit, tables } = await auditUnder(service, ['F25', 'F51']);
  expect(writeHeadline(audit)).toMatch(
    /^High and low are exchanged in 1,\d{3} of 1,\d{3} hours, and 12:00 to 13:00 is missing every day$/,
  );
  expect(audit.usable.slice(0, 3)).toEqual([
    {
      pool: 1,
      interval: 'HOUR',
      intervals: 890,
      usable: 0,
      doubted: 0,
      unread: 0,
      missing: 37,
      damaged: 853,
    },
    { pool: 1, interval: 'DAY', intervals: 37, usable: 0, doubted: 0, unread: 0, missing: 0, damaged: 37 },
    { pool: 1, interval: 'WEEK', intervals: 5, usable: 0, doubted: 0, unread: 0, missing: 0, damaged: 5 },
  ]);
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE candles (pool INTEGER, "interval" TEXT, start INTEGER)');
  const insert = database.prepare('INSERT INTO candles VALUES (?, ?, ?)');
  for (const { pool, interval, rows } of tables)
    for (const { start, state } of rows) if (state !== 'missing') insert.run(Number(pool), interval, start);
  const left = database.prepare(writeSqlFilter(audit.damage).join('\n')).all();
  database.close();
  const usable = tables.flatMap(({ pool, interval, rows }) =>
    rows.flatMap(({ start, state }) => (state === 'usable' ? [{ pool, interval, start }] : [])),
  );
  expect(usable.length).toBeGreaterThan(100);
  expect(left.map((row) => ({ ...row }))).toEqual(usable);
});

test('quotes of a pool or interval stay in its text, and very many ranges are read from the file', () => {
  const range = {
    ...{ target: 't', pool: "x'); DROP TABLE candles; --", interval: '1h', kind: 'impossible' as const },
    ...{ from: 0, to: 3600, fromIso: '', toIso: '', certainty: 'breach' as const, rules: [], detail: '' },
  };
  expect(writeSqlFilter([range])[1]).toBe("  ('x''); DROP TABLE candles; --', '1h', 0, 3600)");
  const many = Array.from({ length: 300 }, (_, at) => ({ ...range, from: at * 7200, to: at * 7200 + 3600 }));
  expect(writeSqlFilter(many).join('\n')).toContain("read_json('damage.ndjson')");
});
