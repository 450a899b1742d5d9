import { expect, test } from '@playwright/test';
import { begin, judgeTables, listTimes, makeRows, type SampleRow } from '../testing/tables.ts';

const hours = makeRows(listTimes(48, 3600));
const days = makeRows(listTimes(60, 86_400));

const iso = ({ time }: SampleRow): string => new Date(time * 1000).toISOString();
const [ms, day] = [({ time }: SampleRow) => time * 1000, (row: SampleRow) => iso(row).slice(0, 10)];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Writes a day by its year, month and day as text. */
const dated = (format: (year: string, month: string, date: string) => string) => (row: SampleRow) => {
  const [year = '', month = '', date = ''] = day(row).split('-');
  return format(year, month, date);
};

const column = <Value>(rows: readonly SampleRow[], value: (row: SampleRow) => Value): Value[] =>
  rows.map(value);
const [opens, highs, lows, closes, volumes] = (['open', 'high', 'low', 'close', 'volume'] as const).map(
  (name) => column(hours, (row) => row[name]),
);
const prices = ({ open, high, low, close }: SampleRow): Record<string, number> => ({
  open,
  high,
  low,
  close,
});
const short = ({ open: o, high: h, low: l, close: c }: SampleRow): Record<string, number> => ({ o, h, l, c });
const cells = (row: SampleRow): number[] => [row.open, row.high, row.low, row.close, row.volume];

const table = (
  rows: readonly SampleRow[],
  head: string,
  line: (row: SampleRow, at: number) => readonly (string | number)[],
  separator = ',',
): string => [head, ...rows.map((row, at) => line(row, at).join(separator))].join('\n');

/** Writes a time as spreadsheets count days. */
const serial = ({ time }: SampleRow): number => 25_569 + time / 86_400;

/** Sound rows in shapes of exporters and APIs, and the number of them. */
const sound: Readonly<Record<string, string>> = {
  'columns beside a status': JSON.stringify({
    s: 'ok',
    c: closes,
    h: highs,
    l: lows,
    o: opens,
    t: column(hours, ({ time }) => time),
    v: volumes,
  }),
  'columns in a result': JSON.stringify({
    result: {
      status: 'ok',
      volume: volumes,
      ticks: column(hours, ms),
      open: opens,
      low: lows,
      high: highs,
      cost: volumes,
      close: closes,
    },
    took: 3,
  }),
  'columns in lists of one': JSON.stringify({
    chart: {
      error: null,
      result: [
        {
          meta: { symbol: 'X', periods: [[{ start: 1, end: 2 }]] },
          timestamp: column(hours, ({ time }) => time),
          indicators: {
            quote: [{ open: opens, close: closes, low: lows, high: highs, volume: volumes }],
            adjclose: [{ adjclose: closes }],
          },
        },
      ],
    },
  }),
  'names, an index and rows': JSON.stringify({
    columns: ['open', 'high', 'low', 'close', 'volume'],
    index: column(hours, ms),
    data: column(hours, cells),
  }),
  'names and items': JSON.stringify({
    data: {
      fields: ['code', 'ts', 'open', 'high', 'low', 'close', 'vol'],
      items: column(hours, (row) => ['A', ms(row), ...cells(row)]),
    },
    more: false,
  }),
  'rows keyed by their date': JSON.stringify({
    meta: { zone: 'x' },
    series: Object.fromEntries(
      hours.map((row) => [
        iso(row),
        {
          '1. open': `${row.open}`,
          '2. high': `${row.high}`,
          '3. low': `${row.low}`,
          '4. close': `${row.close}`,
        },
      ]),
    ),
  }),
  'columns keyed by time': JSON.stringify(
    Object.fromEntries(
      (['open', 'high', 'low', 'close'] as const).map((name) => [
        name,
        Object.fromEntries(hours.map((row) => [ms(row), row[name]])),
      ]),
    ),
  ),
  'prices in the row': JSON.stringify({
    candles: hours.map((row) => ({ complete: true, time: iso(row), volume: row.volume, mid: short(row) })),
  }),
  'bids and asks in the row': JSON.stringify({
    candles: hours.map((row) => ({ time: iso(row), bid: short(row), ask: short(row) })),
  }),
  'rows in an element each': JSON.stringify({
    type: 'list',
    data: hours.map((row) => ({ type: 'candle', data: { time: iso(row), ...prices(row) } })),
  }),
  'a list in a list': JSON.stringify([
    { ticker: 'x', priceData: hours.map((row) => ({ date: iso(row), ...prices(row) })) },
  ]),
  'rows that say when they started': JSON.stringify({
    candles: hours.map((row) => ({
      startedAt: iso(row),
      ticker: 'A',
      ...prices(row),
      baseTokenVolume: `${row.volume}`,
      usdVolume: '1',
    })),
  }),
  'open, close, high, low': JSON.stringify({
    data: hours.map((row) => [
      `${row.time}`,
      ...[row.open, row.close, row.high, row.low, row.volume].map(String),
      '9',
    ]),
  }),
  'open, close, high, low, newest first': JSON.stringify(
    hours.toReversed().map((row) => [ms(row), row.open, row.close, row.high, row.low, row.volume]),
  ),
  'low, high, open, close': JSON.stringify(
    hours.map((row) => [row.time, row.low, row.high, row.open, row.close, row.volume]),
  ),
  'the worth before close, high, low, open': JSON.stringify(
    hours.map((row) => [
      row.time,
      row.volume * row.close,
      row.close,
      row.high,
      row.low,
      row.open,
      row.volume,
    ]),
  ),
  'an average before the volume': JSON.stringify({
    result: {
      X: hours.map((row, at) => [
        row.time,
        row.open,
        row.high,
        row.low,
        row.close,
        at % 5 === 0 ? 0 : (row.high + row.low) / 2,
        at % 5 === 0 ? 0 : row.volume,
        9,
      ]),
      last: 1,
    },
  }),
  'a number of the row': table(
    hours,
    'Index,Start Date,Open Price,High Price,Low Price,Close Price',
    (row, at) => [at, iso(row).slice(0, 19), ...cells(row).slice(0, 4)],
  ),
  'a time of day under one head': table(hours, 'Date,Open,High,Low,Close,Volume', (row) => [
    day(row),
    iso(row).slice(11, 19),
    ...cells(row),
  ]),
  'a date and a time': table(hours, 'Date,Time,Open,High,Low,Close', (row) => [
    dated((y, m, d) => `${m}/${d}/${y}`)(row),
    iso(row).slice(11, 16),
    ...cells(row).slice(0, 4),
  ]),
  'lines that end in carriage returns alone': table(hours, 'time,open,high,low,close', (row) => [
    iso(row),
    ...cells(row).slice(0, 4),
  ]).replaceAll('\n', '\r'),
  'a date and a minute in objects': JSON.stringify(
    hours.map((row) => ({ date: day(row), minute: iso(row).slice(11, 16), label: 'x', ...prices(row) })),
  ),
  'a date and a minute in columns': table(hours, 'date,minute,open,high,low,close', (row) => [
    day(row),
    iso(row).slice(11, 16),
    ...cells(row).slice(0, 4),
  ]),
  'a date and a time of day in lists': JSON.stringify(
    hours.map((row) => [day(row), iso(row).slice(11, 16), ...cells(row)]),
  ),
  'no header': table(hours, '', (row) => [
    iso(row),
    row.open,
    row.close,
    row.high,
    row.low,
    row.volume,
  ]).trimStart(),
  'a zone': table(hours, 'Local time,Open,High,Low,Close,Volume', (row) => [
    `${dated((y, m, d) => `${d}.${m}.${y}`)({ ...row, time: row.time + 7200 })} ${iso({ ...row, time: row.time + 7200 }).slice(11, 19)}.000 GMT+0200`,
    ...cells(row),
  ]),
  'hours of half a day': table(hours, 'Date,Open,High,Low,Close', (row) => {
    const hour = new Date(row.time * 1000).getUTCHours();
    return [
      `${dated((y, m, d) => `${Number(m)}/${Number(d)}/${y}`)(row)} ${hour % 12 || 12}:00:00 ${hour < 12 ? 'AM' : 'PM'}`,
      ...cells(row).slice(0, 4),
    ];
  }),
  'columns keyed by the number of the row': JSON.stringify({
    date: Object.fromEntries(hours.map((row, at) => [at, ms(row)])),
    ...Object.fromEntries(
      Object.entries({ open: opens, high: highs, low: lows, close: closes }).map(([name, values]) => [
        name,
        { ...values },
      ]),
    ),
  }),
  'the start of a query beside the open': table(
    hours,
    ',result,table,_start,_stop,_time,open,high,low,close',
    (row) => [
      '',
      '',
      0,
      iso(hours[0] as SampleRow),
      iso(hours[9] as SampleRow),
      iso(row),
      ...cells(row).slice(0, 4),
    ],
  ),
  'a time without a value beside another': JSON.stringify(
    hours.map((row) => ({ openTime: '0001-01-01T00:00:00Z', timestamp: ms(row), ...prices(row) })),
  ),
  'parts of days of a spreadsheet, without a telling name': table(
    hours,
    'Period,Open,High,Low,Close,Volume',
    (row) => [serial(row).toFixed(5), ...cells(row)],
  ),
  'a ticker that is nearly a number': `Price,Close,High,Low,Open\nTicker,7203.T,7203.T,7203.T,7203.T\n${table(
    hours,
    'Date,,,,',
    (row) => [iso(row), row.close, row.high, row.low, row.open],
  )}`,
  'a count of rows below them': `${table(hours, ' time | open | high | low | close \n------+------+------+-----+------', (row) => [iso(row), ...cells(row).slice(0, 4)], ' | ')}\n(48 rows)\n`,
};

/** Writes the hour of the day as a number. */
const clocks: Readonly<Record<string, (hour: number) => number>> = {
  'hours and minutes': (hour) => 100 * hour,
  'hours, minutes and seconds': (hour) => 10_000 * hour,
  'minutes since midnight': (hour) => 60 * hour,
  'seconds since midnight': (hour) => 3600 * hour,
  'milliseconds since midnight': (hour) => 3_600_000 * hour,
};

const soundClocks = Object.fromEntries(
  Object.entries(clocks).flatMap(([what, write]) => {
    const clock = (row: SampleRow): number => write((row.time / 3600) % 24);
    return [
      [
        `${what} beside a date`,
        table(hours, 'date,time,open,high,low,close', (row) => [
          day(row),
          clock(row),
          ...cells(row).slice(0, 4),
        ]),
      ],
      [
        `${what} before the prices and their date`,
        table(hours, 'of_day,open,high,low,close,volume,date', (row) => [
          clock(row),
          ...cells(row),
          day(row).replaceAll('-', ''),
        ]),
      ],
    ];
  }),
);

const soundDays: Readonly<Record<string, string>> = {
  'days of a spreadsheet': table(days, 'Date,Open,High,Low,Close,Volume', (row) => [
    serial(row),
    ...cells(row),
  ]),
  'months by name': table(days, 'Date,Open,High,Low,Close,Volume', (row) => [
    dated((y, m, d) => `${Number(d)}-${months[Number(m) - 1]}-${y.slice(2)}`)(row),
    ...cells(row),
  ]),
  'months by name first': table(
    days,
    'Date;Open;High;Low;Close',
    (row) => [dated((y, m, d) => `${months[Number(m) - 1]} ${d}, ${y}`)(row), ...cells(row).slice(0, 4)],
    ';',
  ),
  'years of two digits': table(days, 'date,open,high,low,close', (row) => [
    dated((y, m, d) => `${m}/${d}/${y.slice(2)}`)(row),
    ...cells(row).slice(0, 4),
  ]),
  'the close as the price, and letters for thousands': table(
    days,
    '"Date","Price","Open","High","Low","Vol.","Change %"',
    (row) => [
      dated((y, m, d) => `"${m}/${d}/${y}"`)(row),
      ...[row.close, row.open, row.high, row.low].map((price) => `"${price}"`),
      `"${row.volume / 100}M"`,
      '"0.5%"',
    ],
  ),
  'a currency': table(days, 'Date,Close/Last,Volume,Open,High,Low', (row) => [
    dated((y, m, d) => `${m}/${d}/${y}`)(row),
    `$${row.close}`,
    row.volume,
    `$${row.open}`,
    `$${row.high}`,
    `$${row.low}`,
  ]),
  'a currency by its code, and no volume in words': table(days, 'Date,Open,High,Low,Close,Volume', (row) => [
    day(row),
    ...cells(row)
      .slice(0, 4)
      .map((price) => `${price} USD`),
    '--',
  ]),
  'apostrophes and narrow spaces between thousands': table(
    days,
    'Date;Open;High;Low;Close',
    (row) => [
      day(row),
      ...[row.open, row.high].map((price) => `1'${price.toFixed(2).padStart(6, '0')}`),
      ...[row.low, row.close].map((price) => `1\u202f${price.toFixed(2).padStart(6, '0')}`),
    ],
    ';',
  ),
  'a last line of words': `${table(days, 'Time,Open,High,Low,Latest,Change,Volume', (row) => [day(row), row.open, row.high, row.low, row.close, 0.1, row.volume])}\n"Downloaded from a site as of 05-05-2026"\n`,
  'three lines of header': table(
    days,
    'Price,Close,High,Low,Open,Volume\nTicker,A,A,A,A,A\nDate,,,,,',
    (row) => [day(row), row.close, row.high, row.low, row.open, row.volume],
  ),
  'dates and words of Japan': table(days, '"日付け","終値","始値","高値","安値","変化率 %"', (row) => [
    dated((y, m, d) => `${y}年${Number(m)}月${Number(d)}日`)(row),
    ...[row.close, row.open, row.high, row.low].map((price) => `"${price}"`),
    '-0.5%',
  ]),
  'words of another language': table(
    days,
    'Datum;Eröffnung;Hoch;Tief;Schluss',
    (row) => [
      dated((y, m, d) => `${d}.${m}.${y}`)(row),
      ...cells(row)
        .slice(0, 4)
        .map((price) => String(price).replace('.', ',')),
    ],
    ';',
  ),
};

for (const [shapes, rows] of [
  [sound, hours],
  [soundClocks, hours],
  [soundDays, days],
] as const)
  for (const [what, text] of Object.entries(shapes))
    test(`${what}: every row is read and sound`, async () => {
      for (const bytes of [700, 50_000]) {
        const { verdict, files, ranges } = await judgeTables({ a: text }, {}, bytes);
        expect([verdict, files[0]?.rows, files[0]?.from, ranges]).toEqual(['sound', rows.length, begin, []]);
      }
    });

test('damage in columns is found at its row', async () => {
  const bent = JSON.parse(sound['columns beside a status'] ?? '');
  bent.c[20] = 2 * bent.h[20];
  expect((await judgeTables({ a: JSON.stringify(bent) })).ranges).toMatchObject([
    { kind: 'impossible', line: 21, from: begin + 20 * 3600 },
  ]);
});

test('amounts keep their meaning: letters, worth, average', async () => {
  const columns = async (text: string | undefined): Promise<unknown> =>
    (await judgeTables({ a: text ?? '' })).files[0]?.form?.columns;
  expect(await columns(sound['the worth before close, high, low, open'])).toMatchObject({
    open: '6',
    close: '3',
    volume: '7',
  });
  expect(await columns(sound['an average before the volume'])).toMatchObject({ average: '6', volume: '7' });
});

test('UTF-16 is read, as MetaTrader writes it', async () => {
  const text = table(
    days,
    '\ufeffDate\tOpen\tHigh\tLow\tClose',
    (row) => [day(row), ...cells(row).slice(0, 4)],
    '\t',
  );
  const bytes = Buffer.from(text, 'utf16le');
  for (const each of [bytes, Buffer.from(bytes).swap16()]) {
    const { verdict, files } = await judgeTables({ a: each }, {}, 501);
    expect([verdict, files[0]?.rows]).toEqual(['sound', days.length]);
  }
});

test('a later date tells day from month', async () => {
  const minutes = makeRows(listTimes(20 * 288, 300));
  const text = table(minutes, 'Date,Time,Open,High,Low,Close', (row) => [
    dated((y, m, d) => `${d}/${m}/${y}`)(row),
    iso(row).slice(11, 16),
    ...cells(row).slice(0, 4),
  ]);
  const { files } = await judgeTables({ a: text });
  expect([files[0]?.form?.unit, files[0]?.interval]).toEqual(['dmy', '5m']);
});

test('dates of digits without names or signs are read, and refused if no row tells their order', async () => {
  const rows = makeRows(listTimes(400, 86_400));
  const text = (count: number): string =>
    rows
      .slice(0, count)
      .map((row) =>
        [dated((y, m, d) => `${d}${m}${y.slice(2)}`)(row), ...cells(row)].map((cell) => `"${cell}"`),
      )
      .join('\n');
  const { verdict, files } = await judgeTables({ a: text(400) });
  expect([verdict, files[0]?.form?.unit, files[0]?.interval, files[0]?.from]).toEqual([
    'sound',
    'dmy',
    '1d',
    begin,
  ]);
  const minutes = (unit?: 'mdy') =>
    judgeTables(
      {
        a: table(makeRows(listTimes(60, 60, begin + 86_400)), 'Date,Time,Open,High,Low,Close', (row) => [
          '020119',
          iso(row).slice(11, 16),
          ...cells(row).slice(0, 4),
        ]),
      },
      unit && { unit },
    );
  await expect(minutes()).rejects.toThrow(
    'a: line 2: is "020119 00:00" its day, its month or its year first? Give --unit dmy, mdy or iso',
  );
  expect((await minutes('mdy')).files[0]?.from).toBe(begin + 31 * 86_400);
});

test('a row of words for nothing is a gap, and another currency is unreadable', async () => {
  const text = (replaced: string): string =>
    table(hours, 'time,open,high,low,close', (row, at) => [
      row.time,
      ...cells(row)
        .slice(0, 4)
        .map((price) => (at === 30 ? replaced : `$${price}`)),
    ]);
  for (const nothing of ['null', '-', 'N/A']) {
    const { files, verdict } = await judgeTables({ a: text(nothing) });
    expect([files[0]?.blank, verdict], nothing).toEqual([1, 'sound']);
  }
  expect((await judgeTables({ a: text('€100') })).ranges).toMatchObject([
    { kind: 'unreadable', line: 32, rows: 1 },
  ]);
});

const unclear = hours.map((row) => [row.time, 103, 100, 101, 99, row.volume]);

const refused: readonly (readonly [what: string, text: string, says: RegExp])[] = [
  [
    'an order that prices leave open',
    JSON.stringify(unclear),
    /give --columns time,high,open,close,low,volume or --columns time,high,close,open,low,volume/,
  ],
  [
    'prices that no order explains',
    JSON.stringify(hours.map((row, at) => [row.time, at % 7, (at * 5) % 11, (at * 3) % 13, (at * 7) % 5])),
    /show no candle; give their order/,
  ],
  [
    'a number of rows as the time',
    table(hours, 'time,open,high,low,close', (row, at) => [at, ...cells(row).slice(0, 4)]),
    /line 2: "0" in s is 1970-01-01T00:00:00Z; name the column/,
  ],
  [
    'columns of two symbols',
    table(
      days,
      'Price,Close,Close,High,High,Low,Low,Open,Open\nTicker,A,B,A,B,A,B,A,B\nDate,,,,,,,,',
      (row) => [day(row), row.close, 1, row.high, 1, row.low, 1, row.open, 1],
    ),
    /columns of "A" and "B"; give a file of each/,
  ],
  [
    'words between rows',
    table(days, 'Date,Open,High,Low,Close', (row, at) =>
      at === 30 ? ['Source: a site'] : [day(row), ...cells(row).slice(0, 4)],
    ),
    /line 32: 1 column where 5 are needed/,
  ],
  [
    'a cut last line',
    `${table(days, 'Date,Open,High,Low,Close', (row) => [day(row), ...cells(row).slice(0, 4)])}\n2019-0`,
    /line 62: 1 column where 5 are needed.*cut off here/,
  ],
  [
    'a column of words',
    table(days, 'Date,Open,High,Low,Close', (row) => [day(row), ...cells(row).slice(0, 3), 'dear']),
    /line 2: "dear" is no number, nor is any cell of close below it, column "Close"; name another/,
  ],
  [
    'a row with cells too many',
    table(days, 'Date,Open,High,Low,Close', (row, at) => [
      day(row),
      ...cells(row).slice(0, 4),
      ...(at === 30 ? [7] : []),
    ]),
    /line 32: 6 columns where 5 are expected: .*; quote numbers that contain the separator/,
  ],
  [
    'columns of different lengths',
    JSON.stringify({ t: hours.map(ms), o: opens, h: highs, l: lows, c: closes?.slice(1) }),
    /line 1: column "c" has 47 values, "t" has 48; is one cut off\?/,
  ],
  [
    'objects of two symbols in turn',
    JSON.stringify(
      days.flatMap((row) => ['A', 'B'].map((symbol) => ({ symbol, date: day(row), ...prices(row) }))),
    ),
    /row 1: column "symbol" mixes "A" and "B"; give a file of each/,
  ],
  ['Feather', 'ARROW1\0\0\0\0binary\u0007', /^a: line 1: Feather \(Arrow\); save it as CSV or Parquet/],
  ['bytes that are no text', 'abc\0\u0001\u0002def', /^a: line 1: a format that is no text/],
];

for (const [what, text, says] of refused)
  test(`${what} is refused with the remedy`, async () => {
    await expect(judgeTables({ a: text })).rejects.toThrow(says);
  });

test('a unit that changes half way is damage from there on', async () => {
  const text = table(hours, 'time,open,high,low,close', (row, at) => [
    at < 24 ? ms(row) : ms(row) * 1000,
    ...cells(row).slice(0, 4),
  ]);
  expect((await judgeTables({ a: text })).ranges).toMatchObject([
    { kind: 'unreadable', line: 26, from: begin + 24 * 3600, rows: 24 },
  ]);
});

test('prices and numbers of rows near 45,000 are no days of a spreadsheet', async () => {
  const high = makeRows(listTimes(60, 86_400)).map((row) => ({ ...row, volume: 45_000 + row.volume / 1000 }));
  const text = table(high, 'Volume,Open,High,Low,Close,Day', (row) => [
    row.volume,
    ...cells(row).slice(0, 4),
    day(row),
  ]);
  expect((await judgeTables({ a: text })).files[0]?.form).toMatchObject({
    unit: 'iso',
    columns: { time: 'Day' },
  });
  const numbered = table(high, 'Number,Open,High,Low,Close', (_, at) => [45_000 + at, 2, 3, 1, 2]);
  await expect(judgeTables({ a: numbered })).rejects.toThrow('no column for time');
});

test('columns under names of any language are recognized by the arithmetic of their rows', async () => {
  const text = table(days, 'วันที่,ปิด,เปิด,สูง,ต่ำ,ปริมาณ', (row) => {
    const [open = 0, high = 0, low = 0, close = 0, volume = 0] = cells(row);
    return [day(row), close, open, high, low, volume];
  });
  const { verdict, files } = await judgeTables({ a: text });
  expect([verdict, files[0]?.form]).toMatchObject([
    'sound',
    {
      columns: { time: 'วันที่', open: 'เปิด', high: 'สูง', low: 'ต่ำ', close: 'ปิด', volume: 'ปริมาณ' },
      isByOrder: true,
    },
  ]);
  const withWords = table(days, 'วันที่,เปิด,สูง', (row) => [day(row), 'a', 'b']);
  await expect(judgeTables({ a: withWords })).rejects.toThrow('no column for open');
});
