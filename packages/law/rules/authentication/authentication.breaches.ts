import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { all, bodiless, damageExchange, header, status, text, withExchanges } from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';

/** Answers the request without a key like the one with it. */
function answerTrials(unkeyed: string, keyed: string): (recorded: NamedRecording) => NamedRecording {
  return (recorded) =>
    damageExchange(recorded, unkeyed, (exchange) => {
      const response = recorded.recording.exchanges[recorded.names.indexOf(keyed)]?.response;
      return response ? { ...exchange, response } : exchange;
    });
}

/** Judges the run as against a target that needs no key. */
function keyless(recorded: NamedRecording): NamedRecording {
  const { recording } = recorded;
  return { ...recorded, recording: { ...recording, target: { ...recording.target, keyless: true } } };
}

/** The connection of the request without a key, as the client recorded it. */
function setReused(reused: boolean): (recorded: NamedRecording) => NamedRecording {
  return (recorded) =>
    damageExchange(answerTrials('tokens unkeyed', 'tokens')(recorded), 'tokens unkeyed', (exchange) => ({
      ...exchange,
      connection: { id: 1, reused },
    }));
}

const required = {
  rule: 'authentication/key-is-required',
  pointer: 'status',
  expected: 'a refusal',
} as const;

const withheld = {
  rule: 'authentication/refusals-hold-no-data',
  at: 'recent HOUR unkeyed',
  expected: 'a refusal that is no list',
} as const;

export const authenticationBreaches: readonly BreachCase[] = [
  {
    ...required,
    what: 'tokens for everybody on a connection that carried the key',
    whole: setReused(true),
    actual: 'status 200, over a connection that had carried the key',
  },
  {
    ...required,
    what: 'tokens for everybody on a connection of their own',
    whole: setReused(false),
    actual: 'status 200, over a new connection',
  },
  {
    ...required,
    what: 'an unusual success',
    at: 'tokens unkeyed',
    damage: status(299),
    actual: 'status 299',
  },
  {
    ...required,
    what: 'an empty success',
    at: 'tokens unkeyed',
    damage: all(text(''), status(204)),
    actual: 'status 204',
  },
  {
    ...required,
    what: 'a single interval that takes no key',
    operation: 'getLatestV1PoolCandle',
    whole: (recorded) =>
      damageExchange(
        answerTrials('latest HOUR unkeyed', 'latest WEEK')(recorded),
        'latest HOUR unkeyed',
        ({ request, ...exchange }) => ({
          ...exchange,
          request: { ...request, url: request.url.replace('HOUR', 'WEEK') },
        }),
      ),
    actual: 'status 200',
  },
  {
    rule: 'transport/strict-json',
    what: 'a check for robots in place of a refusal, which lets nobody in',
    at: 'tokens unkeyed',
    damage: all(status(200), header('content-type', 'text/html'), text('<title>Just a moment...</title>')),
    expected: 'exactly one JSON value',
    actual: /./,
    also: ['transport/media-type-is-json'],
  },
  { ...withheld, what: 'an empty list', damage: text('[]'), actual: 'a list of 0' },
  {
    ...withheld,
    what: 'candles among other things',
    damage: text('{"code":5,"data":["none",{"open":1,"high":1,"low":1}]}'),
    expected: 'a refusal without data',
    actual: 'an object that holds records',
  },
  {
    ...withheld,
    what: 'a candle alone among other things, as of a latest candle',
    damage: text('{"detail":"no key","candle":{"open":1,"high":1,"low":1}}'),
    expected: 'a refusal without data',
    actual: 'an object that holds records',
  },
  {
    ...withheld,
    what: 'a list with status 300',
    at: 'from-left-out',
    damage: all(status(300), text('[]')),
    actual: 'a list of 0',
  },
  {
    ...withheld,
    what: 'a list for a wrong key',
    at: 'trial random',
    damage: text('[]'),
    actual: 'a list of 0',
  },
];

export const authenticationNearMisses: readonly NearMiss[] = [
  ...[199, 300, 302, 400, 404, 499].map(
    (code): NearMiss => ({
      ...required,
      what: `status ${code}`,
      at: 'tokens unkeyed',
      damage: status(code),
      evidence: 4,
    }),
  ),
  ...[429, 502, 503].map(
    (code): NearMiss => ({
      ...required,
      what: `a server that shows no refusal, ${code}`,
      at: 'tokens unkeyed',
      damage: status(code),
      outcome: 'inconclusive',
      reason: `the request without a key ended in ${code}`,
      evidence: 3,
    }),
  ),
  ...[429, 503].map(
    (code): NearMiss => ({
      ...required,
      what: `a guard against guessing that answers ${code} later`,
      whole: (recorded) => {
        const [first] = recorded.recording.exchanges.slice(recorded.names.indexOf('tokens unkeyed'));
        return withExchanges(recorded, (all) => (first ? [...all, status(code)(first)] : all));
      },
      evidence: code === 429 ? 5 : 4,
    }),
  ),
  {
    ...required,
    what: 'a request without a key for what is not there',
    at: 'tokens unkeyed',
    damage: (exchange) => ({
      ...exchange,
      request: { ...exchange.request, url: 'https://target.invalid/api/nothing' },
    }),
    evidence: 3,
  },
  { ...required, what: 'data where no key is needed', whole: keyless, outcome: 'unexercised' },
  { ...withheld, what: 'wrong keys where none is needed', whole: keyless, evidence: 20 },
  ...[299, 304, 500].map(
    (code): NearMiss => ({
      ...withheld,
      what: `a list with status ${code}, which is no refusal`,
      at: 'path-unknown',
      damage: all(status(code), text('[]')),
      evidence: 32,
    }),
  ),
  { ...withheld, what: 'an empty list inside of an object', damage: text('{"data":[]}') },
  { ...withheld, what: 'a refusal that is null', damage: text('null') },
  { ...withheld, what: 'a refusal that is a number', damage: text('5') },
  { ...withheld, what: 'a list inside of an object', damage: text('{"errors":["no key"]}') },
  { ...withheld, what: 'no body at all', damage: text('') },
  { ...withheld, what: 'a body that is not held', damage: bodiless, evidence: 32 },
];
