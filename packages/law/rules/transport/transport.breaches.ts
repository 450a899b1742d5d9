import type { Exchange } from '../../reading/exchange.ts';
import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { all, bodiless, header, text, withRecorder } from '../../worlds/damage.ts';

const json = {
  rule: 'transport/strict-json',
  at: 'latest HOUR of 2',
  expected: 'exactly one JSON value',
} as const;

const mediaType = {
  rule: 'transport/media-type-is-json',
  at: 'recent HOUR of 2',
  pointer: 'header:content-type',
  expected: 'application/json',
} as const;

const dated = { rule: 'transport/date-is-the-time', at: 'latest HOUR of 2', pointer: 'header:date' } as const;

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
    pointer: 'header:date',
    expected: /^about 2026-03-18T10:37:\d\dZ, as the candles and our clock have it$/,
    actual: 'Wed, 18 Mar 2026 13:37:00 GMT',
  },
  {
    ...dated,
    what: 'no Date',
    damage: header('date', undefined),
    expected: 'a date and time in GMT, such as Sun, 06 Nov 1994 08:49:37 GMT',
    actual: 'no such header',
  },
  {
    ...dated,
    what: 'a Date that is none, in a recording of others',
    damage: all(header('date', 'today'), withRecorder()),
    expected: 'a date and time in GMT, such as Sun, 06 Nov 1994 08:49:37 GMT',
    actual: 'today',
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
    what: 'a type reported twice',
    damage: header('content-type', ['application/json', 'text/html']),
    actual: 'application/json, text/html',
  },
  {
    ...json,
    what: 'NaN as a price',
    damage: text((body) => body.replace(/"avg":[^,]+/, '"avg":NaN')),
    actual: /./,
  },
  {
    ...json,
    what: 'a price reported twice',
    damage: text((body) => body.replace('{', '{"avg":1,')),
    actual: 'a member name is repeated within its object',
  },
  { ...json, what: 'a second body behind the first', damage: text((body) => `${body}{}`), actual: /./ },
  {
    ...json,
    what: 'a byte order mark',
    damage: text((body) => `\uFEFF${body}`),
    actual: 'the body begins with a byte order mark',
  },
  { ...json, what: 'an empty success', damage: text(''), actual: 'the body is empty' },
  { ...json, what: 'a body that is no UTF-8', damage: base64, actual: 'the body is not UTF-8 text' },
  {
    rule: 'transport/length-agrees',
    what: 'a length that is short by all but five bytes',
    at: 'tokens',
    damage: header('content-length', '5'),
    pointer: 'header:content-length',
    expected: /^\d{3} bytes, as counted$/,
    actual: '5',
  },
];

function withoutResponse({ response, ...exchange }: Exchange): Exchange {
  if (!response?.body) return exchange;
  const { wireBytes: _, ...body } = response.body;
  return { ...exchange, response: { ...response, body } };
}

/** Near misses of incomplete recordings, which break no rule and are not judged. */
const leftOut: readonly NearMiss[] = (
  [
    ['transport/media-type-is-json', 28],
    ['transport/length-agrees', 64],
    ['transport/date-is-the-time', 28],
  ] as const
).map(([rule, evidence]) => ({
  rule,
  what: 'an answer whose header lines are left out',
  at: 'tokens',
  damage: withRecorder({ headersLeftOut: true }),
  evidence,
}));

export const transportNearMisses: readonly NearMiss[] = [
  ...leftOut,
  {
    ...dated,
    what: 'no Date in a recording of others',
    damage: all(header('date', undefined), withRecorder()),
    evidence: 28,
  },
  {
    rule: 'transport/length-agrees',
    what: 'an answer whose body is not held',
    at: 'tokens',
    damage: bodiless,
    evidence: 64,
  },
  {
    rule: 'transport/length-agrees',
    what: 'an answer whose bytes nobody counted',
    at: 'tokens',
    damage: withoutResponse,
    evidence: 64,
  },
  {
    rule: 'transport/date-is-the-time',
    what: 'a Date half a minute off',
    at: 'latest HOUR',
    damage: header('date', 'Wed, 18 Mar 2026 10:36:40 GMT'),
  },
  {
    ...mediaType,
    what: 'another case and a parameter',
    damage: header('content-type', 'Application/JSON ;charset=UTF-8'),
  },
  {
    ...json,
    what: 'white space and escapes',
    damage: text((body) => ` ${body.replace('"poolId":', '"pool\\u0049d" :\n')}\r\n`),
  },
  {
    rule: 'transport/length-agrees',
    what: 'an answer without a length',
    at: 'tokens',
    damage: header('content-length', undefined),
  },
  {
    rule: 'transport/length-agrees',
    what: 'blanks around a length',
    at: 'tokens',
    damage: (exchange) => header('content-length', ` ${exchange.response?.body?.wireBytes} `)(exchange),
  },
];
