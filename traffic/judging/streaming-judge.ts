import type { Observation } from '../../contract/judge/verdict.ts';
import type { BodyCopying, Onlooker, PassedExchange, ReasonUnjudged, TimeSpan } from '../onlooker.ts';
import { BodyCopy, CopyRoom } from './body-copies.ts';
import { JudgeWorker } from './judge-worker.ts';
import { mostWaiting, mostWaitingBytes } from './limits.ts';
import type { FromThread, ThreadPlan, TrafficMinute, TrafficReport } from './messages.ts';
import { type OpenFinding, OpenFindings } from './open-findings.ts';
import type { PassedQuota } from './passing-quotas.ts';
import { Tallies } from './tallies.ts';
import { TrafficCounters, type TrafficCounts } from './traffic-counts.ts';

export type StreamingJudgeOptions = ThreadPlan & {
  /** Memory of the thread beyond which it is started anew, in MB. */
  readonly mostHeapMb?: number;
  /** A finding that is new or was seen again, and its count before. */
  readonly onFound?: (standing: OpenFinding, before: number) => void;
  /** A minute of traffic that is over, each once, in their order. */
  readonly onMinute?: (minute: TrafficMinute) => void;
  /** A minute that the judge was not there for, or lost by its end: what is kept of it is not all that passed. Unix ms. */
  readonly onMinuteLost?: (begin: number) => void;
  /** The newest counters of a key, once a second at most. */
  readonly onQuota?: (quota: PassedQuota) => void;
};

/** The traffic since the beginning. */
export type SeenTraffic = {
  readonly counts: TrafficCounts;
  readonly findings: OpenFindings;
  readonly tallies: Tallies;
  readonly observations: readonly Observation[];
};

/** Missed exchanges since the last posted one, as one span, and the number of the last of them. */
type Gap = { readonly ordinal: number; readonly span: TimeSpan };

/** Milliseconds between messages about requests without an answer: their presence is enough. */
const unansweredEvery = 1000;

/** Judges copies of what passes in a separate thread, behind a bounded queue: what does not fit is counted, and not judged. */
export class StreamingJudge implements Onlooker {
  readonly #options: StreamingJudgeOptions;
  readonly #worker: JudgeWorker;
  readonly #room = new CopyRoom(mostWaitingBytes);
  readonly #counters = new TrafficCounters();
  readonly #findings = new OpenFindings();
  readonly #tallies = new Tallies();
  readonly #settling = new Map<number, () => void>();
  #observations: readonly Observation[] = [];
  #ordinal = 0;
  #requests = 0;
  #waiting = 0;
  #waitingBytes = 0;
  #gap: Gap | undefined;
  #unanswered = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(options: StreamingJudgeOptions) {
    const { onFound: _, onMinute: __, onQuota: ___, onMinuteLost: ____, mostHeapMb, ...plan } = options;
    this.#options = options;
    this.#worker = new JudgeWorker({
      ...{ plan, mostHeapMb },
      isBusy: () => this.#waiting > 0,
      onMessage: (message) => this.#hear(message),
      onLost: () => this.#onLost(),
    });
  }

  /** Returns the traffic so far; `settled` waits until all of it was judged. */
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
    if (!this.#worker.isThere) return 'judge ended';
    return this.#waiting >= mostWaiting || this.#room.isFull ? 'overload' : new BodyCopy(this.#room);
  }

  take(exchange: PassedExchange): void {
    this.#counters.see();
    this.#ordinal += 1;
    if (!this.#worker.isThere) {
      this.#room.give(exchange.body.byteLength);
      this.#leave('judge ended', exchange.span);
      return;
    }
    this.#closeGap();
    this.#waiting += 1;
    this.#waitingBytes += exchange.body.byteLength;
    this.#worker.post({ kind: 'passed', ordinal: this.#ordinal, exchange }, [exchange.body.buffer]);
  }

  miss(reason: ReasonUnjudged, span: TimeSpan): void {
    this.#counters.see();
    this.#ordinal += 1;
    this.#leave(reason, span);
    if (reason === 'no answer') this.#reportUnanswered(span);
  }

  /** Resolves when all that passed before was judged by every rule, or when `patienceMs` have passed. */
  settled(patienceMs: number): Promise<void> {
    return this.#settle(patienceMs, false);
  }

  /** The same where nothing more will pass: the minute that runs is over. */
  finished(patienceMs: number): Promise<void> {
    return this.#settle(patienceMs, true);
  }

  /** Ends the thread where it stands. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker.close();
  }

  async #settle(patienceMs: number, isEnd: boolean): Promise<void> {
    if (!this.#worker.isThere) return;
    this.#closeGap();
    this.#requests += 1;
    const request = this.#requests;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#settling.set(request, resolve);
    this.#worker.post({ kind: 'settle', request, isEnd });
    const timer = setTimeout(resolve, patienceMs);
    await promise;
    clearTimeout(timer);
    this.#settling.delete(request);
  }

  #onLost(): void {
    for (const resolve of this.#settling.values()) resolve();
    if (this.#isClosed) return;
    this.#counters.restart();
    this.#counters.leave('judge ended', this.#waiting);
    this.#loseMinute(Date.now());
    this.#room.give(this.#waitingBytes);
    this.#waiting = 0;
    this.#waitingBytes = 0;
  }

  #hear(message: FromThread): void {
    if (message.kind === 'settled') this.#settling.get(message.request)?.();
    else if (message.kind === 'quotas') for (const quota of message.quotas) this.#options.onQuota?.(quota);
    else if (message.kind === 'report') this.#add(message.report);
    else {
      this.#waiting -= message.exchanges;
      this.#waitingBytes -= message.bytes;
      this.#room.give(message.bytes);
      this.#counters.judge(message.exchanges - message.unjudged.length);
      for (const reason of message.unjudged) this.#counters.leave(reason);
    }
  }

  #add({ found, tallies, observations, minutes }: TrafficReport): void {
    this.#observations = observations;
    for (const tally of tallies) this.#tallies.add(tally);
    for (const finding of found) {
      const added = this.#findings.add(finding);
      if (added) this.#options.onFound?.(added.standing, added.before);
    }
    for (const minute of minutes) this.#options.onMinute?.(minute);
  }

  #leave(reason: ReasonUnjudged, span: TimeSpan): void {
    this.#counters.leave(reason);
    if (reason === 'judge ended') this.#loseMinute(span.startedAt + span.totalMs);
    this.#gap = { ordinal: this.#ordinal, span: this.#gap ? around(this.#gap.span, span) : span };
  }

  #loseMinute(at: number): void {
    const begin = this.#counters.loseMinute(at);
    if (begin !== undefined) this.#options.onMinuteLost?.(begin);
  }

  #closeGap(): void {
    if (this.#gap) this.#worker.post({ kind: 'missed', ...this.#gap });
    this.#gap = undefined;
  }

  #reportUnanswered(span: TimeSpan): void {
    const now = performance.now();
    if (now - this.#unanswered < unansweredEvery) return;
    this.#unanswered = now;
    this.#worker.post({ kind: 'unanswered', span });
  }
}

/** From the first start to the last end. */
function around(one: TimeSpan, other: TimeSpan): TimeSpan {
  const startedAt = Math.min(one.startedAt, other.startedAt);
  const end = Math.max(one.startedAt + one.totalMs, other.startedAt + other.totalMs);
  return { startedAt, totalMs: end - startedAt };
}
