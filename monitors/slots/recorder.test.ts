import { expect, test } from '@playwright/test';
import type { PinRecord, RecordBatch } from '../results/results-store.ts';
import { Recorder } from './recorder.ts';

const nothing = { take: () => ({}) };

function recording(): { readonly recorder: Recorder; readonly written: RecordBatch[] } {
  const written: RecordBatch[] = [];
  const record = async (batch: RecordBatch): Promise<void> => void written.push(batch);
  return { recorder: new Recorder({ record }, nothing, () => undefined), written };
}

const pin = (start: number): PinRecord => ({
  ...{ target: 'main', pool: 1, interval: 'HOUR', start },
  ...{ firstSeen: 0, lastSeen: 0, fields: {} },
});

test('simultaneous records are written in one transaction, in order', async () => {
  const { recorder, written } = recording();
  await Promise.all([
    recorder.write(() => ({ states: { a: 1, b: 1 } })),
    recorder.write(() => ({ pins: [pin(0)], states: { b: 2 } })),
    recorder.write(() => ({ pins: [pin(3600)] })),
  ]);
  expect(written).toHaveLength(1);
  expect(written[0]).toMatchObject({ pins: [pin(0), pin(3600)], states: { a: 1, b: 2 } });
  await recorder.write(() => ({ states: { c: 3 } }));
  expect(written).toHaveLength(2);
});

test('pins that are dropped are those before, not those that come with it', async () => {
  const { recorder, written } = recording();
  await Promise.all([
    recorder.write(() => ({ pins: [pin(0)] })),
    recorder.write(() => ({ unpinned: ['main'], pins: [pin(3600)] })),
    recorder.write(() => ({ pins: [pin(7200)] })),
  ]);
  expect(written.map(({ unpinned = [], pins = [] }) => [unpinned, pins.map(({ start }) => start)])).toEqual([
    [[], [0]],
    [['main'], [3600, 7200]],
  ]);
});

test('after a write that failed nothing more is written', async () => {
  let writes = 0;
  const record = async (): Promise<void> => {
    writes += 1;
    throw new Error('the disk is gone');
  };
  const recorder = new Recorder({ record }, nothing, () => undefined);
  for (let turn = 0; turn < 2; turn++) {
    await expect(recorder.write(() => ({ states: { turn } }))).rejects.toThrow('the disk is gone');
  }
  expect(writes).toBe(1);
});
