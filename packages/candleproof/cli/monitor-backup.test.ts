import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { candleproof } from '@candleproof/command/command';
import { openForWriting } from '@candleproof/monitors/results/open-source';
import { goodSlot } from '@candleproof/monitors/results/testing/slot';
import { expect, test } from '@playwright/test';

const midnight = Date.UTC(2026, 10, 1);

test('a backup is taken while a monitor writes, and goes on as a store of its own', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'candleproof-backup-'));
  const [data, file, restored] = ['data', 'copy.db', 'restored'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const store = await openForWriting({ kind: 'folder', folder: data });
  await store.record({ slots: [goodSlot(midnight)], states: { note: 1 } });
  expect(await candleproof(['monitor', 'backup', file, '--data', data])).toMatchObject({ code: 0 });
  await store.record({ slots: [goodSlot(midnight + 60_000)] });
  expect(await candleproof(['monitor', 'backup', file, '--data', data])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is there already: name another file, or give --force'),
  });
  mkdirSync(restored);
  copyFileSync(file, join(restored, 'results.db'));
  const again = await openForWriting({ kind: 'folder', folder: restored });
  expect(await again.slots({ from: 0, to: 9e15 })).toHaveLength(1);
  expect(await again.state('note')).toBe(1);
  await again.close();
  await store.close();
  expect(
    await candleproof(['monitor', 'backup', join(folder, 'no.db'), '--data', join(folder, 'none')]),
  ).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('name the one that a monitor writes to with --data'),
  });
  writeFileSync(join(folder, 'taken'), '');
  expect(await candleproof(['monitor', 'backup', folder, '--force', '--data', data])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is no regular file'),
  });
  rmSync(folder, { recursive: true });
});
