import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { candleproof } from '../testing/command.ts';

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
  test(`a child that ${how} is a breakdown of ours, reported in one line`, async () => {
    const { code, stderr } = await handedOver(script);
    expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
    expect(stderr).toMatch(/^candleproof: ended by .*memory.*--max-body/);
  });
}

test('a child that ends by itself, or was requested to, keeps its exit code', async () => {
  expect(await handedOver('process.exitCode = 3')).toEqual({ code: 3, stderr: '' });
  const requested = 'process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000);';
  expect(await handedOver(requested)).toEqual({ code: 130, stderr: '' });
});

test('the command starts without the parts of Node that it never uses', async () => {
  const loaded = 'process.on("exit", () => console.error(process.moduleLoadList.join("\\n")))';
  const { code, stderr } = await candleproof(['check', '--help'], {
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(loaded)}`,
  });
  expect(code).toBe(0);
  expect(stderr).toContain('https');
  expect(stderr).not.toMatch(/undici/);
});

/** Makes a folder with the setup and a lock file, in which npm is the given script. */
function bareFolder(packages: object, npmScript: string): { setup: string; env: NodeJS.ProcessEnv } {
  const folder = test.info().outputPath('bare');
  cpSync('cli/setup.js', join(folder, 'cli', 'setup.js'));
  cpSync('cli/runtime.js', join(folder, 'cli', 'runtime.js'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...packages } }));
  const npm = join(folder, 'npm.cjs');
  writeFileSync(npm, npmScript);
  return { setup: join(folder, 'cli', 'setup.js'), env: { ...process.env, npm_execpath: npm } };
}

test('set-up says at once that it works, and how far it is while npm is silent', {
  tag: '@endurance',
}, async () => {
  const { setup, env } = bareFolder(
    { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '1.0.0' } },
    "require('fs').mkdirSync('node_modules/a', { recursive: true }); setTimeout(() => {}, 6000);",
  );
  const { stdout } = await promisify(execFile)(process.execPath, [setup], { env });
  expect(stdout).toMatch(/^setting up: npm ci.*\n {2}1 of 2 packages in place after [5-9] s …\nset up\n$/);
});

test('npm start installs only what it runs, unless the packages of the tests are there already', async () => {
  const { setup, env } = bareFolder(
    { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '1.0.0', dev: true } },
    'console.log(process.argv.slice(2).join(" ")); process.exitCode = 9;',
  );
  const npmArguments = async (job: string): Promise<string> => {
    const call = promisify(execFile)(process.execPath, [setup, job], { env });
    return call.then(
      () => 'npm was not called',
      ({ stdout }: { stdout: string }) => stdout,
    );
  };
  expect(await npmArguments('start')).toMatch(/^ci .*--omit=dev --omit=optional$/m);
  expect(await npmArguments('test')).not.toContain('--omit');
  mkdirSync(join(dirname(setup), '..', 'node_modules', '@playwright', 'test'), { recursive: true });
  expect(await npmArguments('start')).not.toContain('--omit');
});
