import type { Finding } from '../../contract/judge/verdict.ts';
import type { Level } from '../../contract/law/facts.ts';
import { type Exchange, headerValues } from '../../contract/reading/exchange.ts';
import type { Answer } from '../../contract/reading/reading.ts';
import { mostSamples } from './limits.ts';
import type { Ending, OperationMinute, PassedSample, TrafficMinute } from './messages.ts';

const minute = 60_000;

/** Milliseconds in which answers of an ended minute may still be on their way to the judge. */
const grace = 1000;

/**
 * Counts judged traffic minute by minute, in order: a late exchange belongs to the next minute. Requests of our
 * monitors do not count as traffic of others.
 */
export class Minutes {
  #begin = Number.NEGATIVE_INFINITY;
  #operations = new Map<string, OpenOperation>();
  #isUnanswered = false;
  #isOver = true;
  #done: TrafficMinute[] = [];

  /** Returns whether the current minute must end before answers are added that ended at an instant (Unix ms). */
  isBehind(at: number): boolean {
    return !this.#isOver && at >= this.#begin + minute;
  }

  /** Returns whether the current minute is over by the clock. */
  isDue(now: number): boolean {
    return this.isBehind(now - grace);
  }

  /** Adds an answer that ended at `endedAt` (Unix ms). */
  add(answer: Answer, exchange: Exchange, endedAt: number): void {
    const { requested } = answer;
    if (!requested || isOurs(exchange)) return;
    this.#open(endedAt);
    this.#operation(requested.operation).add(answer, exchange);
  }

  /** Adds a broken rule: found in answers of this minute, or for the first time. */
  find({ operation, rule, level }: Pick<Finding, 'operation' | 'rule' | 'level'>, at: number): void {
    this.#open(at);
    this.#operation(operation).find(rule, level);
  }

  miss(endedAt: number): void {
    this.#open(endedAt);
    this.#isUnanswered = true;
  }

  end(): void {
    if (this.#isOver) return;
    const operations = [...this.#operations].map(([operation, counts]) => counts.result(operation));
    this.#done.push({ begin: this.#begin, operations, isUnanswered: this.#isUnanswered });
    this.#operations = new Map();
    this.#isUnanswered = false;
    this.#isOver = true;
  }

  /** Returns and removes the minutes that are over. */
  take(): TrafficMinute[] {
    const done = this.#done;
    this.#done = [];
    return done;
  }

  #open(at: number): void {
    if (!this.#isOver) return;
    this.#begin = Math.max(Math.floor(at / minute) * minute, this.#begin + minute);
    this.#isOver = false;
  }

  #operation(operation: string): OpenOperation {
    const known = this.#operations.get(operation) ?? new OpenOperation();
    this.#operations.set(operation, known);
    return known;
  }
}

function isOurs({ request }: Exchange): boolean {
  return headerValues(request.headers, 'user-agent').some((headerValue) =>
    headerValue.startsWith('Candleproof/'),
  );
}

/** An operation in the current minute; its size is bounded, whatever the traffic. */
export class OpenOperation {
  readonly #endings = new Map<string, Ending>();
  readonly #broken = new Map<string, Level>();
  readonly #samples: PassedSample[] = [];
  #passed = 0;
  #age: number | undefined;

  add(answer: Answer, exchange: Exchange): void {
    const { response, failure } = exchange;
    const ending = { ...(response && { status: response.status }), ...(failure && { failure }) };
    // The words of a failure may vary.
    this.#endings.set(failure ? `${failure.phase} ${failure.kind}` : String(response?.status), ending);
    this.#sample(answer, exchange);
    const age = ageIn(answer);
    if (age !== undefined) this.#age = Math.max(age, this.#age ?? 0);
  }

  find(rule: string, level: Level): void {
    this.#broken.set(rule, level);
  }

  result(operation: string): OperationMinute {
    return {
      operation,
      passed: this.#passed,
      endings: [...this.#endings.values()],
      broken: [...this.#broken].map(([rule, level]) => ({ rule, level })),
      samples: this.#samples.toSorted((one, other) => one.at - other.at),
      ...(this.#age !== undefined && { age: this.#age }),
    };
  }

  /** Keeps a uniform sample: the first few, and later ones in the place of a random one. */
  #sample({ requested }: Answer, { startedAt, timings, response }: Exchange): void {
    this.#passed += 1;
    const place =
      this.#samples.length < mostSamples ? this.#samples.length : Math.floor(Math.random() * this.#passed);
    if (place >= mostSamples) return;
    this.#samples[place] = {
      at: Date.parse(startedAt),
      totalMs: timings.total,
      ...(requested?.pool !== undefined && { pool: requested.pool }),
      ...(response && { status: response.status }),
    };
  }
}

/** Returns the age in ms of an answer up to now; undefined for an older requested range. */
function ageIn({ requested, candles, serverNow }: Answer): number | undefined {
  if (serverNow === undefined || candles.length === 0) return undefined;
  if (requested?.role !== 'latest' && (requested?.to ?? serverNow) < serverNow) return undefined;
  const newest = candles.reduce((latest, { end }) => (end > latest ? end : latest), Number.NEGATIVE_INFINITY);
  return newest > serverNow ? undefined : (serverNow - newest) * 1000;
}
