import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createProxy } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { createAuthority } from '@candleproof/client/testing/certificates';

/** A host that no one named on a command line, with the requests and header lines that it was sent. */
export type Stranger = {
  readonly url: string;
  readonly caFile: string;
  readonly heard: () => string;
  close(): void;
};

/** The name by which a stranger is requested through a proxy. */
export const publicHost = 'api.stranger.example';

/** Starts a proxy that leads every request to a stranger; returns its address. */
export async function openTunnel({ url }: Stranger): Promise<{ readonly proxy: string; close(): void }> {
  const server = createProxy().on('connect', (_request, socket) => {
    const upstream = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(upstream).pipe(socket);
    });
    for (const end of [socket, upstream]) end.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    proxy: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
    },
  };
}

/** Starts a server of a stranger, which records what it gets. */
export async function openStranger(folder: string): Promise<Stranger> {
  const authority = await createAuthority();
  const requests: string[] = [];
  const server = createServer(
    await authority.certify({ ip: ['127.0.0.1'], dns: [publicHost] }),
    (request, response) => {
      requests.push(`${request.method} ${request.url} ${request.rawHeaders.join(' ')}`);
      response.setHeader('content-type', 'application/json').end('[]');
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  mkdirSync(folder, { recursive: true });
  const caFile = join(folder, 'stranger.pem');
  writeFileSync(caFile, authority.ca);
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    caFile,
    heard: () => requests.join('\n'),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Rewrites a run's folder so that it names another host than the one that was requested. */
export function renameHost(run: string, from: string, to: string): void {
  for (const name of ['run.json', 'exchanges.har']) {
    const file = join(run, name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(from, to));
  }
}
