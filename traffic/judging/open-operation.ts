import type { Level } from '../../contract/law/facts.ts';
import type { Exchange } from '../../contract/reading/exchange.ts';
import type { Answer } from '../../contract/reading/reading.ts';
import { mostSamples } from './limits.ts';
import type { Ending, OperationMinute, PassedSample } from './traffic-minute.ts';

/** An operation in the minute that runs; its size is bounded, however much passes. */
export class OpenOperation {
  readonly #endings = new Map<string, Ending>();
  readonly #broken = new Map<string, Level>();
  readonly #samples: PassedSample[] = [];
  #passed = 0;
  #age: number | undefined;

  add(answer: Answer, exchange: Exchange): void {
    const { response, failure } = exchange;
    const ending = { ...(response && { status: response.status }), ...(failure && { failure }) };
    // A failure's words may differ each time.
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

  /** Keeps the first few; each later one takes the place of one of them with the chance that all have by then. */
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

/** Returns the age in ms of an answer that reaches up to now; older ranges were requested as such. */
function ageIn({ requested, candles, serverNow }: Answer): number | undefined {
  if (serverNow === undefined || candles.length === 0) return undefined;
  if (requested?.role !== 'latest' && (requested?.to ?? serverNow) < serverNow) return undefined;
  const newest = candles.reduce((latest, { end }) => (end > latest ? end : latest), Number.NEGATIVE_INFINITY);
  return newest > serverNow ? undefined : (serverNow - newest) * 1000;
}
