import type { Finding } from '../../contract/judge/verdict.ts';
import { type Exchange, headerValues } from '../../contract/reading/exchange.ts';
import type { Answer } from '../../contract/reading/reading.ts';
import { OpenOperation } from './open-operation.ts';
import type { TrafficMinute } from './traffic-minute.ts';

const minute = 60_000;

/** Answers that ended just before may still be on their way to the judge, in ms. */
const grace = 1000;

/**
 * Counts judged traffic minute by minute. Minutes follow each other: a late exchange is part of the next one.
 * Requests of our own monitors are no traffic of others.
 */
export class Minutes {
  #begin = Number.NEGATIVE_INFINITY;
  #operations = new Map<string, OpenOperation>();
  #isUnanswered = false;
  #isOver = true;
  #done: TrafficMinute[] = [];

  /** Answers are about to be added that ended at an instant (Unix ms): whether the minute before has to end first. */
  isBehind(at: number): boolean {
    return !this.#isOver && at >= this.#begin + minute;
  }

  /** Tells whether it is over by the clock. */
  isDue(now: number): boolean {
    return this.isBehind(now - grace);
  }

  /** `endedAt` in Unix ms. */
  add(answer: Answer, exchange: Exchange, endedAt: number): void {
    const { requested } = answer;
    if (!requested || isOurs(exchange)) return;
    this.#open(endedAt);
    this.#of(requested.operation).add(answer, exchange);
  }

  /** A rule that was seen broken, in answers of this minute or for the first time. */
  find({ operation, rule, level }: Pick<Finding, 'operation' | 'rule' | 'level'>, at: number): void {
    this.#open(at);
    this.#of(operation).find(rule, level);
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

  /** Those that are over. */
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

  #of(operation: string): OpenOperation {
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
