import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { candleproof } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';
import { LoadedService } from './testing/loaded-service.ts';

/** Starts a process that only hands over to a call of Node, as the command does on a Node that is too old. */
function launch(args: readonly string[]): ChildProcessWithoutNullStreams {
  const runtime = pathToFileURL('packages/candleproof/cli/runtime.js');
  const parent = `import { runOnRecentNode } from ${JSON.stringify(runtime.href)}; process.exitCode = await runOnRecentNode(${JSON.stringify(args)});`;
  return spawn(process.execPath, ['--input-type=module', '--eval', parent], { env: withoutNpx });
}

/** Under npx the command looks for the end of its shell. */
const { npm_command: _npx, ...withoutNpx } = process.env;

/** Runs a script as the child of a process that only hands over to it. */
async function handedOver(script: string): Promise<{ code: number | null; stderr: string }> {
  const file = test.info().outputPath('child.js');
  writeFileSync(file, script);
  const child = launch([file]);
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
    expect(stderr).toMatch(/^candleproof: ended by .*memory: give the machine more\n$/);
  });
}

test('a child that ends by itself, or was requested to, keeps its exit code', async () => {
  expect(await handedOver('process.exitCode = 3')).toEqual({ code: 3, stderr: '' });
  const requested = 'process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000);';
  expect(await handedOver(requested)).toEqual({ code: 130, stderr: '' });
});

/** Returns whether a process runs: one that has ended and is not collected does not. */
function isRunning(pid: number): boolean {
  const status = `/proc/${pid}/stat`;
  return existsSync(status) && !/^\d+ \(.*\) Z/.test(readFileSync(status, 'utf8'));
}

function findChildren(pid: number): number[] {
  const list = `/proc/${pid}/task/${pid}/children`;
  const children = existsSync(list) ? readFileSync(list, 'utf8').split(' ').filter(Boolean).map(Number) : [];
  return children.flatMap((child) => [child, ...findChildren(child)]);
}

test('a load ends at once when the process that handed over to it is killed', async () => {
  test.skip(process.platform !== 'linux', 'the descendants of a process are read from /proc');
  const loaded = await LoadedService.start();
  const { url, apiKey, caPem } = loaded.service;
  const [keyFile, caFile] = [test.info().outputPath('key'), test.info().outputPath('ca.pem')];
  writeFileSync(keyFile, apiKey);
  writeFileSync(caFile, caPem);
  const target = ['--base-url', url, '--api-key-file', keyFile, '--ca-file', caFile, '--pools-v1', '1,2'];
  const load = ['smoke', '--rate', '40', '--duration', '60', '--network', 'testnet'];
  const launcher = launch([
    'packages/candleproof/cli/candleproof.js',
    'load',
    ...load,
    ...target,
    '--out',
    test.info().outputPath('out'),
  ]);
  let said = '';
  for (const stream of [launcher.stdout, launcher.stderr])
    stream.on('data', (text) => {
      said += text;
    });
  let children: readonly number[] = [];
  try {
    await expect.poll(() => loaded.counted(), { message: said, timeout: 30_000 }).toBeGreaterThan(40);
    children = findChildren(launcher.pid ?? 0);
    expect(children.length).toBeGreaterThan(0);
    launcher.kill('SIGKILL');
    await expect.poll(() => children.filter(isRunning), { timeout: 10_000 }).toEqual([]);
    const sent = await loaded.counted();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(await loaded.counted()).toBe(sent);
  } finally {
    for (const pid of children.filter(isRunning)) process.kill(pid, 'SIGKILL');
    launcher.kill('SIGKILL');
    await loaded.close();
  }
});

test('the command outlives a launcher that is not its own, as a script that leaves it running', async () => {
  test.skip(process.platform !== 'linux', 'the descendants of a process are read from /proc');
  const script = `import { endWithLauncher } from ${JSON.stringify(pathToFileURL('packages/candleproof/cli/runtime.js').href)}; endWithLauncher(); setTimeout(() => {}, 60_000);`;
  const file = test.info().outputPath('left.mjs');
  writeFileSync(file, script);
  // The variable of another launcher was inherited by a script, which starts the command in the background.
  const shell = spawn('/bin/sh', ['-c', `"$0" "$1" & echo $!; wait`, process.execPath, file], {
    env: { ...withoutNpx, CANDLEPROOF_LAUNCHER: '1' },
  });
  const pid = await new Promise<number>((resolve) =>
    shell.stdout.once('data', (text) => resolve(Number(text))),
  );
  try {
    shell.kill('SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(isRunning(pid)).toBe(true);
  } finally {
    process.kill(pid, 'SIGKILL');
  }
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
  cpSync('packages/candleproof/cli/setup.js', join(folder, 'cli', 'setup.js'));
  cpSync('packages/candleproof/cli/runtime.js', join(folder, 'cli', 'runtime.js'));
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
