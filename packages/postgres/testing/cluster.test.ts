import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect } from '@playwright/test';
import { PostgresAddress } from '../address.ts';
import { PostgresDatabase } from '../postgres-database.ts';
import { test } from './postgres-test.ts';

const script = `
import { TestCluster } from ${JSON.stringify(new URL('./cluster.ts', import.meta.url).href)};
import { findPostgres } from ${JSON.stringify(new URL('./programs.ts', import.meta.url).href)};
const cluster = new TestCluster(findPostgres());
await cluster.start();
console.log(JSON.stringify([cluster.urlOf('postgres'), cluster.socketFolder]));
setInterval(() => {}, 1000);
`;

test('a server ends with its folder although the tests were killed', async ({ cluster: _found }) => {
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 40_000,
  });
  const [line] = await once(owner.stdout, 'data');
  const [url, folder]: [string, string] = JSON.parse(String(line));
  const opens = async (): Promise<boolean> => {
    try {
      await (await PostgresDatabase.open(new PostgresAddress(url))).close();
      return true;
    } catch {
      return false;
    }
  };
  expect([await opens(), existsSync(folder)]).toEqual([true, true]);
  owner.kill('SIGKILL');
  await expect.poll(() => existsSync(folder), { timeout: 20_000 }).toBe(false);
  expect(await opens()).toBe(false);
});
