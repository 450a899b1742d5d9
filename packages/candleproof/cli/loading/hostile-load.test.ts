import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { passingFolder } from '@candleproof/files/testing/passing-folder';
import type { LoadMessage, LoadPlan } from '@candleproof/load/load-run';
import { findK6, type K6 } from '@candleproof/load/running/find-k6';
import type { GeneratorEnded } from '@candleproof/load/running/generator';
import { runEmbedded } from '@candleproof/load/running/run-embedded';
import { runK6 } from '@candleproof/load/running/run-k6';
import { Samples } from '@candleproof/load/running/run-load';
import { expect, test } from '@playwright/test';
import { plainPlan, steady } from '../testing/played-load.ts';

const apiKey = 'k7Qw2mZt9XbLr4VnC8sDf1GhJp';
const folder = passingFolder();

type Seen = GeneratorEnded & {
  readonly messages: readonly LoadMessage[];
  readonly commandLines: readonly string[];
};

/** Loads a target that answers like this, and reads the command line of each process meanwhile. */
async function observeLoad(answer: RequestListener, change: Partial<LoadPlan>, k6?: K6): Promise<Seen> {
  const server = await listening(createServer(answer));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const plan = plainPlan({ baseUrl, name: '"\n`</script>$(id)`' }, steady(20, 2), change);
  const messages: LoadMessage[] = [];
  const commandLines = new Set<string>();
  const watch = setInterval(() => {
    for (const commandLine of listCommandLines()) commandLines.add(commandLine);
  }, 100);
  const generated = {
    ...{ apiKey, plan: { ...plan, trial: { ...plan.trial, judgeShare: 1 } } },
    stop: new AbortController().signal,
    onMessage: (message: LoadMessage) => void messages.push(message),
  };
  const ended = await (k6 ? runK6({ ...generated, k6 }) : runEmbedded(generated));
  clearInterval(watch);
  server.closeAllConnections();
  server.close();
  return { ...ended, messages, commandLines: [...commandLines] };
}

function listening(server: Server): Promise<Server> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** Lists the command lines of this process's children: other tests run loads at the same time. */
function listCommandLines(): string[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => {
      try {
        const [, parent] =
          readFileSync(join('/proc', pid, 'stat'), 'utf8')
            .split(') ')
            .at(-1)
            ?.split(' ') ?? [];
        return Number(parent) === process.pid ? [readFileSync(join('/proc', pid, 'cmdline'), 'utf8')] : [];
      } catch {
        return [];
      }
    });
}

const echo: RequestListener = (_request, response) => {
  response.setHeader('x-echo', apiKey);
  response.end(JSON.stringify([{ id: apiKey, [apiKey]: '\u001b]0;owned\u0007' }]));
};

/** Returns the samples as they are kept. */
async function listKept(messages: readonly LoadMessage[]): Promise<string[]> {
  const samples = new Samples(apiKey);
  for (const message of messages) if (message.kind === 'sample') samples.add(message);
  const kept: string[] = [];
  for await (const sample of samples.read()) kept.push(JSON.stringify(sample));
  samples.close();
  return kept;
}

async function expectHidden(process: string, seen: Seen): Promise<void> {
  const { run, messages, commandLines, complaints } = seen;
  expect(commandLines.filter((commandLine) => commandLine.includes(process))).toHaveLength(1);
  expect(commandLines.filter((commandLine) => commandLine.includes(apiKey))).toEqual([]);
  expect([complaints, JSON.stringify(run).includes(apiKey)]).toEqual([[], false]);
  const kept = await listKept(messages);
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.join()).not.toContain(apiKey);
}

test('a key that the target gives back is in no command line, no output and nothing that is kept', async () => {
  test.skip(process.platform !== 'linux', 'reads /proc');
  await expectHidden('embedded-engine', await observeLoad(echo, {}));
});

test('a key that the target gives back is in no command line and no log of k6', async () => {
  const k6 = findK6();
  test.skip(!k6, 'k6 is not here: the key is looked for with the embedded engine alone');
  test.skip(process.platform !== 'linux', 'reads /proc');
  const home = process.env.HOME;
  process.env.HOME = folder;
  for (const name of ['k6', 'loadimpact/k6']) {
    mkdirSync(join(folder, '.config', name), { recursive: true });
    writeFileSync(join(folder, '.config', name, 'config.json'), '{"httpDebug":"full"}');
  }
  const seen = await observeLoad(echo, {}, k6).finally(() => {
    process.env.HOME = home;
  });
  await expectHidden('k6.json', seen);
  expect(JSON.stringify(seen.messages)).not.toContain(apiKey);
});

test('answers that never end, or are packed, take no memory and are not judged', {
  tag: '@endurance',
}, async () => {
  const endless = await observeLoad(
    (_request, response) => {
      const chunk = Buffer.alloc(1 << 20, ' ');
      const push = (): void => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', push);
      };
      push();
    },
    { timeoutMs: 30_000, vus: 40 },
  );
  const { sent, sampled, outcomes } = endless.run?.figures ?? {};
  expect([sampled, outcomes?.connection, outcomes?.ok]).toEqual([0, sent, 0]);
  const bomb = gzipSync(Buffer.alloc(1 << 26));
  const packed = await observeLoad(
    (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    { vus: 40 },
  );
  expect(packed.run?.figures).toMatchObject({ sampled: 0, outcomes: { ok: 40 } });
});

test('k6 ends before answers that unpack to gigabytes take the memory of the machine', {
  tag: '@endurance',
}, async () => {
  const k6 = findK6();
  test.skip(!k6, 'k6 is not here: it alone unpacks answers');
  test.skip(process.platform !== 'linux', 'memory is watched on Linux alone');
  const bomb = gzipSync(Buffer.alloc(1 << 29));
  const { run, memory } = await observeLoad(
    (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    { timeoutMs: 30_000, vus: 20 },
    k6,
  );
  expect(run).toBeUndefined();
  expect(memory).toBeGreaterThan(832);
  expect(memory).toBeLessThan(2000);
});
