import { version } from '@candleproof/files/package-files';
import { judge } from '@candleproof/law/judge/judge';
import type { Run } from '@candleproof/law/judge/verdict';
import { catalogue } from '@candleproof/law/rules/catalogue';
import fc, { type Arbitrary } from 'fast-check';
import { toRun } from '../run/run-outcome.ts';
import { type Booking, retryPause, type SendingOptions, withClient } from '../target/client.ts';
import type { Target } from '../target/target.ts';
import { type BatchRequest, batches, type RequestBatch } from './batch.ts';
import { listRequests } from './batch-requests.ts';
import { Requester } from './requester.ts';
import { listLifeRequests, readTimes, type Times } from './times.ts';

/** A law that ties the answers to several requests to each other. */
export type TyingLaw = {
  /** The rules by which the answers are judged. */
  readonly rules: readonly string[];
  readonly role: 'history' | 'latest';
  /** The requests about the stretch of time that is drawn; `longer` is the next interval, if there is one. */
  readonly asks: (interval: string, longer: string | undefined) => readonly Partial<BatchRequest>[];
};

export type DrawChoices = Pick<SendingOptions, 'timeout'> &
  Booking & {
    readonly seed: number;
    /** Requests that all laws together may cost, and those that were sent for them before. */
    readonly budget: number;
    readonly spent: number;
  };

/** The result of a law's cases. */
export type HeldLaw = {
  /** Cases that were judged; the others cost more than was left. */
  readonly judged: number;
  /** The smallest case that breaks the law, with the seed and the path that draw it again. */
  readonly broken?: { readonly run: Run; readonly seed: number; readonly path: string | null };
};

const plainly: BatchRequest = {
  portion: 'whole',
  interval: undefined,
  inverted: undefined,
  miss: undefined,
  manner: undefined,
};

/** Draws requests of one target; equal requests are sent once, whichever law asks. */
export class DrawnTarget {
  readonly #target: Target;
  readonly #requester: Requester;
  readonly #times: Times;
  readonly #choices: DrawChoices;

  constructor(target: Target, requester: Requester, times: Times, choices: DrawChoices) {
    this.#target = target;
    this.#requester = requester;
    this.#times = times;
    this.#choices = choices;
  }

  get sent(): number {
    return this.#requester.sent;
  }

  /** Holds the target to a law in so many cases, or in the one at a path; makes a case that breaks it as small as it can. */
  async hold(law: TyingLaw, { cases, path }: { cases: number; path?: string | undefined }): Promise<HeldLaw> {
    let judged = 0;
    let broken: Run | undefined;
    const property = fc.asyncProperty(this.#draw(law), async (batch) => {
      const run = await this.#judge(batch, law);
      judged += Number(run !== undefined);
      const isKept = run === undefined || run.findings.length === 0;
      // The last that fails is the smallest.
      if (!isKept) broken = run;
      return isKept;
    });
    // All laws draw alike, so that they share their answers.
    const place = path === undefined ? { numRuns: cases } : { path, numRuns: 1 };
    const { seed, counterexamplePath } = await fc.check(property, { seed: this.#choices.seed, ...place });
    return { judged, ...(broken && { broken: { run: broken, seed, path: counterexamplePath } }) };
  }

  #draw({ role, asks }: TyingLaw): Arbitrary<RequestBatch> {
    const { spec, facts } = this.#target;
    const names = spec.intervals.map(({ name }) => name);
    return batches(spec, facts, this.#times)
      .filter((batch) => batch.role === role)
      .map((batch) => {
        const { interval } = batch.frame;
        const wanted = asks(interval, names[names.indexOf(interval) + 1]);
        return {
          ...batch,
          refused: undefined,
          again: 0,
          asks: wanted.map((ask) => ({ ...plainly, ...ask })),
        };
      });
  }

  /** Judges a batch by a law; undefined if it costs more than is left. */
  async #judge(batch: RequestBatch, { rules }: TyingLaw): Promise<Run | undefined> {
    const { spec, facts } = this.#target;
    const drawn = listRequests({ spec, target: facts, times: this.#times }, batch);
    if (this.#requester.countUnsent(drawn) > this.#requester.left) return undefined;
    const recording = await this.#requester.ask(drawn);
    const law = { rules: catalogue.rules.filter(({ id }) => rules.includes(id)), questions: [] };
    const judged = judge(spec, recording, { catalogue: law, replay: () => '', isDrawn: true });
    const at = new Date().toISOString();
    const requests = { sent: drawn.length, budget: this.#choices.budget };
    const facing = { spec, version, catalogue: law };
    return toRun(judged, recording, facing, { startedAt: at, finishedAt: at, requests });
  }
}

/** Runs work that draws requests of a target, or that gets the reason for which nothing can be sent to it. */
export function drawFromTarget(
  target: Target,
  choices: DrawChoices,
  work: (drawn: DrawnTarget | string) => Promise<void>,
): Promise<void> {
  const { seed, budget: most, spent } = choices;
  const budget = most - spent;
  return withClient(target, { ...choices, budget }, async (client) => {
    const { spec, facts } = target;
    const requester = new Requester({
      ...{ spec, target: facts, client, seed, budget, hasKey: target.apiKey !== undefined },
      ...{ pauseMs: retryPause(target), stop: new AbortController().signal },
    });
    const trouble = await requester.begin();
    if (trouble !== undefined) return work(trouble);
    const life = await requester.ask(listLifeRequests(spec, facts, requester.now));
    await work(new DrawnTarget(target, requester, readTimes(spec, life, requester.now), choices));
  });
}
