import { type HeardExchange, isGood } from '../heard.ts';
import type { ClientRule, ClientSight } from './client-rule.ts';
import type { Play } from './play.ts';

const most = 6;
const minute = 60_000;

function* check({ exchanges }: Play): Generator<ClientSight> {
  if (exchanges.length === 0) yield { undecided: 'the client sent nothing' };
  for (const equal of Map.groupBy(exchanges, ({ sha256 }) => sha256).values()) {
    const counted = equal.filter(isGood);
    const at = counted.findIndex(
      (each, index) => index >= most && each.arrived - arrivalOf(counted[index - most]) < minute,
    );
    const [exchange, first] = [counted[at], counted[at - most]];
    if (exchange && first) {
      const times = counted.filter(
        (each) => each.arrived >= first.arrived && each.arrived < first.arrived + minute,
      ).length;
      yield {
        breach: {
          exchange,
          since: first,
          expected: `at most ${most} equal requests in a minute`,
          actual: `${times}`,
        },
      };
    } else for (const judged of equal.slice(0, 1)) yield { judged };
  }
}

function arrivalOf(exchange: HeardExchange | undefined): number {
  return exchange?.arrived ?? 0;
}

export const fewEqualRequests: ClientRule = {
  id: 'client/no-more-than-six-requests-a-minute-with-equal-bytes',
  level: 'should',
  statement: 'The client sends no more than six requests a minute that are equal byte by byte.',
  why: 'Observations are a minute apart: the rest is paid for and says nothing new.',
  exactly:
    'Equal request line, headers and body; those that were answered well, in any 60 s. A request that is repeated because it failed is not counted.',
  check,
};
