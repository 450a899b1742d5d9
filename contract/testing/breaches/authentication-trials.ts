import { nearMisses, otherPlaces } from '../../trials.ts';
import type { BreachCase, NearMiss } from '../breach-case.ts';
import { all, damaged, header, status, text } from '../damage.ts';
import type { Recorded } from '../recorded.ts';

/** The trial is answered like a request with the good key. */
function opened(name: string): (recorded: Recorded) => Recorded {
  return (recorded) => {
    const response = recorded.recording.exchanges[recorded.names.indexOf('tokens')]?.response;
    return damaged(recorded, name, (exchange) => (response ? { ...exchange, response } : exchange));
  };
}

function opens(rule: string, trials: readonly string[]): BreachCase[] {
  return trials.map((trial) => ({
    rule,
    what: `a key that is ${trial}`,
    whole: opened(`trial ${trial}`),
    operation: 'listTokens',
    pointer: 'status',
    expected: `a refusal (${trial})`,
    actual: 'status 200',
  }));
}

const capitals = {
  rule: 'authentication/header-name-in-any-case',
  at: 'trial header-in-capitals',
  operation: 'listTokens',
  pointer: 'status',
  expected: 'status 200, as for the name in small letters',
} as const;

const silent = {
  rule: 'authentication/no-answer-tells-the-key',
  operation: 'listTokens',
  expected: 'no key, nor a part of one',
  actual: 'a key that was sent',
} as const;

export const trialBreaches: readonly BreachCase[] = [
  ...opens('authentication/wrong-keys-are-refused', nearMisses),
  ...opens('authentication/key-only-in-its-header', otherPlaces),
  {
    ...capitals,
    what: 'a header that is known in small letters alone',
    damage: all(status(401), text('{}')),
    actual: 'status 401',
  },
  {
    ...silent,
    what: 'a refusal that quotes a wrong key',
    at: 'trial random',
    damage: text('{"message":"[redacted:trial:random] is no key"}'),
    pointer: '',
  },
  {
    ...silent,
    what: 'a header that gives the key back',
    at: 'tokens',
    damage: header('x-echo', 'key=[redacted:api-key]'),
    pointer: 'header:x-echo',
  },
];

export const trialNearMisses: readonly NearMiss[] = [
  ...[302, 403, 404, 429, 503].map(
    (code): NearMiss => ({
      rule: 'authentication/wrong-keys-are-refused',
      what: `a wrong key answered ${code}`,
      at: 'trial other-case',
      damage: status(code),
    }),
  ),
  { ...capitals, what: 'a server in trouble', damage: status(503), outcome: 'inconclusive' },
  {
    ...silent,
    what: 'a header that names the key’s header',
    at: 'tokens',
    damage: header('vary', 'x-api-key'),
  },
  {
    ...silent,
    what: 'a text that speaks of redaction',
    at: 'tokens unkeyed',
    damage: all(text('{"message":"[redacted] and [redacted:x]"}')),
  },
];
