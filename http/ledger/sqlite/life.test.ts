import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@playwright/test';
import { lifeOfThisProcess } from './life.ts';

test('a process is known by its number and its start', async () => {
  const life = lifeOfThisProcess();
  expect(life.isAlive(life.self)).toBe(true);
  const name = JSON.parse(life.self);
  expect(life.isAlive(JSON.stringify({ ...name, place: 'another container' }))).toBeUndefined();
  expect(life.isAlive(JSON.stringify({ ...name, started: '1' }))).toBe(false);
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: 'pipe' });
  const reported = { ...name, pid: child.pid };
  expect(life.isAlive(JSON.stringify({ ...reported, started: '1' }))).toBe(process.platform === 'win32');
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(life.isAlive(JSON.stringify(reported))).toBe(false);
});
