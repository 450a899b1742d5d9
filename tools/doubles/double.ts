import { once as happened } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '@candleproof/client/testing/certificates';
import { once } from '@candleproof/law/reading/once';
import { hourMs } from './market.ts';

/** The world of a double: its trades, their start and the time. */
export type DoubleWorld = {
  readonly seed: number;
  /** Start of the double's clock, ISO 8601 in UTC. */
  readonly opensAt: string;
  /** Another clock in Unix milliseconds, which does not change the markets. */
  readonly clock?: () => number;
  /** Age of the markets in days. */
  readonly age: number;
  /** Puts the quieter of the two markets first. */
  readonly quietFirst?: true;
  /** Makes rows of longer intervals from trades only, without the flat rows of idle minutes. */
  readonly tradesAlone?: boolean;
  /** Factor of the usual number of trades. */
  readonly pace?: number;
};

/** An ordinary Wednesday, a new year, the first minutes of a week, the last ones of another, a leap day. */
export const worlds: readonly DoubleWorld[] = [
  { seed: 1, opensAt: '2026-03-11T15:32:20Z', age: 55.4 },
  { seed: 2, opensAt: '2026-01-01T00:04:30Z', age: 61.7, quietFirst: true },
  { seed: 3, opensAt: '2025-11-03T00:10:00Z', age: 33.2 },
  { seed: 4, opensAt: '2026-06-28T23:57:40Z', age: 40.9, quietFirst: true },
  { seed: 5, opensAt: '2024-02-29T12:00:30Z', age: 48.1 },
];

/** Length of a market after the start of the double. */
export const horizonMs = 2 * hourMs;

/** A world listed in August 2017, before many exchanges existed. */
export const oldWorld: DoubleWorld = { seed: 6, opensAt: '2026-05-20T09:41:05Z', age: 3198.6, pace: 0.02 };

/** A world in which an interval with an idle first minute has the prices of its trades, as documents leave this open. */
export const tradesAloneWorld: DoubleWorld = {
  seed: 7,
  opensAt: '2026-04-16T06:20:45Z',
  age: 44.3,
  quietFirst: true,
  tradesAlone: true,
};

export type DoubleReply = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

/** A server on loopback that answers like an API. */
export type Double = {
  readonly url: string;
  /** PEM of the authority to be trusted. */
  readonly ca: string;
  readonly pools: readonly string[];
  close(): void;
};

type DoubleRequest = {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
  readonly now: number;
};

function startClock(instant: string): () => number {
  const began = performance.now();
  return () => Math.floor(Date.parse(instant) + performance.now() - began);
}

/** All doubles have one authority, since a client takes tens of milliseconds to trust another. */
const makeIdentity = once(async () => {
  const authority = await createAuthority();
  return { ...(await authority.certify({ ip: ['127.0.0.1'] })), ca: authority.ca };
});

/** Opens a double whose replies are made by `answer`, from the request and the double's time (Unix milliseconds). */
export async function openDouble(
  { opensAt, clock = startClock(opensAt) }: DoubleWorld,
  pools: readonly string[],
  answer: (request: DoubleRequest) => DoubleReply,
): Promise<Double> {
  const { ca, ...identity } = await makeIdentity();
  const server = createServer(identity, async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const now = clock();
    const url = new URL(request.url ?? '/', 'https://double.invalid');
    const reply = answer({ method: request.method ?? '', url, body, now, headers: request.headers });
    const { status, headers } = reply;
    const text = reply.body === undefined ? '' : JSON.stringify(reply.body);
    response.writeHead(status, {
      date: new Date(now).toUTCString(),
      ...(status !== 304 && { 'content-length': Buffer.byteLength(text) }),
      ...headers,
    });
    response.end(text);
  });
  server.listen(0, '127.0.0.1');
  await happened(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ca,
    pools,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
