import { readFileSync, writeFileSync } from 'node:fs';
import { candleproof } from '@candleproof/command/command';
import type { WrittenReport } from '@candleproof/monitors/page/written-report';
import { openForReading } from '@candleproof/monitors/results/open-source';
import { test } from '@candleproof/postgres/testing/postgres-test';
import type { Ended } from '@candleproof/testing/environment';
import { expect } from '@playwright/test';
import { startTarget } from './testing/target.ts';
import { watchConfig, watching } from './testing/watching.ts';

const hour = 3_600_000;
const all = { from: 0, to: Number.MAX_SAFE_INTEGER };

function run(args: readonly string[], more: Record<string, string> = {}): Promise<Ended> {
  return candleproof(args, { CANDLEPROOF_STATE_DIR: test.info().outputPath('state'), ...more });
}

test('monitors, reports and exports find the database by file, config and environment', async ({
  postgres: { url },
}) => {
  const info = test.info();
  const target = await startTarget(info.outputPath('service'), { quota: { limit: 10_000_000 } });
  const file = info.outputPath('results-url');
  writeFileSync(file, `${url}\n`);
  const data = (location: string): string[] => ['--data', info.outputPath(location)];
  for (const location of ['sydney', 'lagos']) {
    const config = watchConfig(info.outputDir, target.ready, location);
    const watched = await run([
      'monitor',
      '--once',
      '--config',
      config,
      ...data(location),
      '--results',
      file,
    ]);
    expect(watched).toMatchObject({ code: 0, stderr: '' });
  }
  await target.stop();
  const out = ['--json', '--out', info.outputPath('report')];
  const shared: WrittenReport['numbers'] = JSON.parse(
    (await run(['report', ...out, '--results', url])).stdout,
  );
  for (const location of ['lagos', 'sydney']) {
    const numbers: WrittenReport['numbers'] = JSON.parse(
      (await run(['report', ...out, ...data(location)])).stdout,
    );
    expect(numbers.targets.map((figures) => [figures.target, figures.location, figures.n])).toEqual([
      ['shop', location, 3],
    ]);
    const { operations } = shared.targets.find((figures) => figures.location === location) ?? {};
    expect(operations).toEqual(numbers.targets[0]?.operations);
  }
  expect(shared.targets.length).toBe(2);
  const environment = { CANDLEPROOF_RESULTS_URL: url };
  const lines = info.outputPath('all.ndjson');
  expect((await run(['monitor', 'results', 'export', '--out', lines], environment)).code).toBe(0);
  const before = readFileSync(lines, 'utf8');
  expect((await run(['monitor', 'results', 'import', lines], environment)).code).toBe(0);
  expect((await run(['monitor', 'results', 'export'], environment)).stdout).toBe(before);
  const site = await run(['publish', '--site', info.outputPath('site'), '--results', file]);
  expect(site).toMatchObject({ code: 0, stderr: '' });
  expect((await run(['monitor', 'results', 'size'], environment)).code).toBe(0);
});

test('a monitor goes on while its database is gone, and a second one of its name is refused', async ({
  postgres: { url, address },
  cluster,
}) => {
  const info = test.info();
  const target = await startTarget(info.outputPath('service'), { quota: { limit: 10_000_000 } });
  const config = watchConfig(info.outputDir, target.ready, 'sydney');
  const state = { CANDLEPROOF_STATE_DIR: info.outputPath('state'), CANDLEPROOF_RESULTS_URL: url };
  const monitor = watching(['--config', config, '--data', info.outputPath('data')], state);
  await monitor.line('watching');
  const other = ['--config', config, '--data', info.outputPath('other')];
  const second = await run(['monitor', ...other], { CANDLEPROOF_RESULTS_URL: url });
  expect(second).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('another monitor writes for the location "sydney" since'),
  });
  await cluster.kill();
  expect(await monitor.line('cut off, and kept in the folder')).toMatchObject({
    reason: expect.stringContaining('is out of reach'),
  });
  await cluster.start();
  await monitor.line('the database has all again');
  expect(await monitor.stop()).toBe(0);
  await target.stop();
  const [folderReader, shared] = [
    await openForReading({ kind: 'folder', folder: info.outputPath('data') }),
    await openForReading({ kind: 'database', address }),
  ];
  const slots = await folderReader.slots(all);
  expect(slots.length).toBeGreaterThan(0);
  expect(await shared.slots(all)).toEqual(slots);
  for (const resultsReader of [folderReader, shared]) await resultsReader.close();
});

test('locations that share a grid take turns, without knowing of each other', async () => {
  const info = test.info();
  const target = await startTarget(info.outputPath('service'), { quota: { limit: 10_000_000 } });
  const state = { CANDLEPROOF_STATE_DIR: info.outputPath('state') };
  const listArguments = (location: string, slots: string): string[] => {
    const file = watchConfig(info.outputDir, target.ready, location);
    const config = JSON.parse(readFileSync(file, 'utf8'));
    config.monitor.slots = slots;
    config.probes = { tokens: { operation: 'listTokens', every: '1h' } };
    writeFileSync(file, JSON.stringify(config));
    return ['--config', file, '--data', info.outputPath(location)];
  };
  const places: number[] = [];
  for (const [location, slots] of [
    ['lagos', '1 of 2'],
    ['sydney', '2 of 2'],
  ] as const) {
    const monitor = watching(listArguments(location, slots), state);
    const { next } = await monitor.line('watching');
    places.push(Math.floor(Date.parse(String(next)) / hour) % 2);
    expect(await monitor.stop()).toBe(0);
  }
  expect(places).toEqual([0, 1]);
  expect(await run(['monitor', ...listArguments('lima', '3 of 2')])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/lima\.yaml:1: slots: 3 of 2: there is no share 3 among 2: give 1 to 2\n$/),
  });
  await target.stop();
});

test('a password on the command line is refused, and none is repeated', async () => {
  const { code, stderr } = await run([
    'report',
    '--results',
    'postgres://homer:wine-dark-sea@db.example/candles',
  ]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^candleproof: --results: a password is never a flag.*--results FILE/);
  expect(stderr).not.toContain('wine');
  const unreachable = await run(['report', '--results', 'postgres://homer@127.0.0.1:1/candles']);
  expect(unreachable).toMatchObject({ code: 2, stdout: '' });
  expect(unreachable.stderr).toMatch(/^candleproof: PostgreSQL at 127\.0\.0\.1:1\/candles is out of reach/);
});
