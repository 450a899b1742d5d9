import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from '@playwright/test';
import { LedgerAway, ReservationSpent } from '../ledger-store.ts';
import { BlockFile, type LeasedBlock } from './block-file.ts';
import { Lease, longLease } from './lease.ts';
import { LeasedBlocks } from './leased-blocks.ts';

const place = 'db.example/ledger';
const monthEnds = Date.UTC(2026, 10, 1);

/** The blocks of a process that starts while the database is unreachable, with those that an earlier one has left. */
function left(block: Partial<LeasedBlock>, now: () => number = () => monthEnds - 1) {
  const file = new BlockFile(test.info().outputPath('data', 'blocks.json'), place);
  const leaseEnds = Date.now() + 60_000;
  file.write([{ account: 'a', fence: '7', id: 1, size: 5, used: 2, leaseEnds, monthEnds, ...block }]);
  const lease = new Lease(() => Promise.reject(new LedgerAway('away')), { holder: 'me', times: longLease });
  lease.adopt('7');
  return { file, blocks: new LeasedBlocks(file, lease, now), end: () => lease.end().catch(() => undefined) };
}

test('a block is spent no further than its size, and each request is in the file before it leaves', async () => {
  const { file, blocks, end } = left({});
  const part = blocks.part('a', 3) ?? 0;
  expect(blocks.part('a', 1)).toBeUndefined();
  for (const used of [3, 4, 5]) {
    blocks.leave(part);
    expect(file.read()).toMatchObject([{ used }]);
  }
  expect(() => blocks.leave(part)).toThrow(ReservationSpent);
  await end();
});

test('a block ends with its lease and with its month', async () => {
  const over = left({ leaseEnds: Date.now() - 1 });
  expect(over.blocks.part('a', 1)).toBeUndefined();
  await over.end();
  let now = monthEnds - 1;
  const { blocks, end } = left({}, () => now);
  const part = blocks.part('a', 1) ?? 0;
  now = monthEnds;
  expect(blocks.part('a', 1)).toBeUndefined();
  expect(() => blocks.leave(part)).toThrow(LedgerAway);
  await end();
});

test('a block that is being returned is used up for anybody who reads its file later', async () => {
  const { file, blocks, end } = left({});
  blocks.seal('a');
  expect(blocks.part('a', 1)).toBeUndefined();
  expect(file.read()).toMatchObject([{ used: 5 }]);
  blocks.drop('a');
  expect(file.read()).toEqual([]);
  await end();
});

test('a file that cannot be read, or is of another database, holds no block', async () => {
  const path = test.info().outputPath('data', 'blocks.json');
  await mkdir(dirname(path), { recursive: true });
  expect(new BlockFile(path, place).read()).toEqual([]);
  const { end } = left({});
  expect(new BlockFile(path, 'other.example/ledger').read()).toEqual([]);
  writeFileSync(path, readFileSync(path, 'utf8').slice(0, 20));
  expect(new BlockFile(path, place).read()).toEqual([]);
  await end();
});
