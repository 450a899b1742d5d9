import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';
import { startTrouble } from './start-trouble.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

/** Serves a folder on loopback, as any static host would, until somebody stops it. Throws a UsageError. */
export async function serveSite(folder: string, port: number): Promise<void> {
  const root = resolve(folder);
  const server = createServer(({ url = '/', method }, response) => {
    if (method === 'GET' || method === 'HEAD') void answer(root, url, response);
    else response.writeHead(405).end();
  });
  await new Promise<void>((done, failed) => {
    server.once('error', (error) => failed(startTrouble(error, { port })));
    server.listen(port, '127.0.0.1', done);
  });
  const address = server.address();
  process.stdout.write(`serving http://127.0.0.1:${typeof address === 'object' ? address?.port : port}/\n`);
  await new Promise<void>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, done);
  });
  server.closeAllConnections();
  server.close();
}

async function answer(root: string, url: string, response: ServerResponse): Promise<void> {
  const file = findFile(root, url);
  const body = file === undefined ? undefined : await readFile(file).catch(() => undefined);
  const type = types[extname(file ?? '')] ?? 'text/plain; charset=utf-8';
  response.writeHead(body ? 200 : 404, {
    'content-type': body ? type : 'text/plain',
    'x-content-type-options': 'nosniff',
  });
  response.end(body ?? 'There is no such page.\n');
}

/** A folder is its index.html; undefined for what lies outside of the site. */
function findFile(root: string, url: string): string | undefined {
  const path = decodePath(url.replace(/[?#].*$/, ''));
  if (path === undefined || path.includes('\0')) return undefined;
  const file = resolve(join(root, path));
  if (file !== root && !file.startsWith(root + sep)) return undefined;
  return path.endsWith('/') ? join(file, 'index.html') : file;
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
