import type { Exchange, HeaderLine, Recording } from '../reading/exchange.ts';
import type { Request } from './faulty-requests.ts';
import { type Given, serve } from './front.ts';
import { chance, makeMarket, type WorldMarket } from './market.ts';
import { QuotaCounter } from './our-quota.ts';
import { listRequests } from './requests.ts';
import type { World } from './world.ts';

/** A recording whose exchanges can be found by the names of their requests. */
export type NamedRecording = {
  readonly world: World;
  readonly recording: Recording;
  /** Names by position. */
  readonly names: readonly string[];
};

export const baseUrl = 'https://target.invalid/api';

/** Runs that are cached: most cases differ in the damage, few in the world. */
const maxCached = 32;
const kept = new Map<string, NamedRecording>();

/** Records a whole conformance run against a world; equal worlds share one recording. */
export function record(world: World): NamedRecording {
  const name = JSON.stringify(world);
  const made = kept.get(name) ?? recordAnew(world);
  kept.delete(name);
  kept.set(name, made);
  const [oldest] = kept.keys();
  if (oldest !== undefined && kept.size > maxCached) kept.delete(oldest);
  return made;
}

function recordAnew(world: World): NamedRecording {
  const market = makeMarket(world);
  const requests = listRequests(world, market);
  const { poolsV1, poolsV2, keyless, foreign, seed } = world;
  const target = {
    name: 'world',
    baseUrl,
    pools: { v1: poolsV1, v2: poolsV2 },
    keyless,
    soleUser: foreign === 0,
  };
  const exchanges = recordExchanges(world, market, requests);
  return { world, recording: { target, seed, exchanges }, names: requests.map((request) => request.name) };
}

/** Records the exchanges in turn; those of a burst happen at one instant, in an order that the server chooses. */
function recordExchanges(world: World, market: WorldMarket, requests: readonly Request[]): Exchange[] {
  const fresh = { ...world, quota: { ...world.quota, used: 0 } };
  const counters = { ours: new QuotaCounter(world), others: new QuotaCounter(fresh) };
  const exchanges: Exchange[] = [];
  let now = world.now;
  let serverSeconds = Math.floor(now);
  for (const burst of groupBursts(world, requests)) {
    const asOf = serverSeconds;
    serverSeconds = Math.floor(now - world.dateLag);
    for (const place of burst.toSorted((a, b) => chance(world.seed, 12, a) - chance(world.seed, 12, b))) {
      const request = requests[place] as Request;
      const path = request.path(asOf);
      const foreign = Math.floor(chance(world.seed, 11, place) * (world.foreign + 1));
      const given = serve(world, market, counters, { request, path, now, foreign });
      exchanges[place] = toExchange(world, request, path, given, { now, serverSeconds });
    }
    now += world.pace;
  }
  return exchanges;
}

/** Groups the positions of requests that are sent together. */
function groupBursts({ bursts }: World, requests: readonly Request[]): number[][] {
  const groups: number[][] = [];
  for (const [place, { together }] of requests.entries()) {
    const isBeside = bursts && together && requests[place - 1]?.together;
    if (isBeside) groups.at(-1)?.push(place);
    else groups.push([place]);
  }
  return groups;
}

type Moment = { readonly now: number; readonly serverSeconds: number };

function toExchange(
  world: World,
  { credential, method = 'GET', headers: lines = [], plainHttp }: Request,
  path: string,
  given: Given,
  { now, serverSeconds }: Moment,
): Exchange {
  const decodedBytes = Buffer.byteLength(given.body);
  const wireBytes = world.compressed && decodedBytes > 0 ? Math.ceil(decodedBytes / 4) + 20 : decodedBytes;
  const headers: HeaderLine[] = [
    ['date', new Date(serverSeconds * 1000).toUTCString()],
    ['content-type', given.mediaType],
    ['content-length', String(wireBytes)],
    ...(world.compressed ? [['content-encoding', 'gzip'] as const] : []),
    ...given.quota,
    ...(given.headers ?? []),
  ];
  const base = plainHttp ? baseUrl.replace('https:', 'http:') : baseUrl;
  return {
    request: { method, url: `${base}${path}`, headers: lines, credential },
    response: {
      status: given.status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      headers: world.titleCase ? headers.map(titleCase) : headers,
      body: { text: given.body, encoding: 'utf8', decodedBytes, wireBytes },
    },
    timings: { total: 1 },
    startedAt: new Date(now * 1000).toISOString(),
  };
}

function titleCase([name, value]: HeaderLine): HeaderLine {
  return [name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()), value];
}
