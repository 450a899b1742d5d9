import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import {
  all,
  bodiless,
  damageExchange,
  failure,
  header,
  status,
  text,
  withRecorder,
} from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';

const methods = {
  rule: 'transport/other-methods-are-refused',
  at: 'post',
  pointer: 'status',
  expected: 'a refusal of POST',
} as const;

const labelled = {
  rule: 'transport/error-body-is-as-labelled',
  at: 'from-left-out',
  expected: 'JSON, as the refusal is labelled',
} as const;

const tagged = { rule: 'transport/same-tag-same-body', world: { tags: true } } as const;

const shared = {
  rule: 'transport/keyed-answers-are-private',
  at: 'tokens',
  pointer: 'header:cache-control',
  expected: 'private, or a Vary that names x-api-key',
} as const;

const plain = { rule: 'transport/no-data-over-plain-http' } as const;

const redirected = {
  rule: 'transport/plain-http-leads-to-https',
  at: 'plain http',
  pointer: 'header:location',
  expected: 'an https address of the same host',
} as const;

/** Serves plain HTTP like HTTPS. */
function servePlainly(recorded: NamedRecording): NamedRecording {
  const response = recorded.recording.exchanges[recorded.names.indexOf('tokens')]?.response;
  return damageExchange(recorded, 'plain http', (exchange) =>
    response ? { ...exchange, response } : exchange,
  );
}

const html = text('<p>No');

export const frontBreaches: readonly BreachCase[] = [
  { ...methods, what: 'a POST that succeeds', damage: status(200), actual: 'status 200' },
  ...(['PUT', 'PATCH', 'DELETE'] as const).map(
    (method): BreachCase => ({
      ...{ ...methods, what: `a ${method} that succeeds`, expected: `a refusal of ${method}` },
      damage: all(status(200), (exchange) => ({ ...exchange, request: { ...exchange.request, method } })),
      actual: 'status 200',
    }),
  ),
  { ...methods, what: 'a POST that succeeds oddly', damage: status(299), actual: 'status 299' },
  ...[300, 399].map(
    (code): BreachCase => ({
      ...redirected,
      what: `a redirect ${code} without an address`,
      damage: all(status(code), header('location', undefined)),
      actual: 'no such header',
    }),
  ),
  {
    ...tagged,
    what: 'another body under the same tag',
    at: 'latest FIVEMIN again',
    damage: text((body) => ` ${body}`),
    pointer: 'header:etag',
    expected: 'the same body as under the same tag before',
    actual: /^"-?\d+"$/,
  },
  {
    ...tagged,
    what: 'a known tag that is refused',
    at: 'known tag',
    damage: status(412),
    pointer: 'status',
    expected: 'status 304 or 200',
    actual: 'status 412',
  },
  ...['public, max-age=60', 'max-age=5, s-maxage=60'].map(
    (value): BreachCase => ({
      ...shared,
      what: `an answer that is ${value}`,
      damage: header('cache-control', value),
      actual: value,
    }),
  ),
  {
    ...plain,
    what: 'tokens over plain HTTP',
    operation: 'listTokens',
    whole: servePlainly,
    pointer: 'status',
    expected: 'no data over plain HTTP',
    actual: 'status 200 with records',
  },
  {
    ...plain,
    what: 'an empty list over plain HTTP',
    at: 'plain http',
    damage: all(status(200), text('[]')),
    operation: 'listTokens',
    pointer: 'status',
    expected: 'no data over plain HTTP',
    actual: 'status 200 with an empty list',
  },
  ...['http://target.invalid/api/tokens', 'https://elsewhere.invalid/api/tokens', '/tokens', 'https://['].map(
    (value): BreachCase => ({
      ...redirected,
      what: `a redirect to ${value}`,
      damage: header('location', value),
      actual: value,
    }),
  ),
];

export const frontNearMisses: readonly NearMiss[] = [
  ...[500, 503].map(
    (code): NearMiss => ({
      ...methods,
      what: `a POST over which the server breaks down with ${code}`,
      damage: status(code),
      outcome: 'inconclusive',
      reason: `POST ended in ${code}`,
    }),
  ),
  { ...methods, what: 'a POST that nobody answers', damage: failure('timeout'), outcome: 'unexercised' },
  ...[500, 429].map(
    (code): NearMiss => ({
      ...tagged,
      what: `a known tag over which the server answers ${code}`,
      at: 'known tag',
      damage: status(code),
      evidence: 2,
    }),
  ),
  {
    ...shared,
    what: 'public answers that differ by everything',
    damage: all(header('cache-control', 'public'), header('vary', '*')),
  },
  { ...shared, what: 'an answer of the republic', damage: header('cache-control', 'republic, x-public') },
  ...[199, 302, 400, 401, 403, 404, 501].map(
    (code): NearMiss => ({ ...methods, what: `a POST answered ${code}`, damage: status(code) }),
  ),
  { ...labelled, what: 'a refusal without a body', damage: text('') },
  { ...labelled, what: 'a page labelled so', damage: all(html, header('content-type', 'text/html')) },
  { ...labelled, what: 'the page of a gateway', damage: all(html, status(502)) },
  {
    ...tagged,
    what: 'another body under a weak tag',
    whole: (recorded) =>
      ['latest FIVEMIN', 'latest FIVEMIN again'].reduce(
        (changed, name, at) =>
          damageExchange(
            changed,
            name,
            all(
              header('etag', 'W/"a"'),
              text((body) => ' '.repeat(at) + body),
            ),
          ),
        recorded,
      ),
    outcome: 'passed',
  },
  {
    ...shared,
    what: 'public answers that are kept apart by key',
    damage: all(header('cache-control', 'public'), header('vary', 'Accept-Encoding, X-API-Key')),
  },
  { ...shared, what: 'private answers', damage: header('cache-control', 'private, max-age=60') },
  { ...plain, what: 'nobody who answers at the port', at: 'plain http', damage: failure('timeout') },
  {
    ...plain,
    what: 'nobody at the port',
    at: 'plain http',
    damage: failure('unreachable'),
    outcome: 'inconclusive',
    reason: 'it was unreachable',
  },
  {
    ...plain,
    what: 'a success whose body is not held',
    at: 'plain http',
    damage: all(status(200), bodiless),
    outcome: 'inconclusive',
    reason: 'the recording does not hold what came over plain HTTP',
  },
  {
    ...redirected,
    what: 'a redirect whose header lines are left out',
    damage: withRecorder({ headersLeftOut: true }),
    outcome: 'unexercised',
  },
  { ...plain, what: 'an upgrade that is requested', at: 'plain http', damage: status(199) },
  { ...plain, what: 'a refusal of plain HTTP', at: 'plain http', damage: status(403), evidence: 1 },
  {
    ...plain,
    what: 'an unusual success without data',
    at: 'plain http',
    damage: status(299),
    outcome: 'inconclusive',
    reason: 'plain HTTP is answered 299 with something else than data',
  },
  ...[299, 400].map(
    (code): NearMiss => ({
      ...redirected,
      what: `an address in an answer ${code}, which is no redirect`,
      damage: all(status(code), header('location', 'http://elsewhere.invalid/')),
      outcome: 'unexercised',
      reason: 'plain HTTP is not redirected',
    }),
  ),
  {
    ...plain,
    what: 'a page over plain HTTP',
    at: 'plain http',
    damage: all(status(200), text('<p>Hello')),
    outcome: 'inconclusive',
    reason: 'plain HTTP is answered 200 with something else than data',
  },
  {
    ...redirected,
    what: 'a redirect to another path',
    damage: header('location', 'https://target.invalid/elsewhere'),
  },
];
