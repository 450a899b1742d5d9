import { randomInt } from 'node:crypto';
import type { Catalogue } from '../../contract/law/catalogue.ts';
import { version } from '../../files/package-files.ts';
import { UsageError } from '../../files/usage-error.ts';
import {
  type Booking,
  mostBodiesOfRun,
  retryPause,
  type SendingOptions,
  withClient,
} from '../check/client.ts';
import type { Target } from '../check/target.ts';
import { type Explored, explore } from './explore.ts';
import { type Counterexample, UnknownPath } from './smallest.ts';

/** The choices of one exploration. */
export type ExploreChoices = Pick<SendingOptions, 'rate' | 'timeout' | 'maxBody'> &
  Booking & {
    /** Most requests to send. */
    readonly budget: number;
    /** Draws the same requests again; drawn where left out. */
    readonly seed?: number;
    /** The path of a counterexample, which is then sent alone. */
    readonly path?: string;
    /** Counterexamples to try first. */
    readonly known: readonly Counterexample[];
    readonly law: Catalogue;
    /** Counts a should that fails as a counterexample too. */
    readonly strict?: boolean;
    readonly stop: AbortSignal;
    readonly onProgress?: (sent: number) => void;
  };

/**
 * Draws requests that no plan holds, until an answer breaks a rule or the budget is spent.
 * @throws UsageError for a path that the seed does not have
 */
export async function exploreTarget(target: Target, choices: ExploreChoices): Promise<Explored> {
  const { budget, path, known, law, strict = false, stop, onProgress, ...sending } = choices;
  const seed = choices.seed ?? randomInt(2 ** 31);
  const client = { ...sending, budget, mostBodies: mostBodiesOfRun };
  try {
    return await withClient(target, client, (client) =>
      explore({
        ...{ spec: target.spec, target: target.facts, client, hasKey: target.apiKey !== undefined },
        ...{ seed, budget, catalogue: law, strict, version, stop },
        ...(path !== undefined && { path }),
        known: path === undefined ? known : [],
        pauseMs: retryPause(target),
        ownAuthority: target.ca !== undefined,
        replay: (found) => exploreCommand(target.words, { seed, path: found, budget, strict }),
        ...(onProgress && { onProgress }),
      }),
    );
  } catch (error) {
    if (!(error instanceof UnknownPath)) throw error;
    throw new UsageError(`--path: ${error.message}: give both as they were reported, and the same pools`);
  }
}

type Repeated = {
  readonly seed: number;
  readonly path: string | undefined;
  readonly budget: number;
  readonly strict: boolean;
};

/** Returns the command that sends the same again. */
function exploreCommand(words: string, { seed, path, budget, strict }: Repeated): string {
  return [
    `npx candleproof explore ${words}`,
    `--seed ${seed}`,
    path === undefined ? `--budget ${budget}` : `--path ${path}`,
    ...(strict ? ['--strict'] : []),
  ].join(' ');
}
