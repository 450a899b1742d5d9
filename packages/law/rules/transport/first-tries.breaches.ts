import type { Recording } from '../../reading/exchange.ts';
import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import {
  all,
  brokenOff,
  count,
  type Distort,
  failure,
  foreign,
  header,
  status,
  withExchanges,
} from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';

type Whole = (recorded: NamedRecording) => NamedRecording;

const must = {
  rule: 'transport/proper-requests-are-answered',
  pointer: 'status',
  expected: 'a complete answer with status 200',
} as const;

const should = { ...must, rule: 'transport/answered-at-first' } as const;

const histories = ['recent FIVEMIN', 'recent HOUR of 1', 'recent HOUR of 2', 'recent WEEK', 'week DAY'];

/** Ends the first try at each of these requests in another way; the second one is answered. */
function spoilFirstTries(names: readonly string[], damage: Distort): Whole {
  return (recorded) =>
    withExchanges(recorded, (exchanges) =>
      exchanges.flatMap((exchange, at) =>
        names.includes(recorded.names[at] ?? '') ? [damage(exchange), exchange] : [exchange],
      ),
    );
}

/** Damages these requests, however often they are made. */
function spoilAll(names: readonly string[], damage: Distort): Whole {
  return (recorded) =>
    withExchanges(recorded, (exchanges) =>
      exchanges.map((exchange, at) =>
        names.includes(recorded.names[at] ?? '') ? damage(exchange) : exchange,
      ),
    );
}

/** Returns the run as one of a service on this machine. */
function onLoopback(recorded: NamedRecording): NamedRecording {
  const moved = JSON.stringify(recorded.recording).replaceAll('target.invalid', '127.0.0.1');
  return { ...recorded, recording: JSON.parse(moved) as Recording };
}

/** Requests the token list three times more at the end of the run, after all wrong keys, in vain. */
function refuseAtTheEnd(code: number): Whole {
  return (recorded) =>
    withExchanges(recorded, (exchanges) => {
      const tokens = exchanges[recorded.names.indexOf('tokens')];
      return tokens ? [...exchanges, ...Array.from({ length: 3 }, () => status(code)(tokens))] : exchanges;
    });
}

const agent =
  (value: string): Distort =>
  ({ request, ...rest }) => ({ ...rest, request: { ...request, headers: [['user-agent', value]] } });

const unavailable = status(503);

export const firstTryBreaches: readonly BreachCase[] = [
  {
    ...must,
    what: 'every fifth proper request, unavailable at first',
    whole: spoilFirstTries(histories, unavailable),
    count: 5,
    actual: 'status 503; the same request was answered too',
  },
  {
    ...must,
    what: 'bodies that break off at first',
    whole: spoilFirstTries(histories, brokenOff),
    count: 5,
    actual: /^truncated in phase receive: .*; the same request was answered too$/,
  },
  {
    ...must,
    what: 'connections to this machine that break at first',
    whole: (recorded) => onLoopback(spoilFirstTries(histories, failure('reset'))(recorded)),
    count: 5,
    actual: /^reset in phase connect/,
  },
  ...[400, 401, 403, 404].map(
    (code): BreachCase => ({
      ...must,
      what: `two histories that are refused with ${code} and, requested again, answered`,
      whole: spoilFirstTries(histories.slice(0, 2), status(code)),
      count: 2,
      actual: `status ${code}; the same request was answered too`,
    }),
  ),
  {
    ...must,
    what: 'a range that is refused and answered, and another one that a limit might explain',
    whole: (recorded) =>
      spoilFirstTries(['week DAY'], status(400))(spoilAll(['week FIVEMIN'], status(400))(recorded)),
    count: 2,
    actual: /^status 400; (the same request was|others like it were) answered/,
  },
  {
    ...must,
    what: 'a key that two histories refuse and others accept',
    whole: spoilAll(['week DAY', 'recent WEEK'], status(401)),
    count: 2,
    actual: 'status 401; others like it were answered',
  },
  {
    ...should,
    what: 'two histories, unavailable at first',
    whole: spoilFirstTries(histories.slice(0, 2), unavailable),
    count: 2,
    actual: 'status 503; the same request was answered too',
  },
  {
    ...should,
    what: 'connections over a network that break at first',
    whole: spoilFirstTries(histories, failure('reset')),
    count: 5,
    actual: /^reset in phase connect/,
  },
  ...[400, 401, 404].map(
    (code): BreachCase => ({
      ...should,
      what: `one history that is refused with ${code} and, requested again, answered`,
      whole: spoilFirstTries(['recent FIVEMIN'], status(code)),
      actual: `status ${code}; the same request was answered too`,
    }),
  ),
  ...[401, 403].map(
    (code): BreachCase => ({
      ...should,
      what: `a key that one request refuses with ${code} and others accept`,
      at: 'latest HOUR of 2',
      damage: status(code),
      actual: `status ${code}; others like it were answered`,
    }),
  ),
];

export const firstTryNearMisses: readonly NearMiss[] = [
  {
    ...should,
    what: 'one failure alone',
    whole: spoilFirstTries(['recent FIVEMIN'], unavailable),
  },
  {
    ...must,
    what: 'a client that is refused until it calls itself something else',
    whole: (recorded) =>
      spoilFirstTries(histories, all(status(403), agent('python-requests/2.32.5')))(recorded),
  },
  {
    ...must,
    what: 'a range that is refused until the last second of it is over',
    whole: (recorded) =>
      withExchanges(recorded, (exchanges) => {
        const name = 'recent WEEK';
        const recent = exchanges[recorded.names.indexOf(name)];
        const later = new Date((recorded.world.now + 120) * 1000).toUTCString();
        const refused = exchanges.map((exchange, at) =>
          recorded.names[at] === name ? status(400)(exchange) : exchange,
        );
        const used = count('x-ratelimit-remaining', (left) => left - 20);
        return recent ? [...refused, all(header('date', later), used)(recent)] : refused;
      }),
  },
  {
    ...must,
    what: 'refusals that follow wrong keys',
    whole: refuseAtTheEnd(401),
    reason: 'proper requests were refused after wrong keys: a lock-out',
  },
  {
    ...must,
    what: 'keys of several clients, of which some are refused',
    whole: (recorded) => {
      const unknown: Distort = ({ request, ...rest }) => ({
        ...rest,
        request: { ...request, credential: 'unknown' },
      });
      return foreign(spoilFirstTries(histories, all(status(401), unknown))(recorded));
    },
  },
  {
    ...must,
    what: 'a key that is refused from some moment on',
    whole: (recorded) => {
      const from = recorded.names.indexOf('before any pool');
      return withExchanges(recorded, (exchanges) =>
        exchanges.map((exchange, at) =>
          at >= from && exchange.request.credential === 'api-key' ? status(403)(exchange) : exchange,
        ),
      );
    },
    reason: 'the key was refused (403)',
  },
];
