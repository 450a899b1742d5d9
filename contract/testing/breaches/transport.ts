import type { Exchange } from '../../exchange.ts';
import type { BreachCase, NearMiss } from '../breach-case.ts';
import { type Damage, failure, header, status, text, withExchanges } from '../damage.ts';
import type { Recorded } from '../recorded.ts';

/** Every attempt at this request ends in the same way: the first in its place, the others at the end of the run. */
function tried(name: string, times: number, damage: Damage): (recorded: Recorded) => Recorded {
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

const json = {
  rule: 'transport/strict-json',
  at: 'latest HOUR of 2',
  operation: 'getLatestV1PoolCandle',
  pointer: '',
  expected: 'exactly one JSON value',
} as const;

const mediaType = {
  rule: 'transport/media-type-is-json',
  at: 'recent HOUR of 2',
  operation: 'listV2PoolCandles',
  pointer: 'header:content-type',
  expected: 'application/json',
} as const;

function base64({ response, ...exchange }: Exchange): Exchange {
  if (!response) return exchange;
  const bytes = Buffer.from([0xff, 0xfe, 0x5b]);
  const body = { text: bytes.toString('base64'), encoding: 'base64' as const, decodedBytes: 3, wireBytes: 3 };
  return header('content-length', '3')({ ...exchange, response: { ...response, body } });
}

export const transportBreaches: readonly BreachCase[] = [
  {
    rule: 'transport/date-is-the-time',
    what: 'a Date three hours ahead of candle and clock',
    at: 'latest HOUR',
    damage: header('date', 'Wed, 18 Mar 2026 13:37:00 GMT'),
    operation: 'getLatestV1PoolCandle',
    pointer: 'header:date',
    expected: /^about 2026-03-18T10:37:\d\dZ, as the candle and our clock have it$/,
    actual: 'Wed, 18 Mar 2026 13:37:00 GMT',
  },
  {
    ...answered,
    what: 'a token list that is not found',
    at: 'tokens',
    damage: status(404),
    operation: 'listTokens',
    actual: 'status 404',
  },
  ...[201, 204, 301, 400, 418].map(
    (code): BreachCase => ({
      ...answered,
      what: `a latest candle answered ${code}`,
      world: { poolsV1: [1, 77] },
      at: 'latest HOUR of 77',
      damage: status(code),
      operation: 'getLatestV1PoolCandle',
      actual: `status ${code}`,
    }),
  ),
  {
    ...answered,
    what: 'a third attempt that fails like the first two',
    whole: tried('tokens', 3, status(503)),
    operation: 'listTokens',
    actual: 'status 503',
  },
  {
    ...answered,
    what: 'a history that never comes',
    whole: tried('recent HOUR of 2', 3, failure('timeout')),
    operation: 'listV2PoolCandles',
    actual: 'timeout in phase connect: it was timeout',
  },
  {
    ...mediaType,
    what: 'a list sent as HTML',
    damage: header('content-type', 'text/html'),
    actual: 'text/html',
  },
  {
    ...mediaType,
    what: 'a missing type',
    damage: header('content-type', undefined),
    actual: 'no such header',
  },
  {
    ...mediaType,
    what: 'a type that only begins alike',
    damage: header('content-type', 'application/json-seq'),
    actual: 'application/json-seq',
  },
  {
    ...mediaType,
    what: 'a type told twice',
    damage: header('content-type', ['application/json', 'text/html']),
    actual: 'application/json, text/html',
  },
  {
    ...json,
    what: 'NaN as a price',
    damage: text((told) => told.replace(/"avg":[^,]+/, '"avg":NaN')),
    actual: /./,
  },
  {
    ...json,
    what: 'a price told twice',
    damage: text((told) => told.replace('{', '{"avg":1,')),
    actual: 'a member name is repeated within its object',
  },
  { ...json, what: 'a second value behind the first', damage: text((told) => `${told}{}`), actual: /./ },
  {
    ...json,
    what: 'a byte order mark',
    damage: text((told) => `\uFEFF${told}`),
    actual: 'the body begins with a byte order mark',
  },
  { ...json, what: 'an empty success', damage: text(''), actual: 'the body is empty' },
  { ...json, what: 'a body that is no UTF-8', damage: base64, actual: 'the body is not UTF-8 text' },
  {
    rule: 'transport/length-agrees',
    what: 'a length that is short by all but five bytes',
    at: 'tokens',
    damage: header('content-length', '5'),
    operation: 'listTokens',
    pointer: 'header:content-length',
    expected: /^\d{3} bytes, as counted$/,
    actual: '5',
  },
];

export const transportNearMisses: readonly NearMiss[] = [
  {
    rule: 'transport/date-is-the-time',
    what: 'a Date half a minute off',
    at: 'latest HOUR',
    damage: header('date', 'Wed, 18 Mar 2026 10:36:40 GMT'),
  },
  { ...answered, what: 'two failed attempts of three', whole: tried('tokens', 2, status(503)) },
  { ...answered, what: 'an unknown pool', at: 'latest HOUR of 2', damage: status(404) },
  { ...answered, what: 'a spent rate limit', at: 'latest HOUR of 2', damage: status(429) },
  { ...answered, what: 'a range that is too large', at: 'week FIVEMIN', damage: status(400) },
  {
    ...answered,
    what: 'a failure that passes on the second attempt',
    whole: (recorded) =>
      withExchanges(recorded, (exchanges) =>
        exchanges.flatMap((each, at) =>
          recorded.names[at] === 'tokens' ? [failure('reset')(each), each] : [each],
        ),
      ),
  },
  {
    ...mediaType,
    what: 'another case and a parameter',
    damage: header('content-type', 'Application/JSON ;charset=UTF-8'),
  },
  {
    ...json,
    what: 'white space and escapes',
    damage: text((told) => ` ${told.replace('"poolId":', '"pool\\u0049d" :\n')}\r\n`),
  },
  {
    rule: 'transport/length-agrees',
    what: 'an answer without a length',
    at: 'tokens',
    damage: header('content-length', undefined),
  },
];
