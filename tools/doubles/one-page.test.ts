import { expect, test } from '@playwright/test';
import { checkVenue, listFindings } from './check-venue.ts';
import { type DoubleWorld, worlds } from './double.ts';
import { galleryFaults } from './faults.ts';
import { type OnePage, writeDocument } from './one-page.ts';
import { unusualApis, usualApis } from './one-page-apis.ts';
import { playApi } from './one-page-server.ts';

const [world] = worlds as [DoubleWorld];
const damaged = galleryFaults.find(({ rule }) => rule === 'candle/high-is-highest');

for (const [place, [name, api]] of Object.entries({ ...usualApis, ...unusualApis }).entries()) {
  test(`an API like ${name} is described on a page: sound rows are conformant, damaged ones are not`, {
    tag: place % 3 === 0 ? [] : '@endurance',
  }, async () => {
    const run = await checkVenue(playApi(api), writeDocument(api), world);
    expect(listFindings(run)).toEqual([]);
    expect(run.verdict).toBe('conformant');
    const found = await checkVenue(playApi(api), writeDocument(api), world, damaged);
    const high = found.findings.filter(({ rule }) => rule === 'candle/high-is-highest');
    expect(high.length).toBeGreaterThan(0);
    // Wherever its rows lie, an operation has one finding for all of them.
    expect(high).toHaveLength(new Set(high.map(({ operation }) => operation)).size);
  });
}

for (const [words, length] of [
  ['half an hour', 1_800_000],
  ['a day', 86_400_000],
] as const)
  test(`rows of ${words} are judged if the API has no other interval`, async () => {
    const api = {
      ...(unusualApis['CoinGecko OHLC'] as OnePage),
      intervals: ['1'],
      lengths: [length],
      most: [48],
    };
    const run = await checkVenue(playApi(api), writeDocument(api), world);
    expect([run.verdict, listFindings(run)]).toEqual(['conformant', []]);
    const found = await checkVenue(playApi(api), writeDocument(api), world, damaged);
    expect(listFindings(found).map(({ rule }) => rule)).toContain('candle/high-is-highest');
  });
