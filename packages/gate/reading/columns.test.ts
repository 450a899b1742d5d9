import { expect, test } from '@playwright/test';
import { judgeTables, listTimes, makeRows } from '../testing/tables.ts';
import { findRead, readColumns } from './columns.ts';

test('columns are chosen in order or by name', () => {
  expect(readColumns('time,open,-,high, low,close,avg')).toEqual({
    inOrder: ['time', 'open', undefined, 'high', 'low', 'close', 'average'],
  });
  expect(readColumns('time=Date,open=First trade')).toEqual({
    byName: { time: 'Date', open: 'First trade' },
  });
});

test('columns without a role are not read, unless a role has no column', () => {
  const names = ['open_time', 'open', 'high', 'low', 'close', 'quote_asset', 'symbol', 'vol'];
  expect(findRead(names)).toEqual([true, true, true, true, true, false, true, true]);
  expect(findRead(names, readColumns('time,open,high,low,close'))).toEqual([
    ...[true, true, true, true, true, false, true, false],
  ]);
  expect(findRead(['a', 'b', 'c'])).toEqual([true, true, true]);
});

test('unknown and repeated roles are refused', () => {
  for (const text of ['time,price', 'open,open', 'time=a,price=b', 'time=a,time=b', 'time=a,open'])
    expect(readColumns(text), text).toBeUndefined();
});

const hours = makeRows(listTimes(48, 3600));
const minutes = makeRows(listTimes(120, 60));

test('two sets of prices side by side are refused with a call for each', async () => {
  const lines = minutes.map(({ time, open, high, low, close, volume }) => {
    const asks = [open, high, low, close].map((price) => price + 0.02);
    return [time, open, high, low, close, volume, ...asks, volume + 1].join(',');
  });
  await expect(judgeTables({ a: lines.join('\n') })).rejects.toThrow(
    'two sets of prices, in columns 2 to 5 and 7 to 10, as of bid and ask; judge each by a call: --columns time,open,high,low,close,volume and --columns time,-,-,-,-,-,open,high,low,close,volume',
  );
});

test('opens that are the closes before are read in the usual order, and reported where they lie outside', async () => {
  const lines = minutes.map(({ time, open, close, volume }) => {
    const [high, low] = [close + 0.1, Math.min(close + 0.05, close)];
    return [time, open, high, low, close, 8000 + volume].join(',');
  });
  const { files, verdict, ranges } = await judgeTables({ a: lines.join('\n') });
  expect(files[0]?.form?.columns).toMatchObject({ open: '2', high: '3', low: '4', close: '5', volume: '6' });
  expect([verdict, ranges[0]?.kind]).toEqual(['damaged', 'impossible']);
});

test('where rows allow two usual orders, the commonest is taken and said to be', async () => {
  const lines = minutes.map(({ time, volume }, at) =>
    at === 60
      ? [time, 20, 21, 20, 20.8, volume].join(',')
      : [time, ...Array(4).fill(at < 60 ? 20 : 20.05), 0].join(','),
  );
  const { files, verdict } = await judgeTables({ a: lines.join('\n') });
  expect(verdict).toBe('sound');
  expect(files[0]?.form).toMatchObject({ isByCustom: true, columns: { open: '2', close: '5' } });
});

test('a time of day is found in a column far behind its date', async () => {
  const lines = minutes.map(({ open, high, low, close, volume }, at) => {
    const clock = (9 + Math.floor((31 + (at % 60)) / 60)) * 100 + ((31 + (at % 60)) % 60);
    return [20260504 + Math.floor(at / 60), open, high, low, close, volume, volume * open, 7, clock].join(
      ',',
    );
  });
  const { files } = await judgeTables({ a: lines.join('\n') });
  expect(files[0]).toMatchObject({ interval: '1m', form: { columns: { date: '1', time: '9' } } });
});

test('the length of an interval beside its start is no time of day', async () => {
  const rows = hours.map(({ time, open, high, low, close, volume }) => [
    time,
    3600,
    open,
    high,
    low,
    close,
    volume,
  ]);
  const { files } = await judgeTables({ a: JSON.stringify(rows) });
  expect(files[0]).toMatchObject({
    interval: '1h',
    form: { columns: { time: '1', open: '3', volume: '7' } },
  });
});

test('the close before, in a column of its own, is no average', async () => {
  const rows = hours.map(({ time, open, high, low, close, volume }, at) => {
    return [time, hours[at - 1]?.close ?? close, open, high, low, close, volume];
  });
  const { files, verdict } = await judgeTables({ a: JSON.stringify(rows) });
  expect(verdict).toBe('sound');
  expect(files[0]?.form?.columns).not.toHaveProperty('average');
});

test('the close of a row, in a column of its own, is no volume', async () => {
  const rows = makeRows(listTimes(200, 86_400)).map(({ time, open, high, low, close }) =>
    [time, open, high, low, close, '000', close].join(','),
  );
  const { files } = await judgeTables({ a: rows.join('\n') });
  expect(files[0]?.form?.columns).not.toMatchObject({ volume: '7' });
});

test('volumes that could be Unix seconds are volumes', async () => {
  const rows = makeRows(listTimes(120, 86_400)).map(({ time, open, high, low, close, volume }) =>
    [time * 1000, open, high, low, close, 900_000 * volume, 900_000 * volume * close].map(String),
  );
  const { files } = await judgeTables({ a: JSON.stringify(rows) });
  expect(files[0]?.form?.columns).toMatchObject({ volume: '6', 'quote-volume': '7' });
});

test('columns of different things under names of their own are no candle', async () => {
  const lines = minutes.map(({ time, open }, at) =>
    [time, 0.7 + open / 1e5, 1.2 + at / 1e5, 0.5 + at / 1e5, 0.9 + open / 2e5].join(','),
  );
  await expect(judgeTables({ a: ['date,aud,gbp,nok,eur', ...lines].join('\n') })).rejects.toThrow(
    'no column for open, high, low, close among "date,aud,gbp,nok,eur"',
  );
});

test('an empty column with the name of the time is not the time', async () => {
  const lines = minutes.map(({ time, open, high, low, close }) =>
    [time, open, high, low, close, '', ''].join(),
  );
  const text = ['open_time,open,high,low,close,open_time.1,open_time', ...lines].join('\n');
  const { verdict, files } = await judgeTables({ a: text });
  expect([verdict, files[0]?.form?.columns.time]).toEqual(['sound', 'open_time']);
});

test('lines that are one quoted cell each are read as the cells in it', async () => {
  const lines = minutes.map(({ time, open, high, low, close }) => [time, open, high, low, close]);
  const forms = [
    ['Time\tOpen\tHigh\tLow\tClose', ...lines.map((cells) => cells.join('\t'))],
    ['Time,Open,High,Low,Close', ...lines.map((cells) => cells.map((cell) => `""${cell}""`).join())],
  ];
  for (const form of forms) {
    const { verdict, files } = await judgeTables({ a: form.map((line) => `"${line}"`).join('\r\n') });
    expect([verdict, files[0]?.rows, files[0]?.form?.columns.close]).toEqual([
      'sound',
      minutes.length,
      'Close',
    ]);
  }
});
