import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Observation } from '../../contract/judge/verdict.ts';
import type { BodyCopying, Onlooker, PassedExchange, ReasonUnjudged, TimeSpan } from '../onlooker.ts';
import { BodyCopy, CopyRoom } from './body-copies.ts';
import { mostWaiting, mostWaitingBytes } from './limits.ts';
import type { FromThread, ThreadPlan, ToThread } from './messages.ts';
import { type StandingFinding, StandingFindings } from './standing-findings.ts';
import { StandingTallies } from './standing-tallies.ts';
import { TrafficCounters, type TrafficCounts } from './traffic-counts.ts';

export type StreamingJudgeOptions = ThreadPlan & {
  /** Memory of the thread beyond which it is started anew, in MB: a hostile answer must not end the process. */
  readonly mostHeapMb?: number;
  /** A finding that is new or was seen again, and its count before. */
  readonly onFound?: (standing: StandingFinding, before: number) => void;
};

/** What was seen since the beginning. */
export type SeenTraffic = {
  readonly counts: TrafficCounts;
  readonly findings: StandingFindings;
  readonly tallies: StandingTallies;
  readonly observations: readonly Observation[];
};

const usualHeapMb = 1024;

/** What is read of an answer dies with its turn: room for it spares the collector a fifth of the time. */
const youngMb = 48;

/** Longest time in ms in which a thread with work to do may say nothing. */
const mostSilenceMs = 60_000;

/** Waits of a thread that died, in ms: one that cannot start is not started in a circle. */
const restartMs = 500;

/** Judges copies of what passes in a thread of its own, behind a bounded queue: what does not fit is counted, and not judged. */
export class StreamingJudge implements Onlooker {
  readonly #options: StreamingJudgeOptions;
  readonly #room = new CopyRoom(mostWaitingBytes);
  readonly #counters = new TrafficCounters();
  readonly #findings = new StandingFindings();
  readonly #tallies = new StandingTallies();
  readonly #settling = new Map<number, () => void>();
  #observations: readonly Observation[] = [];
  #thread: Worker | undefined;
  #watch: NodeJS.Timeout | undefined;
  #ordinal = 0;
  #requests = 0;
  #waiting = 0;
  #waitingBytes = 0;
  /** What was missed since the last exchange that was posted, as one span. */
  #gap: TimeSpan | undefined;
  #isClosed = false;

  constructor(options: StreamingJudgeOptions) {
    this.#options = options;
    this.#start();
  }

  /** What was seen so far; `settled` waits until all of it was judged. */
  get seen(): SeenTraffic {
    const { counts } = this.#counters;
    return {
      counts: { ...counts, waiting: this.#waiting },
      findings: this.#findings,
      tallies: this.#tallies,
      observations: this.#observations,
    };
  }

  copy(): BodyCopying | ReasonUnjudged {
    if (!this.#thread) return 'judge ended';
    return this.#waiting >= mostWaiting || this.#room.isFull ? 'overload' : new BodyCopy(this.#room);
  }

  take(exchange: PassedExchange): void {
    this.#counters.see();
    this.#ordinal += 1;
    if (!this.#thread) {
      this.#room.give(exchange.body.byteLength);
      this.#leave('judge ended', exchange.span);
      return;
    }
    this.#closeGap();
    this.#waiting += 1;
    this.#waitingBytes += exchange.body.byteLength;
    this.#post({ kind: 'passed', ordinal: this.#ordinal, exchange }, [exchange.body.buffer]);
  }

  miss(reason: ReasonUnjudged, span: TimeSpan): void {
    this.#counters.see();
    this.#ordinal += 1;
    this.#leave(reason, span);
  }

  /** Resolves when all that passed before was judged by every rule, or when `patienceMs` have passed. */
  async settled(patienceMs: number): Promise<void> {
    if (!this.#thread) return;
    this.#closeGap();
    this.#requests += 1;
    const request = this.#requests;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#settling.set(request, resolve);
    this.#post({ kind: 'settle', request });
    const timer = setTimeout(resolve, patienceMs);
    await promise;
    clearTimeout(timer);
    this.#settling.delete(request);
  }

  /** Ends the thread where it stands. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#watch);
    await this.#thread?.terminate();
  }

  #start(): void {
    if (this.#isClosed) return;
    const { onFound: _, mostHeapMb = usualHeapMb, ...plan } = this.#options;
    const thread = new Worker(new URL(`./judge-thread${extname(import.meta.url)}`, import.meta.url), {
      workerData: plan,
      resourceLimits: { maxOldGenerationSizeMb: mostHeapMb, maxYoungGenerationSizeMb: youngMb },
      // What ends it is counted here; the engine's own words would stand in the middle of a log.
      stderr: true,
    });
    thread.unref();
    thread.on('message', (message: FromThread) => this.#hear(message));
    // What ended it is counted; nothing that a target sends may end the process.
    thread.on('error', () => undefined);
    thread.once('exit', () => this.#onExit());
    this.#thread = thread;
  }

  #onExit(): void {
    this.#thread = undefined;
    clearTimeout(this.#watch);
    this.#watch = undefined;
    for (const resolve of this.#settling.values()) resolve();
    if (this.#isClosed) return;
    this.#counters.restart();
    this.#counters.leave('judge ended', this.#waiting);
    this.#room.give(this.#waitingBytes);
    this.#waiting = 0;
    this.#waitingBytes = 0;
    setTimeout(() => this.#start(), restartMs).unref();
  }

  #hear(message: FromThread): void {
    this.#watchOver();
    if (message.kind === 'settled') this.#settling.get(message.request)?.();
    else if (message.kind === 'done') {
      this.#waiting -= message.exchanges;
      this.#waitingBytes -= message.bytes;
      this.#room.give(message.bytes);
      this.#counters.judge(message.exchanges - message.unjudged.length);
      for (const each of message.unjudged) this.#counters.leave(each);
    } else {
      const { found, tallies, observations } = message.report;
      this.#observations = observations;
      this.#tallies.add(tallies);
      for (const each of found) {
        const added = this.#findings.add(each);
        if (added) this.#options.onFound?.(added.standing, added.before);
      }
    }
  }

  /** A thread that hangs in one answer is ended. */
  #watchOver(): void {
    clearTimeout(this.#watch);
    this.#watch = undefined;
    if (this.#waiting === 0) return;
    this.#watch = setTimeout(() => void this.#thread?.terminate(), mostSilenceMs).unref();
  }

  #leave(reason: ReasonUnjudged, span: TimeSpan): void {
    this.#counters.leave(reason);
    this.#gap = this.#gap ? around(this.#gap, span) : span;
  }

  #closeGap(): void {
    if (this.#gap && this.#thread) this.#post({ kind: 'missed', ordinal: this.#ordinal, span: this.#gap });
    this.#gap = undefined;
  }

  #post(message: ToThread, transfer: ArrayBuffer[] = []): void {
    this.#thread?.postMessage(message, transfer);
    if (this.#watch === undefined) this.#watchOver();
  }
}

/** From the first start to the last end. */
function around(one: TimeSpan, other: TimeSpan): TimeSpan {
  const startedAt = Math.min(one.startedAt, other.startedAt);
  const end = Math.max(one.startedAt + one.totalMs, other.startedAt + other.totalMs);
  return { startedAt, totalMs: end - startedAt };
}
