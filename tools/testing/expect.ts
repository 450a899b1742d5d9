import { isDeepStrictEqual } from 'node:util';
import { expect as playwrightExpect } from '@playwright/test';

type Comparison = (actual: unknown, expected: unknown) => boolean;

function compareNumbers(holds: (actual: number, expected: number) => boolean): Comparison {
  return (actual, expected) =>
    typeof actual === 'number' && typeof expected === 'number' && holds(actual, expected);
}

/** A pattern that keeps its place from one text to the next is left to Playwright. */
function matchesText(actual: unknown, expected: unknown): boolean {
  if (typeof actual !== 'string') return false;
  if (typeof expected === 'string') return actual.includes(expected);
  return expected instanceof RegExp && !expected.global && !expected.sticky && expected.test(actual);
}

function isList(value: unknown): value is string | readonly unknown[] {
  return typeof value === 'string' || Array.isArray(value);
}

const comparisons = new Map<PropertyKey, Comparison>([
  ['toBe', Object.is],
  ['toEqual', isDeepStrictEqual],
  ['toBeUndefined', (actual) => actual === undefined],
  ['toMatch', matchesText],
  ['toHaveLength', (actual, expected) => isList(actual) && actual.length === expected],
  ['toBeLessThan', compareNumbers((actual, expected) => actual < expected)],
  ['toBeLessThanOrEqual', compareNumbers((actual, expected) => actual <= expected)],
  ['toBeGreaterThan', compareNumbers((actual, expected) => actual > expected)],
  ['toBeGreaterThanOrEqual', compareNumbers((actual, expected) => actual >= expected)],
]);

/**
 * Playwright's `expect`, for properties and loops. Playwright records each call as a step of the test, which takes 0.3 ms
 * and longer with every step before it. Here a plain comparison that holds returns at once; Playwright judges the rest.
 */
export const expect = new Proxy(playwrightExpect, {
  apply: (_target, _this, parameters) => {
    const judge = (name: PropertyKey): unknown =>
      Reflect.get(Reflect.apply(playwrightExpect, undefined, parameters), name);
    return new Proxy(Object.prototype, {
      get: (_empty, name) => {
        const holds = comparisons.get(name);
        if (!holds) return judge(name);
        return (expected: unknown) =>
          holds(parameters[0], expected) || Reflect.apply(judge(name) as Comparison, undefined, [expected]);
      },
    });
  },
});
