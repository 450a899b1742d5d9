import { expect, test } from '@playwright/test';
import type { Exchange } from '../reading/exchange.ts';
import { judgeIt } from '../worlds/breach-case.ts';
import { type Distort, damageExchange, failure, foreign, status, withExchanges } from '../worlds/damage.ts';
import { type NamedRecording, record } from '../worlds/recorded.ts';
import { usualWorld } from '../worlds/world.ts';

const healthy = record(usualWorld);

function judgeVerdict(recorded: NamedRecording): string {
  const { verdict, reason } = judgeIt(recorded);
  return reason === undefined ? verdict : `${verdict}: ${reason}`;
}

const findExchange = (name: string): Exchange =>
  healthy.recording.exchanges[healthy.names.indexOf(name)] as Exchange;

for (const [what, damage] of [
  ['503', status(503)],
  ['401', status(401)],
  ['a reset', failure('reset')],
] as readonly (readonly [string, Distort])[]) {
  test(`a must is not held if its only second look ended in ${what}`, () => {
    const blind = damageExchange(healthy, 'latest FIVEMIN again', damage);
    expect(judgeVerdict(blind)).toMatch(
      /^inconclusive: requests stayed unanswered \(.*\): \d musts? could not be judged: .*latest\/intervals-agree/,
    );
    expect(judgeIt(blind).reasonCode).toBe('requests-unanswered');
    expect(judgeVerdict(foreign(blind))).toBe('conformant');
  });
}

test('a second look that is answered at its second try holds everything', () => {
  const again = withExchanges(healthy, (exchanges) =>
    exchanges.flatMap((exchange, at) =>
      healthy.names[at] === 'latest FIVEMIN again' ? [status(503)(exchange), exchange] : [exchange],
    ),
  );
  expect(judgeVerdict(again)).toBe('conformant');
});

test('a key that wrong keys locked out leaves a verdict on what was answered before', () => {
  const tokens = findExchange('tokens');
  const locked = withExchanges(healthy, (all) => [...all, status(403)(tokens), status(403)(tokens)]);
  expect(judgeVerdict(locked)).toBe('conformant');
  expect(judgeIt(locked).read?.lockedOut).toBe(2);
});

test('a must that only a locked-out key could show is not held', () => {
  const again = findExchange('latest FIVEMIN again');
  const locked = withExchanges(healthy, (all) => [
    ...all.filter((exchange) => exchange !== again),
    status(403)(again),
  ]);
  expect(judgeVerdict(locked)).toMatch(
    /^inconclusive: requests stayed unanswered \(status 403\): .*latest\/intervals-agree/,
  );
});

test('a request that was answered once is not withheld by a later refusal', () => {
  const later = withExchanges(healthy, ([first, ...others]) =>
    first ? [first, ...others.slice(0, 9), status(403)(first), ...others.slice(9)] : [],
  );
  expect(judgeVerdict(later)).toBe('conformant');
});
