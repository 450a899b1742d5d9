import { cheapestPath } from '@candleproof/document/spec/operation';
import { version } from '@candleproof/files/package-files';
import { UsageError } from '@candleproof/files/usage-error';
import { type Shares, spendable, usualShares } from '@candleproof/law/planning/allowance';
import type { Exchange } from '@candleproof/law/reading/exchange';
import type { Catalogue } from '@candleproof/law/rules/catalogue';
import { usualSeed } from '../plan/plan.ts';
import type { Keys } from '../plan/trial-keys.ts';
import type { FreeOf } from '../run/budget.ts';
import { type RunOptions, runConformance } from '../run/run.ts';
import type { RunOutcome } from '../run/run-outcome.ts';
import { pause, sendUnlessStopped } from '../run/sending.ts';
import {
  type Booking,
  createTargetClient,
  maxBodiesOfRun,
  retryPause,
  type SendingOptions,
  withClient,
} from './client.ts';
import { readKeyFile } from './read-key.ts';
import type { Target } from './target.ts';

export type CheckChoices = Pick<SendingOptions, 'rate' | 'timeout' | 'maxBody'> &
  Pick<Booking, 'ledger' | 'allowOverage'> &
  Pick<RunOptions, 'baseline' | 'nights' | 'smoke' | 'thorough' | 'exposeKey' | 'stop'> & {
    readonly law: Catalogue;
    /** Most requests, or `auto` for what the key's month has free for checks. */
    readonly budget?: number | 'auto';
    /** Chooses the requests that a run draws; by default the usual ones, so that the same build gets the same verdict. */
    readonly seed?: number;
    /** A file that holds a second key, to show that keys are counted separately. */
    readonly otherKeyFile?: string;
    /** Faults that are switched on in the embedded service, for the command that shows a finding again. */
    readonly faults?: readonly string[];
  };

export type CheckEvents = Pick<Booking, 'onUnbooked'> &
  Pick<RunOptions, 'onProgress' | 'onFirstJudged' | 'onJudged'> & {
    /** Called when the last answer is judged, before the connections are closed. */
    readonly onFinished?: () => void;
  };

/**
 * Runs one conformance check of a target and returns the run with its recording.
 * @throws UsageError for a second key that cannot be used
 */
export async function checkTarget(
  target: Target,
  options: CheckChoices,
  events: CheckEvents = {},
): Promise<RunOutcome> {
  const { law, baseline, budget, nights, smoke, stop, thorough, exposeKey, seed = usualSeed } = options;
  const client = { ...options, ...events, mostBodies: maxBodiesOfRun };
  return withClient(target, client, async (client) => {
    const { run, recording } = await runConformance({
      spec: target.spec,
      target: target.facts,
      client,
      hasCompany: client.hasCompany,
      left: client.left,
      keys: readKeys(target.apiKey, options.otherKeyFile),
      seed,
      nights,
      smoke,
      ...(thorough && { thorough }),
      ...(exposeKey && { exposeKey }),
      ...(budget !== undefined && { budget: limitBudget(budget, target.terms?.shares) }),
      catalogue: law,
      baseline,
      replay: replayCommand(target, seed, options),
      version,
      ownAuthority: target.ca !== undefined,
      pauseMs: retryPause(target),
      patienceMs: options.timeout,
      stop,
      onJudged: events.onJudged,
      onProgress: events.onProgress,
      // Away from loopback there is time to judge while the pace is kept.
      onFirstJudged: target.isLoopback ? undefined : events.onFirstJudged,
    });
    events.onFinished?.();
    return { run, recording };
  });
}

function readKeys(apiKey: string | undefined, otherKeyFile: string | undefined): Keys {
  if (otherKeyFile === undefined) return { apiKey };
  const otherKey = readKeyFile(otherKeyFile, '--other-key-file');
  if (apiKey === undefined) throw new UsageError('--other-key-file: only beside a key of the run');
  if (otherKey === apiKey) {
    throw new UsageError(`--other-key-file: ${otherKeyFile}: it holds the run's own key: give another one`);
  }
  return { apiKey, otherKey };
}

/** Lets `auto` take what the key's month has free for checks, once the first answer has reported it. */
function limitBudget(given: number | 'auto', shares: Shares = usualShares): number | FreeOf {
  return given === 'auto' ? (account, now) => spendable(account, shares, 'check', now) : given;
}

/** Returns a writer of the command that judges by one rule again, with everything that the answers depended on. */
function replayCommand(
  { words, facts }: Target,
  seed: number,
  { faults, nights, otherKeyFile, thorough, exposeKey }: CheckChoices,
): (rule: string) => string {
  // The embedded service is made anew for each run, without a fault but in the kill matrix.
  if (facts.name === 'local' && faults && faults.length > 0) {
    return () => `npx candleproof serve faults --only ${faults.join(' ')}`;
  }
  return (rule) =>
    [
      `npx candleproof check ${words} --only ${rule} --seed ${seed}`,
      ...(nights === undefined ? [] : [`--nightly ${nights}`]),
      ...(otherKeyFile === undefined ? [] : ['--other-key-file OTHERKEYFILE']),
      ...(thorough ? ['--thorough'] : []),
      ...(exposeKey ? ['--expose-key'] : []),
    ].join(' ');
}

/** Time (ms) between two requests to a target that does not answer yet. */
const pauseMs = 1000;

/**
 * Waits until a target answers with anything but a server error, for `ms` at most. Sends no key, so that no quota is spent.
 * Returns whether it answered; a certificate that is not trusted is an answer too, since waiting mends nothing.
 */
export async function awaitTarget(
  target: Target,
  ms: number,
  options: Pick<SendingOptions, 'timeout'> & { readonly stop: AbortSignal },
): Promise<boolean> {
  const { stop } = options;
  const path = cheapestPath(target.spec, target.facts, Math.floor(Date.now() / 1000)) ?? '/';
  const client = createTargetClient(target, options);
  const end = performance.now() + ms;
  try {
    while (performance.now() < end && !stop.aborted) {
      const request = { path, credential: 'none', freshConnection: true } as const;
      const exchange = await sendUnlessStopped(client, request, stop);
      if (exchange && isUp(exchange)) return true;
      await pause(Math.min(pauseMs, Math.max(0, end - performance.now())), stop);
    }
    return false;
  } finally {
    await client.close();
  }
}

function isUp({ response, failure }: Exchange): boolean {
  return (response !== undefined && response.status < 500) || failure?.kind === 'certificate';
}
