import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { loadSpec } from '../../contract/document/load-spec.ts';
import { packSpec } from '../../contract/document/pack-spec.ts';
import { passingFolder } from '../../files/testing/passing-folder.ts';
import type { LoadMessage, LoadPlan } from '../../load/load-run.ts';
import { findK6, requireK6 } from '../../load/running/find-k6.ts';
import { KeptExchanges } from '../../load/running/kept-breaches.ts';
import { type K6Ended, runK6 } from '../../load/running/run-k6.ts';
import { plainPlan, steady } from '../testing/played-load.ts';

test.skip(!findK6(), 'there is no k6 here: no load is run');

const apiKey = 'k7Qw2mZt9XbLr4VnC8sDf1GhJp';
const folder = passingFolder();
const spec = JSON.stringify(packSpec(loadSpec('openapi.yaml')));

type Seen = K6Ended & { readonly messages: readonly LoadMessage[]; readonly commandLines: readonly string[] };

/** Loads a target that answers like this, and reads the command line of each process meanwhile. */
async function observeLoad(answer: RequestListener, change: Partial<LoadPlan>): Promise<Seen> {
  const server = await listening(createServer(answer));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const plan = plainPlan({ baseUrl, name: '"\n`</script>$(id)`' }, steady(20, 2), {
    spec,
    ...change,
  });
  const messages: LoadMessage[] = [];
  const commandLines = new Set<string>();
  const watch = setInterval(() => {
    for (const commandLine of listCommandLines()) commandLines.add(commandLine);
  }, 100);
  const ended = await runK6({
    ...{ k6: requireK6(), apiKey, plan: { ...plan, trial: { ...plan.trial, judgeShare: 1 } } },
    stop: new AbortController().signal,
    onMessage: (message) => messages.push(message),
  });
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

test('a key that the target gives back is in no command line, no output of k6 and nothing that is kept', async () => {
  test.skip(process.platform !== 'linux', 'reads /proc');
  const home = process.env.HOME;
  process.env.HOME = folder;
  for (const name of ['k6', 'loadimpact/k6']) {
    mkdirSync(join(folder, '.config', name), { recursive: true });
    writeFileSync(join(folder, '.config', name, 'config.json'), '{"httpDebug":"full"}');
  }
  const { run, messages, commandLines, complaints } = await observeLoad((_request, response) => {
    response.setHeader('x-echo', apiKey);
    response.end(JSON.stringify([{ id: apiKey, [apiKey]: '\u001b]0;owned\u0007' }]));
  }, {}).finally(() => {
    process.env.HOME = home;
  });
  expect(commandLines.filter((commandLine) => commandLine.includes('k6.json'))).toHaveLength(1);
  expect(commandLines.filter((commandLine) => commandLine.includes(apiKey))).toEqual([]);
  expect([complaints, JSON.stringify(run).includes(apiKey)]).toEqual([[], false]);
  const kept = new KeptExchanges(apiKey);
  for (const message of messages) if (message.kind === 'breach') kept.keep(message);
  expect(kept.all.length).toBeGreaterThan(0);
  expect(JSON.stringify(kept.all)).not.toContain(apiKey);
});

test('k6 ends before answers that never end, or unpack to gigabytes, take the memory of the machine', async () => {
  test.skip(process.platform !== 'linux', 'memory is watched on Linux alone');
  const bomb = gzipSync(Buffer.alloc(1 << 29));
  const { run, memory } = await observeLoad(
    (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    { timeoutMs: 30_000, vus: 20 },
  );
  expect(run).toBeUndefined();
  expect(memory).toBeGreaterThan(832);
  expect(memory).toBeLessThan(2000);
});
