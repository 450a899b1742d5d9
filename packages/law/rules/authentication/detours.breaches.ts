import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { all, bodiless, type Distort, damageExchange, header, status, text } from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';

const rule = 'authentication/no-way-around-the-key';

/** Gives the request without a key the answer of the one with it. */
const openDetour =
  (name: string, ...more: readonly Distort[]) =>
  (recorded: NamedRecording): NamedRecording => {
    const tokens = recorded.recording.exchanges[recorded.names.indexOf('tokens')];
    const body = tokens?.response?.body?.text ?? '';
    return damageExchange(recorded, name, all(status(200), text(body), ...more));
  };

const atPath =
  (path: string): Distort =>
  (exchange) => ({
    ...exchange,
    request: { ...exchange.request, url: `https://target.invalid/api${path}` },
  });

export const detourBreaches: readonly BreachCase[] = [
  {
    rule,
    what: 'an empty list behind a doubled slash',
    operation: '',
    whole: (recorded) => damageExchange(recorded, 'doubled slash unkeyed', all(status(200), text('[]'))),
    expected: 'a refusal (slash-doubled)',
    actual: 'status 200 and a list of 0',
  },
  {
    rule,
    what: 'tokens behind a slash at the end',
    whole: openDetour('slash at end unkeyed'),
    expected: 'a refusal (slash-at-end)',
    actual: /^status 200 and /,
  },
  ...(
    [
      ['/no-such-path', 'path-unknown'],
      ['/TOKENS', 'path-in-capitals'],
    ] as const
  ).map(
    ([path, name]): BreachCase => ({
      rule,
      what: `tokens at ${path}`,
      operation: '',
      whole: openDetour('doubled slash unkeyed', atPath(path)),
      expected: `a refusal (${name})`,
      actual: /^status 200 and /,
    }),
  ),
  {
    rule,
    what: 'tokens to OPTIONS',
    whole: openDetour('options unkeyed'),
    expected: 'a refusal (method-options)',
    actual: /^status 200 and /,
  },
  {
    rule,
    what: 'the head of the tokens',
    at: 'head unkeyed',
    damage: all(status(200), header('content-type', 'application/json'), text('')),
    expected: 'a refusal (method-head)',
    actual: 'status 200, as for application/json',
  },
];

export const detourNearMisses: readonly NearMiss[] = [
  { rule, what: 'a preflight', at: 'options unkeyed', damage: all(status(204), text('')), evidence: 4 },
  {
    rule,
    what: 'a page for every path',
    at: 'doubled slash unkeyed',
    damage: all(status(200), header('content-type', 'text/html'), text('<h1>Welcome')),
    evidence: 4,
  },
  {
    rule,
    what: 'the head of a redirection',
    at: 'head unkeyed',
    damage: all(status(302), header('content-type', 'application/json'), text('')),
    evidence: 4,
  },
  {
    rule,
    what: 'a gate that is out of order',
    at: 'options unkeyed',
    damage: status(503),
    reason: 'the request without a key (method-options) ended in 503',
    evidence: 3,
  },
  { rule, what: 'a body that is not held', whole: openDetour('options unkeyed', bodiless), evidence: 3 },
];
