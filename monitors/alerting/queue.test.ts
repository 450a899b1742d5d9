import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import type { DeliveryRecord } from '../results/results-store.ts';
import { toJson } from './cause.ts';
import { condense, listQueues, pause, readMessage } from './delivery-queue.ts';
import { message } from './testing/messages.ts';

/** Returns a waiting message of an alert. */
function waiting(kind: string, number: number, alert = 'alert/a'): DeliveryRecord {
  const id = `${alert}/${kind}/${number}`;
  return {
    id,
    sink: 'pager',
    dueAt: number,
    attempts: number,
    message: toJson({ ...message, id, alert, kind, number }),
  };
}

function listKinds(records: readonly DeliveryRecord[]): string[] {
  return records.map((record) => readMessage(record.message).kind);
}

test('of an alert that is over its end alone is sent', () => {
  const { next, dropped = [] } =
    condense(['fired', 'changed', 'resolved'].map((kind, n) => waiting(kind, n))) ?? {};
  expect(next && listKinds([next])).toEqual(['resolved']);
  expect(listKinds(dropped)).toEqual(['fired', 'changed']);
});

test('of one whose beginning did not arrive its beginning is sent, with the tries so far', () => {
  const { next, dropped = [] } =
    condense(['fired', 'changed', 'reminder'].map((kind, n) => waiting(kind, n))) ?? {};
  expect(next).toMatchObject({ id: 'alert/a/fired/0', attempts: 2 });
  expect(listKinds(dropped)).toEqual(['changed', 'reminder']);
});

test('that somebody took it stays a message of its own', () => {
  const queue = ['fired', 'acknowledged'].map((kind, n) => waiting(kind, n));
  expect(condense(queue)?.dropped).toEqual([]);
  expect(condense(queue.slice(1))?.next.id).toBe('alert/a/acknowledged/1');
});

test('the kinds that an earlier version left are those of now', () => {
  const kinds = [
    'worsened',
    'news',
    'relapsed',
    'recovered',
    'cleared',
    'withdrawn',
    'reminder',
    'heartbeat',
  ];
  expect(listKinds(kinds.map((kind, n) => waiting(kind, n)))).toEqual([
    ...['changed', 'changed', 'fired', 'resolved', 'resolved', 'resolved', 'reminder', 'heartbeat'],
  ]);
});

test('pauses double up to an hour, and are never shorter than the receiver wants', () => {
  expect([0, 1, 2, 20].map((attempts) => pause(attempts))).toEqual([30_000, 60_000, 120_000, 3_600_000]);
  expect(pause(0, 300_000)).toBe(300_000);
});

test('whatever waits, each alert has a queue, and its newest end or its beginning is sent and the rest is dropped', () => {
  const kinds = fc.constantFrom('fired', 'changed', 'reminder', 'resolved', 'acknowledged');
  const messages = fc.array(fc.record({ kind: kinds, alert: fc.constantFrom('alert/a', 'alert/b') }), {
    minLength: 1,
  });
  fc.assert(
    fc.property(messages, (all) => {
      const records = all.map(({ kind, alert }, n) => waiting(kind, n, alert));
      for (const queue of listQueues(records.toReversed())) {
        const { next, dropped = [] } = condense(queue) ?? {};
        if (!next) throw new Error('nothing to send');
        const left = queue.filter(({ id }) => id !== next.id && !dropped.some((record) => record.id === id));
        expect(listKinds(left).every((kind) => kind === 'acknowledged')).toBe(true);
        expect(left.length).toBeLessThanOrEqual(1);
        const [kind] = listKinds([next]);
        if (listKinds(queue).at(-1) === 'resolved') expect(kind).toBe('resolved');
        else if (listKinds(queue).includes('fired')) expect(kind).toBe('fired');
      }
    }),
  );
});
