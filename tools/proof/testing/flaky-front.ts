import { Agent, request as ask, createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createCertificate } from '@candleproof/reference-service/certificate';
import type { RunningService } from '@candleproof/reference-service/start';

export type Misfortune = {
  /** Requests of which one is answered 503 without reaching the service. */
  readonly unavailable?: number;
  /** Requests of which the connection of one is reset, alternately before and after the service has counted it. */
  readonly reset?: number;
  readonly seed: number;
};

export type Front = { readonly service: RunningService; close(): Promise<void> };

/** Opens a TLS proxy in front of a service that disturbs some of the requests. */
export async function openFlakyFront(service: RunningService, misfortune: Misfortune): Promise<Front> {
  const { certPem: cert, keyPem: key, caPem } = await createCertificate();
  const agent = new Agent({ ca: service.caPem, keepAlive: true });
  const { unavailable = Number.POSITIVE_INFINITY, reset = Number.POSITIVE_INFINITY, seed } = misfortune;
  const [isAway, isBroken] = [drawLots(unavailable, seed), drawLots(reset, seed + 1)];
  let resets = 0;
  const server = createServer({ cert, key }, (incoming, outgoing) => {
    if (isAway()) {
      outgoing.writeHead(503, { 'content-type': 'text/plain' }).end('upstream is away\n');
      return;
    }
    const isReset = isBroken();
    if (isReset && ++resets % 2 === 1) {
      incoming.socket.destroy();
      return;
    }
    const { method = 'GET', url = '/', headers } = incoming;
    const forwarded = ask(service.url + url, { agent, method, headers }, (answer) => {
      if (isReset) {
        answer.resume();
        incoming.socket.destroy();
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => incoming.socket.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    service: { ...service, url, caPem },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      agent.destroy();
    },
  };
}

/** Returns a lot that is drawn once in every so many calls, at a place that the seed decides. */
export function drawLots(outOf: number, seed: number): () => boolean {
  const draw = makeDraws(seed);
  let [at, drawn] = [0, 0];
  return () => {
    if (at % outOf === 0) drawn = at + Math.floor(draw() * outOf);
    return at++ === drawn;
  };
}

/** Returns a seeded generator of numbers from 0 to 1 (mulberry32). */
function makeDraws(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
