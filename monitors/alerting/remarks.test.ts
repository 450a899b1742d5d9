import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { candleproof } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';
import { openResults } from '../results/sqlite/open.ts';
import { Alerts } from './alerts.ts';
import { RemarkBox } from './remarks.ts';
import { makeDefinition, makeSlot, midnight, minute } from './testing/slots.ts';

test('planned work is announced from the command line, for a target that is watched and a length', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'candleproof-remarks-'));
  const store = await openResults(folder);
  await store.record({ states: { method: { probes: [{ target: 'mainnet' }] } } });
  const maintain = (...args: readonly string[]) =>
    candleproof(['monitor', 'maintain', ...args, '--by', 'kim', '--data', folder]);
  for (const [args, words] of [
    [['other', '2h'], 'no target of .* is "other": use mainnet'],
    [['mainnet', '2 hours'], '"2 hours" is no length up to 30d: write one such as 2h'],
    [['mainnet', '31d'], '"31d" is no length'],
  ] as const)
    expect(await maintain(...args)).toMatchObject({ code: 2, stderr: expect.stringMatching(words) });
  const before = Date.now();
  expect(await maintain('mainnet', '2h', 'new disks')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^planned work at mainnet for 2h: /),
  });
  const alerts = await Alerts.open(store, makeDefinition(), before);
  await new RemarkBox(folder).empty((remarks) => store.record(alerts.remark(remarks, Date.now())));
  const [event] = await store.events({ from: 0, to: 9e15 }, ['planned-work']);
  expect(event).toMatchObject({ target: 'mainnet', detail: { words: 'kim: new disks' } });
  expect(Number(event?.detail.to) - Number(event?.detail.from)).toBe(120 * minute);
  await store.close();
  rmSync(folder, { recursive: true });
});

test('planned work is announced at all locations of a machine at once, or at none', async () => {
  const folders = ['fra', 'nyc'].map((name) => mkdtempSync(join(tmpdir(), `candleproof-${name}-`)));
  const [fra = '', nyc = ''] = folders;
  const maintain = () => candleproof(['monitor', 'maintain', 'mainnet', '2h', '--data', fra, '--data', nyc]);
  const watch = async (folder: string, target: string): Promise<void> => {
    const store = await openResults(folder);
    await store.record({ states: { method: { probes: [{ target }] } } });
    await store.close();
  };
  const left = async (): Promise<string[]> => {
    const all: string[] = [];
    for (const folder of folders)
      await new RemarkBox(folder).empty(async (remarks) => {
        all.push(...remarks.map(({ about, until = 0, at }) => `${about} ${(until - at) / minute}`));
      });
    return all;
  };
  await watch(fra, 'mainnet');
  await watch(nyc, 'other');
  expect(await maintain()).toMatchObject({ code: 2, stderr: expect.stringContaining(`no target of ${nyc}`) });
  expect(await left()).toEqual([]);
  await watch(nyc, 'mainnet');
  expect((await maintain()).stdout.match(/planned work at mainnet for 2h/g)).toHaveLength(2);
  expect(await left()).toEqual(['mainnet 120', 'mainnet 120']);
  for (const folder of folders) rmSync(folder, { recursive: true });
});

test('an alert is acknowledged from the command line, its reminders stop, and a note is kept', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'candleproof-remarks-'));
  const store = await openResults(folder);
  const alerts = await Alerts.open(store, makeDefinition(), midnight);
  for (const n of [0, 1]) {
    const slots = [makeSlot(midnight + n * 15 * minute, 'failed')];
    await store.record({ slots, ...alerts.take(slots, midnight + n * 15 * minute + 1000) });
  }
  const refused = await candleproof(['monitor', 'ack', 'nothing', '--data', folder]);
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no open alert is "nothing": use alert/'),
  });
  expect(
    await candleproof(['monitor', 'ack', 'mainnet', 'on', 'it', '--by', 'kim', '--data', folder]),
  ).toMatchObject({ code: 0 });
  expect(
    await candleproof(['monitor', 'note', 'mainnet', 'their balancer', '--by', 'kim', '--data', folder]),
  ).toMatchObject({ code: 0 });
  const box = new RemarkBox(folder);
  await box.empty((remarks) => store.record(alerts.remark(remarks, midnight + 20 * minute)));
  expect(readdirSync(join(folder, 'remarks'))).toEqual([]);
  const events = await store.events({ from: 0, to: 9e15 }, ['alert-acknowledged', 'note']);
  expect(events.map(({ detail }) => detail.words).toSorted()).toEqual([
    'acknowledged: availability of mainnet from sydney: by kim: on it',
    'kim: their balancer',
  ]);
  expect(alerts.tick(midnight + 300 * minute).events).toEqual([]);
  await store.close();
  rmSync(folder, { recursive: true });
});
