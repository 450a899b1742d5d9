import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import {
  all,
  bodiless,
  type Distort,
  damageExchange,
  fields,
  rows,
  status,
  text,
} from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';

/** Gives a faulty request the body of a proper one. */
function answerError(
  name: string,
  proper: string,
  ...more: Distort[]
): (recorded: NamedRecording) => NamedRecording {
  return (recorded) => {
    const body = recorded.recording.exchanges[recorded.names.indexOf(proper)]?.response?.body?.text ?? '';
    return damageExchange(recorded, name, all(status(200), text(body), ...more));
  };
}

const noError = { rule: 'errors/no-server-error', pointer: 'status', actual: 'status 500' } as const;

const noRows = { rule: 'errors/no-rows-without-an-interval', actual: /^\d+ candles$/ } as const;

function method(name: string): Distort {
  return (exchange) => ({ ...exchange, request: { ...exchange.request, method: name } });
}

/** Respells the request's interval in its query. */
function respellQuery(query: string): Distort {
  return (exchange) => {
    const url = exchange.request.url.replace('interval=MONTH', query);
    return { ...exchange, request: { ...exchange.request, url } };
  };
}

/** A 200 is always counted, in this world too. */
const counting = { refusalsCount: true };

export const errorBreaches: readonly BreachCase[] = [
  {
    ...noError,
    what: 'a server that breaks down without a key',
    at: 'tokens unkeyed',
    damage: status(500),
    expected: 'a refusal or an answer (no key)',
  },
  {
    ...noError,
    what: 'a server that breaks down over a key of wildcards',
    at: 'trial wildcards',
    damage: status(500),
    expected: 'a refusal or an answer (key wildcards)',
  },
  ...['from-left-out', 'pool-unknown', 'to-with-fraction'].map(
    (name): BreachCase => ({
      ...noError,
      what: `a server that breaks down over ${name}`,
      at: name,
      damage: status(500),
      expected: `a refusal or an answer (${name})`,
    }),
  ),
  {
    ...noRows,
    what: 'a single hour for MONTH',
    whole: answerError(
      'interval-unknown',
      'week HOUR',
      rows((list) => list.slice(0, 1)),
    ),
    expected: 'no candles (interval-unknown)',
    actual: '1 candle',
  },
  {
    ...noRows,
    what: 'hours for hour of which one is another',
    whole: answerError(
      'interval-lower-case',
      'week HOUR',
      fields(5, ({ close }) => ({ open: close })),
    ),
    expected: 'no candles, or those of HOUR (interval-lower-case)',
  },
  {
    ...noRows,
    what: 'days for hour',
    whole: answerError('interval-lower-case', 'week DAY'),
    expected: 'no candles, or those of HOUR (interval-lower-case)',
  },
  {
    rule: 'errors/unknown-pool-has-no-candles',
    what: 'candles of a pool that nobody made',
    world: counting,
    whole: answerError(
      'pool-unknown',
      'week HOUR',
      text((body) => body.replaceAll('"poolId":1', '"poolId":999999937')),
    ),
    expected: 'no candles of a pool that nobody made',
    actual: /^\d+ candles$/,
    also: ['history/pools-differ'],
  },
  {
    rule: 'errors/unknown-pool-has-no-candles',
    what: 'candles of the pool in the last 32 bits of a number',
    world: counting,
    whole: answerError('pool-beyond-32-bits', 'week HOUR'),
    expected: 'no candles of a pool that nobody made',
    actual: /^\d+ candles$/,
    also: ['candle/pool-is-as-asked'],
  },
];

export const errorNearMisses: readonly NearMiss[] = [
  ...[429, 404, 422, 499].map(
    (code): NearMiss => ({
      ...noError,
      what: `status ${code}`,
      at: 'from-left-out',
      damage: status(code),
      evidence: 34,
    }),
  ),
  ...[502, 503, 504].map(
    (code): NearMiss => ({
      ...noError,
      what: `a gateway that answers ${code}`,
      at: 'from-left-out',
      damage: status(code),
      reason: `a request with from-left-out ended in ${code}`,
      evidence: 33,
    }),
  ),
  { ...noError, what: 'trouble over a POST', at: 'post', damage: status(500), evidence: 34 },
  {
    ...noRows,
    what: 'an hour of lower case that is still open',
    whole: answerError('interval-lower-case', 'recent HOUR of 1', fields(-1, { close: 1 })),
  },
  {
    ...noRows,
    what: 'candles of lower case that no hour begins with',
    whole: answerError(
      'interval-lower-case',
      'week FIVEMIN',
      rows((list) => list.filter((row) => Number(row.startTimestampSeconds) % 3600 !== 0)),
    ),
    reason: 'the interval in lower case gave candles that nothing compares with',
    evidence: 1,
  },
  ...['interval=HOUR&interval=HOUR', 'interval=HOUR&interval=DAY'].map(
    (query): NearMiss => ({
      ...noRows,
      what: `hours for ${query}`,
      whole: answerError('interval-unknown', 'week HOUR', respellQuery(query)),
      evidence: 1,
    }),
  ),
  { ...noError, what: 'another server’s trouble over a path', at: 'path-unknown', damage: status(500) },
  { ...noRows, what: 'hours for hour', whole: answerError('interval-lower-case', 'week HOUR'), evidence: 2 },
  ...(
    [
      ['hours for MONTH that are not held', bodiless],
      ['a success to HEAD', method('HEAD')],
    ] as const
  ).map(
    ([what, damage]): NearMiss => ({
      ...noRows,
      what,
      at: 'interval-unknown',
      damage: all(status(200), damage),
      evidence: 1,
    }),
  ),
  {
    rule: 'errors/unknown-pool-has-no-candles',
    what: 'an answer of an unknown pool that is not held',
    world: counting,
    at: 'pool-unknown',
    damage: all(status(200), bodiless),
    evidence: 2,
  },
  { ...noRows, what: 'an empty list', at: 'interval-unknown', damage: all(status(200), text('[]')) },
  {
    rule: 'errors/unknown-pool-has-no-candles',
    what: 'an empty list of an unknown pool',
    world: counting,
    at: 'pool-unknown',
    damage: all(status(200), text('[]')),
  },
];
