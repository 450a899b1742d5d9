import { expect, test } from '@playwright/test';
import { answerInWorld, findAnswer } from '../../worlds/breach-case.ts';
import {
  answeredList,
  damageExchange,
  everyRow,
  type Fields,
  rows,
  status,
  withExchanges,
} from '../../worlds/damage.ts';
import { type NamedRecording, record } from '../../worlds/recorded.ts';
import { type Membership, usualWorld } from '../../worlds/world.ts';

const usual = record(usualWorld);

/** Damages the rows of every history. */
function inHistories(change: (rows: Fields[]) => readonly unknown[]): NamedRecording {
  return withExchanges(usual, (all) =>
    all.map((exchange) =>
      /\/v2\//.test(exchange.request.url) && exchange.response?.status === 200
        ? rows(change)(exchange)
        : exchange,
    ),
  );
}

/** Every interpretation of the edges, in the words of the answer. */
const edges: Readonly<Record<Membership, string>> = {
  'floored from <= E <= to': 'floored from <= end <= to',
  'from <= S < to': 'from <= start < to',
  'meets [from, to]': 'the interval meets [from, to]',
  'from <= S <= to': 'from <= start <= to',
  'floored from <= S, E <= to': 'floored from <= start, end <= to',
  'from <= S, E <= to': 'from <= start, end <= to',
};

for (const membership of Object.keys(edges) as Membership[]) {
  test(`the edges of a range are read as ${edges[membership]}`, () => {
    const reported = answerInWorld('history/edges-of-the-range', { membership })?.split('; or ');
    expect(reported).toContain(edges[membership]);
    expect(reported?.length).toBeLessThanOrEqual(2);
  });
}

test('edges that fit no usual reading are described in whole intervals', () => {
  const cut = inHistories((all) => all.slice(2, -2));
  expect(findAnswer('history/edges-of-the-range', cut)).toMatch(
    /^none of the usual readings: first start 2( or 3)? intervals after from, last start 3 before to$/,
  );
});

test('a candle that is missing inside, in every answer alike, leaves the edges as they were', () => {
  const { startTimestampSeconds: lost } = answeredList(usual, 'week HOUR')[29] ?? {};
  const gaps = inHistories((all) => all.filter((row) => row.startTimestampSeconds !== lost));
  expect(findAnswer('history/edges-of-the-range', gaps)).toContain('from <= start < to');
});

test('the order of rows is the one that the service keeps', () => {
  expect(answerInWorld('history/order-of-rows')).toBe('ascending');
  expect(answerInWorld('history/order-of-rows', { descending: true })).toBe('descending');
});

test('the open candle is seen or missed in histories that reach the present', () => {
  expect(answerInWorld('history/open-candle')).toContain('HOUR included');
  expect(answerInWorld('history/open-candle', { openInHistory: false })).toBe('HOUR left out, WEEK left out');
});

test('an hour that has only begun says nothing about open candles', () => {
  const now = Date.parse('2026-03-18T10:01:30Z') / 1000;
  expect(answerInWorld('history/open-candle', { now, openInHistory: false })).toBe('WEEK left out');
});

test('the most rows of an answer lie above what was served and below what was refused', () => {
  expect(answerInWorld('history/most-rows')).toBe('at most 1,000; or more than 1,000');
  expect(answerInWorld('history/most-rows', { scope: { weeks: 3, fineDays: 7 } })).toBe('more than 1,000');
  const refused = damageExchange(
    record({ ...usualWorld, scope: { weeks: 3, fineDays: 3 } }),
    'week FIVEMIN',
    status(400),
  );
  expect(findAnswer('history/most-rows', refused)).toBe('at most 1,000');
});

test('an interval without trades is reported only where one is seen', () => {
  expect(answerInWorld('history/quiet-intervals', { trades: 0.02 })).toBe(
    'a candle of its own, with volume 0',
  );
  expect(answerInWorld('history/quiet-intervals', { trades: 1 })).toBeUndefined();
});

test('what stands out is named without how often or where', () => {
  expect(answerInWorld('history/outliers')).toBeUndefined();
  const spike = damageExchange(
    usual,
    'week HOUR',
    everyRow(({ close, high, low, volumeUsd }, row) =>
      row === 40
        ? {
            close: Number(close) * 3,
            high: Number(high) * 3,
            low: Number(low) / 50,
            volumeUsd: `${1e6 + Number(volumeUsd)}`,
          }
        : {},
    ),
  );
  expect(findAnswer('history/outliers', spike)).toBe(
    'close: far from its neighbours, volumeUsd: 50 times the usual, high: 100 times low',
  );
});

test('a range of an instant is reported by what it holds', () => {
  expect(answerInWorld('history/range-of-an-instant', { membership: 'floored from <= E <= to' })).toBe(
    'before the week',
  );
  expect(answerInWorld('history/range-of-an-instant', { membership: 'from <= S < to' })).toBe('nothing');
});
