import type { Observation } from '@candleproof/law/judge/verdict';
import type {
  BodyCopying,
  PassedExchange,
  ReasonUnjudged,
  TimeSpan,
  TrafficObserver,
} from '../traffic-observer.ts';
import { BodyCopy, CopyRoom } from './body-copies.ts';
import { JudgeWorker } from './judge-worker.ts';
import { maxWaiting, maxWaitingBytes } from './judging-limits.ts';
import type { FromThread, ThreadPlan, TrafficReport } from './messages.ts';
import { type OpenFinding, OpenFindings } from './open-findings.ts';
import type { PassedQuota } from './passing-quotas.ts';
import { Tallies } from './tallies.ts';

export type StreamingJudgeOptions = ThreadPlan & {
  /** Called with a finding that is new or was seen again, and its previous count. */
  readonly onFound?: (openFinding: OpenFinding, before: number) => void;
  /** Called with a minute (Unix ms) in which the judge was absent or ended. */
  readonly onMinuteLost?: (begin: number) => void;
  /** Called with the newest counters of a key, at most once a second. */
  readonly onQuota?: (quota: PassedQuota) => void;
};

/** Counts all passed exchanges by their fate. */
type TrafficCounts = {
  readonly seen: number;
  readonly judged: number;
  readonly unjudged: ReadonlyMap<ReasonUnjudged, number>;
  readonly waiting: number;
  readonly restarts: number;
  /** Minutes in which the judge was absent, or lost what it had judged. */
  readonly minutesLost: number;
};

export type SeenTraffic = {
  readonly counts: TrafficCounts;
  readonly findings: OpenFindings;
  readonly tallies: Tallies;
  readonly observations: readonly Observation[];
};

/** Missed exchanges since the last posted one, as one span, and the number of the last one. */
type Gap = { readonly ordinal: number; readonly span: TimeSpan };

const minute = 60_000;

/**
 * Judges copies of exchanges in a separate thread, behind a bounded queue: exchanges beyond it are counted, not judged.
 */
export class StreamingJudge implements TrafficObserver {
  readonly #options: StreamingJudgeOptions;
  readonly #worker: JudgeWorker;
  readonly #room = new CopyRoom(maxWaitingBytes);
  readonly #counts = { seen: 0, judged: 0, restarts: 0, minutesLost: 0 };
  readonly #unjudged = new Map<ReasonUnjudged, number>();
  readonly #findings = new OpenFindings();
  readonly #tallies = new Tallies();
  readonly #settling = new Map<number, () => void>();
  #observations: readonly Observation[] = [];
  #ordinal = 0;
  #requests = 0;
  #waiting = 0;
  #waitingBytes = 0;
  #gap: Gap | undefined;
  #newestLost = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(options: StreamingJudgeOptions) {
    const { onFound: _, onQuota: __, onMinuteLost: ___, ...plan } = options;
    this.#options = options;
    this.#worker = new JudgeWorker({
      plan,
      isBusy: () => this.#waiting > 0,
      onMessage: (message) => this.#receive(message),
      onLost: () => this.#onLost(),
    });
  }

  /** Returns the traffic so far; `settled` waits until all of it has been judged. */
  get seen(): SeenTraffic {
    return {
      counts: { ...this.#counts, unjudged: new Map(this.#unjudged), waiting: this.#waiting },
      findings: this.#findings,
      tallies: this.#tallies,
      observations: this.#observations,
    };
  }

  copy(): BodyCopying | ReasonUnjudged {
    if (!this.#worker.isThere) return 'judge ended';
    return this.#waiting >= maxWaiting || this.#room.isFull ? 'overload' : new BodyCopy(this.#room);
  }

  take(exchange: PassedExchange): void {
    this.#counts.seen += 1;
    this.#ordinal += 1;
    if (!this.#worker.isThere) {
      this.#room.give(exchange.body.byteLength);
      this.#recordUnjudged('judge ended', exchange.span);
      return;
    }
    this.#closeGap();
    this.#waiting += 1;
    this.#waitingBytes += exchange.body.byteLength;
    this.#worker.post({ kind: 'passed', ordinal: this.#ordinal, exchange }, [exchange.body.buffer]);
  }

  miss(reason: ReasonUnjudged, span: TimeSpan): void {
    this.#counts.seen += 1;
    this.#ordinal += 1;
    this.#recordUnjudged(reason, span);
  }

  /** Settles when nothing more will pass, and hands on the newest counters of each key. */
  finished(patienceMs: number): Promise<void> {
    return this.settled(patienceMs, true);
  }

  /** Ends the thread at once. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker.close();
  }

  /** Resolves when everything so far has been judged by every rule, or after `patienceMs`. */
  async settled(patienceMs: number, isEnd = false): Promise<void> {
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
    this.#counts.restarts += 1;
    this.#countUnjudged('judge ended', this.#waiting);
    this.#recordLostMinute(Date.now());
    this.#room.give(this.#waitingBytes);
    this.#waiting = 0;
    this.#waitingBytes = 0;
  }

  #receive(message: FromThread): void {
    if (message.kind === 'settled') this.#settling.get(message.request)?.();
    else if (message.kind === 'quotas') for (const quota of message.quotas) this.#options.onQuota?.(quota);
    else if (message.kind === 'report') this.#add(message.report);
    else {
      this.#waiting -= message.exchanges;
      this.#waitingBytes -= message.bytes;
      this.#room.give(message.bytes);
      this.#counts.judged += message.exchanges - message.unjudged.length;
      for (const reason of message.unjudged) this.#countUnjudged(reason);
    }
  }

  #add({ found, tallies, observations }: TrafficReport): void {
    this.#observations = observations;
    for (const tally of tallies) this.#tallies.add(tally);
    for (const finding of found) {
      const added = this.#findings.add(finding);
      if (added) this.#options.onFound?.(added.openFinding, added.before);
    }
  }

  #recordUnjudged(reason: ReasonUnjudged, span: TimeSpan): void {
    this.#countUnjudged(reason);
    if (reason === 'judge ended') this.#recordLostMinute(span.startedAt + span.totalMs);
    this.#gap = { ordinal: this.#ordinal, span: this.#gap ? joinSpans(this.#gap.span, span) : span };
  }

  #recordLostMinute(at: number): void {
    const begin = Math.floor(at / minute) * minute;
    if (begin <= this.#newestLost) return;
    this.#newestLost = begin;
    this.#counts.minutesLost += 1;
    this.#options.onMinuteLost?.(begin);
  }

  #countUnjudged(reason: ReasonUnjudged, exchanges = 1): void {
    if (exchanges > 0) this.#unjudged.set(reason, (this.#unjudged.get(reason) ?? 0) + exchanges);
  }

  #closeGap(): void {
    if (this.#gap) this.#worker.post({ kind: 'missed', ...this.#gap });
    this.#gap = undefined;
  }
}

/** Returns the span from the first start to the last end. */
function joinSpans(one: TimeSpan, other: TimeSpan): TimeSpan {
  const startedAt = Math.min(one.startedAt, other.startedAt);
  const end = Math.max(one.startedAt + one.totalMs, other.startedAt + other.totalMs);
  return { startedAt, totalMs: end - startedAt };
}
