import { type ErrorCase, keyFamilies, otherPlaces, type Trial } from './error-cases.ts';
import { otherLengths } from './needs.ts';
import type { Need } from './rule.ts';

/**
 * Each operation in each interval, and one of them inverted: a service may forget to check the key in any cell. The first
 * ones go over a connection that has carried the key, some of the others over a new one, since either may be let in.
 */
export const withoutKey: readonly Need[] = [
  { role: 'tokens', unkeyed: true },
  { role: 'history', interval: 'hour', range: 'recent', unkeyed: true },
  { role: 'latest', interval: 'hour', unkeyed: true },
  {
    role: 'latest',
    interval: 'hour',
    orElse: otherLengths,
    inverted: true,
    unkeyed: true,
    freshConnection: true,
  },
  { role: 'history', interval: 'day', range: 'closed week', unkeyed: true, freshConnection: true },
  { role: 'history', interval: 'minutes', range: 'some minutes', unkeyed: true },
  { role: 'history', interval: 'week', range: 'all', unkeyed: true },
  { role: 'latest', interval: 'minutes', unkeyed: true, freshConnection: true },
  { role: 'latest', interval: 'day', unkeyed: true },
  { role: 'latest', interval: 'week', unkeyed: true },
];

/** Answers to the run's key before and after the refusals, which show whether refusals count. */
export const aroundRefusals: readonly Need[] = [
  { role: 'history', interval: 'week', range: 'before any pool' },
  { role: 'history', interval: 'hour', range: 'after now' },
];

const operations = [
  { role: 'tokens' },
  { role: 'history', interval: 'hour', range: 'recent' },
  { role: 'latest', interval: 'hour' },
] as const satisfies Need[];

/** Every wrong key is tried once. The members of a family alternate between operations, one of which may not check its key. */
export const withWrongKeys: readonly Need[] = keyFamilies.flatMap((family, at) =>
  family.map((trial, member) => ({
    ...(operations[(at + member) % operations.length] ?? operations[0]),
    trial,
  })),
);

/** The valid key in other places. */
export const withKeyElsewhere: readonly Need[] = otherPlaces.map(trialNeed);

/** Makes the need of a trial. */
export function trialNeed(trial: Trial): Need {
  return { role: 'tokens', trial };
}

/** Makes the need of a faulty request. Faults of parameters use an operation that has them. */
export function faultyNeed(errorCase: ErrorCase): Need {
  if (errorCase.startsWith('inverted')) return { role: 'latest', errorCase };
  const isHistory = /^(unkeyed-)?(from|to|interval|pool)-/.test(errorCase);
  return { role: isHistory ? 'history' : 'tokens', errorCase };
}

/** A request that would change something. */
export const changing: Need = { role: 'tokens', method: 'POST' };

export const overPlainHttp: Need = { role: 'tokens', plainHttp: true };
