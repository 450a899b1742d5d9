/**
 * Measures how many faults of a set another tool finds: it runs once against the service itself, which it must accept, and
 * once against each fault. `{url}` and `{key}` stand for the address and the key in its command, which a shell runs.
 *
 * node proof/unseen/peers.ts --set fifth --command 'schemathesis run openapi.yaml --url {url} -H "x-api-key: {key}"'
 */
import { exec } from 'node:child_process';
import { parseArgs } from 'node:util';
import { startService } from '../../service/start.ts';
import type { ProxyDistortion } from './fault.ts';
import { startProxy } from './proxy.ts';
import { unseenSets } from './sets.ts';

const { values } = parseArgs({
  options: { set: { type: 'string', default: 'fifth' }, command: { type: 'string', default: '' } },
});
const set = unseenSets[values.set];
if (!set || values.command === '')
  throw new Error(`give --set ${Object.keys(unseenSets).join(' or ')}, and --command`);

/** Longest time of one run in ms. */
const mostMs = 120_000;

const service = await startService({ seed: 1, quota: { limit: 100_000_000 } });
const upstream = { url: service.url, key: service.apiKey, ca: service.caPem };

type Outcome = { readonly isRefused: boolean; readonly sent: number; readonly shown: number };

async function run(distort: ProxyDistortion): Promise<Outcome> {
  const proxy = await startProxy(upstream, distort);
  const command = values.command.replaceAll('{url}', proxy.url).replaceAll('{key}', service.apiKey);
  const isRefused = await new Promise<boolean>((done) => {
    exec(command, { timeout: mostMs, maxBuffer: 2 ** 26 }, (error) => done(error !== null));
  });
  await proxy.close();
  return { isRefused, sent: proxy.sent(), shown: proxy.shown() };
}

const plain = await run((_, ask) => ask());
process.stdout.write(
  `The service itself: ${plain.isRefused ? 'refused' : 'accepted'}, ${plain.sent} requests\n`,
);
let [found, shown, sent] = [0, 0, 0];
for (const { title, make } of plain.isRefused ? [] : set.faults) {
  const outcome = await run(make());
  found += Number(outcome.isRefused);
  shown += Number(outcome.shown > 0);
  sent += outcome.sent;
  const word = outcome.isRefused ? 'found' : outcome.shown > 0 ? 'missed' : 'not shown';
  process.stdout.write(`${title}: ${word}, ${outcome.sent} requests\n`);
}
const count = set.faults.length;
process.stdout.write(
  `found ${found} of ${count}, shown ${shown}, ${Math.round(sent / count)} requests a run\n`,
);
await service.close();
