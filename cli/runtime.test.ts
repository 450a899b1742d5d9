import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';

/** Runs a script as the child of a process that only hands over to it. */
async function handedOver(script: string): Promise<{ code: number | null; stderr: string }> {
  const file = test.info().outputPath('child.js');
  writeFileSync(file, script);
  const runtime = pathToFileURL(join('cli', 'runtime.js'));
  const parent = `import { runOnRecentNode } from ${JSON.stringify(runtime.href)}; process.exitCode = await runOnRecentNode([${JSON.stringify(file)}]);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', parent]);
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stderr };
}

for (const [how, script] of [
  ['is killed', 'process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 1000);'],
  ['ends as one that a shell saw abort', 'process.exit(134);'],
] as const) {
  test(`a child that ${how} is a breakdown of ours, told in one line`, async () => {
    const { code, stderr } = await handedOver(script);
    expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
    expect(stderr).toMatch(/^candleproof: ended by .*memory.*--max-body/);
  });
}

test('a child that ends by itself, or was asked to, keeps its exit code', async () => {
  expect(await handedOver('process.exitCode = 3')).toEqual({ code: 3, stderr: '' });
  const asked = 'process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000);';
  expect(await handedOver(asked)).toEqual({ code: 130, stderr: '' });
});
