import { fork } from 'node:child_process';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { LoadRun } from '../load-run.ts';
import type { EngineMessage, EngineOrder } from './embedded-engine.ts';
import { type GeneratorEnded, type GeneratorRun, maxComplaints, stopWith } from './generator.ts';

/** A clone has its source, the package what was built of it. */
const script = fileURLToPath(new URL(`./embedded-engine${extname(import.meta.url)}`, import.meta.url));

/** Runs the load in a process of its own; resolves when that has ended, however it did. The key goes through a pipe. */
export async function runEmbedded({ stop, onMessage, ...options }: GeneratorRun): Promise<GeneratorEnded> {
  const { plan, apiKey, ca, segment } = options;
  // A separate group: the terminal's signal would reach it beside ours.
  const child = fork(script, [], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [],
  });
  const complaints: string[] = [];
  if (child.stderr)
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (complaints.length < maxComplaints) complaints.push(line);
    });
  let run: LoadRun | undefined;
  child.on('message', (message: EngineMessage) => {
    if (message.kind === 'run') run = message.run;
    else onMessage(message);
  });
  const order: EngineOrder = { plan, apiKey, ca, segment };
  // It may have died before; its end says so.
  child.send(order, () => undefined);
  const release = stopWith(stop, (signal) => child.kill(signal));
  // Without a disconnect from here, which would keep its end from being reported.
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(release);
  return { run, code, complaints };
}
