import { UsageError } from '@candleproof/files/usage-error';
import type { Distortion } from '@candleproof/reference-service/api/distortion';
import type { ClientExchange } from '../client-exchange.ts';
import { backsOffFromServerErrors, easesOffWhenItsKeyIsRefused } from '../law/backs-off.ts';
import { recovers } from '../law/recovers.ts';
import { staysWithinItsQuota, waitsAsRetryAfterSays } from '../law/waits.ts';
import type { ClientScenario } from './scenario.ts';
import {
  delayAnswers,
  endMonthAfter,
  failTemporarily,
  refuseTemporarily,
  revokeKey,
  usualFirst,
} from './scenario.ts';

const usualLimit = 10_000;

const waits = waitsAsRetryAfterSays.id;
const backoff = backsOffFromServerErrors.id;
const quota = staysWithinItsQuota.id;
const recovery = recovers.id;
const refusedKey = easesOffWhenItsKeyIsRefused.id;

const troubles: readonly ClientScenario[] = [
  {
    id: 'quota-low',
    title: 'three requests of the month are left; those beyond are served and counted',
    kind: 'trouble',
    about: [quota],
    stage: () => ({ quota: { limit: usualLimit, remaining: 3 } }),
  },
  {
    id: 'overage',
    title: 'the month is used up from the start; requests are served and counted as overage',
    kind: 'trouble',
    about: [quota],
    stage: () => ({ quota: { limit: usualLimit, remaining: 0 } }),
  },
  {
    id: 'rate-limited',
    title: 'from the second request on 429 with Retry-After, for 2 s',
    kind: 'trouble',
    about: [waits, recovery],
    lasts: 2000,
    stage: (first) => ({ trouble: refuseTemporarily(2000, first) }),
  },
  {
    id: 'unavailable',
    title: 'from the second request on 503 without Retry-After, for 4 s',
    kind: 'trouble',
    about: [backoff],
    isPaced: true,
    lasts: 4000,
    stage: (first) => ({ trouble: failTemporarily(4000, false, first) }),
  },
  {
    id: 'maintenance',
    title: 'from the second request on 503 with Retry-After, for 2 s',
    kind: 'trouble',
    about: [waits, recovery],
    lasts: 2000,
    stage: (first) => ({ trouble: failTemporarily(2000, true, first) }),
  },
  {
    id: 'month-reset',
    title: 'the second request is refused with 429: the month is used up, and ends 5 s after the first',
    kind: 'trouble',
    about: [waits, recovery],
    lasts: 5000,
    stage: (first = usualFirst) => ({
      quota: { limit: usualLimit, remaining: first - 1, hardCap: true },
      trouble: endMonthAfter(5000),
    }),
  },
  {
    id: 'month-end',
    title: 'two requests are left of a month that ends 5 s after the first; the counters begin anew',
    kind: 'trouble',
    about: [quota],
    lasts: 5000,
    stage: () => ({ quota: { limit: usualLimit, remaining: 2 }, trouble: endMonthAfter(5000) }),
  },
  {
    id: 'slow',
    title: 'from the second request on each answer takes 3 s, for 6 s',
    kind: 'trouble',
    about: [recovery],
    lasts: 6000,
    stage: (first) => ({ trouble: delayAnswers(6000, 3000, first) }),
  },
  {
    id: 'key-revoked',
    title: 'from the second request on the key is refused with 401',
    kind: 'trouble',
    about: [refusedKey],
    isPaced: true,
    lasts: Number.POSITIVE_INFINITY,
    stage: (first) => ({ trouble: revokeKey(first) }),
  },
];

const wrongData: readonly ClientScenario[] = [
  {
    id: 'stale',
    title: 'the latest candle is ten minutes old',
    kind: 'wrong data',
    stage: () => ({ faults: ['stale-latest'] }),
    isWrong: ({ role }) => role === 'latest',
  },
  {
    id: 'gap',
    title: 'each history lacks the candle in its middle',
    kind: 'wrong data',
    stage: () => ({ distortion: gapInTheMiddle }),
    isWrong: ({ role, from = 0, to = 0, length = 0 }) => role === 'history' && to - from >= 3 * length,
  },
  {
    id: 'repainted',
    title: 'closed candles change by a thousandth every two seconds',
    kind: 'wrong data',
    stage: () => ({ distortion: repaintHistory() }),
    isWrong: ({ role }, exchange, before) =>
      role === 'history' && before.some((earlier) => isRepainted(earlier, exchange)),
  },
  {
    id: 'inversion',
    title: 'inverted=true is ignored',
    kind: 'wrong data',
    stage: () => ({ faults: ['inversion-is-ignored'] }),
    isWrong: ({ inverted }) => inverted === true,
  },
  {
    id: 'average',
    title: 'averages are sums over time that nobody divided',
    kind: 'wrong data',
    stage: () => ({ faults: ['undivided-average'] }),
    isWrong: ({ role }) => role !== 'tokens',
  },
  {
    id: 'extra-fields',
    title: 'every candle and token has a field that the document does not name',
    kind: 'wrong data',
    stage: () => ({ faults: ['new-field'] }),
    isWrong: () => true,
  },
];

/** All scenarios, the control first. */
export const scenarios: readonly ClientScenario[] = [
  { id: 'steady', title: 'nothing is wrong: the control', kind: 'control', stage: () => ({}) },
  ...troubles,
  ...wrongData,
];

/** Interval (ms) at which past candles change. */
const repaintMs = 2000;

/** Longest time (ms) between the arrival of a request and its answer. */
const lateMs = 100;

/** Removes the middle candle of every history. */
export const gapInTheMiddle: Distortion = {
  rows: (rows) => (rows.length < 3 ? rows : rows.filter((_, at) => at !== Math.floor(rows.length / 2))),
};

/** Changes the prices of histories by a thousandth every two seconds, including closed candles. */
export function repaintHistory(): Distortion {
  let began: number | undefined;
  return {
    candle: (candle, { now, poolQuery }) => {
      if (poolQuery?.from === undefined) return candle;
      began ??= now;
      const by = 1 + 0.001 * Math.floor((now - began) / repaintMs);
      const { open, high, low, close, avg } = candle;
      return { ...candle, open: open * by, high: high * by, low: low * by, close: close * by, avg: avg * by };
    },
  };
}

/** Returns whether an earlier answer for the same history, at any times, had different prices. */
export function isRepainted(before: ClientExchange, { target, arrived, answer }: ClientExchange): boolean {
  const form = (text: string): string => text.replaceAll(/=\d+/g, '=');
  return (
    form(before.target) === form(target) &&
    arrived - before.arrived > repaintMs - lateMs &&
    before.answer.sha256 !== answer.sha256
  );
}

/** Returns the scenarios of these ids in the order of the catalogue, all of them by default. Throws a UsageError. */
export function chooseScenarios(ids: readonly string[]): readonly ClientScenario[] {
  const unknown = ids.find((id) => !scenarios.some((scenario) => scenario.id === id));
  if (unknown !== undefined) {
    const known = scenarios.map(({ id }) => id).join(', ');
    throw new UsageError(`--scenario: there is no "${unknown}": take ${known}`);
  }
  return ids.length === 0 ? scenarios : scenarios.filter(({ id }) => ids.includes(id));
}
