import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { hostileTargets, tinyChunks } from '@candleproof/client/testing/hostile-targets';
import { flood } from '@candleproof/client/testing/pressure';

/** Clients, or an upstream, that try to exhaust the proxy. */
export type HostilePassing = {
  readonly name: string;
  readonly upstream: RequestListener;
  /** Opens connections at the proxy's port until it is stopped. */
  attack(open: () => Socket): void;
  /** Included in the tests of each pipeline, one of each kind: interim answers, requests, connections, bodies. */
  readonly runsInPipelines?: true;
};

const get = 'GET /tokens HTTP/1.1\r\nHost: a\r\n\r\n';

const proper: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
};

/** Reads only the beginning of the body. */
const deaf: RequestListener = () => undefined;

const endless: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  flood(response, `[${'1,'.repeat(30_000)}`);
};

/** Writes raw bytes that Node would refuse. */
function raw(head: string, again: string): RequestListener {
  return (_request, { socket }) => {
    socket?.write(head);
    if (socket) flood(socket, again);
  };
}

/** Opens many connections that send the same bytes. */
function many(count: number, say: (socket: Socket) => void): HostilePassing['attack'] {
  return (open) => {
    for (let at = 0; at < count; at++) say(open());
  };
}

const unread = (text: string) => (socket: Socket) => void socket.pause().write(text);

/** Sends requests one after the other on each of eight connections. */
const busy = many(8, (socket) => {
  let had = '';
  const next = (): void => void (socket.destroyed || socket.write(get));
  socket.on('data', (chunk) => {
    had = (had + chunk.toString('latin1')).slice(-64);
    if (/\r\n0\r\n\r\n$/.test(had)) {
      had = '';
      next();
    }
  });
  next();
});

export const hostilePassing: readonly HostilePassing[] = [
  {
    name: 'interim answers without end, to a client that does not read',
    upstream: raw('', `HTTP/1.1 103 Early Hints\r\nLink: ${'a'.repeat(1000)}\r\n\r\n`.repeat(50)),
    attack: many(8, unread(get)),
    runsInPipelines: true,
  },
  {
    name: 'twenty thousand requests at once on one connection',
    upstream: proper,
    attack: many(1, (socket) => void socket.resume().write(get.repeat(20_000))),
  },
  {
    name: 'two thousand requests at once on each of six hundred connections',
    upstream: deaf,
    attack: many(600, (socket) => void socket.resume().write(get.repeat(2000))),
    runsInPipelines: true,
  },
  {
    name: 'a thousand connections, each with a head of 60 kB that does not end',
    upstream: proper,
    attack: many(1000, unread(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(60_000)}`)),
    runsInPipelines: true,
  },
  {
    name: 'five hundred clients that do not read a body without end',
    upstream: endless,
    attack: many(500, unread(get)),
    runsInPipelines: true,
  },
  {
    name: 'two hundred bodies without end, to an upstream that does not read',
    upstream: deaf,
    attack: many(200, (socket) => {
      socket.write('POST /tokens HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n');
      flood(socket, Buffer.alloc(65_536));
    }),
  },
  {
    name: 'trailers without end',
    upstream: raw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n', `X: ${'a'.repeat(1000)}\r\n`),
    attack: many(20, unread(get)),
  },
  {
    name: 'chunk extensions without end, from both sides',
    upstream: raw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;', 'a'.repeat(60_000)),
    attack: many(20, (socket) => {
      socket.write('POST /tokens HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;');
      flood(socket, 'a'.repeat(60_000));
    }),
  },
  {
    name: 'sixty bodies without end, to clients that read',
    upstream: endless,
    attack: many(60, (socket) => void socket.resume().write(get)),
  },
  {
    name: 'chunks of one byte without end, to sixty clients that read and sixty that do not',
    upstream: raw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', tinyChunks),
    attack: (open) => {
      many(60, (socket) => void socket.resume().write(get))(open);
      many(60, unread(get))(open);
    },
    runsInPipelines: true,
  },
  {
    name: 'two hundred uploads in chunks of one byte without end',
    upstream: deaf,
    attack: many(200, (socket) => {
      socket.write('POST /tokens HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
      flood(socket, tinyChunks);
    }),
    runsInPipelines: true,
  },
  ...hostileTargets
    .filter(({ name }) => /empty objects|backslashes|hundred thousand fields|a bomb|candles with/.test(name))
    .map(({ name, answer }) => ({ name: `answers of ${name}`, upstream: answer, attack: busy })),
];

/** Answers the other client's request properly, whatever the upstream does to the rest. */
export function besides(hostile: RequestListener): RequestListener {
  return (request, response) =>
    request.url === otherPath ? proper(request, response) : hostile(request, response);
}

const otherPath = '/tokens?other';

/** Returns the milliseconds until a client of another address has its answer; undefined without a good answer. */
export function otherClient(port: number, patienceMs: number): Promise<number | undefined> {
  const began = performance.now();
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
  const request = `GET ${otherPath} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
  const timer = setTimeout(() => socket.destroy(), patienceMs);
  socket.on('data', (chunk) => {
    if (chunk.toString('latin1').startsWith('HTTP/1.1 200')) resolve(performance.now() - began);
    socket.destroy();
  });
  socket
    .on('error', () => undefined)
    .on('close', () => {
      clearTimeout(timer);
      resolve(undefined);
    });
  socket.write(request);
  return promise;
}
