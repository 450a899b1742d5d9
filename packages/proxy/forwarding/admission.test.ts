import { once } from 'node:events';
import type { Socket } from 'node:net';
import { tinyChunks } from '@candleproof/client/testing/hostile-targets';
import { expect, test } from '@playwright/test';
import { type Proxied, proxied } from '../testing/proxied.ts';
import { type RawScript, rawRequest } from '../testing/raw-sockets.ts';
import { usualLimits } from './limits.ts';

const get = (path: number | string): string => `GET /${path} HTTP/1.1\r\nHost: api\r\n\r\n`;

/** Answers each of several simultaneous requests with its path. */
const echo: RawScript = (socket, received) => {
  for (const [, path = ''] of received.matchAll(/GET \/(\S*) /g))
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${path.length}\r\n\r\n${path}`);
};

/** Answers only after `release`. */
function held(): { readonly script: RawScript; readonly waiting: Socket[]; release(): void } {
  const waiting: Socket[] = [];
  const answer = 'HTTP/1.1 204 No Content\r\n\r\n';
  return {
    script: (socket) => void waiting.push(socket),
    waiting,
    release: () => {
      for (const socket of waiting.splice(0)) socket.write(answer);
    },
  };
}

async function readAll(socket: Socket, isWhole: (text: string) => boolean): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    if (isWhole(text)) socket.emit('whole');
  });
  await once(socket, 'whole');
  return text;
}

const endsWell = (text: string): boolean => /\r\n\r\n$/.test(text);

async function answerOf({ port }: Proxied, request = get('')): Promise<string> {
  const { text } = await rawRequest(
    port,
    request,
    (received) => endsWell(received) || received.includes('"detail"'),
  );
  return text;
}

test('thousands of requests sent at once on one connection take one to the upstream, each answered in turn', {
  tag: '@endurance',
}, async () => {
  let connections = 0;
  const known = new WeakSet<Socket>();
  const between = await proxied((socket, received) => {
    if (!known.has(socket)) connections += 1;
    known.add(socket);
    return echo(socket, received);
  });
  const all = Array.from({ length: 4000 }, (_, at) => String(at));
  const before = process.memoryUsage.rss();
  const socket = between.connect();
  socket.write(all.map(get).join(''));
  const text = await readAll(socket, (received) => received.endsWith('\r\n\r\n3999'));
  const took = process.memoryUsage.rss() - before;
  await between.close();
  expect([...text.matchAll(/\r\n\r\n(\d+)/g)].map(([, path]) => path)).toEqual(all);
  expect([connections, between.notPassed]).toEqual([1, []]);
  expect(took).toBeLessThan(150e6);
});

test('requests beyond the connections to the upstream wait, and the connections are used again', async () => {
  const { script, waiting, release } = held();
  const between = await proxied(script, { limits: { upstream: 3, clientRequests: 3 } });
  const answers = Array.from({ length: 9 }, () => answerOf(between));
  const seen: number[] = [];
  for (let round = 0; round < 3; round++) {
    await expect.poll(() => waiting.length).toBe(3);
    await expect.poll(() => between.proxy.counts.requests).toBe(9 - 3 * round);
    seen.push(between.proxy.counts.upstream);
    release();
  }
  const statuses = (await Promise.all(answers)).map((answer) => answer.slice(9, 12));
  expect([statuses, seen]).toEqual([Array(9).fill('204'), [3, 3, 3]]);
  await between.close();
});

test('a request that waits too long for the upstream gets 503 with Retry-After, and a count', async () => {
  const half = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf';
  const between = await proxied((socket) => void socket.write(half), {
    ...{ limits: { upstream: 1 }, patienceMs: 200 },
  });
  const first = between.connect();
  first.write(get(''));
  await once(first, 'data');
  const second = await answerOf(between);
  expect(second).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nRetry-After: 1\r\n/);
  expect(second).toContain('\r\nVia: 1.1 candleproof\r\n');
  expect(between.notPassed).toEqual(['waited too long']);
  first.destroy();
  await expect.poll(() => between.proxy.counts).toMatchObject({ clients: 0, requests: 0, upstream: 0 });
  await between.close();
});

test('requests beyond those that may be under way get 503, behind the answers that are owed', async () => {
  const { script, waiting, release } = held();
  const between = await proxied(script, { limits: { requests: 6 } });
  const socket = between.connect();
  socket.write(get('').repeat(5));
  const whole = readAll(socket, (text) => text.split('HTTP/1.1 ').length === 6 && text.endsWith('}\n'));
  for (let at = 0; at < 3; at++) {
    await expect.poll(() => waiting.length).toBe(1);
    release();
  }
  const text = await whole;
  expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
    '204',
    '204',
    '204',
    '503',
    '503',
  ]);
  expect(between.notPassed).toEqual(['too many requests', 'too many requests']);
  expect(between.proxy.counts.requests).toBe(0);
  await between.close();
});

test('a connection that goes on sending far beyond the limit is ended, and nothing of it is kept', {
  tag: '@endurance',
}, async () => {
  const { script } = held();
  const between = await proxied(script, { limits: { requests: 10 } });
  const socket = between.connect();
  socket.write(get('').repeat(1000));
  await once(socket, 'close');
  await expect.poll(() => between.proxy.counts).toMatchObject({ clients: 0, requests: 0, upstream: 0 });
  expect(new Set(between.notPassed)).toEqual(new Set(['too many requests']));
  await between.close();
});

test('of one address half the clients are let in: idle ones make room, then it gets 503, then nothing', async () => {
  const { script, waiting, release } = held();
  const between = await proxied(script, { limits: { clients: 8 } });
  const idle = between.connect();
  idle.write(get(''));
  await expect.poll(() => waiting.length).toBe(1);
  release();
  await once(idle, 'data');
  const ended = once(idle, 'close');
  for (let at = 0; at < 4; at++) {
    between.connect().write(get(''));
    await expect.poll(() => waiting.length).toBe(at + 1);
  }
  await ended;
  const refused = await answerOf(between);
  expect(refused).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nRetry-After: 1\r\n[\s\S]*Connection: close\r\n/);
  await expect.poll(() => between.proxy.counts.clients).toBe(4);
  const [, dropped] = [between.connect(), between.connect()];
  await once(dropped as Socket, 'close');
  expect(between.notPassed).toEqual(['too many clients', 'too many clients']);
  await between.close();
});

test('a client that leaves while it waits takes no place at the upstream', async () => {
  const { script, waiting, release } = held();
  const between = await proxied(script, { limits: { upstream: 1 } });
  const first = answerOf(between);
  await expect.poll(() => waiting.length).toBe(1);
  const leaving = between.connect();
  leaving.write(get('left'));
  await expect.poll(() => between.proxy.counts.requests).toBe(2);
  leaving.destroy();
  await expect.poll(() => between.proxy.counts.requests).toBe(1);
  release();
  expect(await first).toContain('204');
  const last = answerOf(between);
  await expect.poll(() => waiting.length).toBe(1);
  release();
  expect(await last).toContain('204');
  await between.close();
});

test('a client that has its part of the requests, none answered, leaves the others theirs', async () => {
  const other: Socket[] = [];
  const between = await proxied(
    (socket, received) => {
      if (received.startsWith('GET /other ')) other.push(socket);
    },
    { limits: { requests: 20 } },
  );
  for (let at = 0; at < 4; at++) between.connect().write(get('').repeat(50));
  await expect.poll(() => between.notPassed.length).toBeGreaterThan(0);
  const client = between.connect('127.0.0.2');
  client.write(get('other'));
  const answered = once(client, 'data');
  await expect.poll(() => other.length).toBe(1);
  other[0]?.write('HTTP/1.1 204 No Content\r\n\r\n');
  expect(String((await answered)[0])).toMatch(/^HTTP\/1\.1 204 /);
  await between.close();
});

test('connections of a full address are not read, and go on when there is room', async () => {
  const { script, waiting, release } = held();
  const between = await proxied(script, { limits: { requests: 4, clientRequests: 1 } });
  const clients = Array.from({ length: 4 }, () => between.connect());
  await expect.poll(() => between.proxy.counts.clients).toBe(4);
  const answers = clients.map((client) => once(client, 'data'));
  for (const [at, client] of clients.entries()) setTimeout(() => client.write(get('')), 50 * at);
  for (let at = 0; at < 4; at++) {
    await expect.poll(() => waiting.length).toBe(1);
    release();
  }
  const texts = (await Promise.all(answers)).map(([data]) => String(data).slice(9, 12));
  expect([texts, between.notPassed]).toEqual([Array(4).fill('204'), []]);
  await between.close();
});

test('the usual limits let a share of one client be less than all', () => {
  expect(usualLimits.clientRequests).toBeLessThan(usualLimits.upstream);
  expect(usualLimits.upstream).toBeLessThan(usualLimits.requests);
});

test('a client is served before the connections of another, which send chunks of one byte, are read', async () => {
  const head = 'HTTP/1.1\r\nHost: a\r\n';
  const { connect, close, notPassed } = await proxied((socket, received) => {
    if (received.includes('/other')) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  });
  const hostile = Array.from({ length: 60 }, () => connect().pause());
  for (const socket of hostile)
    socket.write(`POST /a ${head}Transfer-Encoding: chunked\r\n\r\n${tinyChunks}`);
  await once(hostile.at(-1) as Socket, 'connect');
  const other = connect('127.0.0.2');
  other.write(`GET /other ${head}Connection: close\r\n\r\n`);
  const [answer] = await once(other, 'data');
  expect(String(answer)).toContain('HTTP/1.1 200');
  expect(notPassed.length).toBeLessThan(30);
  await expect.poll(() => notPassed.length, { timeout: 20_000 }).toBe(hostile.length);
  await close();
});
