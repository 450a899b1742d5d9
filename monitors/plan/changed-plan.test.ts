import { expect, test } from '@playwright/test';
import { changedPlan } from './changed-plan.ts';
import { type SlotPlan, slotPlan } from './slot-plan.ts';

const minute = 60_000;
const probe = {
  kind: 'deep',
  budget: 24,
  name: 'deep',
  target: 'mainnet',
  rhythm: { every: minute },
} as const;

function planOf(index: number, of: number): SlotPlan {
  return slotPlan(probe, { location: '', share: { index, of } });
}

const whole = planOf(0, 1);

test('slots are those of the plan that held when they came', () => {
  const plan = changedPlan(planOf(0, 2), 100 * minute, planOf(1, 2));
  const before = planOf(0, 2).list(0, 100 * minute);
  const after = planOf(1, 2).list(100 * minute, 300 * minute);
  expect(plan.list(0, 300 * minute)).toEqual([...before, ...after]);
  expect(plan.count(90 * minute, 170 * minute)).toBe(40);
  expect(plan.next(before.at(-1) ?? 0)).toBe(after[0]);
  expect(plan.next(after[0] ?? 0)).toBe(after[1]);
  expect(plan.period).toBe(2 * minute);
});

test('a plan that changed often still has every slot of its newest parts, once', () => {
  let plan = whole;
  for (let change = 1; change <= 20; change++) plan = changedPlan(plan, change * 10 * minute, whole);
  expect(plan.list(140 * minute, 260 * minute)).toEqual(whole.list(140 * minute, 260 * minute));
  expect(plan.count(140 * minute, 260 * minute)).toBe(120);
  expect(plan.next(145 * minute)).toBe(whole.next(145 * minute));
});
