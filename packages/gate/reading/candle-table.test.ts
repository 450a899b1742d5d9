import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { CandleTable } from './candle-table.ts';
import { readColumns } from './columns.ts';
import type { TableChoice, TableRow } from './table.ts';

function read(text: string | Uint8Array, choice: TableChoice = {}, size = 1 << 16): TableRow[] {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const rows: TableRow[] = [];
  const table = new CandleTable(choice, true, (row) => rows.push({ ...row }));
  for (let at = 0; at < bytes.length; at += size) table.feed(bytes.slice(at, at + size));
  table.end();
  return rows;
}

const prices = ({ start, open, high, low, close }: TableRow): number[] => [start, open, high, low, close];
const one = [1_546_300_800, 1, 4, 0.5, 2];

test('columns are recognized by the names that exports use', () => {
  const heads = [
    ...[',Open,High,Low,Close,Volume', 'Date,Open,High,Low,Close,Adj Close,Volume', 'ts,o,h,l,c,v'],
    ...[
      'Gmt time,OPEN,HIGH,LOW,CLOSE,VOL',
      'open_time,open,high,low,close,volume',
      '"timestamp","open","high","low","close"',
    ],
  ];
  for (const head of heads) {
    const [row] = read(`${head}\n2019-01-01 00:00:00,1,4,0.5,2,7,8`);
    expect(prices(row as TableRow), head).toEqual(one);
  }
  const other = 'https://a.site\nunix,date,symbol,low,high,open,close\n1546300800,2019-01-01,X/Y,0.5,4,1,2\n';
  expect(read(other).map(prices)).toEqual([one]);
  const both =
    'timestampSeconds,startTimestampSeconds,open,high,low,close\n1546304400,1546300800,1,4,0.5,2\n';
  expect(read(both).map(prices), 'of both ends of an interval its start').toEqual([one]);
});

test('a number of ticks is the volume if that is 0 in every row', () => {
  const first = (volume: string): number | undefined =>
    read(`date,open,high,low,close,tickvol,vol\n2019-01-01,1,4,0.5,2,592,${volume}\n`)[0]?.volume;
  expect([first('0'), first('7')]).toEqual([592, 7]);
});

test('separators, quotation marks, line ends, byte order mark and decimal comma do not matter', () => {
  const texts = [
    'time;open;high;low;close\r\n2019-01-01;1,0;4,0;0,5;2,0\r\n',
    'time\topen\thigh\tlow\tclose\n\n2019-01-01\t1\t4\t0.5\t2',
    '\ufefftime,open,high,low,close\n"2019-01-01",1,"4",0.5,"2"\n,,,,\n',
    '<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\n2019.01.01\t00:00:00\t1\t4\t0.5\t2\n',
    '{"time":"2019-01-01","open":1,"high":"4","low":0.5,"close":2}\n',
    '\n[1546300800000,1,4,0.5,2]\n',
  ];
  for (const text of texts) expect(read(text).map(prices), text).toEqual([one]);
});

test('a quoted separator in a cell does not shift the other cells', () => {
  const text = 'time,note,open,high,low,close\n2019-01-01,"a, ""b""",1,4,0.5,2\n2019-01-02,plain,1,4,0.5,2\n';
  expect(read(text).map(prices)).toEqual([one, [1_546_387_200, 1, 4, 0.5, 2]]);
});

test('a quoted cell with line breaks does not shift the rows or their lines, however the bytes are chunked', () => {
  const note = '"a ""b"",\r\n1546300861,1,2,1,2\n"';
  const rows = Array.from(
    { length: 99 },
    (_, at) => `${1_546_300_800 + 60 * at},1,2,1,2,${at % 9 === 4 ? note : 'plain'}`,
  );
  const last = `time,open,high,low,close,note\n${rows.join('\n')}`;
  const first = last.replaceAll(/^(.*?2|time.*?close),(note|plain|".*\r\n.*\n")$/gm, '$2,$1');
  const lines = Array.from({ length: 99 }, (_, at) => at + 2 + 2 * Math.ceil(Math.max(0, at - 4) / 9));
  expect(read(last).map(({ start }) => start)).toEqual(rows.map((_, at) => 1_546_300_800 + 60 * at));
  expect(read(last).map(({ line }) => line)).toEqual(lines);
  for (const size of [1, 7, 64, 500]) expect(read(last, {}, size)).toEqual(read(last));
  expect(read(first).map(prices)).toEqual(read(last).map(prices));
  expect(read(first, {}, 16)).toEqual(read(first));
});

test('a comma is a decimal point where it cannot separate thousands, or where semicolons part the cells', () => {
  const head = 'time;open;high;low;close;volume\n';
  const [row] = read(`${head}1546300800;100,125;100,5;99,977;100;1,5\n`);
  expect([...prices(row as TableRow), row?.volumeText]).toEqual([
    1_546_300_800,
    100.125,
    100.5,
    99.977,
    100,
    '1.5',
  ]);
  const quoted = (close: string): number | undefined =>
    read(`time,open,high,low,close\n1546300800,"1,000","1,000","1,000","${close}"\n`)[0]?.open;
  expect([quoted('1,000'), quoted('1,0005'), quoted('1,000.5')]).toEqual([1000, 1, 1000]);
});

test('points separate thousands in every column of a table with decimal commas', () => {
  const row = (volume: string, close = '12.267,26'): TableRow | undefined =>
    read(
      `time;open;high;low;close;volume\n1546300800;12.200;12.300,5;12.100;12.250,1;1.102.103\n1546300860;12.200;12.300;12.100;${close};${volume}\n`,
    )[1];
  const { open, close, volume, volumeText } = row('207.300') as TableRow;
  expect([open, close, volume, volumeText]).toEqual([12_200, 12_267.26, 207_300, '207300']);
  expect(row('1', '12267.26')?.unread).toEqual({ column: 'close', text: '12267.26, after decimal commas' });
});

test('one column can have several roles', () => {
  const columns = readColumns('time=t,open=p,high=p,low=p,close=p');
  expect(read('t,p\n1546300800,3\n', columns && { columns }).map(prices)).toEqual([
    [1_546_300_800, 3, 3, 3, 3],
  ]);
});

test('columns are read in the given order, or by their names', () => {
  const columns = readColumns('time,-,open,high,low,close');
  expect(read('1546300800,9,1,4,0.5,2\n', columns && { columns }).map(prices)).toEqual([one]);
  expect(read('a,b,c,d,e,f\n1546300800,9,1,4,0.5,2\n', columns && { columns }).map(prices)).toEqual([one]);
  const named = readColumns('open=first,close=5');
  const text = 'time,first,high,low,last\n1546300800,1,4,0.5,2\n';
  expect(read(text, named && { columns: named }).map(prices)).toEqual([one]);
});

test('rows without a header are read in the order of exchanges', () => {
  const binance = '1546300800000,1,4,0.5,2,7,1546300859999,9,3,1,2,0\n';
  const texts = [
    binance,
    binance.replaceAll('000,', '000000,'),
    '20190101 000000;1;4;0.5;2;0\n',
    '2019.01.01,00:00,1,4,0.5,2,9\n',
  ];
  for (const text of texts) expect(read(text).map(prices), text).toEqual([one]);
  expect(read(binance)[0]?.volume).toBe(7);
  expect(read(`${binance}1546300860000,9,1,4,2,7\n${binance.repeat(5)}`)).toHaveLength(7);
  expect(() => read('1546300800,0.5,4,1,2,7\n')).toThrow(
    /^line 1: the order of the values is not certain; give --columns/,
  );
});

test('an order that the first rows leave open, as prices do not move there, is read from later ones', () => {
  const moves = ['4,5,4,5', '3,4,3,4', '4,4,3,3', '5,5,4,4'];
  const lines = Array.from({ length: 200 }, (_, at) => {
    const values = at < 100 ? '5,5,5,5' : moves[at % 4];
    return `${1_546_300_800 + 60 * at},${values},7\n`;
  });
  for (const size of [100, 1 << 16])
    expect(prices(read(lines.join(''), {}, size)[101] as TableRow)).toEqual([1_546_306_860, 4, 4, 3, 3]);
});

test('a unit that puts times where no candles are is refused', () => {
  const head = 'time,open,high,low,close\n';
  const [seconds, millis] = [`${head}1546300800,1,4,0.5,2\n`, `${head}1546300800000,1,4,0.5,2\n`];
  expect(() => read(millis, { unit: 's' })).toThrow(
    /^line 2: "1546300800000" in s is \+050970-.*, in ms 2019-01-01.*; fix --unit$/,
  );
  expect(() => read(seconds, { unit: 'ms' })).toThrow(
    /in ms is 1970-01-18.*, in s 2019-01-01T00:00:00Z; fix --unit/,
  );
  expect(() => read(`${head}60000000000,1,4,0.5,2\n`)).toThrow(/in s is 3871-.*; fix --unit/);
  expect(() => read('{"time":1546300800000,"o":1,"h":1,"l":1,"c":1}\n', { unit: 's' })).toThrow(/fix --unit/);
  expect(read(`${head}-252460800000,1,4,0.5,2\n`, { unit: 'ms' })).toHaveLength(1);
  expect(() => read(`${head}03/04/2019,1,4,0.5,2\n`)).toThrow(
    /^line 2: is "03\/04\/2019" its day or its month first\?/,
  );
  expect(read(`${head}04/03/2019,1,4,0.5,2\n13/03/2019,1,4,0.5,2\n`)[0]?.start).toBe(1_551_657_600);
});

test('line numbers and digits of volumes are exact', () => {
  const text =
    'time,open,high,low,close,volume\n\n1546300800,1,1,1,1,0.10\n"1546300860",1,1,1,1,12345678901234567890.5\n';
  expect(read(text).map(({ line, volumeText }) => [line, volumeText])).toEqual([
    [3, '0.10'],
    [4, '12345678901234567890.5'],
  ]);
});

test('rows do not depend on how the bytes are chunked', () => {
  const lines = Array.from({ length: 120 }, (_, at) => `${1e9 + at * 60},${at + 1},${at + 9},"1",${at + 2}`);
  const text = ['time,open,high,low,close', ...lines].join('\r\n');
  const whole = read(text);
  expect(whole).toHaveLength(120);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), (size) => expect(read(text, {}, size)).toEqual(whole)),
    {
      numRuns: 40,
    },
  );
});

const head = 'time,open,high,low,close\n';
const refusals: [what: string, text: string | Uint8Array, says: RegExp][] = [
  [
    'a table without prices',
    'a,b\n1,2\n',
    /^line 1: no column for time, open, high, low, close among "a,b"; .*--columns/,
  ],
  [
    'a row that is cut off',
    `${head}1546300800,1,2,1,2\n1546300860,1,2`,
    /^line 3: 3 columns where 5 are needed/,
  ],
  ['a first time that is none', `${head}yesterday,1,2,1,2\n`, /^line 2: "yesterday" is no time; .*--unit/],
  [
    'a later time that is none',
    `${head}1546300801,1,2,1,2\n\nx,1,2,1,2\n`,
    /^line 4: "x" is no time; fix the line/,
  ],
  [
    'a quotation mark that is never closed',
    `${head}1546300801,1,2,1,2\n"1546300802,1,2,1,2\n`,
    /^line 3: a quotation mark/,
  ],
  [
    'a quotation mark that is not closed before the next one',
    `time,open,high,low,close,note\n1546300801,1,2,1,2,a\n1546300861,1,2,1,2,"b\n1546300921,1,2,1,2,"c"\n`,
    /^line 3: a quotation mark that is not closed; close it/,
  ],
  [
    'a quotation mark that is not closed in a long table',
    `${head}${'1546300801,1,2,1,2\n'.repeat(100)}"1546300802,1,2,1,2\n${'1546300803,1,2,1,2\n'.repeat(50_000)}`,
    /^line 102: a quotation mark that is not closed/,
  ],
  [
    'lines that end in carriage returns alone',
    `${head}1546300801,1,2,1,2\r1546300861,1,2,1,2\r1546300921,1,2,1,2\n`,
    /^line 2: a carriage return within the line/,
  ],
  [
    'a header in the middle',
    `${head}1546300801,1,2,1,2\n${head}1546300861,1,2,1,2\n`,
    /^line 3: the header stands here again; leave the line out/,
  ],
  [
    'an object without a time',
    '{"t":1546300800,"o":1,"h":1,"l":1,"c":1}\n{"error":"busy"}\n',
    /^line 2: no time in "\{\\"error\\":\\"busy\\"\}"; fix/,
  ],
  [
    'a Git LFS pointer',
    'version https://git-lfs.github.com/spec/v1\n',
    /^line 1: a Git LFS pointer, not the file/,
  ],
  ['a hexadecimal time', `${head}1546300801,1,2,1,2\n0x3D,1,2,1,2\n`, /^line 3: "0x3D" is no time/],
  [
    'a list as a time',
    '{"t":[1],"o":[1],"h":[1],"l":[1],"c":[1]}\n',
    /^line 1: columns instead of rows; give/,
  ],
  [
    'a column that was named and is missing',
    `${head}1546300801,1,2,1,2\n`,
    /^line 1: --columns: no column is called "Volume" among "time,/,
  ],
  [
    'a table of two symbols',
    `Symbol,${head}BTC,1546300861,1,2,1,2\nETH,1546300861,1,2,1,2\n`,
    /^line 1: column "Symbol" mixes "BTC" and "ETH"; give a file of each/,
  ],
  [
    'a line without an end',
    `${head}1546300801,1,2,1,2\n${'1'.repeat(70_000)}`,
    /^line 3: longer than 65536 bytes/,
  ],
  ['too many columns', `${'a,'.repeat(2000)}\n`, /^line 1: more than 1000 columns/],
  [
    'a line of broken JSON',
    '{"t":1546300800,"o":1,"h":1,"l":1,"c":1}\n{"t":2,\n',
    /^line 2: .* is no line of JSON; fix/,
  ],
  ['fields that are no prices', '{"t":1,"price":1}\n', /^line 1: no field for open, high, low in/],
  ['a packed file', Uint8Array.of(0x1f, 0x8b, 8, 0), /^line 1: packed twice; unpack it/],
];

for (const [what, text, says] of refusals) {
  test(`${what} is refused with its line and the remedy`, () => {
    const columns = what.includes('named') ? { columns: { byName: { volume: 'Volume' } } } : {};
    expect(() => read(text, columns)).toThrow(says);
  });
}

test('names and cells that look like code are text', () => {
  const text =
    '{"__proto__":{"time":1},"constructor":5,"time":1546300800,"open":1,"high":4,"low":0.5,"close":2}\n';
  expect(read(text).map(prices)).toEqual([one]);
  const formula = `${head}1546300800,=1+1,4,0.5,2\n`;
  expect(read(formula).map(({ open }) => open)).toEqual([Number.NaN]);
});
