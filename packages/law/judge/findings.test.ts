import { expect, test } from '@playwright/test';
import { judgeIt } from '../worlds/breach-case.ts';
import {
  count,
  type Distort,
  damageExchange,
  everyRow,
  fields,
  header,
  status,
  withExchanges,
} from '../worlds/damage.ts';
import { type NamedRecording, record } from '../worlds/recorded.ts';
import { usualWorld } from '../worlds/world.ts';
import type { Finding } from './verdict.ts';

const healthy = record({ ...usualWorld, poolsV2: [1, 2, 3, 4] });
const otherPool: Distort = everyRow(() => ({ poolId: 77 }));
const low: Distort = fields(5, { low: 5 });

function findings(recorded: NamedRecording): readonly Finding[] {
  return judgeIt(recorded).findings;
}

test('a hundred bad rows are one finding with its count', () => {
  const [finding, ...others] = findings(damageExchange(healthy, 'recent HOUR of 2', otherPool));
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    rule: 'candle/pool-is-as-asked',
    fingerprint: 'candle/pool-is-as-asked listV2PoolCandles /*/poolId',
    pointer: '/*/poolId',
    count: 48,
    replay: 'again candle/pool-is-as-asked',
  });
});

test('examples are three at most, one of each answer first', () => {
  const names = ['recent HOUR of 2', 'recent HOUR of 3', 'recent HOUR of 4'];
  const all = names.reduce((recorded, name) => damageExchange(recorded, name, otherPool), healthy);
  const [three] = findings(all);
  expect(three?.count).toBe(3 * 48);
  expect(three?.examples.map((example) => healthy.names[example.exchange])).toEqual(names);
  const [one] = findings(damageExchange(healthy, 'recent HOUR of 2', otherPool));
  expect(one?.examples.map((example) => example.pointer)).toEqual(['/0/poolId', '/1/poolId', '/2/poolId']);
});

test('a finding and its candles have addresses, which name another series only where it is another', () => {
  const [finding] = findings(damageExchange(healthy, 'recent HOUR of 2', low));
  const [example] = finding?.examples ?? [];
  const offending = example?.candles?.find((candle) => candle.offending);
  expect(finding?.address).toBe(`listV2PoolCandles-c-2-HOUR-${offending?.start}`);
  expect(example?.address).toBe(finding?.address);
  expect(example?.candles?.flatMap(({ address }) => address ?? [])).toEqual([]);
  const week = findings(damageExchange(healthy, 'recent WEEK', fields(1, { high: 9 })));
  const foreign = week.flatMap(({ examples }) =>
    examples.flatMap(({ candles = [] }) => candles.flatMap((candle) => candle.address ?? [])),
  );
  expect(foreign[0]).toMatch(/^listV2PoolCandles-c-1-(DAY|HOUR)-\d+$/);
});

test('one field of two operations makes two findings', () => {
  const both = damageExchange(damageExchange(healthy, 'recent HOUR of 2', low), 'latest HOUR of 2', low);
  const places = findings(both).map((finding) => `${finding.operation} ${finding.pointer}`);
  expect(places.filter((place) => place.endsWith('/low')).sort()).toEqual([
    'getLatestV1PoolCandle /low',
    'listV2PoolCandles /*/low',
  ]);
});

test('a fingerprint knows neither row nor numbers nor the recording', () => {
  const one = findings(damageExchange(healthy, 'recent HOUR of 2', fields(5, { poolId: 3 })));
  const elsewhere = damageExchange(
    record({ ...usualWorld, seed: 99 }),
    'recent HOUR of 2',
    fields(7, { poolId: 8 }),
  );
  expect(findings(elsewhere).map((finding) => finding.fingerprint)).toEqual(
    one.map((finding) => finding.fingerprint),
  );
});

test('what must hold is reported before what should', () => {
  const mixed = damageExchange(
    damageExchange(healthy, 'tokens', fields(1, { symbol: '' })),
    'latest HOUR of 2',
    fields(0, { poolId: 9 }),
  );
  expect(findings(mixed).map((finding) => finding.level)).toEqual(['must', 'should']);
});

/** The request of this name once more at the end of the run, before the refusals, with a counter that moved on. */
function again(recorded: NamedRecording, name: string, damage: Distort): NamedRecording {
  return withExchanges(recorded, (exchanges) => {
    const repeated = healthy.recording.exchanges[healthy.names.indexOf(name)];
    const passed = exchanges.filter((exchange) => exchange.request.credential === 'api-key').length;
    const moved = count('x-ratelimit-remaining', () => 10_000 - usualWorld.quota.used - passed - 1);
    return repeated ? [...exchanges, damage(moved(repeated))] : exchanges;
  });
}

test('a breach that is gone on asking again is intermittent', () => {
  const name = 'recent HOUR of 2';
  const broken = damageExchange(healthy, name, fields(5, { poolId: 3 }));
  const intermittent = (recorded: NamedRecording) =>
    findings(recorded)
      .filter((finding) => finding.rule === 'candle/pool-is-as-asked')
      .map((finding) => finding.intermittent);
  expect(intermittent(broken)).toEqual([false]);
  expect(intermittent(again(broken, name, (same) => same))).toEqual([true]);
  expect(intermittent(again(broken, name, fields(9, { poolId: 3 })))).toEqual([false]);
  expect(intermittent(again(broken, name, status(503)))).toEqual([false]);
});

/** Sends a request with another Accept-Encoding than the rest of its run. */
const accept =
  (coding: string): Distort =>
  (exchange) => ({
    ...exchange,
    request: { ...exchange.request, headers: [...exchange.request.headers, ['accept-encoding', coding]] },
  });

test('a breach in one way of sending alone is not intermittent, and names its header', () => {
  const name = 'recent HOUR of 2';
  const broken = damageExchange(
    damageExchange(healthy, name, fields(5, { poolId: 3 })),
    name,
    accept('identity'),
  );
  const [finding] = findings(again(broken, name, (same) => same)).filter(
    ({ rule }) => rule === 'candle/pool-is-as-asked',
  );
  expect(finding?.intermittent).toBe(false);
  expect(finding?.examples[0]?.request?.headers).toContainEqual(['accept-encoding', 'identity']);
});

test('a candle is drawn between its neighbours as the offending one', () => {
  const [finding] = findings(damageExchange(healthy, 'recent HOUR of 2', fields(5, { poolId: 3 })));
  const drawn = finding?.examples[0]?.candles ?? [];
  expect(drawn.map((drawnCandle) => drawnCandle.offending)).toEqual([
    false,
    false,
    false,
    true,
    false,
    false,
    false,
  ]);
  expect(drawn.map((drawnCandle) => drawnCandle.start)).toEqual(
    [...drawn].map((drawnCandle) => drawnCandle.start).sort(),
  );
  expect(finding?.exchange).toBe(healthy.names.indexOf('recent HOUR of 2'));
});

test('a day is drawn with its hours, and only the day offends', () => {
  const [finding] = findings(damageExchange(healthy, 'week DAY', fields(2, { liquidity: '5' })));
  const drawn = finding?.examples[0]?.candles ?? [];
  expect(drawn.map((drawnCandle) => drawnCandle.end - drawnCandle.start)).toEqual([
    86_400,
    ...Array(24).fill(3600),
  ]);
  expect(drawn.filter((drawnCandle) => drawnCandle.offending)).toEqual(drawn.slice(0, 1));
});

test('a finding tells how many of the judged candles, tokens or answers it concerns', () => {
  const findExtent = (recorded: NamedRecording) => findings(recorded)[0]?.extent;
  const pools = healthy.names.filter((name) => name.startsWith('recent HOUR')).length;
  const whole = findExtent(damageExchange(healthy, 'recent HOUR of 2', otherPool));
  expect(whole).toMatchObject({ broken: 48, unit: 'candle' });
  expect(whole?.judged).toBeGreaterThanOrEqual(48 * pools);
  expect(findExtent(damageExchange(healthy, 'tokens', fields(1, { symbol: '' })))).toMatchObject({
    ...{ broken: 1, unit: 'token' },
  });
  const gone = findExtent(damageExchange(healthy, 'recent HOUR of 2', header('content-type', 'text/html')));
  expect(gone).toMatchObject({ broken: 1, unit: 'answer' });
  expect(gone?.judged).toBeGreaterThan(pools);
});
