import type { Exchange } from '../../reading/exchange.ts';
import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import {
  all,
  brokenOff,
  type Distort,
  damageExchange,
  failure,
  header,
  status,
  text,
  withExchanges,
  withRecorder,
} from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';
import { names } from '../quota/quota.breaches.ts';

/** Ends every attempt at this request in the same way: the first in its place, the others at the end of the run. */
function repeatAttempts(
  name: string,
  times: number,
  damage: Distort,
): (recorded: NamedRecording) => NamedRecording {
  return (recorded) =>
    withExchanges(recorded, (exchanges) => {
      const at = recorded.names.indexOf(name);
      const failed = exchanges.slice(at, at + 1).map(damage);
      const again = Array.from({ length: times - 1 }, () => failed).flat();
      return [...exchanges.slice(0, at), ...failed, ...exchanges.slice(at + 1), ...again];
    });
}

const answered = {
  rule: 'transport/proper-requests-are-answered',
  pointer: 'status',
  expected: 'a complete answer with status 200',
} as const;

/** Another service at that address counts nothing. */
const withoutQuota = Object.values(names).map((name) => header(name, undefined));

/** Damages every request in the same way. */
const damageEverywhere =
  (damage: Distort) =>
  (recorded: NamedRecording): NamedRecording =>
    withExchanges(recorded, (exchanges) => exchanges.map(damage));

function withoutRecorder({ recorder: _, ...exchange }: Exchange): Exchange {
  return exchange;
}

/** A run of one request and further attempts at it. */
const damageSoleAnswer =
  (damage: Distort, times = 1) =>
  (recorded: NamedRecording): NamedRecording =>
    withExchanges(recorded, (exchanges) =>
      exchanges.flatMap((exchange, at) =>
        recorded.names[at] === 'tokens' ? Array.from({ length: times }, () => damage(exchange)) : [],
      ),
    );

export const answeredBreaches: readonly BreachCase[] = [
  {
    ...answered,
    what: 'a token list that is not found',
    at: 'tokens',
    damage: status(404),
    actual: 'status 404',
  },
  ...[201, 204, 301, 304, 400, 412, 418].map(
    (code): BreachCase => ({
      ...answered,
      what: `a latest candle answered ${code}`,
      world: { poolsV1: [1, 77] },
      at: 'latest HOUR of 77',
      damage: status(code),
      actual: `status ${code}`,
    }),
  ),
  {
    ...answered,
    what: 'a history that never comes',
    whole: repeatAttempts('recent HOUR of 2', 3, failure('timeout')),
    actual: 'timeout in phase connect: it was timeout',
  },
  {
    ...answered,
    what: 'a known tag that is called a bad request',
    at: 'known tag',
    damage: status(400),
    actual: 'status 400',
    also: ['transport/same-tag-same-body'],
  },
  ...(
    [
      ['recent WEEK inverted', 'whose plain range was answered', 'WEEK'],
      ['week HOUR first half', 'of which the whole was answered', 'HOUR'],
      ['week DAY', 'that was answered inverted', 'DAY'],
    ] as const
  ).map(
    ([at, what, interval]): BreachCase => ({
      ...answered,
      what: `a refused range ${what}`,
      at,
      damage: status(400),
      actual: new RegExp(`^status 400; answered for ${interval}( inverted)? from 2026-.*Z to 2026-.*Z$`),
    }),
  ),
  {
    ...answered,
    what: 'the only request, called a bad one',
    operation: 'listTokens',
    whole: damageSoleAnswer(status(400)),
    actual: 'status 400',
  },
  {
    ...answered,
    what: 'a history that is somewhere else',
    at: 'week FIVEMIN',
    damage: status(301),
    actual: 'status 301',
  },
  ...[199, 204].map(
    (code): BreachCase => ({
      ...answered,
      what: `tokens answered ${code}, whose length is none`,
      at: 'tokens',
      damage: all(status(code), header('content-length', '5')),
      actual: `status ${code}`,
    }),
  ),
];

export const answeredNearMisses: readonly NearMiss[] = [
  {
    ...answered,
    what: 'two failed attempts of three',
    whole: repeatAttempts('tokens', 2, status(503)),
    reason: 'no complete answer, and too few attempts to blame the target',
  },
  {
    ...answered,
    what: 'an unknown pool',
    at: 'latest HOUR of 2',
    damage: status(404),
    reason: 'pool 2 is not known to the target (404)',
  },
  {
    ...answered,
    what: 'a spent rate limit',
    at: 'latest HOUR of 2',
    damage: status(429),
    reason: 'the quota or the rate limit refused the request (429)',
  },
  {
    ...answered,
    what: 'a range that is too large',
    at: 'week FIVEMIN',
    damage: status(400),
    reason: 'this range was refused (400); the document leaves limits of range open',
  },
  {
    ...answered,
    what: 'a failure that passes on the second attempt',
    whole: (recorded) =>
      withExchanges(recorded, (exchanges) =>
        exchanges.flatMap((exchange, at) =>
          recorded.names[at] === 'tokens' ? [failure('reset')(exchange), exchange] : [exchange],
        ),
      ),
  },
  ...(
    [
      ['nobody who answers at all', failure('timeout')],
      ['nobody who answers to the end', brokenOff],
      ['a gateway in the place of everything', all(status(503), text(''))],
    ] as const
  ).map(
    ([what, damage]): NearMiss => ({
      ...answered,
      what,
      whole: (recorded) => damageEverywhere(damage)(repeatAttempts('tokens', 3, damage)(recorded)),
      outcome: 'inconclusive',
      reason: 'no complete answer, and too few attempts to blame the target',
    }),
  ),
  {
    ...answered,
    what: 'a server that breaks down over the only request',
    whole: damageSoleAnswer(status(500), 3),
    outcome: 'inconclusive',
    reason: 'no complete answer, and too few attempts to blame the target',
  },
  {
    ...answered,
    what: 'a target that fails while a cache answers for it',
    whole: (recorded) =>
      repeatAttempts(
        'tokens',
        3,
        all(failure('timeout'), withoutRecorder),
      )(damageEverywhere(withRecorder({ fromCache: true }))(recorded)),
    outcome: 'inconclusive',
    reason: 'no complete answer, and too few attempts to blame the target',
  },
  {
    ...answered,
    what: 'an answer that breaks off once',
    at: 'tokens',
    damage: brokenOff,
    reason: 'no complete answer, and too few attempts to blame the target',
  },
  {
    ...answered,
    what: 'a base URL under which there is nothing',
    whole: (recorded) =>
      damageExchange(
        damageEverywhere(all(status(404), text('{"message":"Nothing"}'), ...withoutQuota))(recorded),
        'known tag',
        failure('timeout'),
      ),
    outcome: 'inconclusive',
    reason: /^nothing answers under this base URL \(404\); no complete answer/,
  },
];
