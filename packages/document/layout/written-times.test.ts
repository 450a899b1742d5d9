import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { guessUnit, parseTime } from './written-times.ts';

test('the unit of a time is guessed by its size and its form', () => {
  const given = [
    '1546300800',
    '1546300800000',
    '1546300800000000',
    '1546300800000000000',
    '-86400',
    '1.5463008e9',
  ];
  expect(given.map((text) => guessUnit([text]))).toEqual(['s', 'ms', 'us', 'ns', 's', 's']);
  expect(['2019-01-01', '20190101', '2019-01-01T00:00Z'].map((text) => guessUnit([text]))).toEqual([
    'iso',
    'iso',
    'iso',
  ]);
  expect(given.slice(0, 4).map((text) => parseTime(text, guessUnit([text]) ?? 'iso'))).toEqual(
    Array(4).fill(1_546_300_800),
  );
});

test('a number beyond every calendar is not a time', () => {
  for (const text of ['1e400', '99999999999999999999999999', '-8640000000001'])
    expect(parseTime(text, 's'), text).toBeNaN();
  expect(parseTime('8640000000000', 's')).toBe(8.64e12);
});

test('dates are parsed in all usual forms, in UTC unless they name a zone', () => {
  const forms = [
    ...['2019-01-31', '2019/01/31', '2019.01.31 00:00', '20190131', '20190131T', '2019-01-31T00:00:00.000Z'],
    ...[
      '2019-01-31 01:00:00+01:00',
      '2019-01-30T19:00:00-0500',
      '20190131 000000',
      '2019-01-31 00:00:00 UTC',
    ],
  ];
  expect(forms.map((form) => parseTime(form, 'iso'))).toEqual(forms.map(() => 1_548_892_800));
});

test('dates of China, Japan and Korea are read, and a month is its first day', () => {
  const days = ['2020年1月3日', '2020年01月03日', '2020年1月3日(金)', '2020년 1월 3일', '2020년1월3일 00:00'];
  expect(days.map((text) => parseTime(text, 'iso'))).toEqual(days.map(() => 1_578_009_600));
  const clocks = ['2020年1月3日 09:30', '2020年1月3日9:30', '2020년 1월 3일 09:30:00'];
  expect(clocks.map((text) => parseTime(text, 'iso'))).toEqual(clocks.map(() => 1_578_043_800));
  const months = ['1995年12月', '1995년 12월'];
  expect(months.map((text) => parseTime(text, guessUnit(months) ?? 's'))).toEqual([817_776_000, 817_776_000]);
  for (const text of ['2020年13月', '2019年2月29日', '2020年1月3', '2020年'])
    expect(parseTime(text, 'iso'), text).toBeNaN();
});

test('dates with the year last are read by the order that their column shows', () => {
  const orders = [
    ['03/04/2019', '13/04/2019'],
    ['03/04/2019 00:00', '03/14/2019 00:00'],
    ['3.4.2019'],
    ['03/04/2019'],
  ];
  expect(orders.map(guessUnit)).toEqual(['dmy', 'mdy', 'dmy', undefined]);
  for (const text of ['31.12.2019 23:00', '31/12/2019 23:00:00', '31-12-2019T23:00Z'])
    expect(parseTime(text, 'dmy'), text).toBe(1_577_833_200);
  expect([parseTime('12/31/2019', 'mdy'), parseTime('12/31/2019', 'dmy')]).toEqual([
    1_577_750_400,
    Number.NaN,
  ]);
});

test('dates of six or eight digits are read by the order in which they run one way', () => {
  const given = [
    ['020117', '130117', '310117', '010217'],
    ['010217', '011317', '012017', '020117'],
    ['050103', '050104', '050131', '050201'],
    ['02012017', '03012017', '13012017', '01022017'],
    ['130117 0916', '130117 0917', '010217 0915'],
    Array(4).fill('020117'),
  ];
  expect(given.map((texts) => guessUnit(texts))).toEqual(['dmy', 'mdy', 'iso', 'dmy', 'dmy', undefined]);
  for (const text of ['310119', '31012019', '310119 000000'])
    expect(parseTime(text, 'dmy')).toBe(1_548_892_800);
  expect([parseTime('013119', 'mdy'), parseTime('190131', 'iso')]).toEqual([1_548_892_800, 1_548_892_800]);
});

test('digits that are times of day, or no dates in any order, are numbers', () => {
  const given = [
    ['020117', '321317', '030117', '040117'],
    ['091500', '091600', '091700', '091800'],
    ['091558', '091559', '091600', '091601'],
    ['170102', '170103', '170104', '170105'],
    ['020117', '030117', '040117', '2017'],
  ];
  expect(given.map((texts) => guessUnit(texts))).toEqual(['s', 's', 's', 's', 's']);
});

test('invalid dates and times are NaN', () => {
  const none = [
    '2019-02-29',
    '2019-13-01',
    '2019-01-31 00:60',
    '2019-01-31 25:00',
    '31.01.2019',
    'x',
    '',
    '2019-01',
  ];
  expect(none.map((text) => parseTime(text, 'iso'))).toEqual(none.map(() => Number.NaN));
  expect([parseTime('', 's'), parseTime('2019-01-01', 's')]).toEqual([Number.NaN, Number.NaN]);
});

test('times of four centuries agree with the calendar', () => {
  fc.assert(
    fc.property(fc.integer({ min: -5e9, max: 9e9 }), (seconds) => {
      expect(parseTime(new Date(seconds * 1000).toISOString(), 'iso')).toBe(seconds);
    }),
  );
});
