import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type Received = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** A webhook's other end on loopback, that answers as it is set up to. */
export type Receiver = {
  readonly url: string;
  readonly received: readonly Received[];
  close(): Promise<void>;
};

/** Opens a server that keeps what webhooks send to it. */
export async function openReceiver(answer: (response: ServerResponse) => void): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push({ path: request.url ?? '', headers: request.headers, body: await text(request) });
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook/T0/s3cret-path`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
