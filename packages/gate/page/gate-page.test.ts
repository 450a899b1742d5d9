import { expect, test } from '@playwright/test';
import { formatCsv, judgeTables, listTimes, makeRows, rollUpRows } from '../testing/tables.ts';
import { gatePage } from './gate-page.ts';

const rows = makeRows(listTimes(288, 300));

test('the page names verdict, rows, ranges and rules with what they are counted of', async () => {
  const broken = rows.map((row, at) => (at === 7 ? { ...row, low: row.high + 1 } : row));
  const html = gatePage(await judgeTables({ 'a.csv': formatCsv(broken) }), '1.2.3');
  for (const text of [
    ...[
      '<h1>a.csv:9: high: at least ',
      '<b class="verdict">Damaged: 1 range</b>',
      ' · 288 rows · 0 intervals without a row (--gaps ',
      'Candleproof 1.2.3',
    ],
    ...['<code>candle/low-is-lowest</code>', 'low ≤ open, high and close.', '2019-01-01 00:35:00 UTC'],
  ])
    expect(html).toContain(text);
});

test('the page shows the damage of a table of several files with the file of each', async () => {
  const broken = rows.map((row, at) => (at === 200 ? { ...row, low: row.high + 1 } : row));
  const tables = {
    'a-2019-01-01.csv': formatCsv(broken.slice(0, 144)),
    'a-2019-01-02.csv': formatCsv(broken.slice(144)),
  };
  const html = gatePage(await judgeTables(tables), '1');
  expect(html).toContain('<a href="#file-1">a-*.csv</a>: 1 marked range<');
  expect(html).toContain('<title>a-2019-01-02.csv, line 58: impossible, ');
  expect(html).toMatch(/<th scope="row">a-2019-01-02\.csv:58</);
});

test('the page compares two intervals and says what was not judged', async () => {
  const pages = await judgeTables({
    'm.csv': formatCsv(rows),
    'h.csv': formatCsv(rollUpRows(rows, 12)),
    'none.csv': '',
  });
  const html = gatePage(pages, '1');
  expect(html).toContain('h.csv against m.csv: 24 candles with all parts, all agree');
  expect(html).toContain('<h1>Not judged: none.csv: no rows</h1>');
  expect(html).toContain('not judged');
});

test('no text of a file becomes markup, in names, columns, JSON or titles', async () => {
  const evil = '</script><img src=x onerror=alert(1)>';
  const text = formatCsv(rows.slice(0, 30)).replace(',Open', `${evil},Open`);
  const html = gatePage(
    await judgeTables({ [`${evil}.csv`]: text }, { columns: { byName: { time: evil } } }),
    evil,
  );
  expect(html).not.toContain('<img');
  expect(html.match(/<\/script>/g)).toHaveLength(1);
});

test('a strip shows where in its file the damage lies, by the name of the file alone', async () => {
  const broken = rows.map((row, at) => (at === 144 ? { ...row, low: row.high + 1 } : row));
  const html = gatePage(await judgeTables({ 'folder/a.csv': formatCsv(broken) }), '1');
  expect(html).toMatch(/<rect class="lost" x="50[01](\.\d+)?"[^>]*><title>line 146: impossible, /);
  expect(html.slice(0, html.indexOf('<script'))).not.toContain('folder/');
});

test('only the first ranges of a long list are shown, and the page says so', async () => {
  const broken = makeRows(listTimes(3000, 300)).map((row, at) =>
    at % 2 ? { ...row, low: row.high + 1 } : row,
  );
  const html = gatePage(await judgeTables({ a: formatCsv(broken) }), '1');
  expect(html).toContain('The first 500 are shown; damage.ndjson has 1,500.');
  expect(html.length).toBeLessThan(600_000);
});

test('the page draws the candles around the worst place, and holds no more of the file', async () => {
  const broken = makeRows(listTimes(20_000, 300)).map((row, at) =>
    at === 9000 ? { ...row, low: row.high + 1 } : at % 3000 === 7 ? { ...row, volume: -1 } : row,
  );
  const gated = await judgeTables({ 'a.csv': formatCsv(broken.toSpliced(12_000, 1)) });
  expect(gated.worst?.range).toMatchObject({ line: 9, kind: 'impossible' });
  expect(gated.worst?.candles).toHaveLength(7 + 1 + 15);
  expect(gatePage(gated, '1')).toContain('<b>The candles around line 9 of a.csv</b>');
});

test('a missing row is a dashed slot with its time among its neighbors', async () => {
  const html = gatePage(
    await judgeTables({ 'a.csv': formatCsv(rows.toSpliced(100, 1)) }, { gaps: 'none' }),
    '1',
  );
  expect(html).toContain('<title>2019-01-01 08:20 UTC is missing</title>');
});

test('an unreadable row, two rows of one interval and a wrong roll-up have their drawings', async () => {
  const lines = formatCsv(rows).split('\n');
  const draw = async (tables: Record<string, string>): Promise<string> =>
    gatePage(await judgeTables(tables), '1');
  const unread = lines.with(50, lines[50]?.replace(/,[^,]*/, ',oops') ?? '').join('\n');
  expect(await draw({ 'a.csv': unread })).toContain('is unreadable</title>');
  expect(await draw({ 'a.csv': lines.toSpliced(50, 0, lines[50] ?? '').join('\n') })).toMatch(
    / twice<\/text>/,
  );
  const hours = rollUpRows(rows, 12).map((row, at) => (at === 5 ? { ...row, high: row.high + 9 } : row));
  const html = await draw({ 'm.csv': formatCsv(rows), 'h.csv': formatCsv(hours) });
  expect(html).toContain('<b>The candle of line 7 of h.csv and its parts</b>');
  expect(html).toContain('>whole</text>');
});
