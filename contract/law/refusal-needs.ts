import type { ErrorCase } from './error-cases.ts';
import type { Need } from './rule.ts';
import { firstNearMisses, nearMisses, otherPlaces, type Trial } from './trials.ts';

/** Requests that are sent to see them refused, each a request of its own. */

/**
 * Each operation over a connection that has carried the key, and the candles once more over a new one: a service may
 * forget to ask on either.
 */
export const withoutKey: readonly Need[] = [
  { role: 'tokens', unkeyed: true },
  { role: 'history', interval: 'hour', range: 'recent', unkeyed: true },
  { role: 'latest', interval: 'hour', unkeyed: true },
  {
    role: 'latest',
    interval: 'hour',
    inverted: true,
    unkeyed: true,
    freshConnection: true,
  },
  {
    role: 'history',
    interval: 'day',
    range: 'closed week',
    unkeyed: true,
    freshConnection: true,
  },
];

/** Answers to our key between which the refusals stand, so that their count is seen. */
export const aroundRefusals: readonly Need[] = [
  { role: 'history', interval: 'week', range: 'before any pool' },
  { role: 'history', interval: 'hour', range: 'after now' },
];

const operations = [
  { role: 'tokens' },
  { role: 'history', interval: 'hour', range: 'recent' },
  { role: 'latest', interval: 'hour' },
] as const satisfies Need[];

/** Each is requested once, and of the operations in turn: one of them may not look at its key. */
export const withWrongKeys: readonly Need[] = nearMisses.map((trial, at) => ({
  ...(operations[at % operations.length] ?? operations[0]),
  trial,
}));

/** As runs of the first two editions sent them. */
export const withFirstWrongKeys: readonly Need[] = withWrongKeys.slice(0, firstNearMisses.length);

export const withKeyElsewhere: readonly Need[] = otherPlaces.map(tried);

export function tried(trial: Trial): Need {
  return { role: 'tokens', trial };
}

/** Cases about parameters stand in the operation that has them; the others need none. */
export function faulty(errorCase: ErrorCase): Need {
  if (errorCase.startsWith('inverted')) return { role: 'latest', errorCase };
  const isHistory = /^(unkeyed-)?(from|to|interval|pool)-/.test(errorCase);
  return { role: isHistory ? 'history' : 'tokens', errorCase };
}

export const changing: Need = { role: 'tokens', method: 'POST' };

export const overPlainHttp: Need = { role: 'tokens', plainHttp: true };
