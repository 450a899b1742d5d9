import { setTimeout as sleep } from 'node:timers/promises';
import { bodyText } from '@candleproof/client/secrets/redaction';
import { bucketIndex, countSamples, percentile } from '@candleproof/law/planning/histogram';
import { countEnd, countSent, type DueRequest, findDueRequest, makeExchange } from '../count-answer.ts';
import { Counts, totalFamily } from '../counters.ts';
import type { LoadMessage, LoadRun, LoadSegment } from '../load-run.ts';
import { makeRun } from '../summary.ts';
import { Connections, type LoadAnswer } from './connections.ts';
import type { GeneratorRun } from './generator.ts';
import { CpuUse } from './process-watch.ts';

/** The first message that this process receives: everything of a run that can be sent to it. */
export type EngineOrder = Pick<GeneratorRun, 'plan' | 'apiKey' | 'ca' | 'segment'>;

/** A message that this process sends. */
export type EngineMessage = LoadMessage | { readonly kind: 'run'; readonly run: LoadRun };

/** Time to get ready before the first request is due. */
const leadMs = 200;

/** Bytes of samples that wait to be received by the other process; further answers are not kept. */
const mostHeld = 256 * 1024 * 1024;

/** Sends the requests of one plan when they are due, and counts how they end. */
class EmbeddedEngine {
  readonly #order: EngineOrder;
  readonly #connections: Connections;
  readonly #counts = new Counts();
  readonly #late = new OwnTimes();
  readonly #own = new OwnTimes();
  readonly #cpu = new CpuUse(() => (process.cpuUsage().user + process.cpuUsage().system) / 1e6, 1);
  readonly #stop: AbortController;
  /** The begin of the load by the monotonic clock and by that of the wall. */
  readonly #begin = performance.now() + leadMs;
  readonly #startedAt = Date.now() + leadMs;
  readonly #flying = new Set<Promise<void>>();
  #held = 0;

  /** `stop` ends it: nothing more is sent, and what is under way is waited for. */
  constructor(order: EngineOrder, stop: AbortController) {
    this.#order = order;
    this.#stop = stop;
    this.#connections = new Connections(order);
  }

  async run(): Promise<LoadRun> {
    this.#cpu.begin();
    await this.#sendAll().catch((error: unknown) => {
      if (!this.#stop.signal.aborted) throw error;
    });
    await Promise.all(this.#flying);
    const { most } = this.#cpu.end();
    await this.#connections.close();
    const { segment, plan } = this.#order;
    const sent: LoadSegment = {
      ...{ engine: 'embedded', protocol: 'HTTP/1.1', cpu: most },
      ...(segment && { segment: `${segment.index}/${segment.of}` }),
      own: this.#own.statistics,
      late: this.#late.statistics,
      startedAt: new Date(this.#startedAt).toISOString(),
      finishedAt: new Date().toISOString(),
    };
    return makeRun(plan.trial, this.#counts, sent);
  }

  async #sendAll(): Promise<void> {
    const { plan, segment = { index: 1, of: 1 } } = this.#order;
    const { signal } = this.#stop;
    for (let index = segment.index - 1; ; index += segment.of) {
      const request = findDueRequest(plan, index);
      if (!request) return;
      const due = this.#begin + 1000 * request.due;
      for (let left = due - performance.now(); left > 0; left = due - performance.now())
        await sleep(Math.max(1, Math.floor(left)), undefined, { signal });
      if (signal.aborted) return;
      if (this.#flying.size >= plan.vus) this.#counts.dropped += 1;
      else this.#send(request, due);
    }
  }

  #send(request: DueRequest, due: number): void {
    const { plan } = this.#order;
    const begun = Date.now();
    countSent(this.#counts, request);
    if (request.index % Math.max(1, Math.ceil(plan.cap / 100)) === 0)
      sendMessage({ kind: 'progress', sent: request.index + 1 });
    this.#late.add(performance.now() - due);
    const flight = this.#connections.get(request.path, request.isSampled).then((answered) => {
      this.#flying.delete(flight);
      this.#end(request, answered, due);
      if (answered.body) this.#keep(request, begun, answered, answered.body);
    });
    this.#flying.add(flight);
  }

  #end(request: DueRequest, answered: LoadAnswer, due: number): void {
    const { plan } = this.#order;
    const { status, headers, failure } = answered;
    const tookMs = answered.endedAt - due;
    if (answered.leftAt !== undefined) this.#own.add(answered.endedAt - answered.leftAt);
    if (countEnd(this.#counts, plan, request, { status, headers, failure, tookMs })) this.#stop.abort();
    if (request.index === 0)
      sendMessage({
        ...{ kind: 'begun', startedAt: this.#startedAt, protocol: 'HTTP/1.1' },
        target: plan.target,
      });
  }

  /** Sends an answer to the process that will judge it. */
  #keep(request: DueRequest, begun: number, answered: LoadAnswer, body: Buffer): void {
    const { status, statusText, headers, leftAt = answered.endedAt, headersAt = leftAt, endedAt } = answered;
    const isPacked = headers.some(([name, value]) => name === 'content-encoding' && value !== 'identity');
    if (status !== 200 || answered.failure || isPacked || this.#held + body.length > mostHeld) return;
    const { plan, apiKey } = this.#order;
    const exchange = makeExchange(plan, request, apiKey !== undefined, {
      begun,
      timings: { wait: headersAt - leftAt, receive: endedAt - headersAt, total: endedAt - leftAt },
      response: { status, statusText, httpVersion: 'HTTP/1.1', headers, body: bodyText(body) },
    });
    this.#counts.count(totalFamily, 'sampled');
    this.#held += body.length;
    sendMessage({ kind: 'sample', index: request.index, exchange }, () => {
      this.#held -= body.length;
    });
  }
}

function sendMessage(message: EngineMessage, onSent?: () => void): void {
  process.send?.(message, undefined, undefined, onSent);
}

const stop = new AbortController();
process.on('SIGINT', () => stop.abort());
process.once('message', async (order: EngineOrder) => {
  const run = await new EmbeddedEngine(order, stop).run();
  sendMessage({ kind: 'run', run }, () => process.exit());
});
// Nobody is left who could read the run.
process.once('disconnect', () => process.exit(1));

/** OwnTimes in ms, summed up under the names that k6 gives to the same statistics. */
class OwnTimes {
  readonly #counts: Record<number, number> = {};
  #sum = 0;
  #least = Number.POSITIVE_INFINITY;
  #most = 0;

  add(ms: number): void {
    const bucket = bucketIndex(Math.max(0, Math.round(1000 * ms)));
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += ms;
    this.#least = Math.min(this.#least, ms);
    this.#most = Math.max(this.#most, ms);
  }

  /** Percentiles are within 0.8 %, the others exact; undefined without samples. */
  get statistics(): Readonly<Record<string, number>> | undefined {
    const n = countSamples(this.#counts);
    if (n === 0) return undefined;
    const at = (p: number): number => Math.min(this.#most, (percentile(this.#counts, p) ?? 0) / 1000);
    return {
      avg: this.#sum / n,
      min: this.#least,
      med: at(0.5),
      'p(90)': at(0.9),
      'p(95)': at(0.95),
      'p(99)': at(0.99),
      'p(99.9)': at(0.999),
      max: this.#most,
    };
  }
}
