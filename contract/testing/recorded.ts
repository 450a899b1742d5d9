import type { Exchange, HeaderLine, Recording } from '../exchange.ts';
import { chance, makeMarket } from './market.ts';
import { QuotaCounter } from './quota-counter.ts';
import { type Request, requestsOf } from './requests.ts';
import { answerTo } from './server.ts';
import type { World } from './world.ts';

/** A recording whose exchanges can be found by the names of their requests. */
export type Recorded = {
  readonly world: World;
  readonly recording: Recording;
  /** By position. */
  readonly names: readonly string[];
};

export const baseUrl = 'https://target.invalid/api';

/** A whole conformance run against a world. */
export function record(world: World): Recorded {
  const market = makeMarket(world);
  const counter = new QuotaCounter(world);
  const requests = requestsOf(world, market);
  let now = world.now;
  let told = Math.floor(now);
  const exchanges = requests.map((request, place) => {
    const path = request.path(told);
    const isRefused = request.credential === 'none' && !world.keyless;
    const others = Math.floor(chance(world.seed, 11, place) * (world.foreign + 1));
    const isServed = !isRefused || world.refusalsCount ? counter.count(now, 1 + others) : true;
    told = Math.floor(now - world.dateLag);
    const answer = isRefused
      ? world.refusal
      : isServed
        ? jsonAnswer(answerTo(world, market, path, now))
        : { status: 429, mediaType: 'text/plain', body: 'Too many requests' };
    const exchange = toExchange(world, request, path, answer, { now, told, quota: counter.headers() });
    now += world.pace;
    return exchange;
  });
  const { poolsV1, poolsV2, keyless, foreign, seed } = world;
  const target = { name: 'world', baseUrl, poolsV1, poolsV2, keyless, soleUser: foreign === 0 };
  return { world, recording: { target, seed, exchanges }, names: requests.map((each) => each.name) };
}

type Answer = { readonly status: number; readonly mediaType: string; readonly body: string };

function jsonAnswer(value: unknown): Answer {
  return { status: 200, mediaType: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}

type Moment = { readonly now: number; readonly told: number; readonly quota: HeaderLine[] };

function toExchange(
  world: World,
  { credential }: Request,
  path: string,
  answer: Answer,
  { now, told, quota }: Moment,
): Exchange {
  const decodedBytes = Buffer.byteLength(answer.body);
  const wireBytes = world.compressed ? Math.ceil(decodedBytes / 4) + 20 : decodedBytes;
  const headers: HeaderLine[] = [
    ['date', new Date(told * 1000).toUTCString()],
    ['content-type', answer.mediaType],
    ['content-length', String(wireBytes)],
    ...(world.compressed ? [['content-encoding', 'gzip'] as const] : []),
    ...quota,
  ];
  return {
    request: { method: 'GET', url: `${baseUrl}${path}`, headers: [], credential },
    response: {
      status: answer.status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      headers: world.titleCase ? headers.map(inTitleCase) : headers,
      body: { text: answer.body, encoding: 'utf8', decodedBytes, wireBytes },
    },
    timings: { total: 1 },
    startedAt: new Date(now * 1000).toISOString(),
  };
}

function inTitleCase([name, value]: HeaderLine): HeaderLine {
  return [name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()), value];
}
