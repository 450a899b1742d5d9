import { type Judged, judge } from '../../contract/judge/judge.ts';
import type { Catalogue } from '../../contract/law/catalogue.ts';
import type { Recording } from '../../contract/reading/exchange.ts';
import { type RunOutcome, toRun, withheld } from '../run/run.ts';
import { Cases } from './cases.ts';
import type { Covered } from './draw.ts';
import { Requester, type RequesterOptions } from './requester.ts';
import type { Counterexample } from './smallest.ts';
import { rulesBroken, smallestAmong } from './smallest.ts';

export type ExploreOptions = RequesterOptions & {
  /** The fast-check path of a reported case: runs that case alone. */
  readonly path?: string;
  /** Tried before anything is made up. */
  readonly known?: readonly Counterexample[];
  readonly catalogue?: Catalogue;
  /** A should that fails is a counterexample too. */
  readonly strict?: boolean;
  /** The command line that asks for the same again; with the path where a counterexample has one. */
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
  /** Kinds of request that were sent, and those that there are; left out where nothing was drawn. */
  readonly covered?: Covered;
};

/**
 * Properties of any batch of requests whose answers overlap: none breaks a rule. Known counterexamples come first;
 * then batches drawn by the seed, until one fails or the budget is spent. What fails is made smaller.
 */
export async function explore(options: ExploreOptions): Promise<Explored> {
  const startedAt = new Date().toISOString();
  const requester = new Requester(options);
  const cases = new Cases(options, requester);
  const trouble = await requester.begin();
  if (trouble === undefined) (await cases.tryKnown()) || (await cases.search());
  const recording = requester.recording();
  const counterexample = cases.found ?? smallestAmong(recording, options);
  const facts = {
    startedAt,
    finishedAt: new Date().toISOString(),
    requests: { sent: recording.exchanges.length, budget: options.budget },
  };
  const shown = whatShows(recording, cases.evidence, options);
  const run = toRun(judgedAs(shown, counterexample, options), shown, options, facts);
  const cutShort = requester.cutShort;
  return {
    run: cutShort === undefined ? run : withheld(run, cutShort),
    recording: shown,
    cases: cases.tried,
    ...(counterexample && { counterexample }),
    ...(cases.covered && { covered: cases.covered }),
  };
}

/**
 * All answers together: what no batch shows alone, such as a counter that skips, shows there. Only where they leave
 * open what a batch shows, the answers to that batch alone.
 */
function whatShows(whole: Recording, evidence: Recording | undefined, options: ExploreOptions): Recording {
  return evidence && rulesBroken(whole, options).length === 0 ? evidence : whole;
}

function judgedAs(
  recording: Recording,
  found: Counterexample | undefined,
  { spec, catalogue, replay }: ExploreOptions,
): Judged {
  return judge(spec, recording, {
    ...(catalogue && { catalogue }),
    isDrawn: true,
    replay: (rule) => replay(found?.rules.includes(rule) ? found.path : undefined),
  });
}
