import { type Interval, intervalSeconds } from '../interval.ts';
import { candleFrom, startOf } from './candles.ts';
import type { Market } from './market.ts';
import type { World } from './world.ts';

/** A request of a run; its path may depend on the time that the target told last. */
export type Request = {
  readonly name: string;
  readonly credential: 'api-key' | 'none';
  readonly path: (told: number) => string;
};

const { DAY: day, WEEK: week } = intervalSeconds;

/** What a conformance run asks, in its order, each request under a name. */
export function requestsOf(world: World, market: Market): Request[] {
  const [firstV1 = 0, ...otherV1] = world.poolsV1;
  const [firstV2 = 0, ...otherV2] = world.poolsV2;
  const closed = newestClosedWeek(world, market, firstV2);
  const closedWeek = (interval: Interval, turned = '', days = 7): string =>
    `/v2/pools/conversionRates/${firstV2}?from=${closed + week - days * day}&to=${closed + week}&interval=${interval}${turned}`;
  return [
    ...latestOf(firstV1),
    keyed('tokens', () => '/tokens'),
    keyed('recent WEEK', recent(world, firstV2, 'WEEK')),
    ...[firstV2, ...otherV2].map((pool) => keyed(`recent HOUR of ${pool}`, recent(world, pool, 'HOUR'))),
    keyed('recent WEEK inverted', recent(world, firstV2, 'WEEK', '&inverted=true')),
    keyed('week DAY', () => closedWeek('DAY')),
    keyed('week HOUR', () => closedWeek('HOUR')),
    keyed('week FIVEMIN', () => closedWeek('FIVEMIN', '', world.scope.fineDays)),
    keyed('week HOUR inverted', () => closedWeek('HOUR', '&inverted=true')),
    keyed('week HOUR spelt', () => closedWeek('HOUR', '&inverted=false')),
    ...otherV1.map((pool) => keyed(`latest HOUR of ${pool}`, () => latestPath(pool, 'HOUR'))),
    ...(world.keyless ? [] : unkeyed(world, firstV1, firstV2)),
  ];
}

function keyed(name: string, path: Request['path']): Request {
  return { name, credential: 'api-key', path };
}

function latestPath(pool: number, interval: Interval, turned = ''): string {
  return `/pools/conversionRates/latest/${pool}?interval=${interval}${turned}`;
}

function latestOf(pool: number): Request[] {
  return [
    ...(['FIVEMIN', 'HOUR', 'DAY', 'WEEK'] as const).map((each) =>
      keyed(`latest ${each}`, () => latestPath(pool, each)),
    ),
    keyed('latest HOUR inverted', () => latestPath(pool, 'HOUR', '&inverted=true')),
    keyed('latest HOUR spelt', () => latestPath(pool, 'HOUR', '&inverted=false')),
    keyed('latest FIVEMIN again', () => latestPath(pool, 'FIVEMIN')),
  ];
}

/** From an odd second some intervals ago to a minute ahead. */
function recent(
  { seed, scope }: World,
  pool: number,
  interval: 'HOUR' | 'WEEK',
  turned = '',
): Request['path'] {
  const length = intervalSeconds[interval];
  const back = (interval === 'HOUR' ? 48 : scope.weeks) * length + 1 + (seed % (length - 1));
  return (told) =>
    `/v2/pools/conversionRates/${pool}?from=${told - back}&to=${told + 60}&interval=${interval}${turned}`;
}

function unkeyed(world: World, firstV1: number, firstV2: number): Request[] {
  return [
    { name: 'tokens unkeyed', credential: 'none', path: () => '/tokens' },
    { name: 'recent HOUR unkeyed', credential: 'none', path: recent(world, firstV2, 'HOUR') },
    { name: 'latest HOUR unkeyed', credential: 'none', path: () => latestPath(firstV1, 'HOUR') },
  ];
}

/** The newest settled week of which the pool has a candle; for a younger pool the last seven whole days. */
function newestClosedWeek(world: World, market: Market, pool: number): number {
  const settled = Math.floor(world.now) - 120;
  const start = startOf(world, 'WEEK', settled - week);
  const series = { generation: 'V2', pool, interval: 'WEEK', inverted: false } as const;
  return candleFrom(world, market, series, start, world.now) ? start : settled - (settled % day) - week;
}
