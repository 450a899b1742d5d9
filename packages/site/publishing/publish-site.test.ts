import { cpSync, existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import type { Run } from '@candleproof/law/judge/verdict';
import { causeHeadline, findCauses } from '@candleproof/reports/words/causes';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { indexFiles } from '../pages/index-page.ts';
import { contentId, makeRecord, sortByTime } from '../records.ts';
import { readStory } from '../story.ts';
import { publishSite } from './publish-site.ts';
import { SiteFolder } from './site-folder.ts';
import {
  broken,
  poisoned,
  sampleEntries,
  sampleRunOn,
  sampleRuns,
  writeRun,
  writeSample,
} from './testing/sample-site.ts';

const options = { now: Date.UTC(2026, 10, 22), all: false };
const average = 'candle/average-is-within-range';

function folder(name: string): string {
  return test.info().outputPath(name);
}

/** Everything that can be published, and the site of it. */
const sample = { paths: [] as readonly string[], files: {} as Record<string, string> };
let empty = '';

test.beforeAll(async ({ browserName: _ }, info) => {
  empty = info.outputPath('empty');
  await publishSite([], new SiteFolder(empty), options);
  sample.paths = await writeSample(info.outputPath('sample'));
  const site = info.outputPath('whole');
  await publishSite(sample.paths, new SiteFolder(site), options);
  sample.files = readFiles(site);
});

/** Adds what is in the paths to a site; a new one begins as an empty site, whose gallery takes long to draw. */
async function published(paths: readonly string[], name = 'site', changes = {}): Promise<string> {
  if (!existsSync(folder(name))) cpSync(empty, folder(name), { recursive: true });
  await publishSite(paths, new SiteFolder(folder(name)), { ...options, ...changes });
  return folder(name);
}

function readFiles(site: string): Record<string, string> {
  const names = globSync('**/*', { cwd: site }).filter((file) => statSync(join(site, file)).isFile());
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(site, name), 'utf8')]));
}

test('a site has the same bytes at once, one by one and in any order', async () => {
  const { paths, files: once } = sample;
  expect(Object.keys(once).length).toBeGreaterThan(60);
  expect(readFiles(await published(paths.toReversed(), 'other'))).toEqual(once);
  for (const path of paths.toSorted((a, b) => contentId({ a }).localeCompare(contentId({ b }))))
    await published([path], 'single');
  expect(readFiles(folder('single'))).toEqual(once);
});

test('what is published again changes no file, and a run more leaves the pages of runs as they are', async () => {
  const [first, second] = sampleRuns()
    .slice(0, 2)
    .map((run, at) => writeRun(folder(`in-${at}`), run));
  const site = await published([first ?? '']);
  const before = readFiles(site);
  const again = new SiteFolder(site);
  await publishSite([first ?? ''], again, options);
  expect(again.written).toBe(0);
  const after = readFiles(await published([second ?? '']));
  const pages = Object.keys(before).filter((file) => /^t\/main\/runs\//.test(file));
  expect(pages.length).toBeGreaterThan(2);
  for (const page of pages) expect(after[page], page).toBe(before[page]);
});

test('a page that a broken-off call left out, and pages of another version, are drawn again', async () => {
  const site = await published([writeRun(folder('in'), broken(sampleRunOn('main', 2), average))]);
  const whole = readFiles(site);
  for (const name of ['api', 'badges', 'rules', 't/main/index.html'])
    rmSync(join(site, name), { recursive: true });
  for (const file of globSync('t/main/runs/*/**/index.html', { cwd: site }))
    writeFileSync(join(site, file), 'old');
  expect(readFiles(await published([]))).toEqual(whole);
});

test('every internal link and every anchor of a site is there', () => {
  const { files } = sample;
  const ids = new Map(
    Object.entries(files).map(([name, text]) => [
      name,
      new Set([...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)),
    ]),
  );
  const dead: string[] = [];
  let count = 0;
  for (const [name, text] of Object.entries(files)) {
    if (!name.endsWith('.html')) continue;
    for (const [, link = ''] of text.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      if (link.startsWith('data:')) continue;
      count += 1;
      const { pathname, hash } = new URL(link.replaceAll('&amp;', '&'), `http://site/${name}`);
      const target = decodeURIComponent(pathname.slice(1)) + (pathname.endsWith('/') ? 'index.html' : '');
      const isThere =
        target in files && (hash === '' || ids.get(target)?.has(decodeURIComponent(hash.slice(1))));
      if (!isThere) dead.push(`${name} -> ${link}`);
      if (/^[a-z]+:/.test(link)) dead.push(`${name} leads outside: ${link}`);
    }
  }
  expect(dead).toEqual([]);
  expect(count).toBeGreaterThan(500);
});

test('the JSON of a site is as its own schema says', () => {
  const { files } = sample;
  const accepts = new Ajv2020({ allErrors: true }).compile(JSON.parse(files['api/schema.json'] ?? ''));
  const documents = Object.entries(files).filter(([name]) =>
    /^api\/(index|rules|gallery)\.json|^api\/targets\/.*json$/.test(name),
  );
  expect(documents.length).toBeGreaterThan(4);
  for (const [name, text] of documents) {
    const value = JSON.parse(text);
    expect(accepts(value), `${name} ${JSON.stringify(accepts.errors?.slice(0, 3))}`).toBe(true);
    const schema = posix.join(dirname(name), value.$schema);
    expect(schema, name).toBe('api/schema.json');
  }
});

/** Invisible characters with an effect. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

test('hostile text in every field is text on every page', async () => {
  const run = broken(sampleRunOn('main', 2), average);
  const evil = [poisoned(run), { ...run, seed: 2, findings: sampleRuns()[5]?.findings ?? [] }];
  const files = readFiles(
    await published(evil.map((run, at) => writeRun(folder(`in-${at}`), run, poisoned(sampleEntries)))),
  );
  expect(Object.keys(files).length).toBeGreaterThan(25);
  for (const [name, text] of Object.entries(files)) {
    expect(text.replaceAll('\n', '').match(unseen)?.[0], name).toBeUndefined();
    if (name.endsWith('.js')) continue;
    expect(text.includes('<script>'), name).toBe(false);
    expect(text.includes('<img src="http'), name).toBe(false);
    expect(text.includes('<!--'), name).toBe(false);
  }
});

test('exchanges of findings are kept, and all of them on request', async () => {
  const input = writeRun(folder('in'), broken(sampleRunOn('main', 2), average));
  const kept = (site: string): string[] =>
    globSync('t/main/runs/*/exchanges/*', { cwd: site })
      .map((path) => path.replace(/.*\//, ''))
      .sort();
  expect(kept(await published([input]))).toEqual(['4', '6', '9']);
  const all = await published([input], 'site', { all: true });
  expect(kept(all)).toHaveLength(16);
  const whole = readFiles(all);
  expect(readFiles(await published([input]))).toEqual(whole);
  expect(readFiles(await published([input], 'other', { all: true }))).toEqual(whole);
});

test('a run without a verdict changes no standing and mends nothing', async () => {
  const runs = [broken(sampleRunOn('main', 2), average), ...sampleRuns().slice(3, 4)];
  const site = await published(runs.map((run, at) => writeRun(folder(`in-${at}`), run)));
  const [target] = JSON.parse(readFiles(site)['api/index.json'] ?? '').targets;
  expect(target).toMatchObject({ verdict: 'nonconformant', since: '2026-11-02T03:17:00.000Z' });
  expect(target.news).toBeUndefined();
  expect(readFiles(site)['index.html']).toContain('came to no verdict: the API key was refused');
});

test('a badge says of when', async () => {
  const files = readFiles(await published([writeRun(folder('in'), broken(sampleRunOn('main', 2), average))]));
  expect(JSON.parse(files['badges/main.json'] ?? '')).toEqual({
    schemaVersion: 1,
    label: 'main',
    message: '✗ 1 must broken, 2026-11-02',
    color: 'red',
  });
  expect(files['badges/main.svg']).toContain('✗ 1 must broken, 2026-11-02');
});

test('a run is found by its label and its commit', async () => {
  const names = { label: 'release 2.1', commit: '9f2c1ab5d0c4e7f8' };
  const files = readFiles(await published([writeRun(folder('in'), sampleRunOn('main', 1, names))]));
  expect(JSON.parse(files['api/targets/main.json'] ?? '').runs).toMatchObject([names]);
  expect(files['t/main/index.html']).toMatch(
    /Runs by label and commit.*Conformant, 15 of 15 judged, release 2\.1, 9f2c1ab5d0c4</s,
  );
  expect(files['compare/index.html']).toContain(
    'Conformant, 15 of 15 judged, release 2.1, 9f2c1ab5d0c4</option>',
  );
});

test('the first page of 1,000 runs stays below 150 KB, under each of its filters', () => {
  const [sample] = sampleRunOn('main', 1).rules;
  if (!sample) throw new Error('the sample has no rule');
  const rules = Array.from({ length: 115 }, (_, index) => ({ ...sample, id: `candle/rule-${index}` }));
  const makeRun = (name: string, index: number): Run => ({
    ...sampleRunOn(name, 1),
    startedAt: new Date(options.now - (250 - index) * 86_400_000).toISOString(),
    rules: rules.map((rule, at) => ({ ...rule, outcome: (at + index) % 20 === 0 ? 'failed' : 'passed' })),
  });
  const stories = ['legacy', 'mainnet', 'staging', 'testnet'].flatMap((name) => {
    const runs = Array.from({ length: 250 }, (_, at) =>
      makeRecord(makeRun(name, at), contentId({ name, at })),
    );
    const ruleLists = Object.fromEntries(runs.map((run) => [run.record.rules, run.rules]));
    return (
      readStory({ name, slug: name, ruleLists, runs: sortByTime(runs.map(({ record }) => record)) }) ?? []
    );
  });
  const records = {
    ...{
      now: new Date(options.now).toISOString(),
      stories,
      matrices: [],
      loads: [],
      months: [],
    },
    rules: rules.map((rule) => ({ ...rule, target: 'mainnet', run: '0', startedAt: '2026-11-01T00:00:00Z' })),
  };
  const read = (slug: string, id: string) => ({ slug, id, run: makeRun(slug, 249) });
  const pages = indexFiles(records, read).filter(([path]) => path.endsWith('.html'));
  expect(pages.map(([path]) => path)).toEqual(['index.html', 'changed/index.html', 'all/index.html']);
  expect(pages.at(-1)?.[1].match(/rules\/#rule\/candle\/rule-\d+">/g)).toHaveLength(115);
  for (const [path, text] of pages) expect(text.length, path).toBeLessThan(150_000);
});

test('run page, target, first page and feed say what is wrong in one sentence', async () => {
  const run = broken(sampleRunOn('main', 3), average);
  const site = readFiles(
    await published([writeRun(folder('a'), sampleRunOn('main', 2)), writeRun(folder('b'), run)]),
  );
  const sentence = causeHeadline(run, findCauses(run));
  const id = contentId(run);
  for (const page of [`t/main/runs/${id}/index.html`, 't/main/index.html', 'index.html', 'feed.xml'])
    expect(site[page]?.replace(/<[^>]*>/g, ''), page).toContain(sentence);
});

test('pages of a first and only run speak of no run before it', async () => {
  const files = readFiles(await published([writeRun(folder('in'), sampleRunOn('main', 2))], 'only'));
  const pages = Object.entries(files).filter(([name]) => /^t\/main\/.*html$/.test(name));
  expect(pages.length).toBe(3);
  for (const [name, text] of pages)
    expect(text, name).not.toMatch(/last 1 run|differs? from the run before|What changed by/);
  expect(files['t/main/index.html']).toContain('>Rules of the only run</h2>');
});

test('a rule of two APIs is under its group, not under a heading of the document of one', async () => {
  const named = (target: string, section: string): string => {
    const run = sampleRunOn(target, 2);
    const rules = run.rules.map((rule) => (rule.id === average ? { ...rule, section } : rule));
    return writeRun(folder(target), { ...run, rules });
  };
  const [one, two] = [named('kraken', 'Kraken OHLC'), named('main', '2.2')];
  const alone = readFiles(await published([one], 'alone'));
  expect(alone['rules/index.html']).toContain('Kraken OHLC');
  const both = readFiles(await published([one, two], 'both'));
  expect(both['rules/index.html']).toContain('>candle</h2>');
  expect(both['rules/index.html']).not.toContain('Kraken');
});

test('the feed lists changed verdicts, the newest first', async () => {
  const runs = [sampleRunOn('main', 1), broken(sampleRunOn('main', 2), average), sampleRunOn('main', 3)];
  const site = await published(runs.map((run, at) => writeRun(folder(`in-${at}`), run)));
  const feed = readFiles(site)['feed.xml'] ?? '';
  const titles = [...feed.matchAll(/<entry><title>([^<]*)/g)].map(([, title]) => title);
  expect(titles).toEqual([
    'main: conformant, 15 of 15 judged, before nonconformant',
    'main: nonconformant, 15 of 15 judged, before conformant: Averages lie outside low and high',
  ]);
  expect(feed).toContain(`<updated>2026-11-03T03:17:00.000Z</updated><author>`);
  expect(feed).toContain(`1 newly failing: ${average}`);
  for (const [, link = ''] of feed.matchAll(/<entry>.*?href="([^"]*)"/g))
    expect(Object.keys(readFiles(site))).toContain(`${link}index.html`);
});

test('a rule that newly fails at a target that failed before is news', async () => {
  const before = broken(sampleRunOn('main', 2), average);
  const worse = broken(sampleRunOn('main', 3), average);
  const other = worse.rules.find(({ outcome, level }) => outcome === 'passed' && level === 'must')?.id;
  const rules = worse.rules.map((rule) =>
    rule.id === other ? { ...rule, outcome: 'failed' as const } : rule,
  );
  const runs = [
    before,
    { ...worse, rules },
    { ...worse, rules, seed: 9, startedAt: '2026-11-04T03:17:00.000Z' },
  ];
  const site = await published(runs.map((run, at) => writeRun(folder(`in-${at}`), run)));
  const entries = readFiles(site)['feed.xml']?.match(/<entry>.*?<\/entry>/gs) ?? [];
  expect(entries).toHaveLength(1);
  expect(entries[0]).toContain('main: nonconformant, 15 of 15 judged, 1 newly failing');
  expect(entries[0]).toContain(`1 newly failing: ${other}`);
});

test('targets that differ by their port only are separate, and a name given to both joins them', async () => {
  const at = (port: number, run: Run, name = 'api.example'): Run => ({
    ...run,
    target: { ...run.target, name, baseUrl: `https://api.example:${port}/dex` },
  });
  const bad = broken(sampleRunOn('main', 2), average);
  const good = sampleRunOn('main', 3);
  const apart = readFiles(
    await published([at(8443, bad), at(8080, good)].map((run, n) => writeRun(folder(`${n}`), run))),
  );
  expect(apart['index.html']).toContain('api.example:8443');
  expect(apart['index.html']).toContain('api.example:8080');
  expect(apart['index.html']).not.toContain('1 fixed');
  const runs = [at(8443, bad, 'main'), at(8080, good, 'main')];
  const joined = readFiles(
    await published(
      runs.map((run, n) => writeRun(folder(`joined-${n}`), run)),
      'joined',
    ),
  );
  expect(joined['index.html']).toContain('1 fixed');
});

test('what is no run of ours is refused with the file and the place', async () => {
  const run = sampleRunOn('main', 1);
  const wrong = writeRun(folder('wrong'), { ...run, startedAt: 'yesterday' });
  await expect(published([wrong])).rejects.toThrow(/wrong\/run\.json: \/startedAt must match pattern/);
  await expect(published([folder('nowhere')])).rejects.toThrow(/nowhere: there is no such folder or file/);
  const foreign = writeRun(folder('foreign'), broken(run, average));
  writeFileSync(join(foreign, 'exchanges.har'), JSON.stringify({ log: { entries: [] } }));
  await expect(published([foreign])).rejects.toThrow('is no recording of ours');
});

test('another recording beside the same run is refused', async () => {
  const run = broken(sampleRunOn('main', 2), average);
  await published([writeRun(folder('one'), run)]);
  const other = sampleEntries.map((sampleEntry) => ({ ...sampleEntry, time: 99 }));
  await expect(published([writeRun(folder('two'), run, other)])).rejects.toThrow(/holds another exchange/);
});

test('a site that knows its address has a picture for those who share a link to it', async () => {
  const site = await published([], 'shared', { address: new URL('https://data.example/candles/') });
  const page = readFileSync(join(site, 'index.html'), 'utf8');
  const [, picture = ''] = /<meta property="og:image" content="([^"]+)">/.exec(page) ?? [];
  expect(picture).toBe('https://data.example/candles/assets/cover.png');
  const file = readFileSync(join(site, new URL(picture).pathname.replace('/candles/', '')));
  expect(file.subarray(1, 4).toString()).toBe('PNG');
  expect(readFileSync(join(empty, 'index.html'), 'utf8')).not.toContain('og:image');
});
