import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import {
  all,
  bodiless,
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
import { triedKeys } from '../../worlds/faulty-requests.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';
import { type Trial, trialCredential } from '../error-cases.ts';

/** Answers the trial like a request with the valid key. */
function openTrial(name: string): (recorded: NamedRecording) => NamedRecording {
  return (recorded) => {
    const response = recorded.recording.exchanges[recorded.names.indexOf('tokens')]?.response;
    return damageExchange(recorded, name, (exchange) => (response ? { ...exchange, response } : exchange));
  };
}

/** Answers the trial that another request made like a request with the valid key. */
function openInPlace(other: string, trial: Trial): (recorded: NamedRecording) => NamedRecording {
  const rename: Distort = (exchange) => ({
    ...exchange,
    request: { ...exchange.request, credential: trialCredential(trial) },
  });
  return (recorded) => damageExchange(openTrial(other)(recorded), other, rename);
}

function opens(rule: string, trials: readonly string[]): BreachCase[] {
  return trials.map((trial) => ({ ...opening(trial), rule, whole: openTrial(`trial ${trial}`) }));
}

function opening(trial: string): Pick<BreachCase, 'what' | 'pointer' | 'expected' | 'actual'> {
  return {
    what: `a key that is ${trial}`,
    pointer: 'status',
    expected: `a refusal (${trial})`,
    actual: 'status 200',
  };
}

const capitals = {
  rule: 'authentication/header-name-in-any-case',
  at: 'trial header-in-capitals',
  pointer: 'status',
  expected: 'status 200, as for the name in small letters',
} as const;

/** Puts the trial last, before answers that do not show that the key was valid. */
function moveToEnd(recorded: NamedRecording): NamedRecording {
  const named = (name: string) => recorded.recording.exchanges[recorded.names.indexOf(name)];
  const [trial, tokens, other] = ['trial header-in-capitals', 'tokens', 'week DAY of another key'].map(named);
  if (!trial || !tokens || !other) return recorded;
  const last = [all(status(401), text('{}'))(trial), status(503)(tokens), other];
  const moved = withExchanges(recorded, (exchanges) => [
    ...exchanges.filter((exchange) => exchange !== trial && exchange !== other),
    ...last,
  ]);
  const { recording } = moved;
  return { ...moved, recording: { ...recording, target: { ...recording.target, soleUser: false } } };
}

/** Judges the run as against a target that needs no key. */
function keyless(recorded: NamedRecording): NamedRecording {
  const { recording } = recorded;
  return { ...recorded, recording: { ...recording, target: { ...recording.target, keyless: true } } };
}

const silent = {
  rule: 'authentication/no-answer-tells-the-key',
  expected: 'no key, nor a part of one',
  actual: 'a key that was sent',
} as const;

export const trialBreaches: readonly BreachCase[] = [
  ...opens('authentication/wrong-keys-are-refused', triedKeys),
  ...opens('authentication/key-only-in-its-header', ['in-query', 'in-other-headers']),
  ...(['null-word', 'other-last-character', 'quoted'] as const).map(
    (trial): BreachCase => ({
      ...opening(trial),
      rule: 'authentication/wrong-keys-are-refused',
      whole: openInPlace('trial random', trial),
    }),
  ),
  {
    ...opening('as-basic'),
    rule: 'authentication/key-only-in-its-header',
    whole: openInPlace('trial as-bearer', 'as-basic'),
  },
  {
    ...capitals,
    what: 'a header that is known in small letters alone',
    damage: all(status(401), text('{}')),
    actual: 'status 401',
  },
  {
    ...capitals,
    what: 'a header in capitals that is forbidden',
    damage: all(status(403), text('{}')),
    actual: 'status 403',
  },
  {
    ...silent,
    what: 'a refusal that quotes a wrong key',
    at: 'trial random',
    damage: text('{"message":"[redacted:trial:random] is no key"}'),
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
  ...[199, 300, 302, 403, 404, 429, 499].map(
    (code): NearMiss => ({
      rule: 'authentication/wrong-keys-are-refused',
      what: `a wrong key answered ${code}`,
      at: 'trial other-case',
      damage: status(code),
      evidence: 12,
    }),
  ),
  ...[502, 503].map(
    (code): NearMiss => ({
      rule: 'authentication/wrong-keys-are-refused',
      what: `a wrong key over which the server breaks down with ${code}`,
      at: 'trial other-case',
      damage: status(code),
      reason: `the trial other-case ended in ${code}`,
      evidence: 11,
    }),
  ),
  {
    rule: 'authentication/wrong-keys-are-refused',
    what: 'wrong keys where none is needed',
    whole: keyless,
    outcome: 'unexercised',
  },
  {
    ...capitals,
    what: 'a server in trouble',
    damage: status(503),
    outcome: 'inconclusive',
    reason: 'the name of the header in capitals ended in 503',
  },
  {
    rule: capitals.rule,
    what: 'a key in capitals that nothing later shows to be good',
    world: { otherKey: true },
    whole: moveToEnd,
    outcome: 'inconclusive',
    reason: 'the name of the header in capitals ended in 401',
  },
  {
    ...silent,
    what: 'an answer that never came',
    at: 'latest HOUR of 2',
    damage: failure('timeout'),
    evidence: 67,
  },
  {
    ...silent,
    what: 'an answer that broke off after it had given the key back',
    at: 'latest HOUR of 2',
    damage: all(header('x-echo', 'key=[redacted:api-key]'), brokenOff),
    evidence: 67,
  },
  {
    ...silent,
    what: 'an answer whose header lines are left out',
    at: 'tokens',
    damage: withRecorder({ headersLeftOut: true }),
    evidence: 67,
  },
  { ...silent, what: 'an answer whose body is not held', at: 'tokens', damage: bodiless, evidence: 67 },
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
