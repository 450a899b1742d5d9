import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { isPostgresUrl, PostgresAddress } from '@candleproof/postgres/address';
import type { QuotaAnswer } from '../../accounts/ledger-entry.ts';
import type { LedgerPlace } from '../ledgers.ts';
import type { Sender } from '../reservation.ts';

/** A service that counts each request on arrival, and reports the count; `before` may delay the answer. */
export class QuotaServer {
  readonly #server: Server;
  used = 0;

  constructor(before: () => Promise<void> = async () => undefined, limit = 10_000) {
    const reset = Date.now() + 10 * 86_400_000;
    const listener: RequestListener = async (_request, response) => {
      this.used += 1;
      const quota: QuotaAnswer = { limit, remaining: limit - this.used, additional: 0, reset };
      await before();
      response.end(JSON.stringify(quota));
    };
    this.#server = createServer(listener);
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** Returns a client of the service at `url`; its exchanges have the counters as their body. */
export function senderTo(url: string): Sender {
  return { send: async () => exchangeWith(await (await fetch(url)).text()) };
}

/** Returns an exchange whose answer has this body. */
export function exchangeWith(text: string): Exchange {
  return {
    request: { method: 'GET', url: 'https://target.example/tokens', headers: [], credential: 'api-key' },
    response: {
      status: 200,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      headers: [],
      body: { text, encoding: 'utf8' },
    },
    timings: { total: 1 },
    startedAt: new Date().toISOString(),
  };
}

/** Reads what `exchangeWith` wrote. */
export function quotaInBody({ response }: Exchange): QuotaAnswer | undefined {
  return response?.body?.text ? JSON.parse(response.body?.text) : undefined;
}

/** Returns a file's path, or the database of a URL. */
export function placeOf(address: string): LedgerPlace {
  return isPostgresUrl(address) ? new PostgresAddress(address) : address;
}

export const withKey = { path: '/tokens', credential: 'api-key' } as const;
