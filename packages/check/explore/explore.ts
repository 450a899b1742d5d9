import { randomInt } from 'node:crypto';
import { version } from '@candleproof/files/package-files';
import { UsageError } from '@candleproof/files/usage-error';
import { type Judged, judge } from '@candleproof/law/judge/judge';
import type { Recording } from '@candleproof/law/reading/exchange';
import type { Catalogue } from '@candleproof/law/rules/catalogue';
import { type RunOutcome, toRun, withheldRun } from '../run/run-outcome.ts';
import {
  type Booking,
  maxBodiesOfRun,
  retryPause,
  type SendingOptions,
  withClient,
} from '../target/client.ts';
import type { Target } from '../target/target.ts';
import { Cases } from './cases.ts';
import { type Counterexample, findSmallest, rulesBroken, UnknownPath } from './counterexamples.ts';
import type { Covered } from './draw.ts';
import { Requester, type RequesterOptions } from './requester.ts';

export type ExploreOptions = RequesterOptions & {
  /** The fast-check path of a reported case: runs that case alone. */
  readonly path?: string;
  readonly known?: readonly Counterexample[];
  readonly catalogue?: Catalogue;
  /** A should that fails is a counterexample too. */
  readonly strict?: boolean;
  /** Returns the command line that repeats the exploration, or only the counterexample at a path. */
  readonly replay: (path?: string) => string;
  readonly version: string;
  /** The caller named an authority to trust. */
  readonly ownAuthority?: boolean;
};

export type Explored = RunOutcome & {
  /** The smallest batch of requests that was found to break a rule. */
  readonly counterexample?: Counterexample;
  /** Batches that were judged, those on the way to the smallest included. */
  readonly cases: number;
  /** Numbers of kinds of requests that were sent, and of those that exist; absent if nothing was drawn. */
  readonly covered?: Covered;
};

/**
 * Searches for a batch of requests with overlapping answers that breaks a rule. Tries known counterexamples first, then
 * batches drawn by the seed, until one fails or the budget is spent, and shrinks the batch that fails.
 */
export async function explore(options: ExploreOptions): Promise<Explored> {
  const startedAt = new Date().toISOString();
  const requester = new Requester(options);
  const cases = new Cases(options, requester);
  const trouble = await requester.begin();
  if (trouble === undefined) (await cases.tryKnown()) || (await cases.search());
  const recording = requester.recording();
  const counterexample = cases.found ?? findSmallest(recording, options);
  const facts = {
    startedAt,
    finishedAt: new Date().toISOString(),
    requests: { sent: recording.exchanges.length, budget: options.budget },
  };
  const shown = selectShown(recording, cases.evidence, options);
  const run = toRun(judgeAsFound(shown, counterexample, options), shown, options, facts);
  const cutShort = requester.cutShort;
  return {
    run: cutShort === undefined ? run : withheldRun(run, cutShort),
    recording: shown,
    cases: cases.tried,
    counterexample,
    covered: cases.covered,
  };
}

/**
 * Selects all answers, which also show what no single batch does, such as a counter that skips; or the answers to the
 * failed batch if all answers together break no rule.
 */
function selectShown(whole: Recording, evidence: Recording | undefined, options: ExploreOptions): Recording {
  return evidence && rulesBroken(whole, options).length === 0 ? evidence : whole;
}

function judgeAsFound(
  recording: Recording,
  found: Counterexample | undefined,
  { spec, catalogue, replay }: ExploreOptions,
): Judged {
  return judge(spec, recording, {
    catalogue,
    isDrawn: true,
    replay: (rule) => replay(found?.rules.includes(rule) ? found.path : undefined),
  });
}

export type ExploreChoices = Pick<SendingOptions, 'rate' | 'timeout' | 'maxBody'> &
  Booking &
  Pick<ExploreOptions, 'budget' | 'path' | 'strict' | 'stop' | 'onProgress'> & {
    /** Draws the same requests again; random by default. */
    readonly seed?: number;
    /** Counterexamples to try first. */
    readonly known: readonly Counterexample[];
    readonly law: Catalogue;
  };

/**
 * Draws requests that no plan holds, until an answer breaks a rule or the budget is spent.
 * @throws UsageError for a path that the seed does not have
 */
export async function exploreTarget(target: Target, choices: ExploreChoices): Promise<Explored> {
  const { budget, path, known, law, strict = false, stop, onProgress, ...sending } = choices;
  const seed = choices.seed ?? randomInt(2 ** 31);
  const client = { ...sending, budget, mostBodies: maxBodiesOfRun };
  try {
    return await withClient(target, client, (client) =>
      explore({
        ...{ spec: target.spec, target: target.facts, client, hasKey: target.apiKey !== undefined },
        keys: { apiKey: target.apiKey },
        ...{ seed, budget, catalogue: law, strict, version, stop },
        path,
        known: path === undefined ? known : [],
        pauseMs: retryPause(target),
        ownAuthority: target.ca !== undefined,
        replay: (found) => exploreCommand(target.words, { seed, path: found, budget, strict }),
        onProgress,
      }),
    );
  } catch (error) {
    if (!(error instanceof UnknownPath)) throw error;
    throw new UsageError(`--path: ${error.message}: give both as they were reported, and the same pools`);
  }
}

type Repeated = Required<Pick<ExploreOptions, 'seed' | 'budget' | 'strict'>> & {
  readonly path: string | undefined;
};

function exploreCommand(words: string, { seed, path, budget, strict }: Repeated): string {
  return [
    `npx candleproof explore ${words}`,
    `--seed ${seed}`,
    path === undefined ? `--budget ${budget}` : `--path ${path}`,
    ...(strict ? ['--strict'] : []),
  ].join(' ');
}
