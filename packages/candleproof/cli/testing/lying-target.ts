import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type OutgoingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Ready } from '@candleproof/command/command';

/** Changes the headers of an answer to the key's `n`th request. */
type Lie = (headers: OutgoingHttpHeaders, n: number) => void;

/** Stands before a service on plain HTTP, passes its answers on with other headers, and notes what they were. */
export class LyingTarget {
  readonly #server = createServer();
  readonly #service: Ready;
  /** The service's own counters of each request with the key, in order. */
  readonly honest: { readonly remaining: number; readonly additional: number; readonly reset: number }[] = [];
  lie: Lie;

  constructor(service: Ready, lie: Lie = () => undefined) {
    this.#service = service;
    this.lie = lie;
    const ca = readFileSync(service.caFile);
    this.#server.on('request', (received, response) => {
      const { host: _host, connection: _connection, ...headers } = received.headers;
      const url = new URL(received.url ?? '/', service.url);
      const onward = request(url, { method: received.method, headers, ca }, (answer) => {
        const { connection: _hop, ...passed }: OutgoingHttpHeaders = answer.headers;
        if (received.headers['x-api-key'] !== undefined) {
          const [remaining, additional, reset] = ['remaining', 'additional-total', 'reset'].map((name) =>
            Number(passed[`x-ratelimit-${name}`]),
          );
          this.honest.push({
            remaining: remaining ?? NaN,
            additional: additional ?? NaN,
            reset: reset ?? NaN,
          });
          this.lie(passed, this.honest.length);
        }
        response.writeHead(answer.statusCode ?? 502, passed);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      received.pipe(onward);
    });
  }

  /** Listens, and returns what a ready file would say. */
  async start(): Promise<Ready> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return { ...this.#service, url: `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}` };
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
