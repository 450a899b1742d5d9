import type { Outcome } from '@candleproof/law/judge/verdict';
import { cleanRun } from '@candleproof/reports/testing/sample-run';
import { expect, test } from '@playwright/test';
import { type Comparable, compareMaking, compareRuns } from './difference.ts';

function judged(outcomes: Readonly<Record<string, Outcome>>): Comparable {
  return { rules: Object.entries(outcomes).map(([id, outcome]) => ({ id, level: 'must', outcome })) };
}

function listIds(before: Record<string, Outcome>, after: Record<string, Outcome>): Record<string, string[]> {
  const { failing, mended, unjudged, stillFailing } = compareRuns(judged(before), judged(after));
  const lists = { failing, mended, unjudged, stillFailing };
  return Object.fromEntries(Object.entries(lists).map(([name, all]) => [name, all.map(({ id }) => id)]));
}

test('what is judged no more is neither mended nor failing', () => {
  expect(listIds({ a: 'failed', b: 'passed', c: 'known' }, { a: 'unexercised', b: 'inconclusive' })).toEqual({
    ...{ failing: [], mended: [], stillFailing: [] },
    unjudged: ['a', 'b', 'c'],
  });
});

test('a failing that a baseline accepts is still one', () => {
  expect(listIds({ a: 'failed', b: 'known', c: 'passed' }, { a: 'known', b: 'passed', c: 'known' })).toEqual({
    ...{ failing: ['c'], mended: ['b'], unjudged: [] },
    stillFailing: ['a'],
  });
});

test('a rule that is new, or was not judged before, fails newly', () => {
  const { failing } = compareRuns(judged({ b: 'unexercised' }), judged({ a: 'failed', b: 'failed' }));
  expect(failing).toEqual([
    { id: 'a', level: 'must', after: 'failed' },
    { id: 'b', level: 'must', before: 'unexercised', after: 'failed' },
  ]);
});

test('questions change by their answers, where both sides have one', () => {
  const [first] = cleanRun.observations;
  if (!first) throw new Error('the sample has observations');
  const side = (answers: Record<string, string>): Comparable => ({
    rules: [{ id: 'q', level: 'observe', outcome: 'passed' }],
    observations: Object.entries(answers).map(([id, answer]) => ({
      ...first,
      id,
      question: `${id}?`,
      answer,
    })),
  });
  const { answers, failing } = compareRuns(
    side({ a: 'x', b: 'x', c: 'x' }),
    side({ a: 'x', b: 'y', d: 'z' }),
  );
  expect(answers).toEqual([{ question: 'b?', before: 'x', after: 'y' }]);
  expect(failing).toEqual([]);
});

test('rules, spec, plan and version are reported where they differ', () => {
  const other = {
    versions: { ...cleanRun.versions, catalogue: '000000000002', candleproof: '9.9.9' },
    requests: { sent: 7, budget: 12 },
    unchosen: 3,
  };
  expect(compareMaking(cleanRun, cleanRun)).toEqual([]);
  expect(compareMaking(cleanRun, other)).toEqual([
    { what: 'rules', before: '000000000001', after: '000000000002' },
    { what: 'plan', before: 'at most 48 requests', after: 'at most 12 requests, 3 musts left out' },
    { what: 'version of Candleproof', before: '0.1.0', after: '9.9.9' },
  ]);
});
