import { intervalStart, makeCandle } from './candles.ts';
import {
  listFaultyRequests,
  listKeyTrials,
  listUnkeyedFaults,
  makeTrial,
  type Request,
} from './faulty-requests.ts';
import type { WorldMarket } from './market.ts';
import { intervalSeconds, type World, type WorldInterval } from './world.ts';

const { DAY: day, WEEK: week } = intervalSeconds;

/** Lists the requests of a conformance run in order, with their names. */
export function listRequests(world: World, market: WorldMarket): Request[] {
  const [firstV1 = 0, ...otherV1] = world.poolsV1;
  const [firstV2 = 0, ...otherV2] = world.poolsV2;
  const closed = newestClosedWeek(world, market, firstV2);
  const closedWeek = (interval: WorldInterval, turned = '', days = 7): string =>
    `/v2/pools/conversionRates/${firstV2}?from=${closed + week - days * day}&to=${closed + week}&interval=${interval}${turned}`;
  return [
    ...listLatest(firstV1),
    requestWithKey('tokens', () => '/tokens'),
    requestWithKey('recent FIVEMIN', recent(world, firstV2, 'FIVEMIN')),
    ...[firstV2, ...otherV2].map((pool) =>
      requestWithKey(`recent HOUR of ${pool}`, recent(world, pool, 'HOUR')),
    ),
    requestWithKey('recent WEEK', recent(world, firstV2, 'WEEK')),
    ...(world.otherKey
      ? [{ ...requestWithKey('week DAY of another key', () => closedWeek('DAY')), ...anotherKey }]
      : []),
    requestWithKey('recent WEEK inverted', recent(world, firstV2, 'WEEK', '&inverted=true')),
    ...[
      requestWithKey('week DAY', () => closedWeek('DAY')),
      requestWithKey('week DAY inverted', () => closedWeek('DAY', '&inverted=true')),
      requestWithKey('week HOUR', () => closedWeek('HOUR')),
      requestWithKey('week FIVEMIN', () => closedWeek('FIVEMIN', '', world.scope.fineDays)),
      requestWithKey('week HOUR inverted', () => closedWeek('HOUR', '&inverted=true')),
      requestWithKey('week HOUR spelt', () => closedWeek('HOUR', '&inverted=false')),
      ...overlapping(firstV2, closed),
    ].map((request): Request => ({ ...request, together: true })),
    requestWithKey('before any pool', historyPath(firstV2, 'WEEK', 1_504_224_000, 1_519_862_400)),
    ...otherV1.map((pool) => requestWithKey(`latest HOUR of ${pool}`, () => latestPath(pool, 'HOUR'))),
    ...(world.keyless ? [] : [makeTrial('header-in-capitals')]),
    ...listFaultyRequests(world, closed),
    ...(world.keyless
      ? []
      : [...keylessRequests(world, firstV1, firstV2), ...listUnkeyedFaults(world, closed)]),
    requestWithKey('after now', (serverSeconds) =>
      historyPath(firstV2, 'HOUR', serverSeconds + 7350, serverSeconds + 18_150)(serverSeconds),
    ),
    ...(world.keyless ? [] : listKeyTrials()),
    { name: 'plain http', credential: 'none', plainHttp: true, path: () => '/tokens' },
  ];
}

const anotherKey = { credential: 'trial:other-key' } as const;

function requestWithKey(name: string, path: Request['path']): Request {
  return { name, credential: 'api-key', path };
}

function latestPath(pool: number, interval: WorldInterval, turned = ''): string {
  return `/pools/conversionRates/latest/${pool}?interval=${interval}${turned}`;
}

function listLatest(pool: number): Request[] {
  return [
    ...(['FIVEMIN', 'HOUR', 'DAY', 'WEEK'] as const).map((interval) =>
      requestWithKey(`latest ${interval}`, () => latestPath(pool, interval)),
    ),
    requestWithKey('latest HOUR inverted', () => latestPath(pool, 'HOUR', '&inverted=true')),
    requestWithKey('latest HOUR spelt', () => latestPath(pool, 'HOUR', '&inverted=false')),
    requestWithKey('latest FIVEMIN again', () => latestPath(pool, 'FIVEMIN')),
  ];
}

function historyPath(pool: number, interval: WorldInterval, from: number, to: number): Request['path'] {
  return () => `/v2/pools/conversionRates/${pool}?from=${from}&to=${to}&interval=${interval}`;
}

/** Requests parts of the closed week again in other ranges and another spelling. */
function overlapping(pool: number, from: number): Request[] {
  const middle = from + 3 * day;
  const to = from + week;
  const reversed = `/v2/pools/conversionRates/${pool}?interval=%44AY&to=${to}&from=${from}`;
  return [
    requestWithKey('week HOUR first half', historyPath(pool, 'HOUR', from, middle + 1800)),
    requestWithKey('week HOUR second half', historyPath(pool, 'HOUR', middle - 5400, to)),
    requestWithKey('one DAY', historyPath(pool, 'DAY', from - day, from)),
    requestWithKey('no DAY', historyPath(pool, 'DAY', middle, middle)),
    requestWithKey('week DAY spelt otherwise', () => reversed),
  ];
}

/** Requests a range from an odd second some intervals ago to a minute ahead. */
function recent(
  { seed, scope }: World,
  pool: number,
  interval: 'FIVEMIN' | 'HOUR' | 'WEEK',
  turned = '',
): Request['path'] {
  const length = intervalSeconds[interval];
  const back = (interval === 'WEEK' ? scope.weeks : 48) * length + 1 + (seed % (length - 1));
  return (serverSeconds) =>
    `/v2/pools/conversionRates/${pool}?from=${serverSeconds - back}&to=${serverSeconds + 60}&interval=${interval}${turned}`;
}

function keylessRequests(world: World, firstV1: number, firstV2: number): Request[] {
  return [
    { name: 'tokens unkeyed', credential: 'none', path: () => '/tokens' },
    { name: 'recent HOUR unkeyed', credential: 'none', path: recent(world, firstV2, 'HOUR') },
    { name: 'latest HOUR unkeyed', credential: 'none', path: () => latestPath(firstV1, 'HOUR') },
  ];
}

/** Returns the newest settled week with a candle; for a younger pool, the last seven whole days. */
function newestClosedWeek(world: World, market: WorldMarket, pool: number): number {
  const settled = Math.floor(world.now) - 120;
  const start = intervalStart(world, 'WEEK', settled - week);
  const series = { generation: 'V2', pool, interval: 'WEEK', inverted: false } as const;
  return makeCandle(world, market, series, start, world.now) ? start : settled - (settled % day) - week;
}
