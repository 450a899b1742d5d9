import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { expect, test } from '@playwright/test';
import { Webhook } from 'standardwebhooks';
import { send } from './send.ts';
import { message } from './testing/messages.ts';
import { openReceiver } from './testing/receiver.ts';
import { midnight } from './testing/slots.ts';
import { post } from './webhook.ts';

/** In place of a message that did not arrive. */
const nothing = { headers: {} as Readonly<Record<string, string>>, body: '' };
const options = { signal: new AbortController().signal, environment: {} };

function end(status: number, headers = {}): (response: ServerResponse) => void {
  return (response) => response.writeHead(status, headers).end();
}

test('the documented example verifies a signed message and refuses a changed one', async () => {
  const source = /```js\n([\s\S]*?)```/.exec(readFileSync('docs/alerts.md', 'utf8'))?.[1] ?? '';
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  await using receiver = disposable(await openReceiver(end(204)));
  const sink = { name: 'hook', kind: 'webhook', form: 'plain', url: receiver.url, secret: 'k3y' } as const;
  expect(await post(sink, message, midnight, options)).toBeUndefined();
  const [{ headers, body } = nothing] = receiver.received;
  expect(JSON.parse(body)).toEqual(message);
  expect(headers).toMatchObject({
    'x-candleproof-id': message.id,
    'x-candleproof-timestamp': String(midnight / 1000),
  });
  const body8 = Buffer.from(body);
  expect(isGenuine(headers, body8, 'k3y', midnight + 1000)).toBe(true);
  expect(isGenuine(headers, Buffer.from(`${body} `), 'k3y', midnight)).toBe(false);
  expect(isGenuine(headers, body8, 'other', midnight)).toBe(false);
  expect(isGenuine(headers, body8, 'k3y', midnight + 600_000)).toBe(false);
  expect(isGenuine({}, body8, 'k3y', midnight)).toBe(false);
});

for (const [form, secret] of [
  ['raw', 'k3y'],
  ['base64', `whsec_${Buffer.from('twenty-four bytes of key').toString('base64')}`],
] as const) {
  test(`a receiver of Standard Webhooks verifies a message under a ${form} secret`, async () => {
    await using receiver = disposable(await openReceiver(end(204)));
    const sink = { name: 'hook', kind: 'webhook', form: 'plain', url: receiver.url, secret } as const;
    const now = Date.now();
    expect(await post(sink, message, now, options)).toBeUndefined();
    const [{ headers, body } = nothing] = receiver.received;
    const given = Object.fromEntries(
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]),
    );
    const verifier = form === 'raw' ? new Webhook(secret, { format: 'raw' }) : new Webhook(secret);
    expect(verifier.verify(body, given)).toEqual(message);
    expect(() => verifier.verify(`${body} `, given)).toThrow(/signature/i);
  });
}

test('a redirect is not followed and an error status is reported', async () => {
  await using elsewhere = disposable(await openReceiver(end(200)));
  await using receiver = disposable(await openReceiver(end(307, { location: elsewhere.url })));
  const sink = { name: 'hook', kind: 'webhook', form: 'plain', url: receiver.url } as const;
  expect(await post(sink, message, midnight, options)).toBe('status 307');
  expect(elsewhere.received).toEqual([]);
  expect(receiver.received[0]?.headers).not.toHaveProperty('x-candleproof-signature');
});

test('plain http is spoken to this machine alone', async () => {
  for (const url of [
    'http://hooks.example/s3cret',
    'http://10.0.0.1/s3cret',
    'http://127.0.0.1.evil.example/',
    'http://127.0.0.1@evil.example/',
    'http://localhost:80@evil.example/',
    'http://[::ffff:127.0.0.1]/',
    'http://0.0.0.0/',
    'http://169.254.169.254/latest/meta-data/',
    'file:///etc/passwd',
    'unix:/run/docker.sock',
  ]) {
    const sink = { name: 'hook', kind: 'webhook', form: 'plain', url } as const;
    expect(await post(sink, message, midnight, options)).toBe('only https is spoken away from loopback');
  }
});

test('an address is never reported whatever goes wrong with it', async () => {
  const addresses = [
    'http://127.0.0.1:1/s3cret',
    'https://127.0.0.1:1/s3cret',
    'https://no-such-host.invalid/s3cret',
    'https://s3cret:s3cret@',
    'ftp://127.0.0.1/s3cret',
  ];
  for (const url of addresses) {
    const sink = { name: 'hook', kind: 'webhook', form: 'plain', url } as const;
    const reason = await post(sink, message, midnight, options);
    expect(reason, url).toMatch(/^(not reached|only https|the address is not a URL)/);
    expect(reason).not.toMatch(/s3cret|127|example|invalid/);
  }
});

test('a receiver that never answers is given up when the monitor stops', async () => {
  await using receiver = disposable(await openReceiver(() => undefined));
  const sink = { name: 'hook', kind: 'webhook', form: 'plain', url: receiver.url } as const;
  const stop = new AbortController();
  const posted = post(sink, message, midnight, { ...options, signal: stop.signal });
  await expect.poll(() => receiver.received.length).toBe(1);
  stop.abort();
  expect(await posted).toMatch(/^not reached/);
});

test('the time that a receiver wants to be left alone is read from its header, in seconds or as a date', async () => {
  const later = new Date(midnight + 90_000).toUTCString();
  for (const [text, ms] of [
    ['120', 120_000],
    [later, 90_000],
    ['soon', undefined],
    ['999999', 3_600_000],
  ] as const) {
    await using receiver = disposable(
      await openReceiver((response) => response.writeHead(429, { 'retry-after': text }).end()),
    );
    const sink = { name: 'hook', kind: 'webhook', form: 'plain', url: receiver.url } as const;
    let wanted: number | undefined;
    const onBusy = (wait: number): void => {
      wanted = wait;
    };
    expect(await post(sink, message, midnight, { ...options, onBusy })).toBe('status 429');
    expect(wanted).toBe(ms);
  }
});

test('Slack gets text and blocks in which no name is markup', async () => {
  await using receiver = disposable(await openReceiver(end(200)));
  const sink = { name: 'hook', kind: 'webhook', form: 'slack', url: receiver.url } as const;
  await post(sink, { ...message, text: 'a <!channel> & b' }, midnight, options);
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    text: 'a &lt;!channel&gt; &amp; b',
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'section', text: { text: 'a &lt;!channel&gt; &amp; b', verbatim: true } },
      { type: 'context', elements: [{ type: 'plain_text' }] },
    ],
  });
});

test('a message links the page of the monitors where the config names it', async () => {
  await using receiver = disposable(await openReceiver(end(200)));
  const page = 'https://status.example/';
  for (const form of ['plain', 'slack'] as const)
    await send({ name: 'hook', kind: 'webhook', form, url: receiver.url, page }, message, {
      ...options,
      now: midnight,
    });
  const [plain, slack] = receiver.received.map(({ body }) => JSON.parse(body));
  expect(plain).toMatchObject({ text: message.text, link: page });
  expect(slack.blocks[0].text.text).toBe(`${message.text}\n<${page}|The monitors' page>`);
});

test('a receiver cannot hold a message up by its headers or its body', async () => {
  const answers: [answer: (response: ServerResponse) => void, reason: string | undefined][] = [
    [
      (response) => response.writeHead(200, { 'x-long': 'x'.repeat(1 << 20) }).end(),
      'not reached (HPE_HEADER_OVERFLOW)',
    ],
    [(response) => void response.writeHead(200).write('x'.repeat(1 << 20)), undefined],
    [
      (response) => void response.socket?.end('200 OK, of no protocol\r\n\r\n'),
      'not reached (HPE_INVALID_CONSTANT)',
    ],
  ];
  for (const [answer, reason] of answers) {
    await using receiver = disposable(await openReceiver(answer));
    const sink = { name: 'hook', kind: 'webhook', form: 'plain', url: receiver.url } as const;
    expect(await post(sink, message, midnight, options)).toBe(reason);
  }
});

test('a line break in an id makes no further header', async () => {
  await using receiver = disposable(await openReceiver(end(204)));
  const sink = { name: 'hook', kind: 'webhook', form: 'plain', url: receiver.url } as const;
  const broken = { ...message, id: 'a\r\nx-evil: 1' };
  expect(await post(sink, broken, midnight, options)).toBe('not reached (ERR_INVALID_CHAR)');
  expect(receiver.received).toEqual([]);
});

function disposable<T extends { close(): Promise<void> }>(opened: T): T & AsyncDisposable {
  return Object.assign(opened, { [Symbol.asyncDispose]: () => opened.close() });
}
