import { backsOffFromServerErrors, easesOffWhenItsKeyIsRefused } from '../law/backs-off.ts';
import { recovers } from '../law/recovers.ts';
import { waitsAsRetryAfterSays } from '../law/waits.ts';
import { staysWithinItsQuota } from '../law/within-quota.ts';
import { monthEndingIn } from './months.ts';
import { keyRevoked, refusedFor, slowFor, unavailableFor } from './refusals.ts';
import type { ClientScenario } from './scenario.ts';
import { gapInTheMiddle, isRepainted, repainted } from './wrong-data.ts';

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
    stage: () => ({ trouble: refusedFor(2000) }),
  },
  {
    id: 'unavailable',
    title: 'from the second request on 503 without Retry-After, for 4 s',
    kind: 'trouble',
    about: [backoff],
    stage: () => ({ trouble: unavailableFor(4000, false) }),
  },
  {
    id: 'maintenance',
    title: 'from the second request on 503 with Retry-After, for 2 s',
    kind: 'trouble',
    about: [waits, recovery],
    stage: () => ({ trouble: unavailableFor(2000, true) }),
  },
  {
    id: 'month-reset',
    title: 'the second request is refused with 429: the month is used up, and ends 5 s after the first',
    kind: 'trouble',
    about: [waits, recovery],
    stage: () => ({
      quota: { limit: usualLimit, remaining: 1, hardCap: true },
      trouble: monthEndingIn(5000),
    }),
  },
  {
    id: 'month-end',
    title: 'two requests are left of a month that ends 5 s after the first; the counters begin anew',
    kind: 'trouble',
    about: [quota],
    stage: () => ({ quota: { limit: usualLimit, remaining: 2 }, trouble: monthEndingIn(5000) }),
  },
  {
    id: 'slow',
    title: 'from the second request on each answer takes 3 s, for 6 s',
    kind: 'trouble',
    about: [recovery],
    stage: () => ({ trouble: slowFor(6000, 3000) }),
  },
  {
    id: 'key-revoked',
    title: 'from the second request on the key is refused with 401',
    kind: 'trouble',
    about: [refusedKey],
    stage: () => ({ trouble: keyRevoked() }),
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
    stage: () => ({ distortion: repainted() }),
    isWrong: ({ role }, exchange, before) =>
      role === 'history' && before.some((each) => isRepainted(each, exchange)),
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

/** Every scenario, the control first. */
export const scenarios: readonly ClientScenario[] = [
  { id: 'steady', title: 'nothing is wrong: the control', kind: 'control', stage: () => ({}) },
  ...troubles,
  ...wrongData,
];
