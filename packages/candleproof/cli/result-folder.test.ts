import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { called } from '@candleproof/command/called';
import { expect, test } from '@playwright/test';

/** Starts a target that ends every connection, and counts them. */
async function startCounting() {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, count: () => connections, close: () => server.close() };
}

test('a default folder that cannot be made is refused before the first request', async () => {
  const folder = test.info().outputPath('shop');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'reports'), 'a file is in the way');
  const target = await startCounting();
  const described = ['--base-url', target.url, '--keyless', '--pools-v2', '1'];
  const lines = [
    ['audit', ...described],
    ['gate', ...described],
    ['check', ...described, '--budget', '10'],
    ['explore', ...described, '--budget', '10'],
    ['load', 'smoke', ...described, '--duration', '1'],
  ];
  const before = process.cwd();
  process.chdir(folder);
  try {
    for (const line of lines) {
      const { code, stderr } = await called(line);
      expect
        .soft([code, stderr], line[0])
        .toEqual([
          2,
          expect.stringMatching(/--out: reports\/out\/\S+ cannot be written: a file is in the way/),
        ]);
    }
  } finally {
    process.chdir(before);
    target.close();
  }
  expect([target.count(), readdirSync(folder)]).toEqual([0, ['reports']]);
});
