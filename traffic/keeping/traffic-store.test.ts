import { expect, test } from '@playwright/test';
import type { Ending, OperationMinute } from '../judging/messages.ts';
import { makeSlots } from './traffic-store.ts';

const begin = Date.UTC(2026, 10, 1, 12);
const reset = {
  phase: 'receive',
  kind: 'truncated',
  message: 'the upstream ended its answer early',
} as const;

function slotOf(endings: readonly Ending[], more: Partial<OperationMinute> = {}) {
  const operation = { operation: 'listTokens', passed: 9, endings, broken: [], samples: [], ...more };
  const minute = { begin, operations: [operation], isUnanswered: false };
  return makeSlots(minute, { target: 'mainnet', location: 'here' })[0];
}

const status = (...all: readonly number[]): Ending[] => all.map((status) => ({ status: status }));

for (const [what, endings, outcome] of [
  ['good answers', status(200, 304), 'ok'],
  ['good answers beside mistakes of clients', status(200, 400, 404), 'ok'],
  ['nothing but mistakes of clients', status(400, 404), 'limited'],
  ['a refused key beside good answers', status(200, 401), 'limited'],
  ['too many requests', status(429, 200), 'limited'],
  ['an error of the target', status(200, 503), 'failed'],
  ['an answer that broke off', [{ status: 200 }, { status: 200, failure: reset }], 'failed'],
] as const)
  test(`a minute of ${what} is ${outcome}`, () => {
    expect(slotOf(endings)).toMatchObject({ outcome, passed: 9, scheduledAt: begin, state: 'run' });
  });

test('a broken must fails the minute by its rule, and a broken should makes it degraded', () => {
  const [must, should] = [
    { rule: 'a/must', level: 'must' },
    { rule: 'a/should', level: 'should' },
  ] as const;
  expect(slotOf(status(200), { broken: [must, should] })).toMatchObject({
    outcome: 'failed',
    failure: { phase: 'contract', class: 'a/must' },
    rules: ['a/must'],
  });
  expect(slotOf(status(200), { broken: [should] })).toMatchObject({
    outcome: 'degraded',
    degradedBy: ['a/should'],
  });
  // Found in earlier answers, while nothing passed.
  expect(slotOf([], { passed: 0, broken: [must] })).toMatchObject({ outcome: 'failed', passed: 0 });
});

test('requests without an answer are a slot of all operations that says nothing of the target', () => {
  const slots = makeSlots(
    { begin, operations: [], isUnanswered: true },
    { target: 'mainnet', location: 'here' },
  );
  expect(slots).toMatchObject([{ series: { operation: 'all', source: 'passive' }, outcome: 'unknown' }]);
});
