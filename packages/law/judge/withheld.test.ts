import { expect, test } from '@playwright/test';
import type { Exchange } from '../reading/exchange.ts';
import { judgeIt, listFindings } from '../worlds/breach-case.ts';
import { everyRow, failure, status, text, withExchanges } from '../worlds/damage.ts';
import { record } from '../worlds/recorded.ts';
import { usualWorld } from '../worlds/world.ts';

const healthy = record(usualWorld);
const empty = text('[]');

/** The verdict on the usual run in which the chosen successes are damaged. */
function judgedWith(damage: (exchange: Exchange) => Exchange, isChosen: (url: string) => boolean) {
  const run = withExchanges(healthy, (exchanges) =>
    exchanges.map((exchange) =>
      exchange.response?.status === 200 && isChosen(exchange.request.url) ? damage(exchange) : exchange,
    ),
  );
  const { verdict, reason, findings, read } = judgeIt(run);
  return { verdict, reason, findings: listFindings(findings), read };
}

const isHistory = (url: string): boolean => url.includes('/v2/');

test('a history that is empty for every pool leaves the run inconclusive and names them', () => {
  const { verdict, reason, findings } = judgedWith(empty, isHistory);
  expect(findings).toEqual([]);
  expect(verdict).toBe('inconclusive');
  expect(reason).toMatch(
    /^rows were withheld: V2 pool 1 \(no readable row in \d+ answers\); V2 pool 2 \(no readable row in 1 answer\)$/,
  );
});

test('one pool that is empty leaves the run inconclusive', () => {
  const { verdict, reason } = judgedWith(empty, (url) => url.includes('/v2/pools/conversionRates/2?'));
  expect([verdict, reason]).toEqual([
    'inconclusive',
    'rows were withheld: V2 pool 2 (no readable row in 1 answer)',
  ]);
});

test('a token list without tokens is withheld', () => {
  const { verdict, reason } = judgedWith(empty, (url) => url.endsWith('/tokens'));
  expect(verdict).toBe('inconclusive');
  expect(reason).toContain('the token list (no readable row in 1 answer)');
});

test('an interval that is refused wherever it was requested is withheld', () => {
  const { verdict, reason } = judgedWith(
    status(400),
    (url) => isHistory(url) && url.includes('FIVEMIN') && !url.includes('latest'),
  );
  expect([verdict, reason]).toEqual([
    'inconclusive',
    expect.stringMatching(/^rows were withheld: FIVEMIN of /),
  ]);
  expect(reason).toMatch(/no readable row in \d answers, status 400/);
});

for (const interval of ['FIVEMIN', 'HOUR', 'DAY', 'WEEK']) {
  test(`${interval} histories that are empty contradict the other intervals`, () => {
    const { verdict, findings } = judgedWith(empty, (url) => isHistory(url) && url.includes(interval));
    expect(findings.join('\n')).toContain('history/complete');
    expect(verdict).toBe('nonconformant');
  });
}

test('a pool too young for a week withholds none', () => {
  const young = record({ ...usualWorld, ages: [30 * 3600] });
  expect(judgeIt(young)).toMatchObject({ verdict: 'conformant', findings: [] });
});

test('an answer that was lost on the way and not requested again is withheld', () => {
  const { verdict, reason } = judgedWith(failure('timeout'), (url) => url.includes('/conversionRates/2?'));
  expect(verdict).toBe('inconclusive');
  expect(reason).toContain('V2 pool 2 (no readable row in 1 answer, timeout)');
});

test('what was read is counted', () => {
  const { read } = judgeIt(healthy);
  expect(read).toMatchObject({ unreadable: 0 });
  expect(read?.candles).toBeGreaterThan(read?.answers ?? 0);
  const unreadable = judgedWith(
    everyRow(() => ({ open: 'much' })),
    (url) => isHistory(url) && url.includes('DAY'),
  ).read;
  expect(unreadable?.candles).toBe(read?.candles);
  expect(unreadable?.unreadable).toBeGreaterThan(7);
});

for (const refusal of [400, 404]) {
  test(`a pool that is refused with ${refusal} is named beside the findings of known ones`, () => {
    const wrong = withExchanges(healthy, (exchanges) =>
      exchanges.map((exchange) => {
        if (exchange.request.url.includes('/v2/pools/conversionRates/2?')) return status(refusal)(exchange);
        return exchange.response?.status === 200 && isHistory(exchange.request.url)
          ? everyRow((row) => ({ ...row, low: 9e9 }))(exchange)
          : exchange;
      }),
    );
    const { verdict, read } = judgeIt(wrong);
    expect([verdict, read?.unknownPools]).toEqual(['nonconformant', ['V2 pool 2']]);
  });
}
