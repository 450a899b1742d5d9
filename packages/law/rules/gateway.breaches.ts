import type { BreachCase, NearMiss } from '../worlds/breach-case.ts';
import { all, bodiless, type Distort, header, status, text, withExchanges } from '../worlds/damage.ts';
import type { NamedRecording } from '../worlds/recorded.ts';

const names = ['limit', 'remaining', 'additional-total', 'reset'].map((name) => `x-ratelimit-${name}`);

/** Takes the API's headers off an answer. */
const bare: Distort = all(...names.map((name) => header(name, undefined)));

const page: Distort = all(header('content-type', 'text/html'), text('<h1>Forbidden</h1>'));

const byGateway = {
  rule: 'quota/gateways-carry-the-headers',
  pointer: 'header:x-ratelimit-limit',
  expected: 'the four quota headers, as on refusals by the API',
} as const;

const isRefused = ({ response }: Parameters<Distort>[0]): boolean => (response?.status ?? 0) >= 400;

/** Damages all refusals of a run. */
function damageRefusals(damage: Distort): (recorded: NamedRecording) => NamedRecording {
  return (recorded) =>
    withExchanges(recorded, (exchanges) =>
      exchanges.map((exchange) => (isRefused(exchange) ? damage(exchange) : exchange)),
    );
}

/** Answers every request like a gateway that lets nobody in. */
function refuseAll(code: number): (recorded: NamedRecording) => NamedRecording {
  return (recorded) =>
    withExchanges(recorded, (exchanges) => exchanges.slice(0, 6).map(all(status(code), bare, page)));
}

export const gatewayBreaches: readonly BreachCase[] = [
  {
    ...byGateway,
    what: 'the page of a firewall',
    at: 'tokens unkeyed',
    damage: all(status(403), bare, page),
    actual: 'status 403 without them, in another form than refusals by the API (text/html)',
  },
  {
    ...byGateway,
    what: 'JSON of another maker about a parameter',
    at: 'from-left-out',
    damage: all(bare, text('{"error":"Bad Request"}')),
    actual:
      'status 400 without them, in another form than refusals by the API (application/json; charset=utf-8)',
  },
  {
    ...byGateway,
    what: 'a limit of rate with counters of its own',
    at: 'trial random',
    damage: all(status(429), header('x-ratelimit-additional-total', undefined), page),
    actual: /^status 429 /,
  },
  {
    ...byGateway,
    what: 'a redirect to another spelling',
    at: 'tokens unkeyed',
    damage: all(status(301), bare, header('content-type', undefined), text('')),
    actual: /^status 301 .*\(no Content-Type\)$/,
  },
  {
    ...byGateway,
    what: 'a gateway that replaces all errors by pages',
    whole: damageRefusals(all(bare, page)),
    actual: /^status 40\d without them/,
    count: 12,
    everyOperation: true,
  },
  {
    rule: 'quota/headers-on-every-answer',
    what: 'a refusal without a body or headers of the API, labeled as its own are',
    at: 'from-left-out',
    damage: all(header('x-ratelimit-reset', undefined), bodiless),
    pointer: 'header:x-ratelimit-reset',
    expected: 'a whole number, once',
    actual: 'no such header',
  },
  {
    rule: 'quota/headers-on-every-answer',
    what: 'refusals of the API of which none has a header',
    whole: damageRefusals(header('x-ratelimit-reset', undefined)),
    pointer: 'header:x-ratelimit-reset',
    expected: 'a whole number, once',
    actual: 'no such header',
    count: 12,
    everyOperation: true,
  },
];

export const gatewayNearMisses: readonly NearMiss[] = [
  { ...byGateway, what: 'a page with the headers of the API', at: 'tokens unkeyed', damage: page },
  {
    ...byGateway,
    what: 'a delivery network that does not reach the service',
    at: 'tokens unkeyed',
    damage: all(status(522), bare, page),
  },
  ...[401, 403, 404, 429].map(
    (code): NearMiss => ({
      rule: 'quota/headers-on-every-answer',
      what: `a gateway that answers everything with ${code}`,
      whole: refuseAll(code),
      outcome: 'inconclusive',
    }),
  ),
];
