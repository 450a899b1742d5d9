import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { binance } from './binance.double.ts';
import { checkVenue, listFindings } from './check-venue.ts';
import { type DoubleWorld, worlds } from './double.ts';
import { galleryFaults } from './faults.ts';
import { kraken } from './kraken.double.ts';
import { firstLine } from './titles.ts';

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

for (const [name, document] of Object.entries(documents)) {
  test(`a history of ${name} is judged with few requests`, {
    tag: name === 'rows since a time' ? [] : '@endurance',
  }, async () => {
    for (const world of worlds.slice(0, 2)) {
      const run = await checkVenue(binance, document, world);
      expect(listFindings(run)).toEqual([]);
      expect(run.verdict).toBe('conformant');
      expect(run.requests.sent).toBeLessThanOrEqual(20);
      const passed = run.rules.flatMap(({ id, outcome }) => (outcome === 'passed' ? [id] : []));
      expect(passed).toEqual(expect.arrayContaining(['history/complete', 'rollup/volume-is-summed']));
    }
    const [world] = worlds as [DoubleWorld];
    for (const fault of galleryFaults.filter((galleryFault) =>
      /missing|twice|swapped|stale/.test(galleryFault.name),
    ))
      expect((await checkVenue(binance, document, world, fault)).verdict, fault.name).toBe('nonconformant');
  });
}

test('seconds that pass between the requests of a run change no cause', async () => {
  const [world] = worlds as [DoubleWorld];
  const fault = galleryFaults.find(({ rule }) => rule === 'candle/high-is-highest');
  const document = readFileSync('gallery/kraken/openapi.yaml', 'utf8');
  for (const step of [30, 300, 1000]) {
    let requests = 0;
    const clock = (): number => Date.parse(world.opensAt) + step * requests++;
    const run = await checkVenue(kraken, document, { ...world, clock }, fault, ['--budget', '20']);
    expect(firstLine(run), `${step} ms`).toBe('High lies below open and close');
  }
});
