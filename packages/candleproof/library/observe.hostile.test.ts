import { expect, test } from '@playwright/test';
import { observe } from './observe.ts';

const baseUrl = 'https://target.invalid';
const apiKey = 'k7Qw2mZt9XbLr4VnC8sDf1GhJp';

test('headers that can be read once reach the fetch, and the key in them is in nothing that is kept', async () => {
  const passed: string[] = [];
  const observed = observe(
    async (_input, init) => {
      passed.push(new Headers(init?.headers).get('x-api-key') ?? 'none');
      return Response.json([{ id: apiKey }]);
    },
    { baseUrl },
  );
  const once = new Map([['x-api-key', apiKey]]).entries() as unknown as Headers;
  await (await observed(`${baseUrl}/tokens`, { headers: once })).text();
  expect(passed).toEqual([apiKey]);
  expect(JSON.stringify(await observed.result())).not.toContain(apiKey);
  await observed.close();
});

test('a callback that rejects does not end the process', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  let calls = 0;
  const onFinding = async (): Promise<void> => {
    calls += 1;
    throw new Error('of the caller');
  };
  const observed = observe(async () => Response.json({}), { baseUrl, onFinding });
  await (await observed(`${baseUrl}/tokens`)).text();
  await observed.result();
  await observed.close();
  process.off('unhandledRejection', note);
  expect(calls).toBeGreaterThan(0);
  expect(unhandled).toEqual([]);
});

test('answers without end that nobody reads hold a bounded amount of memory together', async () => {
  let produced = 0;
  const piece = new Uint8Array(1 << 20);
  const endless = (): Response =>
    new Response(
      new ReadableStream({
        pull: (controller) => {
          produced += 1;
          controller.enqueue(piece);
        },
      }),
    );
  const observed = observe(async () => endless(), { baseUrl });
  const unread: Response[] = [];
  for (let n = 0; n < 60; n++) unread.push(await observed(`${baseUrl}/tokens`));
  const { run } = await observed.result();
  expect(run.entries?.skipped.map(({ reason }) => reason).toSorted()).toEqual(['overload', 'too large']);
  // Each source fills its queue with one piece; the rest was read ahead.
  expect(produced - unread.length).toBeLessThan(50);
  const [first, ...others] = unread;
  await first?.body?.getReader().read();
  await Promise.all(others.map((other) => other.body?.cancel()));
  await (await observed(`${baseUrl}/tokens`)).body?.cancel();
  await observed.close();
});

test('a body that is no bytes, or was read before, is counted and takes no room', async () => {
  const bodies = ['text', 'read'];
  const answer = async (): Promise<Response> => {
    if (bodies.shift() === 'read') {
      const used = new Response('[]');
      await used.text();
      return used;
    }
    return new Response(
      new ReadableStream({
        start: (controller) => {
          controller.enqueue('text' as never);
          controller.close();
        },
      }),
    );
  };
  const observed = observe(answer, { baseUrl });
  for (let n = 0; n < 2; n++) await observed(`${baseUrl}/tokens`);
  const { run } = await observed.result();
  expect(run.entries?.skipped).toEqual([{ reason: 'client left', count: 2 }]);
  await observed.close();
});

test('a key in any part of a request or answer is in no result', async () => {
  const answer = async (): Promise<Response> =>
    Response.json(
      [{ id: apiKey, decimals: apiKey, nested: { [apiKey]: Buffer.from(apiKey).toString('base64') } }],
      {
        headers: {
          'x-echo': apiKey,
          'set-cookie': `session=${apiKey}`,
          link: `<https://x/?token=${apiKey}>`,
        },
      },
    );
  const observed = observe(answer, { baseUrl });
  const headers = { 'x-api-key': apiKey, authorization: `Bearer ${apiKey}`, cookie: `session=${apiKey}` };
  for (const path of ['/tokens', `/tokens?api_key=${apiKey}`, `/tokens?q=${apiKey}`])
    await (await observed(`${baseUrl}${path}`, { headers })).text();
  const { run, recording } = await observed.result();
  expect(run.findings.length).toBeGreaterThan(0);
  expect(JSON.stringify({ run, recording })).not.toContain(apiKey);
  await observed.close();
});
