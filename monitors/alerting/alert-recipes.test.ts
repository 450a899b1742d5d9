import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { run } from './command.ts';
import type { AlertMessage } from './message.ts';
import { message } from './testing/messages.ts';
import { openReceiver } from './testing/receiver.ts';

const page = readFileSync('docs/alerts.md', 'utf8');
const fired: AlertMessage = {
  ...message,
  alert: 'alert/mainnet/availability/sydney/1795219200000',
  text: `${message.text}\nwhere: tokens/listTokens\ndo: "ask" $(them)\n${'é'.repeat(2000)}`,
};
const trial: AlertMessage = {
  id: 'test/sydney/1',
  kind: 'test',
  at: fired.at,
  location: 'sydney',
  text: 'a test',
};
const messages = [fired, { ...fired, kind: 'acknowledged' }, { ...fired, kind: 'resolved' }, trial] as const;

type Sent = {
  readonly path: string;
  readonly authorization?: string;
  readonly body: Record<string, unknown>;
};

/** Sends the messages by a recipe of docs/alerts.md, with its addresses on loopback; resolves to what arrived. */
async function sendBy(recipe: string, variables: Readonly<Record<string, string>> = {}): Promise<Sent[]> {
  const receiver = await openReceiver((response) => response.writeHead(202).end());
  const { origin } = new URL(receiver.url);
  const script = readRecipe(recipe).replaceAll(/https:\/\/[a-z.]+/g, origin);
  const environment = { PATH: process.env.PATH, ...variables, TEAMS_URL: receiver.url };
  const { signal } = new AbortController();
  const sink = { name: 'ops', kind: 'command', command: ['sh', '-c', script] } as const;
  for (const one of messages) expect(await run(sink, one, { signal, environment })).toBeUndefined();
  await receiver.close();
  return receiver.received.map(({ path, headers, body }) => ({
    ...{ path, body: JSON.parse(body) },
    ...(headers.authorization !== undefined && { authorization: headers.authorization }),
  }));
}

/** Returns the script that begins with this comment. */
function readRecipe(name: string): string {
  const scripts = [...page.matchAll(/```sh\b.*\n([\s\S]*?)```/g)].map(([, script]) => script ?? '');
  const found = scripts.find((script) => script.startsWith(`# ${name}`));
  if (found === undefined) throw new Error(`docs/alerts.md has no recipe ${name}`);
  return found;
}

test.beforeEach(() => {
  const tools = ['jq', 'curl'].map((tool) =>
    (process.env.PATH ?? '').split(':').some((folder) => existsSync(`${folder}/${tool}`)),
  );
  test.skip(tools.includes(false), 'the recipes need jq and curl');
});

test('the recipe for PagerDuty triggers, acknowledges and resolves one alert', async () => {
  const sent = await sendBy('PagerDuty', { PD_KEY: 'R0UTING' });
  expect(sent.map(({ path, body }) => [path, body.event_action, body.dedup_key])).toEqual([
    ['/v2/enqueue', 'trigger', fired.alert],
    ['/v2/enqueue', 'acknowledge', fired.alert],
    ['/v2/enqueue', 'resolve', fired.alert],
    ['/v2/enqueue', 'trigger', trial.id],
  ]);
  expect(sent[0]?.body).toMatchObject({
    routing_key: 'R0UTING',
    payload: {
      summary: message.text,
      source: 'sydney',
      severity: 'critical',
      custom_details: { text: fired.text },
    },
  });
  expect(sent[3]?.body).toMatchObject({ payload: { severity: 'warning' } });
});

test('the recipe for Opsgenie creates, acknowledges and closes one alert', async () => {
  const sent = await sendBy('Opsgenie', { OG_KEY: 'genie' });
  const alias = encodeURIComponent(fired.alert ?? '');
  expect(sent.map(({ path, body }) => [path, body.alias])).toEqual([
    ['/v2/alerts', fired.alert],
    [`/v2/alerts/${alias}/acknowledge?identifierType=alias`, undefined],
    [`/v2/alerts/${alias}/close?identifierType=alias`, undefined],
    ['/v2/alerts', trial.id],
  ]);
  expect(sent[0]).toMatchObject({
    authorization: 'GenieKey genie',
    body: { message: message.text.slice(0, 130), description: fired.text, priority: 'P1' },
  });
});

test('the recipe for Microsoft Teams sends a card with the whole text', async () => {
  const sent = await sendBy('Microsoft Teams');
  expect(sent).toHaveLength(messages.length);
  expect(sent[0]?.body).toMatchObject({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          body: [{ type: 'TextBlock', wrap: true, text: fired.text.replaceAll('\n', '\n\n') }],
        },
      },
    ],
  });
});

test('the recipe for e-mail passes a whole message to sendmail', async () => {
  const folder = test.info().outputPath();
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/sendmail`, `#!/bin/sh\ncat > '${folder}/mail'; echo "$@" > '${folder}/flags'\n`);
  chmodSync(`${folder}/sendmail`, 0o755);
  const script = readRecipe('E-mail').replace('/usr/sbin/sendmail', `'${folder}/sendmail'`);
  const { signal } = new AbortController();
  const sink = { name: 'mail', kind: 'command', command: ['sh', '-c', script] } as const;
  expect(await run(sink, fired, { signal, environment: process.env })).toBeUndefined();
  const [head = '', ...body] = readFileSync(`${folder}/mail`, 'utf8').split('\n\n');
  expect(head.split('\n')).toEqual([
    `Subject: ${message.text}`,
    'To: ops@example.org',
    'Content-Type: text/plain; charset=utf-8',
  ]);
  expect(body.join('\n\n')).toBe(`${fired.text}\n`);
  expect(readFileSync(`${folder}/flags`, 'utf8')).toBe('-t\n');
});
