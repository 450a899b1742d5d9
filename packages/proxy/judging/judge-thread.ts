import { parentPort, workerData } from 'node:worker_threads';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import { catalogue, choose } from '@candleproof/law/rules/catalogue';
import type { ReasonUnjudged } from '../traffic-observer.ts';
import { maxTogether, maxTogetherBytes, minRestMs } from './judging-limits.ts';
import type { FromThread, ThreadPlan, ToThread } from './messages.ts';
import { passingLaw } from './passing-law.ts';
import { Reader } from './reader.ts';
import { RollingJudge } from './rolling-judge.ts';
import type { Entry } from './window.ts';

/** Wait before a window with few answers is judged: these milliseconds, or this multiple of the last judging time. */
const restMs = 1000;
const restTimes = 20;

/** Pause between two steps, as a multiple of the last step's time: with few cores, traffic needs them more. */
const pauseTimes = 2;

/** Milliseconds between two checks of the clock. */
const tickMs = 1000;

const { specFile, overlays, target, only }: ThreadPlan = workerData;
const spec = loadSpec(specFile, overlays);
const chosen = only === undefined ? catalogue : choose(only).chosen;
const reader = new Reader(spec, target.baseUrl);
const judge = new RollingJudge(spec, target, passingLaw(spec, chosen));
const waiting: ToThread[] = [];
let isWorking = false;
let resting: NodeJS.Timeout | undefined;
let tookMs = 0;

parentPort?.on('message', (message: ToThread) => {
  waiting.push(message);
  if (!isWorking) void work();
});

const clock = setInterval(() => {
  if (!isWorking) hand();
}, tickMs);
// Only the port keeps the thread alive.
clock.unref();

async function work(): Promise<void> {
  isWorking = true;
  while (waiting.length > 0) {
    const began = performance.now();
    await step(waiting.splice(0, drainTogether()));
    // Messages that have come meanwhile are read before the next step.
    const rest = pauseTimes * (performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, Math.max(minRestMs, rest)));
  }
  isWorking = false;
  if (!judge.hasFresh || resting) return;
  resting = setTimeout(settle, Math.max(restMs, restTimes * tookMs));
}

/** Returns how many waiting exchanges are judged together: at least one, and no more than fit into memory. */
function drainTogether(): number {
  let bytes = 0;
  const most = waiting.slice(0, maxTogether).findIndex((toThread) => {
    if (toThread.kind === 'passed') bytes += toThread.exchange.body.byteLength;
    return bytes > maxTogetherBytes;
  });
  return most < 0 ? maxTogether : Math.max(1, most);
}

async function step(messages: readonly ToThread[]): Promise<void> {
  const entries: Entry[] = [];
  const unjudged: ReasonUnjudged[] = [];
  let exchanges = 0;
  let bytes = 0;
  for (const message of messages) {
    if (message.kind === 'missed') judge.miss(message.ordinal, message.span);
    if (message.kind !== 'passed') continue;
    exchanges += 1;
    bytes += message.exchange.body.byteLength;
    const read = await reader.read(message.exchange, message.ordinal);
    if (typeof read !== 'string') entries.push({ ordinal: message.ordinal, exchange: read });
    else {
      unjudged.push(read);
      judge.miss(message.ordinal, message.exchange.span);
    }
  }
  if (entries.length > 0) judge.take(entries);
  hand();
  send({ kind: 'report', report: judge.report() });
  send({ kind: 'done', exchanges, bytes, unjudged });
  for (const message of messages) {
    if (message.kind !== 'settle') continue;
    hand(message.isEnd);
    judge.conclude();
    send({ kind: 'report', report: judge.report() });
    send({ kind: 'settled', request: message.request });
  }
}

function settle(): void {
  clearTimeout(resting);
  resting = undefined;
  if (!judge.hasFresh) return;
  const began = performance.now();
  judge.judgeWindow();
  tookMs = performance.now() - began;
  send({ kind: 'report', report: judge.report() });
}

function hand(isEnd = false): void {
  const quotas = reader.quotas.take(Date.now(), isEnd);
  if (quotas.length > 0) send({ kind: 'quotas', quotas });
}

function send(message: FromThread): void {
  parentPort?.postMessage(message);
}
