import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { trafficOriginName } from '../../results/known-states.ts';
import { openResults } from '../../results/sqlite/open.ts';
import { TrafficFolder } from './traffic-folder.ts';

const baseUrl = 'https://api.example';
const all = { from: 0, to: 9e15 };

async function storeWith(origin?: { readonly upstream: string; readonly url?: string }): Promise<string> {
  const folder = test.info().outputPath('traffic');
  const store = await openResults(folder);
  if (origin) await store.record({ states: { [trafficOriginName]: origin } });
  await store.close();
  return folder;
}

test('a folder that is not there yet is no mistake, and no traffic', async () => {
  const folder = new TrafficFolder(test.info().outputPath('none'), baseUrl);
  expect([await folder.mistake(), await folder.slots(all)]).toEqual([undefined, []]);
});

test('a target owns its traffic, by the address of the proxy too', async () => {
  const folder = await storeWith({ upstream: baseUrl, url: 'http://localhost:8444' });
  for (const address of [baseUrl, 'http://localhost:8444'])
    expect(await new TrafficFolder(folder, address).mistake()).toBeUndefined();
  expect(await new TrafficFolder(folder, 'https://test.example').mistake()).toMatch(
    /keeps the traffic of https:\/\/api\.example, and the target is https:\/\/test\.example: name its own$/,
  );
});

test('another store and an invalid file are reported in one line and give no slots', async () => {
  const other = new TrafficFolder(await storeWith(), baseUrl);
  expect(await other.mistake()).toMatch(/keeps no traffic: name the folder of proxy --results$/);
  expect(await other.slots(all)).toEqual([]);
  const folder = test.info().outputPath('broken');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'results.db'), 'no database at all, whatever its name is');
  expect(await new TrafficFolder(folder, baseUrl).mistake()).toMatch(/^[^\n]*results\.db[^\n]*$/);
});
