import { expect, test } from '@playwright/test';
import { begin, isoTime, judgeTables, listTimes, makeRows, type SampleRow } from '../testing/tables.ts';

const days = makeRows(listTimes(60, 86_400));
const hours = makeRows(listTimes(48, 3600));
const minutes = makeRows(listTimes(120, 60));

type Parts = readonly [year: number, month: number, day: number, hour: number, minute: number];

/** Writes a table whose time is in the cells that `write` makes of its parts. */
function writeTable(
  rows: readonly SampleRow[],
  head: string,
  write: (parts: Parts, row: SampleRow) => readonly (string | number)[],
): string {
  const lines = rows.map((row) => {
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0] =
      isoTime(row.time).match(/\d+/g)?.map(Number) ?? [];
    return [...write([year, month, day, hour, minute], row), row.open, row.high, row.low, row.close].join();
  });
  return [`${head},Open,High,Low,Close`, ...lines].join('\n');
}

const tables: readonly (readonly [rows: readonly SampleRow[], text: string])[] = [
  [days, writeTable(days, 'Year,Month,Day', ([y, m, d]) => [y, m, d])],
  [days, writeTable(days.toReversed(), 'DAY,MONTH,YEAR', ([y, m, d]) => [d, m, y])],
  [
    days,
    writeTable(days, '"note","<Month>","<Day>","<Year>"', ([y, m, d]) => [
      '"a, ""b"""',
      ['Jan', 'February', 'MAR'][m - 1] ?? '',
      d,
      y,
    ]),
  ],
  [hours, writeTable(hours, 'year,month,day,hour', ([y, m, d, h]) => [y, m, d, h])],
  [minutes, writeTable(minutes, 'Hour,Minute,Year,Month,Day', ([y, m, d, h, min]) => [h, min, y, m, d])],
  [
    minutes,
    writeTable(minutes, 'year,month,day,Time', ([y, m, d], { time }) => [y, m, d, isoTime(time).slice(11)]),
  ],
];

for (const [rows, text] of tables)
  test(`a time in columns of ${text.slice(0, text.indexOf(',Open'))} is read as one`, async () => {
    const { verdict, files } = await judgeTables({ a: text }, {}, 700);
    const [file] = files;
    expect([verdict, file?.rows, file?.from, file?.to]).toEqual([
      'sound',
      rows.length,
      begin,
      rows.at(-1)?.time,
    ]);
  });

test('the unit and further columns can be given, and the second line names the parts', async () => {
  const text = writeTable(days, 'Year,Month,Day', ([y, m, d]) => [y, m, d]).replace('Close', 'Third');
  const { files } = await judgeTables({ a: text }, { unit: 'dmy', columns: { byName: { close: '7' } } });
  expect(files[0]?.form?.columns).toMatchObject({ date: 'Year-Month-Day', close: 'Third' });
});

test('a date that does not exist is refused with its line', async () => {
  const text = writeTable(days, 'Year,Month,Day', ([y, m, d]) => [y, m, m === 2 && d === 28 ? 30 : d]);
  await expect(judgeTables({ a: text })).rejects.toThrow('line 60: "2019-02-30" is no time');
});

test('the year, month and day of a time that has a column are facts about it', async () => {
  for (const name of ['Date', '', 'Kuupäev']) {
    const text = writeTable(minutes, `Year,Month,Day,${name}`, ([y, m, d], { time }) => [
      y,
      m,
      d,
      isoTime(time),
    ]);
    const shown = name === '' ? undefined : name;
    const { files } = await judgeTables({ a: text });
    expect(files[0]).toMatchObject({
      interval: '1m',
      from: begin,
      form: { columns: { time: shown ?? '4' } },
    });
  }
});
