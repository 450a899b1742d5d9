import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { draftPath } from '@candleproof/files/write-files';
import { expect, test } from '@playwright/test';
import { deepRunRoute, keepDeepRuns } from './deep-runs.ts';

test('the page of a kept run is served, and nothing beside it', async () => {
  const dataDir = test.info().outputPath('data');
  const name = 'mainnet-deep-2026-11-20T09-00-00-000Z';
  for (const folder of [name, 'other', '..'].map((folder) => join(dataDir, 'runs', folder))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'index.html'), 'the page');
  }
  writeFileSync(join(dataDir, 'runs', name, 'run.json'), '{}');
  const route = deepRunRoute(dataDir);
  expect(await route(`/runs/${name}/index.html`, '')).toMatchObject({ status: 200, body: 'the page' });
  for (const path of [
    '/runs/other/index.html',
    '/runs/../index.html',
    `/runs/${name}/run.json`,
    `/runs/..%2f${name}/index.html`,
    `/runs/gone-2026-11-20T09-00-00-000Z/index.html`,
  ])
    expect(await route(path, ''), path).toBeUndefined();
});

test('drafts that a killed monitor left among its runs are removed, and nothing else', () => {
  const dataDir = test.info().outputPath('data');
  const run = join(dataDir, 'runs', 'mainnet-deep-2026-11-20T09-00-00-000Z');
  const other = join(dataDir, 'runs', 'other');
  for (const folder of [run, other]) {
    mkdirSync(folder, { recursive: true });
    for (const file of [draftPath(folder), join(folder, 'index.html'), join(folder, 'notes.tmp')])
      writeFileSync(file, 'the');
  }
  keepDeepRuns(dataDir, 1000, () => run);
  expect(readdirSync(run).toSorted()).toEqual(['index.html', 'notes.tmp']);
  expect(readdirSync(other)).toHaveLength(3);
});
