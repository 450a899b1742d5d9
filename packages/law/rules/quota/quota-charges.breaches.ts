import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { count, damageFrom, header, withExchanges } from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';
import { counting, names } from './quota.breaches.ts';

/** Charges histories this much more than other requests, in a run that shares its key. */
function chargeMore(from: number, more: number): (recorded: NamedRecording) => NamedRecording {
  return charge((url, at) => (url.includes('/v2/') && at >= from ? more : 0));
}

/** Charges every request more than one, in a run that shares its key. */
function charge(excess: (url: string, at: number) => number): (recorded: NamedRecording) => NamedRecording {
  return (recorded) => {
    let owed = 0;
    const charged = withExchanges(recorded, (exchanges) =>
      exchanges.map((exchange, at) => {
        owed += excess(exchange.request.url, at);
        return count(names.remaining, (value) => value - owed)(exchange);
      }),
    );
    const { recording } = charged;
    return { ...charged, recording: { ...recording, target: { ...recording.target, soleUser: false } } };
  };
}

const spent = { quota: { limit: 130, used: 120, zone: 0, early: 1, servedBeyond: false } } as const;

export const chargeBreaches: readonly BreachCase[] = [
  {
    ...counting,
    what: 'histories that are charged twice to a shared key',
    operation: 'listV2PoolCandles',
    world: { bursts: false },
    whole: chargeMore(0, 1),
    expected: 'one request more than the answer before',
    actual: /^2 more/,
    count: 17,
  },
  {
    ...counting,
    what: 'refusals that are charged twice to a shared key',
    operation: 'listV2PoolCandles',
    world: { bursts: false },
    whole: chargeRefusals(2),
    expected: '0 to 1 requests more than before',
    actual: /^[23] more/,
  },
  {
    ...counting,
    what: 'a leap after requests that may have counted',
    operation: 'listV2PoolCandles',
    whole: (recorded) =>
      damageFrom(
        recorded,
        'after now',
        count(names.remaining, (value) => value - 50),
      ),
    expected: /^1 to \d+ requests more than before$/,
    actual: /^5\d more \(\d+, then \d+\), or others use the key too$/,
  },
];

/** Charges refused requests to our key this much more, in a run that shares its key. */
function chargeRefusals(more: number): (recorded: NamedRecording) => NamedRecording {
  return (recorded) => {
    const statuses = recorded.recording.exchanges.map(({ request, response }) =>
      request.credential === 'api-key' ? response?.status : undefined,
    );
    return charge((_, at) => ((statuses[at] ?? 0) >= 400 ? more : 0))(recorded);
  };
}

export const chargeNearMisses: readonly NearMiss[] = [
  {
    rule: counting.rule,
    what: 'a recording of others, which does not tell whose key it was',
    whole: (recorded) =>
      withExchanges(recorded, (exchanges) =>
        exchanges.map((exchange) =>
          exchange.request.credential === 'api-key'
            ? { ...exchange, request: { ...exchange.request, credential: 'unknown' } }
            : exchange,
        ),
      ),
    evidence: 13,
  },
  {
    rule: counting.rule,
    what: 'a month’s allowance that is spent in the middle of the run',
    world: spent,
    evidence: 13,
  },
  {
    rule: counting.rule,
    what: 'refusals that ask to come back soon, which are none of the month',
    world: spent,
    whole: (recorded) =>
      withExchanges(recorded, (exchanges) =>
        exchanges.map((exchange) =>
          exchange.response?.status === 429 ? header('retry-after', '5')(exchange) : exchange,
        ),
      ),
    evidence: 9,
  },
  ...(
    [
      ['one refusal charged twice', (url) => (/interval=hour|to=1&/.test(url) ? 1 : 0)],
      ['two histories charged twice', (url, at) => (url.includes('/v2/') && at > 8 && at < 11 ? 1 : 0)],
      [
        'histories charged now twice and now three times',
        (url, at) => (url.includes('/v2/') ? 1 + (at % 2) : 0),
      ],
      ['requests of every kind charged twice', () => 1],
      ['the one request for tokens charged twice', (url) => (url.endsWith('/tokens') ? 1 : 0)],
      ['others that now and then use the key', (_, at) => (at % 3 === 0 ? 1 : 0)],
    ] as const satisfies readonly (readonly [string, (url: string, at: number) => number])[]
  ).map(
    ([what, excess]): NearMiss => ({
      rule: 'quota/counts-every-request',
      what,
      world: { bursts: false },
      whole: charge(excess),
    }),
  ),
  {
    rule: 'quota/counts-every-request',
    what: 'one foreign request while the key is shared',
    whole: chargeMore(14, 0),
  },
];
