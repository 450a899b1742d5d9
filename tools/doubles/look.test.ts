import { readFileSync, writeFileSync } from 'node:fs';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import { expect, test } from '@playwright/test';
import { checkVenue, listFindings } from './check-venue.ts';
import { compareRoles } from './compare-roles.ts';
import { type DoubleWorld, worlds } from './double.ts';
import { galleryFaults } from './faults.ts';
import { lookAtVenue } from './look-at-venue.ts';
import { describeRequest, type LookedVenue, lookedVenues } from './looked-venues.ts';
import { type OnePage, writeDocument } from './one-page.ts';
import { unusualApis, usualApis } from './one-page-apis.ts';
import { playApi } from './one-page-server.ts';
import { firstLine, measureShare, readTitles } from './titles.ts';

/** An API to look at, and the document that a person wrote for it. */
type Case = LookedVenue & { readonly writeDocument: () => string };

const described: Readonly<Record<string, OnePage>> = { ...usualApis, ...unusualApis };
const ofGallery = Object.entries(lookedVenues).map(([name, looked]): [string, Case] => [
  name,
  { ...looked, writeDocument: () => readFileSync(`gallery/${name}/openapi.yaml`, 'utf8') },
]);
/** A look sends no header but that of a key. */
const others = Object.entries(described).flatMap(([name, api]): [string, Case][] => {
  if (api.header) return [];
  const venue = playApi(api);
  return [
    [name, { venue, ...describeRequest(api, venue.pools[0]), writeDocument: () => writeDocument(api) }],
  ];
});
const cases = [...ofGallery, ...others];

/** Those that show every form of rows and of requests: tuples, columns, rows under their time, ends, steps of a path. */
const tried = [
  'bitstamp',
  'polygon',
  'CoinGecko OHLC',
  'Yahoo',
  'Alpha Vantage',
  'BitMEX',
  'upbit',
  'hyperliquid',
];

/** Those whose row of the results a pipeline measures anew; a release measures all of them. */
const measured = ['bitstamp', 'polygon', 'kraken', 'BitMEX', 'Upbit', 'OANDA'];

const [world, ...furtherWorlds] = worlds as [DoubleWorld, ...DoubleWorld[]];
const budget = ['--budget', '20'];

/** First lines about faults that three drafts find. */
const titles = readTitles('draft-titles.txt');

test('most first lines about faults that drafts find name the part and the defect', () => {
  expect(titles.length).toBeGreaterThanOrEqual(27);
  expect(measureShare('right', titles)).toBeGreaterThanOrEqual(0.85);
  expect(measureShare('wrong', titles)).toBeLessThanOrEqual(0.03);
});

for (const [name, looked] of cases) {
  const tag = tried.includes(name) ? {} : { tag: '@endurance' };
  test(`the draft of ${name} accuses its sound server of nothing, and finds a damaged row`, tag, async () => {
    const { document, requests, code, stderr, stdout } = await lookAtVenue(name, looked, world);
    expect([code, requests <= 6], stderr + stdout).toEqual([0, true]);
    const run = await checkVenue(looked.venue, document, world, undefined, budget);
    expect(listFindings(run)).toEqual([]);
    expect(run.verdict).toBe('conformant');
    const damaged = galleryFaults.find(({ rule }) => rule === 'candle/high-is-highest');
    const found = await checkVenue(looked.venue, document, world, damaged, budget);
    expect(listFindings(found).map(({ rule }) => rule)).toContain('candle/high-is-highest');
  });
}

for (const [name, looked] of [...ofGallery, ...others.filter(([other]) => pageRow(other) !== undefined)])
  test(`the draft of ${name} has the roles and finds the faults that the results say`, {
    tag: measured.includes(name) ? '@endurance' : '@thorough',
  }, async () => {
    test.setTimeout(480_000);
    const { document, file, requests } = await lookAtVenue(name, looked, world);
    const written = test.info().outputPath('written.yaml');
    writeFileSync(written, looked.writeDocument());
    const roles = compareRoles(loadSpec(written), loadSpec(file));
    const missed: string[] = [];
    const found: object[] = [];
    for (const fault of galleryFaults) {
      const run = await checkVenue(looked.venue, document, world, fault, budget);
      if (run.verdict === 'conformant') missed.push(fault.name);
      else found.push({ venue: name, fault: fault.name, title: firstLine(run) });
    }
    const ofDraft = titles.filter(({ venue }) => venue === name);
    if (ofDraft.length > 0) expect(ofDraft.map(({ reading: _, ...title }) => title)).toEqual(found);
    const all = roles.found + roles.missed.length;
    const faults = `${galleryFaults.length - missed.length} of ${galleryFaults.length}`;
    const row = `| ${name} | ${requests} | ${roles.found} of ${all} | ${faults} | ${[...roles.missed, ...missed].join('; ')} |`;
    expect(pageRow(name)).toBe(row.replace('|  |', '| |'));
  });

for (const [at, [name, looked]] of ofGallery.entries())
  test(`drafts of ${name} in further worlds accuse a sound server of nothing`, {
    tag: at % 3 === 0 ? '@endurance' : '@thorough',
  }, async () => {
    test.setTimeout(120_000);
    for (const further of furtherWorlds) {
      const { document } = await lookAtVenue(`${name} ${further.seed}`, looked, further);
      // The other market is quieter than the one that was looked at.
      const run = await checkVenue(looked.venue, document, further, undefined, budget);
      expect(listFindings(run), further.opensAt).toEqual([]);
      expect(run.verdict).toBe('conformant');
    }
  });

/** Returns the row of the results of looks that begins with a name. */
function pageRow(name: string): string | undefined {
  const page = readFileSync('tools/bench/RESULTS.md', 'utf8');
  return page.match(new RegExp(`^\\| ${name} \\| \\d \\|.*`, 'm'))?.[0];
}
