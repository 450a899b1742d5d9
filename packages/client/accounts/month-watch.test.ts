import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import { MonthWatch } from './month-watch.ts';

const reset = Date.UTC(2026, 10, 1) - 1;
const leaving = (remaining: number) => ({ limit: 1000, remaining, additional: 0, reset });
const success = (remaining: number) => ({ quota: leaving(remaining), isSuccess: true });
const refusal = { quota: undefined, isSuccess: false };

test('an unknown month lets one request out at a time until an answer shows it', () => {
  const watch = new MonthWatch(0);
  expect([watch.left, watch.mayLeave]).toEqual([undefined, 'now']);
  const land = watch.leave();
  expect(watch.mayLeave).toBe('later');
  land(refusal);
  expect([watch.left, watch.mayLeave]).toEqual([undefined, 'now']);
  watch.leave()(success(2));
  expect([watch.left, watch.mayLeave]).toEqual([2, 'now']);
});

test('requests under way may be counted after the newest answer, so none leaves for them', () => {
  const watch = new MonthWatch(0);
  watch.note(leaving(2));
  const [first, second] = [watch.leave(), watch.leave()];
  expect(watch.mayLeave).toBe('later');
  second(success(1));
  expect(watch.mayLeave).toBe('later');
  first(success(1));
  expect(watch.mayLeave).toBe('now');
  watch.leave()(success(0));
  expect([watch.left, watch.mayLeave]).toEqual([0, 'never']);
});

test('a request without counters may have been counted, until a later one shows it', () => {
  const watch = new MonthWatch(0);
  watch.note(leaving(2));
  watch.leave()(refusal);
  expect(watch.left).toBe(1);
  watch.leave()(success(1));
  expect(watch.left).toBe(1);
  watch.leave()(refusal);
  expect([watch.left, watch.mayLeave]).toEqual([0, 'never']);
});

test('a refusal shows the month only where a success has shown the same', () => {
  const watch = new MonthWatch(0);
  watch.leave()({ quota: leaving(0), isSuccess: false });
  expect(watch.left).toBeUndefined();
  watch.leave()(success(5));
  watch.leave()({ quota: leaving(4), isSuccess: false });
  expect(watch.left).toBe(4);
  watch.leave()({ quota: { ...leaving(999), limit: 1 }, isSuccess: false });
  expect(watch.left).toBe(3);
});

test('an answer that was overtaken changes nothing, one of the next month everything', () => {
  const watch = new MonthWatch(0);
  watch.note(leaving(3));
  watch.note(leaving(7));
  expect(watch.left).toBe(3);
  watch.note({ ...leaving(1000), reset: reset + 1000 });
  expect(watch.left).toBe(1000);
  watch.note(leaving(3));
  expect(watch.left).toBe(1000);
});

test('a reset that is wrong once hides nothing of what later answers show', () => {
  const watch = new MonthWatch(0);
  const overtaken = watch.leave();
  watch.note({ ...leaving(900), reset: reset + 365 * 86_400_000 });
  overtaken(success(400));
  expect(watch.left).toBe(900);
  watch.leave()(success(1));
  expect([watch.left, watch.month?.reset]).toEqual([1, reset]);
  watch.leave()(success(0));
  expect([watch.left, watch.mayLeave]).toEqual([0, 'never']);
});

test('the reserve is kept, and a service without counters or a limit is not bounded', () => {
  const watch = new MonthWatch(10);
  watch.note(leaving(102));
  expect(watch.left).toBe(2);
  const uncounted = new MonthWatch(10);
  uncounted.leave()({ quota: undefined, isSuccess: true });
  expect([uncounted.left, uncounted.mayLeave]).toEqual([Number.POSITIVE_INFINITY, 'now']);
  const unlimited = new MonthWatch(10);
  unlimited.leave()({ quota: { ...leaving(0), limit: 0 }, isSuccess: true });
  expect(unlimited.left).toBe(Number.POSITIVE_INFINITY);
});
