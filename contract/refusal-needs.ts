import type { ErrorCase } from './error-cases.ts';
import type { Need } from './rule.ts';
import { nearMisses, otherPlaces, type Trial } from './trials.ts';

/** Requests that are sent to see them refused, each a request of its own. */

/**
 * Each operation over a connection that has carried the key, and the candles once more over a new one: a service may
 * forget to ask on either.
 */
export const withoutKey: readonly Need[] = [
  { operation: 'listTokens', unkeyed: true },
  { operation: 'listV2PoolCandles', interval: 'HOUR', range: 'recent', unkeyed: true },
  { operation: 'getLatestV1PoolCandle', interval: 'HOUR', unkeyed: true },
  {
    operation: 'getLatestV1PoolCandle',
    interval: 'HOUR',
    inverted: true,
    unkeyed: true,
    freshConnection: true,
  },
  {
    operation: 'listV2PoolCandles',
    interval: 'DAY',
    range: 'closed week',
    unkeyed: true,
    freshConnection: true,
  },
];

/** Answers to our key between which the refusals stand, so that their count is seen. */
export const aroundRefusals: readonly Need[] = [
  { operation: 'listV2PoolCandles', interval: 'WEEK', range: 'before any pool' },
  { operation: 'listV2PoolCandles', interval: 'HOUR', range: 'after now' },
];

export const withWrongKeys: readonly Need[] = nearMisses.map(tried);

export const withKeyElsewhere: readonly Need[] = otherPlaces.map(tried);

export function tried(trial: Trial): Need {
  return { operation: 'listTokens', trial };
}

/** Cases about parameters stand in the operation that has them; the others need none. */
export function faulty(errorCase: ErrorCase): Need {
  if (errorCase.startsWith('inverted')) return { operation: 'getLatestV1PoolCandle', errorCase };
  const isHistory = /^(unkeyed-)?(from|to|interval|pool)-/.test(errorCase);
  return { operation: isHistory ? 'listV2PoolCandles' : 'listTokens', errorCase };
}

export const changing: Need = { operation: 'listTokens', method: 'POST' };

export const overPlainHttp: Need = { operation: 'listTokens', plainHttp: true };
