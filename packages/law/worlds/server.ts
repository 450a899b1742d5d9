import { type CandleSeries, intervalStart, makeCandle, newestMinute, type Row } from './candles.ts';
import { chance, type WorldMarket } from './market.ts';
import { intervalSeconds, type World, type WorldInterval } from './world.ts';

/** Returns the value that answers a proper request (§4). */
export function answerValue(world: World, market: WorldMarket, path: string, now: number): unknown {
  const url = new URL(path, 'https://target.invalid');
  if (url.pathname === '/tokens') return tokens(world);
  const series: CandleSeries = {
    generation: url.pathname.startsWith('/v2/') ? 'V2' : 'V1',
    pool: Number(url.pathname.split('/').at(-1)),
    interval: url.searchParams.get('interval') as WorldInterval,
    inverted: url.searchParams.get('inverted') === 'true',
  };
  if (series.generation === 'V1') return latest(world, market, series, now);
  const range = { from: Number(url.searchParams.get('from')), to: Number(url.searchParams.get('to')) };
  return history(world, market, series, range, now);
}

/** Returns the latest candle: that of the interval before if an outage leaves the newest one without observations. */
function latest(world: World, market: WorldMarket, series: CandleSeries, now: number): Row | undefined {
  const start = intervalStart(world, series.interval, newestMinute(world, now) * 60);
  const before = start - intervalSeconds[series.interval];
  return makeCandle(world, market, series, start, now) ?? makeCandle(world, market, series, before, now);
}

type Range = { readonly from: number; readonly to: number };

function history(world: World, market: WorldMarket, series: CandleSeries, range: Range, now: number): Row[] {
  const length = intervalSeconds[series.interval];
  const rows: Row[] = [];
  const floored = intervalStart(world, series.interval, range.from);
  for (let start = floored - length; start <= Math.min(range.to, now); start += length) {
    const row = makeCandle(world, market, series, start, now);
    const isOver = newestMinute(world, now) * 60 >= start + length;
    if (row && (isOver || world.openInHistory) && isMember(world, row, length, floored, range))
      rows.push(row);
  }
  return world.descending ? rows.reverse() : rows;
}

function isMember({ membership }: World, row: Row, length: number, floored: number, { from, to }: Range) {
  const { startTimestampSeconds: start, timestampSeconds: end } = row;
  if (membership === 'floored from <= E <= to') return floored <= end && end <= to;
  if (membership === 'from <= S < to') return from <= start && start < to;
  if (membership === 'meets [from, to]') return start <= to && start + length > from;
  if (membership === 'from <= S <= to') return from <= start && start <= to;
  if (membership === 'floored from <= S, E <= to') return floored <= start && end <= to;
  return from <= start && end <= to;
}

/** Lists tokens, priced in the first one. */
function tokens({ tokens: count, seed, extraFields }: World): Row[] | unknown[] {
  return Array.from({ length: count }, (_, place) => {
    const price = place === 0 ? 100_000_000 : Math.floor(chance(seed, 9, place) * 1e10);
    return {
      id: `0.0.${1000 + place}`,
      icon: `/images/tokens/${place}.png`,
      symbol: `T${place}`,
      decimals: place % 9,
      price: String(price),
      priceUsd: Number(((price * 0.05) / 1e8).toFixed(8)),
      dueDiligenceComplete: place % 2 === 0,
      isFeeOnTransferToken: false,
      ...(extraFields && { name: `Token ${place}`, createdAt: null }),
    };
  });
}
