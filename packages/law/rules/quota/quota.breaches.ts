import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { all, count, type Distort, damageFrom, header, status, withExchanges } from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';

export const names = {
  limit: 'x-ratelimit-limit',
  remaining: 'x-ratelimit-remaining',
  additional: 'x-ratelimit-additional-total',
  reset: 'x-ratelimit-reset',
} as const;

/** Latest candles that a run requests with the key in the usual world; those that it requests in a faulty way. */
const counted = 8;
const shown = 9;

const damageEverywhere =
  (damage: Distort) =>
  (recorded: NamedRecording): NamedRecording =>
    withExchanges(recorded, (exchanges) => exchanges.map(damage));

const damageFromTokens =
  (damage: Distort) =>
  (recorded: NamedRecording): NamedRecording =>
    damageFrom(recorded, 'tokens', damage);

const first = { operation: 'getLatestV1PoolCandle' } as const;
const presence = { rule: 'quota/headers-on-every-answer', expected: 'a whole number, once' } as const;
export const counting = {
  rule: 'quota/counts-every-request',
  operation: 'listTokens',
  pointer: `header:${names.remaining}`,
} as const;

const inHeaders: readonly BreachCase[] = [
  ...Object.values(names).map(
    (name): BreachCase => ({
      ...presence,
      what: `a refusal without ${name}`,
      at: 'tokens unkeyed',
      damage: header(name, undefined),
      pointer: `header:${name}`,
      actual: 'no such header',
    }),
  ),
  ...['-1', '1.5', '', '1e4', '0x10', 'many'].map(
    (value): BreachCase => ({
      ...presence,
      what: `a limit of "${value}"`,
      at: 'tokens unkeyed',
      damage: header(names.limit, value),
      pointer: `header:${names.limit}`,
      actual: value,
    }),
  ),
  {
    ...presence,
    what: 'a limit reported twice',
    at: 'tokens unkeyed',
    damage: header(names.limit, ['5', '5']),
    pointer: `header:${names.limit}`,
    actual: '5 and 5',
  },
];

const inNumbers: readonly BreachCase[] = [
  {
    ...first,
    rule: 'quota/remaining-is-within-limit',
    what: 'more left than allowed',
    whole: damageEverywhere(header(names.limit, '100')),
    pointer: `header:${names.remaining}`,
    expected: 'at most the limit of 100, which is above zero',
    actual: '9879',
    count: shown,
    everyOperation: true,
  },
  {
    ...counting,
    what: 'a request beyond the limit that is charged twice',
    world: { quota: { limit: 100, used: 120, zone: 0, early: 1, servedBeyond: true } },
    whole: damageFromTokens(count(names.additional, (value) => value + 1)),
    pointer: `header:${names.additional}`,
    expected: 'one request more than the answer before',
    actual: '2 more (127, then 129), or others use the key too',
  },
  {
    ...first,
    rule: 'quota/remaining-is-within-limit',
    what: 'a limit of nothing',
    whole: damageEverywhere(all(header(names.limit, '0'), header(names.remaining, '0'))),
    pointer: `header:${names.remaining}`,
    expected: 'at most the limit of 0, which is above zero',
    actual: '0',
    count: shown,
    everyOperation: true,
    also: ['quota/counts-every-request'],
  },
  {
    rule: 'quota/never-runs-backwards',
    what: 'an additional total that falls',
    operation: 'listTokens',
    world: { quota: { limit: 100, used: 120, zone: 0, early: 1, servedBeyond: true } },
    whole: damageFromTokens(count(names.additional, (value) => Math.max(0, value - 3))),
    pointer: `header:${names.additional}`,
    expected: 'no fewer requests used than before (127)',
    actual: '125',
    also: ['quota/counts-every-request'],
  },
];

const inResets: readonly BreachCase[] = [
  ...[-30, 20].map(
    (days): BreachCase => ({
      ...first,
      rule: 'quota/reset-is-within-a-month',
      what: `a reset ${days} days from the month’s end`,
      whole: damageEverywhere(count(names.reset, (value) => value + days * 86_400_000)),
      pointer: `header:${names.reset}`,
      expected: /^within a month after 2026-03-18T10:37:25Z$/,
      actual: String(Date.parse('2026-03-31T23:59:59.999Z') + days * 86_400_000),
      count: counted,
      everyOperation: true,
    }),
  ),
  {
    rule: 'quota/reset-is-constant',
    what: 'a reset that moves on',
    operation: 'listTokens',
    whole: damageFromTokens(count(names.reset, (value) => value + 1000)),
    pointer: `header:${names.reset}`,
    expected: '1775001599999, as before',
    actual: '1775001600999',
  },
];

export const quotaBreaches: readonly BreachCase[] = [...inHeaders, ...inNumbers, ...inResets];

export const quotaNearMisses: readonly NearMiss[] = [
  { ...presence, what: 'blanks around a number', at: 'tokens unkeyed', damage: header(names.limit, ' 5 ') },
  {
    ...presence,
    what: 'the page of a gateway',
    at: 'tokens unkeyed',
    damage: all(status(502), header(names.limit, undefined)),
    evidence: 61,
  },
  { ...presence, what: 'a POST', at: 'post', damage: header(names.limit, undefined), evidence: 62 },
  { ...presence, what: 'an unknown path', at: 'path-unknown', damage: header(names.limit, undefined) },
  {
    rule: 'quota/remaining-is-within-limit',
    what: 'all of the limit left',
    whole: damageEverywhere(header(names.limit, '9879')),
  },
  {
    rule: 'quota/reset-is-within-a-month',
    what: 'a reset in a month and two hours',
    whole: damageEverywhere(header(names.reset, String(Date.parse('2026-04-18T12:00:00Z')))),
  },
  {
    rule: 'quota/counts-every-request',
    what: 'a counter that stumbles a minute and a half before the month ends',
    world: { now: Date.parse('2026-03-31T23:58:30Z') / 1000 },
    whole: damageFromTokens(count(names.remaining, (value) => value + 3)),
    outcome: 'unexercised',
  },
  {
    rule: 'quota/counts-every-request',
    what: 'the month that ends during the run',
    world: { now: Date.parse('2026-03-31T23:59:58Z') / 1000 },
  },
];
