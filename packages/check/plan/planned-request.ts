import { type NamedInterval, rungNames } from '@candleproof/document/spec/roles';
import type { PoolId } from '@candleproof/document/spec/spec';
import type { Credential } from '@candleproof/law/reading/exchange';
import type { Need, Range } from '@candleproof/law/rules/rule';
import type { Manner } from './manner.ts';

/** A request that will be sent: a need, bound to a pool. Its times are known only once the target reported its time. */
export type PlannedRequest = {
  readonly need: Need;
  /** By its name in the document. */
  readonly operation: string;
  readonly pool?: PoolId;
  /** Replaces the need's interval if a document's interval is meant. */
  readonly interval?: NamedInterval;
  /** It is of the first pool of its operation: most is requested from that one. */
  readonly isFirst?: true | undefined;
  readonly credential: Exclude<Credential, 'unknown'>;
  /** Sent beside the others of its kind, all at once. */
  readonly together?: true | undefined;
  /** The usual one if undefined. */
  readonly manner?: Manner | undefined;
};

/** Returns whether a request carries the run's key, so that the key's month pays for it. */
export function isKeyed({ credential }: PlannedRequest): boolean {
  return credential === 'api-key';
}

/** Returns whether a request is sent to be refused: its refusal shows nothing about the key or the quota. */
export function isMeantToFail({ need }: PlannedRequest): boolean {
  return Boolean(need.unkeyed || need.trial || need.errorCase || need.method || need.plainHttp);
}

/** Ranges that are over: their answers cannot change while others are fetched. */
const weekRanges: readonly (Range | undefined)[] = [
  'closed week',
  'first half',
  'second half',
  'some minutes',
  'before the week',
  'long ago',
  'instant',
  'around the first row',
];

/** Ranges that end now. */
const recentRanges: readonly Range[] = ['recent', 'since the week', 'all'];

/** Returns whether a need is a range up to now. */
export function isUpToNow({ range }: Need): boolean {
  return range !== undefined && recentRanges.includes(range);
}

/** The places of the groups of requests in a run, from the first to the last. */
const places = {
  latest: 0,
  tokens: 1000,
  recent: 2000,
  otherKey: 2010,
  recentTurned: 2020,
  week: 3000,
  afterWeek: 4000,
  tokensAgain: 4500,
  changing: 7000,
  capitals: 7100,
  errors: 8000,
  unkeyed: 8100,
  unkeyedErrors: 8200,
  plainHttp: 8900,
  amidRefusals: 9100,
  trials: 9200,
  afterRefusals: 9300,
};

/** Returns whether a need is a keyed request for closed candles, made for the first time. */
export function isInWeek({ range, trial, unkeyed, errorCase, again }: Need): boolean {
  return weekRanges.includes(range) && range !== undefined && !trial && !unkeyed && !errorCase && !again;
}

/**
 * Ranks a request in the order of sending. One pool's latest candles are together, shorter intervals first and the
 * first of them again at the end, so that they bracket one state of the market; those of other pools come just before
 * that one, so that an answer mixed up with the request before it shows. An operation that is requested once
 * never comes first: its count could not be seen. Recent candles come from the shortest to the weeks, so that a longer
 * one is never older than its parts, and before the closed week, which the weeks anchor. Refusals come last, since it
 * is unknown whether they count; an answer in their midst, to a request that was refused without a key, shows it and
 * whether they are kept for proper requests too. Wrong keys are the very last, since a service may lock out who guesses;
 * one proper request after them shows whether it did.
 */
export function rank(request: PlannedRequest): number {
  const { need, credential } = request;
  const place = rungNames.indexOf(need.interval ?? 'minutes');
  if (need.plainHttp) return places.plainHttp;
  if (need.errorCase) return credential === 'none' ? places.unkeyedErrors : places.errors;
  if (need.method) return places.changing;
  if (need.trial === 'other-key') return places.otherKey;
  if (need.trial === 'header-in-capitals') return places.capitals;
  if (need.trial) return places.trials;
  if (credential === 'none') return places.unkeyed + unkeyedRank(need);
  if (need.role === 'tokens') return need.again ? places.tokensAgain : places.tokens;
  if (need.role === 'latest') return latestRank(request);
  if (need.range === 'before any pool') return places.afterWeek;
  if (need.again) return places.amidRefusals;
  if (need.range === 'after now') return places.afterRefusals;
  if (isUpToNow(need)) return (need.inverted ? places.recentTurned : places.recent) + place;
  return places.week + weekRank(need);
}

function latestRank({ need, isFirst }: PlannedRequest): number {
  if (!isFirst) return places.latest + 90;
  if (need.again) return places.latest + 100;
  return places.latest + rungNames.indexOf(need.interval ?? 'minutes') + directionOrder(need);
}

function weekRank(need: Need): number {
  const place = rungNames.indexOf(need.interval ?? 'minutes');
  return (
    weekRanges.indexOf(need.range) * 100 - place + directionOrder(need) + (need.speltOtherwise ? 900 : 0)
  );
}

/** Puts each operation first, in hours: a service may soon limit requests without a key. */
function unkeyedRank({ role, interval, freshConnection }: Need): number {
  const place = role === 'tokens' ? 0 : (rungNames.indexOf(interval ?? 'minutes') + 3) % 4;
  return place + (freshConnection ? 10 : 0);
}

function directionOrder({ inverted }: Need): number {
  if (inverted === undefined) return 0;
  return inverted ? 10 : 20;
}
