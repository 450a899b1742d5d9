import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { isAbsolute, join } from 'node:path';
import { called } from '@candleproof/command/called';
import { type Ready, serve } from '@candleproof/command/command';
import { createCertificate } from '@candleproof/reference-service/certificate';
import { expect, test } from '@playwright/test';

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('the ready file tells absolute paths and the process, and goes when the service stops', async () => {
  const folder = test.info().outputPath('served');
  const relative = folder.slice(process.cwd().length + 1);
  const served = await serve(relative);
  const { apiKeyFile, caFile, pid, operatorToken } = served.ready;
  expect([apiKeyFile, caFile].every((file) => isAbsolute(file) && existsSync(file))).toBe(true);
  expect(operatorToken).toBeUndefined();
  expect(isAlive(pid)).toBe(true);
  expect(await served.stop()).toBe(0);
  expect(isAlive(pid)).toBe(false);
  expect(existsSync(join(folder, 'ready.json'))).toBe(false);
});

test('the ready file of a later service stays when the one before stops', async () => {
  const folder = test.info().outputPath('served');
  const served = await serve(folder);
  const file = join(folder, 'ready.json');
  writeFileSync(file, JSON.stringify({ ...served.ready, pid: 1 }));
  await served.stop();
  expect(existsSync(file)).toBe(true);
});

test('what the operator changes wants the token of the ready file, which is nowhere else', async () => {
  const folder = test.info().outputPath('served');
  const served = await serve(folder, '--operator-port', '0');
  const { operatorUrl, operatorToken = '' } = served.ready;
  const change = (authorization: string): Promise<Response> =>
    fetch(`${operatorUrl}/network-reset`, { method: 'POST', headers: { authorization } });
  expect((await change('Bearer guess')).status).toBe(401);
  expect((await change(`Bearer ${operatorToken}`)).status).toBe(204);
  expect(statSync(join(folder, 'ready.json')).mode & 0o077).toBe(0);
  await served.stop();
  expect(operatorToken.length).toBeGreaterThan(20);
  expect(served.log()).not.toContain(operatorToken);
});

test('the line that it prints to be tried finds a testnet sound', async () => {
  const folder = test.info().outputPath('served');
  const served = await serve(folder, '--profile', 'testnet');
  const [, line = ''] = /^try it: npx candleproof (.*)$/m.exec(served.log()) ?? [];
  const tried = await called([...line.split(' '), '--out', join(folder, 'tried')]);
  await served.stop();
  expect(tried.stdout).toMatch(/^✓ Conformant/);
});

test('anyone who ends npx ends the service that it started', async () => {
  const folder = test.info().outputPath('served');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'ready.json');
  const line = `'${process.execPath}' packages/candleproof/cli/candleproof.js serve --port 0 --data '${folder}/store' --ready-file '${file}'; true`;
  // As npx does it: a shell that waits, and dies of the signal that it does not pass on.
  const shell = spawn('/bin/sh', ['-c', line], {
    env: { ...process.env, npm_command: 'exec' },
    stdio: 'ignore',
  });
  await expect.poll(() => existsSync(file), { timeout: 40_000 }).toBe(true);
  const { pid }: Ready = JSON.parse(readFileSync(file, 'utf8'));
  shell.kill('SIGTERM');
  await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false);
  expect(existsSync(file)).toBe(false);
});

test('requests are logged at debug alone', async () => {
  for (const [level, lines] of [
    ['info', 0],
    ['debug', 1],
  ] as const) {
    const folder = test.info().outputPath(level);
    const file = join(folder, 'ready.json');
    mkdirSync(folder, { recursive: true });
    const args = [
      'packages/candleproof/cli/candleproof.js',
      'serve',
      '--port',
      '0',
      '--data',
      join(folder, 'store'),
      '--ready-file',
      file,
    ];
    const child = spawn(process.execPath, args, { env: { ...process.env, LOG_LEVEL: level } });
    let log = '';
    child.stderr.on('data', (chunk) => {
      log += chunk;
    });
    await expect.poll(() => existsSync(file), { timeout: 40_000 }).toBe(true);
    const { url, caFile }: Ready = JSON.parse(readFileSync(file, 'utf8'));
    const status =
      "fetch(process.argv[1] + '/tokens').then(({ status }) => process.stdout.write(String(status)))";
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: caFile };
    expect(execFileSync(process.execPath, ['-e', status, url], { env, encoding: 'utf8' })).toBe('401');
    child.kill('SIGTERM');
    await once(child, 'close');
    expect(log.split('\n').filter((line) => line.includes('requestId'))).toHaveLength(lines);
    expect(log).toContain('"msg":"listening"');
  }
});

test('what keeps a service from starting is reported in one line with the mend', async () => {
  test.setTimeout(180_000);
  const folder = test.info().outputPath('refused');
  mkdirSync(folder, { recursive: true });
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const [one, other] = await Promise.all([createCertificate(), createCertificate()]);
  const cert = file('cert.pem', one.certPem);
  const key = file('key.pem', one.keyPem);
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const store = ['--data', join(folder, 'store')];
  const refusals: [args: string[], says: RegExp][] = [
    [[...store, '--port', String(port)], /--port: \d+ is in use at 127\.0\.0\.1: end what .* 0 for any/],
    [[...store, '--port', '0', '--operator-port', String(port)], /--operator-port: \d+ is in use .*: end/],
    [[...store, '--port', '9', '--operator-port', '9'], /--operator-port: 9 is --port already: give another/],
    [
      [...store, '--port', '0', '--host', '192.0.2.1'],
      /--host: 192\.0\.2\.1 is no address of this machine: give/,
    ],
    [
      ['--data', join(cert, 'store')],
      /--data: .* cannot be written: a file is in the way .*; give a path that can be written/,
    ],
    [
      ['--data', cert],
      /--data: .* cannot be written: a file is in the way .*; give a path that can be written/,
    ],
    [[...store, '--cert', join(folder, 'none'), '--key', key], /--cert: .*none: there is no such file; give/],
    [[...store, '--cert', key, '--key', key], /--cert: .*key\.pem: it holds no PEM certificate; give one/],
    [[...store, '--cert', cert, '--key', cert], /--key: .*cert\.pem: it holds no PEM private key; give one/],
    [
      [...store, '--cert', cert, '--key', file('k2', other.keyPem)],
      /--key: .*k2 is not the key of .*: give the two/,
    ],
    [[...store, '--trust-proxy', 'proxy'], /--trust-proxy: "proxy" is no address: give one/],
    [
      [...store, '--port', '0', '--ready-file', join(cert, 'x')],
      /--ready-file: .* cannot be written: a file is in/,
    ],
  ];
  for (const [args, says] of refusals) {
    const { code, stderr } = await called(['serve', ...args], { LOG_LEVEL: 'error' });
    const lines = stderr.trim().split('\n');
    expect([args.join(' '), code, lines]).toEqual([args.join(' '), 2, [expect.stringMatching(says)]]);
  }
  taken.close();
});
