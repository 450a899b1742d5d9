import { isLoopback } from '@candleproof/client/send/base-url';
import type { TargetFacts } from '@candleproof/law/reading/exchange';
import {
  changingCases,
  detours,
  drawnCases,
  type ErrorCase,
  includesTrial,
  nearMisses,
  otherPlaces,
  steadyCases,
  strayPaths,
  type Trial,
} from '@candleproof/law/rules/error-cases';
import type { Need } from '@candleproof/law/rules/rule';
import { forLoopbackAlone } from './trial-keys.ts';

/** The options of a run that widen its requests. */
export type Scope = {
  readonly seed: number;
  /** The runs that are planned as one, in the order of their seeds, which begin with 1. */
  readonly nights?: number | undefined;
  /** Somebody requested every trial on a target that is not on loopback. */
  readonly thorough?: boolean | undefined;
  /** The caller accepts the real key in a URL, a cookie and a Bearer header, which other hosts may log. */
  readonly exposeKey?: boolean | undefined;
  readonly hasOtherKey?: boolean;
  /** The small fixed part of the plan alone. */
  readonly smoke?: boolean | undefined;
};

/** Error cases that a run takes in addition to the fixed ones. */
const drawnAtMost = 1;

/** Returns a test for the needs that this run requests. */
export function scopeTest(target: TargetFacts, scope: Scope): (need: Need) => boolean {
  const why = scopeReasons(target, scope);
  return (need) => why(need) === undefined;
}

/** Returns why this run never requests a need, regardless of its budget; undefined if it does. */
export function scopeReasons(target: TargetFacts, scope: Scope): (need: Need) => string | undefined {
  const trials = drawTrials(target, scope);
  const cases = drawErrorCases(target, scope);
  const isPlain = target.baseUrl.startsWith('http:');
  return ({ unkeyed, thoroughly, trial, errorCase, plainHttp }) => {
    if (plainHttp && isPlain) return 'its address is plain HTTP';
    if (target.keyless && (unkeyed || trial || errorCase?.startsWith('unkeyed'))) return 'no key is needed';
    if (thoroughly && !scope.thorough) return thoroughOnly;
    if (trial && !trials.has(trial)) return explainSkippedTrial(trial);
    return errorCase && !cases.has(errorCase) ? drawn : undefined;
  };
}

const thoroughOnly = 'only requested with --thorough';
const drawn = 'each run sends some of these requests; another --seed sends these';

function explainSkippedTrial(trial: Trial): string {
  if (trial === 'other-key') return 'it takes a second key';
  return includesTrial(nearMisses, trial) ? drawn : thoroughOnly;
}

/** Returns whether bursts and guessed keys are allowed: the target is on this machine, or the run is thorough. */
export function isUnrestrained(target: TargetFacts, { thorough }: Pick<Scope, 'thorough'>): boolean {
  return thorough === true || isLoopback(target.baseUrl);
}

/** Wrong keys of every run on our machine, one for each way of comparing keys too loosely; the seed adds another. */
const usualMisses: readonly Trial[] = [
  'empty',
  'random',
  'last-character-missing',
  'one-character-more',
  'other-last-character',
  'other-case',
  'good-beginning',
  'null-word',
  'quoted',
];

/** Requests without a key that may pass by the check of it. */
const ways = [...detours, ...strayPaths];

/** Wrong keys of every run elsewhere. */
const usualMissesElsewhere: readonly Trial[] = ['empty', 'random'];

/**
 * The wrong keys that a run tries and the ways around the key that it takes without one: guesses, whichever they are. On our
 * machine it is one key of each kind and every way, elsewhere what any client may send by mistake; and one more of all
 * others, of which seeds that follow each other take different ones.
 */
export function drawAccessTrials(target: TargetFacts, scope: Scope): (Trial | ErrorCase)[] {
  const all = [...nearMisses.filter((miss) => isHarmless(target, miss)), ...ways];
  if (scope.thorough) return all;
  const usual: readonly (Trial | ErrorCase)[] = isLoopback(target.baseUrl)
    ? [...usualMisses, ...ways]
    : usualMissesElsewhere;
  const others = all.filter((trial) => !usual.includes(trial));
  return [...usual, ...takeTurns<Trial | ErrorCase>(others, 1, scope.seed)];
}

/** Returns whether a wrong key is no text that a service elsewhere could run as a command. */
function isHarmless({ baseUrl }: TargetFacts, miss: Trial): boolean {
  return isLoopback(baseUrl) || !forLoopbackAlone.includes(miss);
}

/** Returns the `count` items whose turn it is: seeds that follow each other take different ones until all had theirs. */
export function takeTurns<Item>(items: readonly Item[], count: number, seed: number): Item[] {
  const order = draw(items, items.length, 0);
  return Array.from(
    { length: Math.min(count, order.length) },
    (_, at) => order[(seed * count + at) % order.length] as Item,
  );
}

function drawTrials(target: TargetFacts, scope: Scope): Set<Trial> {
  const trials = drawAccessTrials(target, scope);
  return new Set<Trial>([
    ...nearMisses.filter((nearMiss) => trials.includes(nearMiss)),
    ...(scope.exposeKey || isLoopback(target.baseUrl) ? otherPlaces : []),
    ...(scope.thorough ? (['header-in-capitals'] as const) : []),
    ...(scope.hasOtherKey ? (['other-key'] as const) : []),
  ]);
}

function drawErrorCases(target: TargetFacts, scope: Scope): Set<ErrorCase> {
  const free = isUnrestrained(target, scope) ? [...drawnCases, ...changingCases] : drawnCases;
  const trials = drawAccessTrials(target, scope);
  return new Set<ErrorCase>([
    ...steadyCases,
    ...takeTurns<ErrorCase>(free, drawnAtMost, scope.seed),
    ...ways.filter((way) => trials.includes(way)),
  ]);
}

/** `count` of these, the same for the same seed; each as likely as any other. */
export function draw<Item>(items: readonly Item[], count: number, seed: number): Item[] {
  const left = [...items];
  const drawn: Item[] = [];
  for (let turn = 0; turn < count && left.length > 0; turn++) {
    drawn.push(...left.splice(mixBits(seed, turn) % left.length, 1));
  }
  return drawn;
}

/** Whole and not negative; neighbouring seeds have nothing in common. */
function mixBits(seed: number, turn: number): number {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(turn + 1, 0xc2b2ae35);
  state = Math.imul(state ^ (state >>> 16), 0x45d9f3b);
  return (state ^ (state >>> 15)) >>> 0;
}
