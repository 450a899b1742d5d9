import type { Recording, TargetFacts } from '@candleproof/law/reading/exchange';
import fc, { type Parameters, type RunDetails } from 'fast-check';
import { batches, type RequestBatch } from './batch.ts';
import { type DrawnRequest, listRequests } from './batch-requests.ts';
import { type BatchLaw, type Counterexample, rulesBroken, UnknownPath } from './counterexamples.ts';
import { type Covered, SharedDraw } from './draw.ts';
import { type BatchPurpose, findPurpose, rateBatch } from './rate-batch.ts';
import { listRefusable } from './refused.ts';
import type { Requester } from './requester.ts';
import { emptyTimes, listLifeRequests, readTimes, type Times } from './times.ts';

export type CasesOptions = BatchLaw & {
  readonly target: TargetFacts;
  readonly hasKey: boolean;
  readonly seed: number;
  readonly budget: number;
  readonly known?: readonly Counterexample[];
  /** The path that an exploration reported: requests only this one batch. */
  readonly path?: string;
};

/** Batches that the seed offers; those that show most are requested. */
const offered = 2000;

/** The shares of all requests that are sent for each purpose. */
const shares: Readonly<Record<BatchPurpose, number>> = {
  ranges: 18,
  newest: 4,
  repetition: 3,
  misses: 3,
  keys: 3,
  faults: 1,
};

const mostPasses = 5;

/** Reports to fast-check that a batch failed, distinct from other errors. */
class BrokenRules extends Error {
  override readonly name = 'BrokenRules';
}

/** Batches on trial: each is requested and judged separately. */
export class Cases {
  readonly #options: CasesOptions;
  readonly #requester: Requester;
  #times: Times = emptyTimes(0);
  found: Counterexample | undefined;
  /** The answers to the requests of the counterexample. */
  evidence: Recording | undefined;
  /** Batches that were judged, those on the way to the smallest included. */
  tried = 0;
  /** Kinds of request that were sent, and those that there are. */
  covered: Covered | undefined;

  constructor(options: CasesOptions, requester: Requester) {
    this.#options = options;
    this.#requester = requester;
  }

  /** Resolves to true if a known counterexample still fails. */
  async tryKnown(): Promise<boolean> {
    for (const known of this.#options.known ?? []) {
      const failure = await this.#findFailure(known.requests.map((path) => ({ path })));
      if (!failure) continue;
      this.found = { ...known, ...failure };
      return true;
    }
    return false;
  }

  /**
   * Reads how old the pools are, then requests the batches that show most of what was not seen before, until one fails,
   * nothing new is left or nothing is left to pay for it.
   */
  async search(): Promise<void> {
    await this.#readTimes();
    const { seed, path } = this.#options;
    if (path !== undefined) return this.#replay(path);
    const drawn = fc.sample(this.#batches, { seed, numRuns: offered });
    const draw = new SharedDraw(
      shares,
      drawn.map((batch, index) => ({ index, purpose: findPurpose(batch), ...rateBatch(batch, this.#scene) })),
    );
    while (!this.found) {
      const index = draw.next(this.#requester.left);
      const batch = index === undefined ? undefined : drawn[index];
      if (!batch) break;
      if (await this.#judge(batch)) await this.#simplify(String(index));
    }
    this.covered = draw.covered;
  }

  get #scene() {
    const { spec, target } = this.#options;
    return { spec, target, times: this.#times };
  }

  async #readTimes(): Promise<void> {
    const { spec, target } = this.#options;
    const { now } = this.#requester;
    const life = await this.#requester.ask(listLifeRequests(spec, target, now));
    this.#times = readTimes(spec, life, now);
  }

  get #batches(): fc.Arbitrary<RequestBatch> {
    const { spec, target, hasKey, seed } = this.#options;
    return batches(spec, target, this.#times, listRefusable(target, hasKey, seed));
  }

  /**
   * Shrinks a failing batch as long as passes succeed: each continues from the last one, since a member may only lose
   * something once another one is small.
   */
  async #simplify(path: string): Promise<void> {
    const { seed } = this.#options;
    const passes = [await this.#check({ seed, path, numRuns: 1 })];
    for (
      let last = passes[0];
      last && last.numShrinks > 0 && passes.length < mostPasses;
      last = passes.at(-1)
    ) {
      const next = await this.#check({
        seed,
        numRuns: 1,
        examples: last.counterexample ? [last.counterexample] : [],
      });
      if (next.numShrinks === 0) break;
      passes.push(next);
    }
    const reported = passes.flatMap((pass) => pass.counterexamplePath ?? []);
    if (this.found) this.found = { ...this.found, seed, path: reported.join('/') || path };
  }

  /** Follows all passes of a path, and requests only the batch at its end. */
  async #replay(path: string): Promise<void> {
    const { seed } = this.#options;
    let examples: [RequestBatch][] = [];
    for (const pass of path.split('/')) {
      const batch = this.#readBatch({ seed, path: pass, numRuns: 1, endOnFailure: true, examples });
      examples = [[batch]];
    }
    const [[batch] = []] = examples;
    if (batch) await this.#judge(batch);
    if (this.found) this.found = { ...this.found, seed, path };
  }

  #readBatch(place: Parameters<[RequestBatch]>): RequestBatch {
    let found: RequestBatch | undefined;
    const property = fc.property(this.#batches, (batch) => {
      found ??= batch;
    });
    try {
      fc.check(property, place);
    } catch {
      // fast-check reports only that the path is wrong.
    }
    if (!found) throw new UnknownPath(`the path ${place.path} leads nowhere from the seed ${place.seed}`);
    return found;
  }

  async #check(place: Parameters<[RequestBatch]>): Promise<RunDetails<[RequestBatch]>> {
    const property = fc.asyncProperty(this.#batches, async (batch) => {
      if (await this.#judge(batch)) throw new BrokenRules();
    });
    const details = await fc.check(property, place);
    const { errorInstance: error } = details;
    if (error && !(error instanceof BrokenRules)) throw error;
    return details;
  }

  /** Resolves to true if the batch breaks a rule; an unaffordable batch counts as breaking none. */
  async #judge(batch: RequestBatch): Promise<boolean> {
    const failure = await this.#findFailure(listRequests(this.#scene, batch));
    this.found = failure ?? this.found;
    return failure !== undefined;
  }

  async #findFailure(requests: readonly DrawnRequest[]): Promise<Counterexample | undefined> {
    if (this.#requester.countUnsent(requests) > this.#requester.left) return undefined;
    this.tried += 1;
    const recording = await this.#requester.ask(requests);
    const rules = rulesBroken(recording, this.#options);
    if (rules.length === 0) return undefined;
    this.evidence = recording;
    return { requests: requests.map(({ path }) => path), rules };
  }
}
