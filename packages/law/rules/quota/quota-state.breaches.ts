import { type HeaderLine, headerValues } from '../../reading/exchange.ts';
import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import {
  all,
  count,
  type Distort,
  damageExchange,
  damageFrom,
  header,
  status,
  withExchanges,
} from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';

const names = { remaining: 'x-ratelimit-remaining', reset: 'x-ratelimit-reset' } as const;

const parallel = { rule: 'quota/counts-in-parallel', pointer: `header:${names.remaining}` } as const;

const damageAfterBurst =
  (damage: Distort) =>
  (recorded: NamedRecording): NamedRecording =>
    damageFrom(recorded, 'before any pool', damage);

/** One answer of the burst shows another's count. */
function sameCount(recorded: NamedRecording): NamedRecording {
  const day = recorded.recording.exchanges[recorded.names.indexOf('week DAY')];
  const [reported] = headerValues(day?.response?.headers ?? [], names.remaining);
  return damageExchange(recorded, 'week HOUR', header(names.remaining, reported));
}

/** A run across the end of March, with a request every half minute. */
const monthEnd = { world: { now: Date.parse('2026-03-31T23:50:00Z') / 1000, pace: 30 } } as const;
const marchEnd = Date.parse('2026-03-31T23:59:59.999Z');

const damageAfterReset =
  (damage: Distort) =>
  (recorded: NamedRecording): NamedRecording =>
    withExchanges(recorded, (exchanges) =>
      exchanges.map((exchange) => (Date.parse(exchange.startedAt) > marchEnd ? damage(exchange) : exchange)),
    );

const reset = { rule: 'quota/resets-at-its-time', ...monthEnd } as const;

/** Refusals, or some of them, show the counters of the answer to the run's key before them. */
function returnTo(isMeant: (at: number) => boolean, recorded: NamedRecording): NamedRecording {
  let ours: readonly HeaderLine[] = [];
  return withExchanges(recorded, (exchanges) =>
    exchanges.map((exchange, at) => {
      const { response, request } = exchange;
      const quota = (response?.headers ?? []).filter(([name]) => name.startsWith('x-ratelimit'));
      if (request.credential === 'api-key') ours = quota;
      if (response?.status !== 401 || !isMeant(at)) return exchange;
      return all(...ours.map(([name, value]) => header(name, value)))(exchange);
    }),
  );
}

const returnToAll = (recorded: NamedRecording): NamedRecording => returnTo(() => true, recorded);

const forbidden: Distort = (exchange) =>
  exchange.response?.status === 401 ? status(403)(exchange) : exchange;

const shown = {
  rule: 'quota/refusals-show-no-account',
  operation: 'listTokens',
  pointer: `header:${names.remaining}`,
  expected: 'counters of nobody’s',
  actual: /^\d+ requests used, as of our key$/,
  count: 16,
  everyOperation: true,
} as const;

export const quotaStateBreaches: readonly BreachCase[] = [
  {
    ...parallel,
    rule: 'quota/never-runs-backwards',
    what: 'counters that forget a part of the burst before',
    whole: damageAfterBurst(count(names.remaining, (value) => value + 5)),
    expected: /^no fewer requests used than before \(\d+\)$/,
    actual: /^\d+$/,
    also: [parallel.rule],
  },
  {
    rule: 'quota/resets-are-a-month-apart',
    ...monthEnd,
    what: 'a month of six weeks',
    whole: damageAfterReset(count(names.reset, (value) => value + 14 * 86_400_000)),
    pointer: `header:${names.reset}`,
    expected: 'a month after 2026-04-01T00:00:00Z',
    actual: String(Date.parse('2026-05-14T23:59:59.999Z')),
    also: ['quota/reset-is-within-a-month'],
  },
  {
    ...shown,
    what: 'prohibitions with the counters of our key',
    whole: (recorded) => withExchanges(returnToAll(recorded), (exchanges) => exchanges.map(forbidden)),
  },
  {
    ...parallel,
    what: 'a burst that is charged twice',
    whole: damageAfterBurst(count(names.remaining, (value) => value - 11)),
    expected: /^\d+ requests more than the answer before$/,
    actual: /^\d+ more/,
  },
  {
    rule: 'quota/parallel-counts-differ',
    what: 'two answers with one count',
    whole: sameCount,
    pointer: `header:${names.remaining}`,
    expected: 'another count than every answer beside it and the one before',
    actual: /^\d+ requests used$/,
  },
  {
    ...reset,
    what: 'a month that is charged with the last one',
    whole: damageAfterReset(count(names.remaining, (value) => value - 140)),
    pointer: `header:${names.remaining}`,
    expected: 'counters that began anew at 2026-04-01T00:00:00Z',
    actual: /^\d+$/,
  },
  {
    ...reset,
    what: 'a reset that passes and stays',
    whole: damageAfterReset(header(names.reset, String(marchEnd))),
    pointer: `header:${names.reset}`,
    expected: 'a time after 2026-04-01T00:00:00Z, which has passed',
    actual: String(marchEnd),
    also: ['quota/reset-is-within-a-month'],
  },
  {
    rule: 'quota/resets-are-a-month-apart',
    ...monthEnd,
    what: 'a month of three weeks',
    whole: damageAfterReset(count(names.reset, (value) => value - 10 * 86_400_000)),
    pointer: `header:${names.reset}`,
    expected: 'a month after 2026-04-01T00:00:00Z',
    actual: String(Date.parse('2026-04-20T23:59:59.999Z')),
  },
  {
    rule: 'quota/keys-are-counted-apart',
    what: 'a request of another key charged to ours',
    world: { otherKey: true },
    whole: (recorded) =>
      damageFrom(
        recorded,
        'recent WEEK inverted',
        count(names.remaining, (value) => value - 1),
      ),
    pointer: `header:${names.remaining}`,
    expected: 'one request more than before: the other was another key’s',
    actual: '2 more',
  },
  { ...shown, what: 'refusals with the counters of our key', whole: returnToAll },
];

export const quotaStateNearMisses: readonly NearMiss[] = [
  {
    rule: 'quota/refusals-show-no-account',
    what: 'some refusals that look like ours by chance',
    whole: (recorded) => returnTo((at) => at % 2 === 0, recorded),
    evidence: 21,
  },
  { ...parallel, what: 'the same requests one by one', world: { bursts: false }, outcome: 'unexercised' },
  { ...parallel, what: 'others that use the key meanwhile', world: { foreign: 5 } },
  { ...reset, what: 'a month that begins as it should' },
  {
    rule: 'quota/resets-are-a-month-apart',
    world: { ...monthEnd.world, quota: { limit: 1000, used: 900, zone: 0, early: 0, servedBeyond: true } },
    what: 'a reset reported to the millisecond after',
  },
  {
    rule: 'quota/refusals-show-no-account',
    what: 'a limit like ours for everybody',
    whole: (recorded) =>
      withExchanges(recorded, (exchanges) =>
        exchanges.map((exchange) =>
          exchange.response?.status === 401 ? header('x-ratelimit-limit', '10000')(exchange) : exchange,
        ),
      ),
  },
];
