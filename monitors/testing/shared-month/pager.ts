import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type PagedAlert = {
  readonly id: string;
  readonly kind: string;
  readonly location: string;
  /** The target of an alert or a notice; absent for a notice about a key. */
  readonly target?: string;
  readonly indicator?: string;
  readonly account?: string;
  readonly notice?: string;
  readonly severity: string;
  readonly text: string;
  readonly at: string;
};

/** Receives the month's alerts. */
export class Pager {
  readonly pages: PagedAlert[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(): Promise<Pager> {
    const server = createServer();
    const pager = new Pager(server);
    server.on('request', async (requested, answer) => {
      const parts: Buffer[] = [];
      for await (const part of requested) parts.push(part as Buffer);
      pager.pages.push(JSON.parse(Buffer.concat(parts).toString('utf8')));
      answer.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return pager;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/alert`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
