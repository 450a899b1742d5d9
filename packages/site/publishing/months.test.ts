import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openForWriting } from '@candleproof/monitors/results/open-source';
import { recordMany } from '@candleproof/monitors/results/testing/many-slots';
import { expect, test } from '@playwright/test';
import type { MonthRecord } from '../month.ts';
import { monitorListFile, monthFiles } from '../pages/month-page.ts';
import { publishSite } from './publish-site.ts';
import { SiteFolder } from './site-folder.ts';

const begin = Date.UTC(2026, 9, 28);
const day = 86_400_000;

async function recordStore(name: string, days: number): Promise<string> {
  const data = test.info().outputPath(name);
  const store = await openForWriting({ kind: 'folder', folder: data });
  await recordMany(store, { begin, days, period: 3_600_000 });
  await store.close();
  return data;
}

function read(site: SiteFolder, path: string): string {
  return readFileSync(join(site.folder, path), 'utf8');
}

test('a month that is over stays as it was reported, the running one goes on', async () => {
  const site = new SiteFolder(test.info().outputPath('site'));
  const october = 'monitor/mainnet/2026-10/fra-1.json';
  const november = 'monitor/mainnet/2026-11/fra-1.json';
  await publishSite([await recordStore('early', 6)], site, { now: begin + 6 * day, all: false });
  const [first, running] = [read(site, october), JSON.parse(read(site, november))];
  expect(JSON.parse(first)).toMatchObject({ month: '2026-10', isOver: true, location: 'fra-1' });
  expect(JSON.parse(first).days).toHaveLength(4);
  expect([running.isOver, running.days.length]).toEqual([false, 2]);
  await publishSite([await recordStore('late', 20)], site, { now: begin + 20 * day, all: false });
  expect(read(site, october)).toBe(first);
  expect(JSON.parse(read(site, november)).days).toHaveLength(16);
  await publishSite([test.info().outputPath('early')], site, { now: begin + 20 * day, all: false });
  expect(JSON.parse(read(site, november)).days).toHaveLength(16);
});

test('a month tells counts with their number of slots, and both looks', async () => {
  const site = new SiteFolder(test.info().outputPath('site'));
  await publishSite([await recordStore('data', 20)], site, { now: begin + 20 * day, all: false });
  const page = read(site, 'monitor/mainnet/2026-11/index.html');
  const { days } = JSON.parse(read(site, 'monitor/mainnet/2026-11/fra-1.json'));
  const [{ due, ran, indicators }] = days;
  expect(ran).toBeLessThanOrEqual(due);
  expect(indicators.availability.good + indicators.availability.bad).toBeLessThanOrEqual(ran);
  expect(page).toContain('By the first attempt');
  expect(read(site, 'monitor/index.html')).toContain('./mainnet/2026-11/'.slice(2));
});

test('a month page marks the bad days and joins the good ones, and the index names correctness', async () => {
  const good = { good: 180, bad: 0 };
  const makeDay = (number: number, correctness = good): MonthRecord['days'][number] => ({
    ...{ day: `2026-11-${String(number).padStart(2, '0')}`, due: 180, ran: 180, outcomes: {} },
    indicators: { availability: good, correctness },
  });
  const days = Array.from({ length: 30 }, (_, at) =>
    makeDay(at + 1, at === 17 ? { good: 31, bad: 149 } : good),
  );
  const month: MonthRecord = {
    ...{ target: 'testnet', slug: 'testnet', month: '2026-11', location: 'fra1', to: begin, isOver: true },
    ...{ objectives: [{ indicator: 'correctness', objective: 0.995 }], days, incidents: [] },
  };
  const [[, page] = ['', '']] = monthFiles({ months: [month], stories: [] });
  const rows = [...page.matchAll(/<tr><th scope="row">([^<]*)<\/th>(.*?)<\/tr>/g)];
  expect(rows.map(([, day]) => day)).toEqual([
    '2026-11-01 to 17, 17 days',
    '2026-11-18',
    '2026-11-19 to 30, 12 days',
  ]);
  expect(rows.map(([row]) => row.includes('mark failed'))).toEqual([false, true, false]);
  expect(rows[0]?.[2]).toContain('3,060 of 3,060');
  const [, index] = monitorListFile({
    months: [month],
    stories: [],
    rules: [],
    matrices: [],
    loads: [],
    now: '',
  });
  expect(index).toContain('97.24 %, 5,251 of 5,400');
  expect(page).toContain('97.24 %, 5,251 of 5,400');
});

test('a month has the color of its objectives, and a bar for each of its days', () => {
  const record = (bad: number, ran: number, days = 1): MonthRecord => ({
    ...{ target: 'testnet', slug: 'testnet', month: '2026-11', location: 'fra1', to: begin, isOver: true },
    objectives: [{ indicator: 'availability', objective: 0.99 }],
    days: Array.from({ length: days }, (_, at) => ({
      ...{ day: `2026-11-${String(at + 1).padStart(2, '0')}`, due: ran, ran },
      ...{ outcomes: { ok: ran - bad, failed: bad }, indicators: { availability: { good: ran - bad, bad } } },
    })),
    incidents: [],
  });
  const draw = (month: MonthRecord): string => monthFiles({ months: [month], stories: [] })[0]?.[1] ?? '';
  const once = draw(record(2, 4));
  expect(once).toContain('class="banner nonconformant"');
  expect(once).toContain('<h1>testnet, 2026-11: 2 of 4 probes failed, no incident</h1>');
  expect(once).toContain(
    'aria-label="Days seen from fra1, 2026-11-01 to 2026-11-30: 1 failed, 29 not judged"',
  );
  expect(once.match(/<path class="none"/g)).toHaveLength(29);
  expect(draw(record(0, 4))).toContain('Too few probes to prove its objectives');
  expect(draw(record(0, 144, 30))).toContain('class="banner conformant"');
});

test('the notes of an incident stand beside it, those that come after its month too', async () => {
  const site = new SiteFolder(test.info().outputPath('site'));
  const data = await recordStore('data', 20);
  const publish = (): Promise<unknown> => publishSite([data], site, { now: begin + 20 * day, all: false });
  const october = 'monitor/mainnet/2026-10/';
  await publish();
  const [incident] = JSON.parse(read(site, `${october}fra-1.json`)).incidents;
  const store = await openForWriting({ kind: 'folder', folder: data });
  const detail = { about: incident.id, words: 'kim: <their> balancer' };
  await store.record({ events: [{ at: begin + 5 * day, kind: 'note', detail }] });
  await store.close();
  await publish();
  expect(JSON.parse(read(site, `${october}fra-1.json`)).incidents[0].notes).toEqual([
    { at: begin + 5 * day, words: detail.words },
  ]);
  expect(read(site, `${october}index.html`)).toContain('2026-11-02 00:00 kim: &lt;their&gt; balancer');
});
