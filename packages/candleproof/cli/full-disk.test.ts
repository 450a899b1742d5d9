import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { candleproof } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';
import { limitedDisk } from './testing/limited-disk.ts';
import { startTarget } from './testing/target.ts';
import { watchConfig, watching } from './testing/watching.ts';

type ExportedSlot = { series: { probe: string }; scheduledAt: number; state: string; outcome?: string };

test('a monitor on a full disk says so, waits for room and loses nothing that was confirmed', {
  tag: '@endurance',
}, async () => {
  test.setTimeout(180_000);
  const info = test.info();
  mkdirSync(info.outputDir, { recursive: true });
  const served = await startTarget(info.outputPath('service'), { quota: { limit: 10_000_000 } });
  const disk = limitedDisk();
  const data = ['--data', join(disk.folder, 'data')];
  const slots = async (): Promise<ExportedSlot[]> => {
    const { stdout } = await candleproof(['monitor', 'results', 'export', ...data]);
    const lines = stdout.split('\n').filter((line) => line.startsWith('{"type":"slot"'));
    return lines.map((line) => JSON.parse(line));
  };
  const config = watchConfig(info.outputDir, served.ready, 'desk');
  const state = { CANDLEPROOF_STATE_DIR: join(disk.folder, 'state') };
  const monitor = watching(['--config', config, ...data], state);
  try {
    const { pid } = await monitor.line('ok');
    disk.fill(Number(pid));
    const before = (await slots()).filter(({ outcome }) => outcome === 'ok');
    expect(before.length).toBeGreaterThan(0);
    const waiting = await monitor.line('waiting for room');
    expect(waiting.reason).toMatch(/results\.db: its disk is full or takes nothing more; make room on it\.$/);
    disk.free(Number(pid));
    await monitor.line('there is room again');
    const goesOn = async (): Promise<number> => (await slots()).filter(({ state }) => state === 'run').length;
    await expect.poll(goesOn, { timeout: 60_000 }).toBeGreaterThan(before.length + 1);
    expect(await monitor.stop()).toBe(0);
    const after = await slots();
    for (const exportedSlot of before) expect(after).toContainEqual(exportedSlot);
    // Each planned instant has its row, those on the full disk too.
    const sizes = after
      .filter(({ series }) => series.probe === 'tokens')
      .map((exportedSlot) => exportedSlot.scheduledAt);
    expect(sizes).toEqual(sizes.map((_, index) => (sizes[0] ?? 0) + index * 10_000));
  } finally {
    await monitor.stop();
    disk.close();
    await served.stop();
  }
});

test('a monitor that is stopped on a full disk ends with one line', async () => {
  test.setTimeout(120_000);
  const info = test.info();
  mkdirSync(info.outputDir, { recursive: true });
  const served = await startTarget(info.outputPath('service'), { quota: { limit: 10_000_000 } });
  const disk = limitedDisk();
  const config = watchConfig(info.outputDir, served.ready, 'desk');
  const state = { CANDLEPROOF_STATE_DIR: info.outputPath('state') };
  const monitor = watching(['--config', config, '--data', join(disk.folder, 'data')], state);
  try {
    const { pid } = await monitor.line('watching');
    disk.fill(Number(pid));
    await monitor.line('waiting for room');
    expect(await monitor.stop()).toBe(2);
    const lines = monitor
      .said()
      .stderr.split('\n')
      .filter((line) => line !== '' && !line.startsWith('{'));
    expect(lines).toEqual([expect.stringMatching(/^candleproof: .*results\.db: its disk is full/)]);
  } finally {
    await monitor.stop();
    disk.close();
    await served.stop();
  }
});
