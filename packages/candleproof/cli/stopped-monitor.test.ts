import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { candleproof } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';
import { startTarget } from './testing/target.ts';
import { watchConfig, watching } from './testing/watching.ts';

test('a monitor that was stopped says from when to when, in its log and in its store', {
  tag: '@endurance',
}, async () => {
  test.setTimeout(120_000);
  const info = test.info();
  mkdirSync(info.outputDir, { recursive: true });
  const served = await startTarget(info.outputPath('service'), { quota: { limit: 10_000_000 } });
  const data = ['--data', info.outputPath('data')];
  const config = watchConfig(info.outputDir, served.ready, 'desk');
  const monitor = watching(['--config', config, ...data], {
    CANDLEPROOF_STATE_DIR: info.outputPath('state'),
  });
  try {
    const pid = Number((await monitor.line('ok')).pid);
    process.kill(pid, 'SIGSTOP');
    await pause(8000);
    process.kill(pid, 'SIGCONT');
    const { reason } = await monitor.line('not-running');
    expect(reason).toMatch(/^the monitor was not running from 20.* UTC to 20.* UTC$/);
    expect(await monitor.stop()).toBe(0);
    const { stdout } = await candleproof(['monitor', 'results', 'export', ...data]);
    const events = stdout.split('\n').filter((line) => line.includes('"not-running"'));
    expect(events.map((event) => JSON.parse(event).detail.words)).toEqual([reason]);
  } finally {
    await monitor.stop();
    await served.stop();
  }
});
