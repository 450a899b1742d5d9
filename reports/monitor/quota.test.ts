import { expect, test } from '@playwright/test';
import { keysOf } from './quota.ts';
import { day } from './spans.ts';

const resetAt = Date.UTC(2026, 11, 1) - 1;
const at = Date.UTC(2026, 10, 11);
const shares = { main: { check: 15, monitor: 60, load: 10, confirm: 5, reserve: 10 } };
const reading = { key: 'main', at, limit: 10_000, remaining: 5000, additional: 0, resetAt };

test('a key used at its pace runs out, its reserve before that', () => {
  const [key] = keysOf([reading], [], shares, at);
  expect(key?.forecast).toMatchObject({ perDay: 500, leftAtReset: 0 });
  expect(key?.forecast?.exhaustedAt).toBe(at + 10 * day);
  expect(key?.forecast?.reserveAt).toBe(at + 8 * day);
});

test('a key that lasts to its reset has no day on which it is empty', () => {
  const [key] = keysOf([{ ...reading, remaining: 9000 }], [], shares, at);
  expect(key?.forecast).toMatchObject({ exhaustedAt: undefined, reserveAt: undefined, leftAtReset: 7000 });
});

test('counters of a month that is over forecast nothing', () => {
  const [key] = keysOf([reading], [], shares, resetAt + day);
  expect(key).toMatchObject({ isOver: true, forecast: undefined });
});

test('readings of another month and events of another key stay out', () => {
  const before = { ...reading, at: Date.UTC(2026, 9, 20), resetAt: Date.UTC(2026, 10, 1) - 1 };
  const event = { at, kind: 'foreign-use', key: 'other', detail: { n: 3 } };
  const [main, other] = keysOf([reading, before], [event, { ...event, kind: 'alert-fired' }], shares, at);
  expect(main).toMatchObject({ readings: [reading], events: [] });
  expect(other).toMatchObject({ key: 'other', readings: [], events: [event] });
});
