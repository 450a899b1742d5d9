import { headerValues } from '../../reading/exchange.ts';
import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { all, count, damageFrom, header, withExchanges } from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';
import { names } from './quota.breaches.ts';

const apart = { rule: 'quota/keys-are-counted-apart', world: { otherKey: true } } as const;
const account = 'quota/refusals-show-no-account';

/** Makes refusals show a limit and its use, derived from the earlier use of the run's key. */
function countAs(
  limit: number,
  used: (ours: number, at: number) => number,
): (recorded: NamedRecording) => NamedRecording {
  return (recorded) => {
    let ours = 0;
    return withExchanges(recorded, (exchanges) =>
      exchanges.map((exchange, at) => {
        const { response, request } = exchange;
        const [left] = headerValues(response?.headers ?? [], names.remaining);
        if (request.credential === 'api-key') ours = 10_000 - Number(left);
        if (response?.status !== 401) return exchange;
        const reported = String(limit - used(ours, at));
        return all(header(names.limit, String(limit)), header(names.remaining, reported))(exchange);
      }),
    );
  };
}

/** The refusals of the three consecutive requests without a key. */
function refuseTogether(recorded: NamedRecording): NamedRecording {
  const kept = ['tokens unkeyed', 'recent HOUR unkeyed', 'latest HOUR unkeyed'];
  return withExchanges(recorded, (exchanges) =>
    exchanges.filter(
      (exchange, at) => exchange.response?.status !== 401 || kept.includes(recorded.names[at] ?? ''),
    ),
  );
}

/** A refusal comes first, before any request with the key. */
function refuseFirst(recorded: NamedRecording): NamedRecording {
  return withExchanges(recorded, (exchanges) => {
    const at = recorded.names.indexOf('tokens unkeyed');
    const [first] = exchanges;
    const refused = exchanges.slice(at, at + 1).map((exchange) => ({
      ...exchange,
      startedAt: first?.startedAt ?? exchange.startedAt,
    }));
    return [...refused, ...exchanges];
  });
}

export const keyBreaches: readonly BreachCase[] = [
  {
    rule: 'quota/counts-every-request',
    what: 'a leap beside another key that no single request explains',
    world: apart.world,
    whole: (recorded) =>
      damageFrom(
        recorded,
        'recent WEEK inverted',
        count(names.remaining, (value) => value - 4),
      ),
    pointer: `header:${names.remaining}`,
    expected: '1 to 2 requests more than before',
    actual: /^5 more/,
  },
];

export const keyNearMisses: readonly NearMiss[] = [
  { ...apart, what: 'two keys of which each is counted alone', evidence: 1 },
  {
    ...apart,
    what: 'another key beside a request that may count',
    whole: (recorded) =>
      withExchanges(recorded, (exchanges) => {
        const at = recorded.names.indexOf('week DAY of another key');
        const post = exchanges.slice(recorded.names.indexOf('post')).slice(0, 1);
        return [...exchanges.slice(0, at), ...post, ...exchanges.slice(at)];
      }),
    outcome: 'unexercised',
  },
  {
    rule: account,
    what: 'refusals with counters that move like ours under another limit',
    whole: countAs(20_000, (ours) => ours),
    evidence: 21,
  },
  {
    rule: account,
    what: 'refusals with counters that stay behind ours',
    whole: countAs(10_000, (ours) => ours - 20),
    evidence: 21,
  },
  {
    rule: account,
    what: 'refusals with counters that are far ahead of ours',
    whole: countAs(10_000, (ours) => ours + 20),
    evidence: 21,
  },
  {
    rule: account,
    what: 'three refusals in a row that look like ours',
    whole: (recorded) => refuseTogether(countAs(10_000, (ours) => ours)(recorded)),
    evidence: 3,
  },
  { rule: account, what: 'a refusal before anything else', whole: refuseFirst, evidence: 22 },
];
