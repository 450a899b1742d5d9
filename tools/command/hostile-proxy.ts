import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { besides, type HostilePassing, otherClient } from '@candleproof/proxy/testing/hostile-passing';
import { start, waitForEnd } from './command.ts';

/** The end of a proxy that was attacked. */
export type HostileProxy = {
  readonly code: number | null;
  /** MiB of memory at its peak. */
  readonly mib: number;
  /** Longest wait in ms of a client of another address; undefined if a request of it got no good answer. */
  readonly otherMs: number | undefined;
  /** Seconds from the signal to its end. */
  readonly endSeconds: number;
  readonly log: string;
};

const peakMemory = pathToFileURL('tools/testing/peak-memory.ts').href;

/** Longest wait of the other client, in ms. */
const patienceMs = 20_000;

/** Starts the command that users run before a hostile upstream, and lets clients attack it for `seconds`. */
export async function proxyHostile(
  { upstream, attack }: HostilePassing,
  folder: string,
  seconds: number,
): Promise<HostileProxy> {
  mkdirSync(folder, { recursive: true });
  const [readyFile, peakFile] = [join(folder, 'ready.json'), join(folder, 'peak')];
  for (const file of [readyFile, peakFile]) rmSync(file, { force: true });
  const server = createServer(besides(upstream));
  server.on('connection', (socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const flags = ['--upstream', baseUrl, '--http', '--port', '0', '--ready-file', readyFile];
  const child = start(['proxy', ...flags, '--out', join(folder, 'out')], {
    NODE_OPTIONS: `--import=${peakMemory}`,
    PEAK_MEMORY_FILE: peakFile,
    LOG_LEVEL: 'info',
  });
  const end = waitForEnd(child);
  const sockets: Socket[] = [];
  try {
    while (!existsSync(readyFile) && child.exitCode === null) await pause(50);
    const port = Number(new URL(JSON.parse(readFileSync(readyFile, 'utf8')).url).port);
    attack(() => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      sockets.push(socket);
      return socket;
    });
    const waits: (number | undefined)[] = [];
    const until = performance.now() + seconds * 1000;
    while (performance.now() < until) {
      waits.push(await otherClient(port, patienceMs));

      await pause(200);
    }
    const signalled = performance.now();
    child.kill('SIGTERM');
    const { code, stderr } = await end;
    const isServed = waits.every((wait) => wait !== undefined);
    return {
      code,
      mib: JSON.parse(readFileSync(peakFile, 'utf8')).mib,
      otherMs: isServed ? Math.max(...(waits as number[])) : undefined,
      endSeconds: (performance.now() - signalled) / 1000,
      log: stderr,
    };
  } finally {
    child.kill('SIGKILL');
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  }
}
