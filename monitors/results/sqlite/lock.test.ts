import { expect, test } from '@playwright/test';
import { StoreInUse } from '../store-error.ts';
import { startRecording } from '../testing/recording-process.ts';
import { useFolder } from '../testing/stores.ts';
import { openResults, openResultsForReading, takeLock } from './open.ts';

test('a second writer is refused with the id of the first, and readers are not', () =>
  useFolder(async (folder) => {
    const recording = startRecording(folder);
    await recording.awaitConfirmed();
    const refusal = openResults(folder);
    await expect(refusal).rejects.toThrow(StoreInUse);
    await expect(refusal).rejects.toThrow(
      new RegExp(`is written by process ${recording.pid} since 20.* UTC: end`),
    );
    await (await openResultsForReading(folder)).close();
    await recording.kill();
  }));

test('the lock of a killed process is free at once', () =>
  useFolder(async (folder) => {
    const recording = startRecording(folder);
    await recording.awaitConfirmed();
    await recording.kill();
    await (await openResults(folder)).close();
  }));

test('the same process is refused too, until the lock is released', () =>
  useFolder(async (folder) => {
    const lock = takeLock(folder);
    expect(() => takeLock(folder)).toThrow(`process ${process.pid} `);
    lock.release();
    takeLock(folder).release();
  }));
