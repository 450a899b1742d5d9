import { expect, test } from '@playwright/test';
import { countFound, isFoundAsClaimed, type Kill, killCurve, type Witness } from './facts.ts';

const kill = (foundBy: string[], budgets?: Record<string, boolean>): Kill => ({
  ...{ id: 'a', number: 'F1', class: 'types', title: 't', scene: 'one check', breaks: [] },
  ...{ requests: 48, milliseconds: 1, foundBy: foundBy.map((id) => ({ id, level: 'must' as const })) },
  budgets,
});

test('the curve counts only what one check can show', () => {
  const kills = [
    kill(['x/y'], { 24: true, 11: true }),
    kill(['x/y'], { 11: false, 24: true }),
    kill([], { 11: false, 24: false }),
    kill(['x/z']),
  ];
  expect(countFound(kills)).toEqual({ found: 3, all: 4 });
  expect(killCurve(kills)).toEqual([
    { budget: 11, share: { found: 1, all: 3 } },
    { budget: 24, share: { found: 2, all: 3 } },
  ]);
});

test('a fault is proven by a rule that it breaks, at the level of that rule', () => {
  const must: Witness = { id: 'x/y', level: 'must' };
  const should: Witness = { id: 'x/y', level: 'should' };
  const other: Witness = { id: 'x/z', level: 'must' };
  expect(isFoundAsClaimed({ breaks: [must], foundBy: [other, must] })).toBe(true);
  expect(isFoundAsClaimed({ breaks: [must], foundBy: [should] })).toBe(false);
  expect(isFoundAsClaimed({ breaks: [must], foundBy: [other] })).toBe(false);
  expect(isFoundAsClaimed({ breaks: [], foundBy: [must] })).toBe(false);
});
