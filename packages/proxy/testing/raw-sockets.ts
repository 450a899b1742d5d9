import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Handles a connection of an upstream that has received the headers of the request. */
export type RawScript = (socket: Socket, received: string) => void | Promise<void>;

export type RawUpstream = { readonly baseUrl: string; readonly port: number; close(): void };

/** Starts an upstream that answers byte by byte by its script; each request is one call. */
export async function rawUpstream(script: RawScript): Promise<RawUpstream> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = received;
      received = '';
      void script(socket, head);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    port,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Received bytes, each piece with ms since the request was sent; `error` if the connection broke. */
export type RawAnswer = {
  readonly text: string;
  readonly pieces: readonly { readonly text: string; readonly at: number }[];
  readonly error?: string;
};

/** Sends these bytes and reads until `isWhole` accepts the answer, or the connection ends. */
export async function rawRequest(
  port: number,
  bytes: string,
  isWhole: (text: string, socket: Socket) => boolean = () => false,
): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1');
  const pieces: { text: string; at: number }[] = [];
  const began = performance.now();
  let text = '';
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  socket.on('data', (chunk) => {
    const piece = chunk.toString('latin1');
    text += piece;
    pieces.push({ text: piece, at: performance.now() - began });
    if (isWhole(text, socket)) resolve(undefined);
  });
  socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
  socket.on('close', () => resolve(undefined));
  socket.write(bytes, 'latin1');
  const error = await promise;
  socket.destroy();
  return { text, pieces, error };
}

/** Returns whether a chunked message is complete. */
export function isChunkedWhole(text: string): boolean {
  return text.endsWith('0\r\n\r\n');
}
