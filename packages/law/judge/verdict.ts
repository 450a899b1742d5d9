import type { CandleRole } from '@candleproof/document/spec/roles';
import type { KeyPlace, OperationId, OperationName } from '@candleproof/document/spec/spec';
import type { Explanation } from '../diagnosis/explanation.ts';
import type { HeaderLine } from '../reading/exchange.ts';
import type { DrawnCandle, MissingKind, Picture } from '../rules/breach.ts';
import type { Level } from '../rules/facts.ts';
import type { ReasonCode } from './reason.ts';

export type Outcome = 'passed' | 'failed' | 'known' | 'surprised' | 'inconclusive' | 'unexercised';

export type Verdict = 'conformant' | 'nonconformant' | 'inconclusive';

/** Combinations that the requests of a run have, of those that so many requests could have. */
export type CoveredShare = { readonly covered: number; readonly possible: number };

/** The ground of a run: the cells operation × interval × direction that it requested, of those that its target has. */
export type CoveredGround = {
  readonly cells: number;
  readonly of: number;
  /** The cells themselves, and whether they were requested; absent in runs of before it was reported. */
  readonly grid?: readonly GroundCell[];
  /** Names the parts that it did not request, such as `latest inverted 1h` and `wrong keys`; empty if there are none. */
  readonly notRequested: readonly string[];
  readonly guessesEnded?: GuessesEnded;
};

/** Candles of an operation, such as `history`, in an interval and a direction. */
export type GroundCell = {
  readonly operation: string;
  readonly interval: string;
  readonly inverted: boolean;
  readonly requested: boolean;
};

/** The answer after which nothing more was sent without the run's key, and the number of such requests up to it. */
export type GuessesEnded = { readonly status: number; readonly tried: number };

/** The combinations of two and three values of different factors of requests: docs/coverage.md names the factors. */
export type PairCoverage = {
  readonly pairs: CoveredShare;
  readonly triples: CoveredShare;
  /** Pairs that no request has, such as `agent none & interval week`. */
  readonly uncovered: readonly string[];
  readonly nights?: CoveredNights;
};

/** The combinations that several runs have together which are planned as one; `night`: the place of this one among `of`. */
export type CoveredNights = {
  readonly night: number;
  readonly of: number;
  readonly pairs: CoveredShare;
  readonly triples: CoveredShare;
};

/** A request as it can be made again; secrets are markers. */
export type FindingRequest = {
  readonly method: string;
  readonly url: string;
  /** The text of its JSON body, if it has one. */
  readonly body?: string;
  /** `api-key`, `none`, `unknown`, or a trial by its name. */
  readonly credential: string;
  /** The tag that it was conditional on. */
  readonly ifNoneMatch?: string;
  /**
   * User-Agent and Accept-Encoding as far as they are not those of other requests, empty if there was none; without a
   * key, all that other requests lack.
   */
  readonly headers?: readonly HeaderLine[];
};

/** A row of an answer; with `after`, the place behind it, where a missing row would be. */
export type NamedRow = { readonly exchange: number; readonly pointer: string; readonly after?: true };

/** One place where a rule was broken. */
export type Example = {
  /** Index of the exchange in the HAR. */
  readonly exchange: number;
  /** Its place in the judged recording, such as `log.entries[17]`; absent if we sent the requests. */
  readonly place?: string;
  /** The request; absent in runs of an earlier version. */
  readonly request?: FindingRequest;
  /** JSON pointer into the body, or `header:name`, or `status`. */
  readonly pointer: string;
  /** The address of the candle in question, or of the first one that is missing; absent if it is about no candle. */
  readonly address?: string;
  /** The role of the field there; absent if the document gives it none. */
  readonly field?: CandleRole;
  readonly expected: string;
  readonly actual: string;
  readonly candles?: readonly DrawnCandle[];
  readonly picture?: Picture;
  /** Rows of other answers that it is measured by, at most three. */
  readonly beside?: readonly NamedRow[];
};

/** Why a failing is accepted, and the last day (YYYY-MM-DD, UTC) on which it is; the reason may still be empty. */
export type Acceptance = { readonly reason: string; readonly until: string };

/**
 * A failing that a baseline lists: rule, operation and what of it the failing keeps to, as `places` of findings name it.
 * In lists of an earlier version it is the fingerprint of a finding, which stands for all that its rule breaks there.
 */
export type KnownFailing = Acceptance & {
  readonly fingerprint: string;
  /** Names the places where it was met, such as `1h inverted`: only a run that judged all of it can say that the failing is gone. */
  readonly met?: readonly string[];
};

/** A known failing as a finding would be listed, and where the finding shows it. */
export type FailingPlace = { readonly failing: string; readonly met: readonly string[] };

/**
 * The state of a known failure in one run: still failing, failing beyond its last day, gone, since its rule held wherever
 * it was met before, or not met this time. No rule may have its name.
 */
export type KnownStatus = 'known' | 'expired' | 'surprised' | 'unexercised' | 'no such rule';

/** The baseline that a judgement was measured by, without entries of rules that were not to be judged. */
export type BaselineResult = {
  readonly target: string;
  readonly known: readonly (KnownFailing & { readonly status: KnownStatus })[];
  /** Pins that belong to no question. */
  readonly strayPins: readonly string[];
};

/** The share of the candles, tokens or answers of an operation that a finding concerns, each counted once. */
export type Extent = {
  readonly broken: number;
  readonly judged: number;
  readonly unit: 'candle' | 'token' | 'answer';
};

/** All breaches of one rule in one operation at one normalised pointer, which replaces the first example's. */
export type Finding = Omit<Example, 'request' | 'candles' | 'picture' | 'beside'> & {
  readonly rule: string;
  readonly level: Level;
  readonly operation: OperationId;
  /** Absent in runs of before it was kept. */
  readonly named?: OperationName;
  /** Stable over runs: rule, operation and pointer with its array indices replaced by `*`. */
  readonly fingerprint: string;
  /** The failings that a baseline would list for it, whatever the seed. Absent in runs of before they were reported. */
  readonly places?: readonly FailingPlace[];
  readonly count: number;
  /** Absent in runs of before it was reported. */
  readonly extent?: Extent;
  /** Facts that the broken answers and rows share, and judged ones that are sound have not: `only inverted`. */
  readonly pattern?: string;
  /** The kind of the first missing rows, in a finding of missing rows. */
  readonly kind?: MissingKind;
  /** A sentence that says more than the rule's statement. */
  readonly sentence?: string;
  /** Asking the same again once gave an answer without this breach. */
  readonly intermittent: boolean;
  /** The command line that requests this finding's evidence again. */
  readonly replay: string;
  /** At most three. */
  readonly examples: readonly Example[];
  /** The baseline accepts it, and its last day has not passed. */
  readonly known?: Acceptance;
};

export type RuleResult = {
  readonly id: string;
  readonly section: string;
  readonly level: Level;
  readonly statement: string;
  readonly why: string;
  readonly outcome: Outcome;
  /** The number of exchanges that the rule judged. */
  readonly evidence: number;
  /** The operations that they were of. */
  readonly operations: readonly OperationId[];
  /** Why it is not simply passed or failed. */
  readonly reason?: string;
  /** It had nothing to judge because the run's budget did not cover its needs. */
  readonly beyondBudget?: true;
  /** The rule that every answer which it needs breaks. */
  readonly hiddenBy?: string;
};

export type Observation = {
  readonly id: string;
  readonly question: string;
  readonly answer: string;
  /** It differs from the one that the baseline pins. */
  readonly changed: boolean;
  /** The pinned answer, if it differs. */
  readonly before?: string;
};

/** Proper requests that were not answered at first, and were when they were sent again. */
export type TransientFailure = {
  readonly operation: OperationId;
  /** Absent in runs of before it was kept. */
  readonly named?: OperationName;
  /** `status 503`, or the kind and phase of what broke. */
  readonly failure: string;
  readonly count: number;
  /** Proper requests of the operation, these included; absent in runs of before it was reported. */
  readonly of?: number;
  /** The times of the first twelve, ISO 8601; absent in runs of before it was reported, and where it is unknown. */
  readonly at?: readonly string[];
};

/** Candles that a run was entitled to, the answers that held them, and how many have no readable start or prices. */
export type ReadFacts = {
  readonly candles: number;
  readonly answers: number;
  readonly unreadable: number;
  /** Proper requests, each once however often it had to be sent; absent in runs of before it was reported. */
  readonly requests?: number;
  /** Refusals of the accepted key that only wrong keys brought about. Absent for none. */
  readonly lockedOut?: number;
  /** Names of the requested pools that the target refused in every answer while others gave rows. Absent for none. */
  readonly unknownPools?: readonly string[];
  /** Absent if a rule is broken, or too few candles were read. */
  readonly sample?: SampledCandles;
};

/** Closed candles of one pool that were read, so that a green run shows that it read something. */
export type SampledCandles = {
  readonly pool: string;
  readonly interval: string;
  /** The address of the newest; absent in runs of before it was kept. */
  readonly address?: string;
  /** In the order of time, at most 48. */
  readonly candles: readonly DrawnCandle[];
};

/** The judgement of a recording, independent of how it was obtained. */
export type Judgement = {
  readonly verdict: Verdict;
  readonly reason?: string;
  /** The code of that reason, for advice and programs; absent in runs of before it was reported. */
  readonly reasonCode?: ReasonCode;
  readonly rules: readonly RuleResult[];
  /** Ids of rules and questions that need what the document has not: neither passed nor failed. Absent for none. */
  readonly notOfApi?: readonly string[];
  readonly findings: readonly Finding[];
  /** Explains some of the findings, the one that explains most of them first. Absent for none. */
  readonly explanations?: readonly Explanation[];
  readonly observations: readonly Observation[];
  readonly transient: readonly TransientFailure[];
  /** Absent in runs of before it was reported. */
  readonly read?: ReadFacts;
  /** Absent if no baseline was given. */
  readonly baseline?: BaselineResult;
};

/** The number of entries of foreign recordings that were judged or skipped. */
export type RecordedEntries = {
  readonly recorded: number;
  readonly judged: number;
  /** Why the others were not, such as `other host`. */
  readonly skipped: readonly { readonly reason: string; readonly count: number }[];
};

/** One conformance run: the content of run.json. */
export type Run = Judgement & {
  readonly target: {
    readonly name: string;
    readonly baseUrl: string;
    /** It was trusted by an authority that the caller named. */
    readonly ownAuthority?: true;
    /** Another document's header for the key, lower case. */
    readonly keyHeader?: string;
    /** The text before the key in that header. */
    readonly keyPrefix?: string;
    /** The keys beside that one, each with the variable of the environment that holds it. */
    readonly furtherKeys?: readonly (Omit<KeyPlace, 'scheme'> & { readonly variable: string })[];
    /** Intervals that no one observed may be missing, as was declared of the target. */
    readonly gaps?: 'idle';
    /** It needs no key, by its operator's intention. */
    readonly keyless?: true;
  };
  readonly seed: number;
  /** ISO 8601, UTC, by the monitor's clock. */
  readonly startedAt: string;
  readonly finishedAt: string;
  /** `keyed`: those with the run's key, which its month pays for; absent if a recording was judged. */
  readonly requests: { readonly sent: number; readonly budget: number; readonly keyed?: number };
  /** Absent if a recording was judged. */
  readonly ground?: CoveredGround;
  readonly coverage?: PairCoverage;
  /** Only if recorded traffic was judged. */
  readonly entries?: RecordedEntries;
  /** The key's month (§8) as the last of its answers reported it; absent if none did. */
  readonly quota?: { readonly limit: number; readonly remaining: number; readonly additional: number };
  /** Musts that were excluded from the run; absent if there are none. */
  readonly unchosen?: number;
  /** Names that its caller gave the run, to find it by: a text, and the commit of what was checked. */
  readonly label?: string;
  readonly commit?: string;
  readonly versions: {
    readonly candleproof: string;
    /** A digest of the rules and questions. */
    readonly catalogue: string;
    readonly specSha256: string;
  };
};
