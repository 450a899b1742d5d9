import type { BreachCase, NearMiss } from '../breach-case.ts';
import { all, damaged, status, text } from '../damage.ts';
import type { Recorded } from '../recorded.ts';

/** The request without a key is answered as the one with it. */
function given(unkeyed: string, keyed: string): (recorded: Recorded) => Recorded {
  return (recorded) =>
    damaged(recorded, unkeyed, (exchange) => {
      const response = recorded.recording.exchanges[recorded.names.indexOf(keyed)]?.response;
      return response ? { ...exchange, response } : exchange;
    });
}

const required = {
  rule: 'authentication/key-is-required',
  pointer: 'status',
  expected: 'a refusal',
} as const;

const withheld = {
  rule: 'authentication/refusals-hold-no-data',
  at: 'recent HOUR unkeyed',
  operation: 'listV2PoolCandles',
  pointer: '',
  expected: 'a refusal that is no list',
} as const;

export const authenticationBreaches: readonly BreachCase[] = [
  {
    ...required,
    what: 'tokens for everybody',
    whole: given('tokens unkeyed', 'tokens'),
    operation: 'listTokens',
    actual: 'status 200',
  },
  {
    ...required,
    what: 'a history for everybody',
    whole: given('recent HOUR unkeyed', 'recent HOUR of 1'),
    operation: 'listV2PoolCandles',
    actual: 'status 200',
  },
  {
    ...required,
    what: 'a latest candle for everybody',
    whole: given('latest HOUR unkeyed', 'latest HOUR'),
    operation: 'getLatestV1PoolCandle',
    actual: 'status 200',
  },
  {
    ...required,
    what: 'an empty success',
    at: 'tokens unkeyed',
    damage: all(text(''), status(204)),
    operation: 'listTokens',
    actual: 'status 204',
  },
  { ...withheld, what: 'an empty list', damage: text('[]'), actual: 'a list of 0' },
  { ...withheld, what: 'a list of reasons', damage: text('["no key"]'), actual: 'a list of 1' },
  {
    ...withheld,
    what: 'candles around which something is wrapped',
    damage: text('{"data":[{"open":1,"high":1,"low":1}]}'),
    expected: 'a refusal without data',
    actual: 'an object that holds records',
  },
];

export const authenticationNearMisses: readonly NearMiss[] = [
  ...[302, 400, 404, 429].map(
    (code): NearMiss => ({ ...required, what: `status ${code}`, at: 'tokens unkeyed', damage: status(code) }),
  ),
  { ...required, what: 'a server in trouble', at: 'tokens unkeyed', damage: status(503) },
  { ...withheld, what: 'a list inside of an object', damage: text('{"errors":["no key"]}') },
  { ...withheld, what: 'no body at all', damage: text('') },
];
