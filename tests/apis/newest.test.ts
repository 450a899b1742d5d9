import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { checkApi } from '../support/check-api.ts';
import { binance } from './binance.double.ts';
import { type DoubleWorld, worlds } from './double.ts';
import { type DoubleFault, galleryFaults } from './faults.ts';
import { openVenue } from './open-venue.ts';

const text = readFileSync('gallery/binance/openapi.yaml', 'utf8').replace(
  / {10}x-role: to\n {10}x-unit: ms\n/,
  '',
);

/** One venue as APIs without an end of the range are described. */
const documents = {
  'the newest rows alone': text
    .replace(/ {10}x-role: from\n {10}x-unit: ms\n/, '')
    .replace('          x-role: limit\n', '')
    .replace('x-gaps: none', 'x-gaps: none\n      x-max-rows: 500'),
  'rows since a time': text.replace('x-role: from', 'x-role: since\n          x-edge: inclusive'),
};

async function check(name: keyof typeof documents, world: DoubleWorld, fault?: DoubleFault) {
  const folder = test.info().outputPath(fault?.name ?? 'healthy');
  mkdirSync(folder, { recursive: true });
  const document = join(folder, 'openapi.yaml');
  writeFileSync(document, documents[name]);
  const double = await openVenue(binance, world, fault);
  try {
    const target = { baseUrl: double.url, ca: double.ca, pools: double.pools, document };
    const { run, stderr } = await checkApi(target, folder);
    if (!run) throw new Error(stderr);
    return run;
  } finally {
    double.close();
  }
}

for (const name of Object.keys(documents) as (keyof typeof documents)[]) {
  test(`a history of ${name} is judged with few requests`, async () => {
    for (const world of worlds.slice(0, 2)) {
      const run = await check(name, world);
      expect(run.findings.map(({ rule, pointer, actual }) => ({ rule, pointer, actual }))).toEqual([]);
      expect(run.verdict).toBe('conformant');
      expect(run.requests.sent).toBeLessThanOrEqual(20);
      const passed = run.rules.flatMap(({ id, outcome }) => (outcome === 'passed' ? [id] : []));
      expect(passed).toEqual(expect.arrayContaining(['history/complete', 'rollup/volume-is-summed']));
    }
    const [world] = worlds as [DoubleWorld];
    for (const fault of galleryFaults.filter((each) => /missing|twice|swapped|stale/.test(each.name)))
      expect((await check(name, world, fault)).verdict, fault.name).toBe('nonconformant');
  });
}
