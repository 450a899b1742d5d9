import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { candleproof } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';

const hour = 3600;

/** Rows of the last hours, from a made-up walk. */
function makeRows(count: number): object[] {
  const newest = Math.floor(Date.now() / 1000 / hour) * hour;
  return Array.from({ length: count }, (_, at) => {
    const start = newest - (count - 1 - at) * hour;
    const [open, close] = [100 + Math.sin(start), 100 + Math.sin(start + hour)];
    return { time: start, open, high: Math.max(open, close) + 1, low: Math.min(open, close) - 1, close };
  });
}

type Heard = { readonly url: string; readonly headers: IncomingHttpHeaders };

/** Serves rows to requests with the keys, and remembers what it gets. */
async function serve(
  accepts: (heard: Heard) => boolean,
): Promise<{ base: string; heard: Heard[]; close: () => void }> {
  const heard: Heard[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    heard.push({ url, headers });
    const isServed = accepts({ url, headers });
    response.writeHead(isServed ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isServed ? makeRows(40) : { error: 'no key' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { base, heard, close: () => server.close() };
}

const secret = 'abcdefghijklmnopqrstuvwxyz012345';
const path = '/c?symbol=BTCUSDT&interval=1h&limit=40';

/** Looks with flags, then reads what the draft's document says of its keys. */
async function runLook(url: string, flags: readonly string[], env: Record<string, string> = {}) {
  const file = test.info().outputPath('api.yaml');
  const looked = await candleproof(['look', url, '--write', file, '--force', ...flags], env);
  const text = looked.code === 2 ? '' : readFileSync(file, 'utf8');
  expect(looked.stdout + looked.stderr + text).not.toContain(secret);
  return { ...looked, file, text };
}

test('a key in the query, in a header behind a prefix and one of the environment are sent and kept out of the draft', async () => {
  const server = await serve(
    ({ url, headers }) => url.includes(`api_token=${secret}`) || headers.authorization === `token ${secret}`,
  );
  const keyFile = test.info().outputPath('key');
  writeFileSync(keyFile, `${secret}\n`);
  const query = await runLook(`${server.base}${path}`, [
    '--key-query',
    'api_token',
    '--api-key-file',
    keyFile,
  ]);
  expect(query.code, query.stderr).toBe(0);
  expect(query.text).toMatch(/type: apiKey\n +in: query\n +name: api_token/);
  expect(query.stderr.match(/reaches the logs/g)?.length).toBe(1);
  const target = ['--base-url', server.base, '--pools', 'BTCUSDT', '--budget', '6'];
  const out = test.info().outputPath('run');
  const checked = await candleproof([
    'check',
    '--spec',
    query.file,
    ...target,
    '--api-key-file',
    keyFile,
    '--out',
    out,
  ]);
  expect(checked.code, checked.stdout + checked.stderr).not.toBe(2);
  expect(readFileSync(`${out}/exchanges.har`, 'utf8')).not.toContain(secret);
  const header = await runLook(`${server.base}${path}`, ['--key-header', 'Authorization: token'], {
    CANDLEPROOF_API_KEY: secret,
  });
  expect(header.code, header.stderr).toBe(0);
  expect(header.text).toContain('x-prefix: "token "');
  server.close();
});

test('a user and a password are encoded for Basic authorization', async () => {
  const basic = `Basic ${Buffer.from(`me:${secret}`).toString('base64')}`;
  const server = await serve(({ headers }) => headers.authorization === basic);
  const keyFile = test.info().outputPath('key');
  writeFileSync(keyFile, `me:${secret}`);
  const { code, stderr } = await runLook(`${server.base}${path}`, [
    ...['--key-header', 'Authorization: Basic', '--api-key-file', keyFile],
  ]);
  expect(code, stderr).toBe(0);
  server.close();
});

test('further headers are sent; a secret among them comes from a variable, and never from the command line', async () => {
  const server = await serve(
    ({ headers }) => headers['x-version'] === '3' && headers['x-api-secret'] === secret,
  );
  const flags = ['--header', 'X-Version: 3', '--header', `X-Api-Secret: \${VENDOR_SECRET}`];
  const looked = await runLook(`${server.base}${path}`, flags, { VENDOR_SECRET: secret });
  expect(looked.code, looked.stderr).toBe(0);
  expect(looked.text).toMatch(/name: X-Version\n +in: header\n +required: true/);
  expect(looked.text).toMatch(/in: header\n +name: X-Api-Secret/);
  for (const [given, words] of [
    [`X-Api-Secret: ${secret}`, `write 'X-Api-Secret: \${VARIABLE}'`],
    [`X-Version: ${secret}`, `write 'X-Version: \${VARIABLE}'`],
    [`X-Api-Secret: \${ABSENT}`, 'the variable ABSENT is not set'],
    ['X-Api-Sign: 1', 'a signed request (HMAC) cannot be sent'],
  ] as const) {
    const refused = await runLook(`${server.base}${path}`, ['--header', given], {
      CANDLEPROOF_API_KEY: secret,
    });
    expect([refused.code, refused.stderr], given).toEqual([2, expect.stringContaining(words)]);
  }
  const signed = await runLook(`${server.base}${path}&signature=abc`, []);
  expect([signed.code, signed.stderr]).toEqual([2, expect.stringContaining('HMAC')]);
  server.close();
});

test('a draft that lacks a part ends with 3, and its questions stand in the file', async () => {
  const server = await serve(() => true);
  const open = await runLook(`${server.base}/c?symbol=BTCUSDT&limit=40`, []);
  expect(open.code, open.stderr).toBe(3);
  expect(open.text).toMatch(/^# \? x-role interval: /);
  expect(open.stdout).toContain('open ?   x-role interval: ');
  expect(open.stdout).not.toContain('check the API by it');
  const market = await runLook(`${server.base}/gold/c?interval=1h&limit=40`, []);
  expect([market.code, market.text.startsWith('# ? x-role pool: ')]).toEqual([3, true]);
  const named = await runLook(`${server.base}/gold/c?interval=1h&limit=40`, ['--pool', 'gold']);
  expect([named.code, named.stdout.includes('check the API by it')]).toEqual([0, true]);
  server.close();
});

test('the address of a traded token is no key, and a range that does not hold its rows is named', async () => {
  const server = await serve(() => true);
  const token = '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599';
  const traded = await runLook(`${server.base}/c?token=${token}&quoteToken=USDC&interval=1h&limit=40`, []);
  expect([traded.code, traded.stdout.includes('check the API by it')], traded.stderr).toEqual([0, true]);
  const past = Math.floor(Date.now() / 1000) - 30 * 24 * hour;
  const strayed = await runLook(
    `${server.base}/c?symbol=BTCUSDT&interval=1h&start=${past}&end=${past + hour}`,
    [],
  );
  expect([strayed.code, strayed.text.match(/^# \? x-role of end: .*rows after it came/m)?.length]).toEqual([
    3, 1,
  ]);
  server.close();
});
