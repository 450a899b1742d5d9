import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { galleryFiles } from '../pages/gallery-page.ts';
import { galleryEntries } from './publish-site.ts';

const gallery = galleryEntries();
const [[, page = ''] = [], [, json = ''] = []] = galleryFiles(gallery);
const document = readFileSync('docs/gallery.md', 'utf8');

test('the page of the gallery has the entries and figures of its document', () => {
  const rows = [...document.matchAll(/^\| ([\w-]+) \| ((?:\d+ \| )+\d+) \|$/gm)];
  const header = (/^\| entry \| in all \| (.*) \|$/m.exec(document)?.[1] ?? '').split(' | ');
  const entries: ReturnType<typeof galleryEntries> = JSON.parse(json).entries;
  expect(entries.map(({ name }) => name)).toEqual(rows.map(([, name]) => name));
  expect(entries.length).toBeGreaterThanOrEqual(10);
  for (const [at, { name, groups, maxRows, lacksIdle, all }] of entries.entries()) {
    const figures = header.map(
      (group) => groups.find((entryGroup) => entryGroup.group === group)?.judged ?? 0,
    );
    const total = figures.reduce((sum, judged) => sum + judged, 0);
    expect(rows[at]?.[2], name).toBe([total, ...figures].join(' | '));
    expect(page).toContain(`<dd>${total} of ${all} rules and questions</dd>`);
    const row = new RegExp(
      `^\\| ${name} \\| .* \\| has ${lacksIdle ? 'no' : 'a'} row \\| .* beyond ${maxRows}`,
      'm',
    );
    expect(document).toMatch(row);
    expect(document).toContain(`of the ${all} of the catalogue`);
  }
});

test('each entry has its source, its limits and a command to copy', () => {
  for (const { name, source, read, maxRows, ratePerMinute, needsKey } of gallery) {
    const section = page.slice(page.indexOf(`<h2 id="${name}"`)).split('</section>', 1)[0] ?? '';
    expect(section).toContain(`<code>${source}</code>, read on ${read}`);
    expect(section).toContain(`${maxRows?.toLocaleString('en')} rows in a response`);
    expect(section).toContain(`${ratePerMinute?.toLocaleString('en')} requests a minute`);
    const command = `npx candleproof check --spec ${name}${needsKey ? ' --api-key-file key' : ''}`;
    expect(section).toContain(`<pre class="command">${command}</pre>`);
  }
});

test('the gallery begins with a table that has each exchange by its name', () => {
  const rows = [...page.matchAll(/<tr><th scope="row"><a href="#([\w-]+)">([^<]*)<\/a><\/th>(.*?)<\/tr>/g)];
  expect(rows.map(([, name]) => name)).toEqual(gallery.map(({ name }) => name));
  for (const [row, name = '', title = ''] of rows) {
    expect(title.toLowerCase().replaceAll(' ', '')).toContain(name.replaceAll('-', ''));
    expect(row).toContain(`npx candleproof check --spec ${name}`);
    expect(row).toMatch(/\d+ of \d+ rules and questions<.*>at most [\d,]+ a minute, with(out)? a key</);
  }
});
