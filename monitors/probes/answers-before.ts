import { operationById } from '@candleproof/document/spec/operation';
import type { CandleAnswer, HistoryAnswer } from '@candleproof/law/reading/reading';
import { leaps } from '@candleproof/law/reading/tolerances';
import { describe } from '@candleproof/law/reading/words';
import type { Evidence } from '@candleproof/law/relations/evidence';
import { listIds } from '@candleproof/law/relations/evidence';
import { isInverted } from '@candleproof/law/relations/series';
import { filledRule, growsRule, leapName } from '@candleproof/law/rules/facts';
import type { EventRecord, Json, ResultsStore } from '../results/results-store.ts';
import { doubtMs, networkName, noPast, type PastComparison } from './restatements.ts';

/** A latest or newest closed candle as it was served before; Unix seconds, and Unix ms of the answer. */
type SeenCandle = {
  readonly start: number;
  readonly open: number;
  readonly close: number;
  readonly at: number;
  /** Since when later answers contradict it, Unix ms. */
  readonly doubted?: number;
};

/** Ids of the last list, and those that one look has missed since. */
type SeenTokens = {
  readonly ids: readonly string[];
  readonly missed?: readonly string[];
  readonly empty?: number;
};

export type BeforeOptions = {
  readonly target: string;
  /** The location and the target, which share what was seen of a pool. */
  readonly place: string;
  readonly store: Pick<ResultsStore, 'state'>;
  /** Unix ms. */
  readonly now: number;
  /** Returns whether a rule binds this target. */
  readonly isLaw: (rule: string) => boolean;
};

/** Compares latest candles with those that the slots before were served, and with the last closed ones. */
export async function compareLatest(
  { latest, spec }: Pick<Evidence, 'latest' | 'spec'>,
  options: BeforeOptions,
): Promise<PastComparison> {
  const { target, place, store, now, isLaw } = options;
  const network = Number((await store.state(networkName(place))) ?? Number.NEGATIVE_INFINITY);
  const events: EventRecord[] = [];
  const states: Record<string, Json> = {};
  const doubts: Leap[] = [];
  for (const answer of isLaw(growsRule) ? latest : []) {
    const [candle] = answer.candles;
    if (!candle || isInverted(answer) || !(candle.open > 0 && candle.close > 0)) continue;
    const own = stateName('latest', answer, spec, options);
    const closed = stateName('closed', answer, spec, options);
    const seen = await readNewest(store, own, closed);
    const before = seen && seen.at > network ? seen : undefined;
    if (before && candle.start < before.start) continue;
    const leap = before && findLeap(before, candle, now);
    const { start, open, close } = candle;
    const { pool } = answer.requested;
    const isAccepted = leap === undefined || now - (before?.doubted ?? now) >= doubtMs;
    if (!isAccepted) doubts.push({ ...leap, doubt: `pool ${pool}: ${leap.doubt}` });
    else if (leap) events.push({ at: now, kind: 'past-accepted', target, detail: { pool, price: close } });
    states[own] =
      isAccepted || !before ? { start, open, close, at: now } : { ...before, doubted: before.doubted ?? now };
  }
  return { ...noPast, events, states, ...doubts[0] };
}

/** Returns the newest closed candles of histories as states, for latest candles of the same pools. */
export function keepClosed(
  histories: readonly HistoryAnswer[],
  spec: Evidence['spec'],
  options: Omit<BeforeOptions, 'isLaw'>,
): PastComparison['states'] {
  const kept = histories.flatMap((answer): [string, Json][] => {
    const { serverNow = 0, inTime, requested } = answer;
    const newest = inTime.findLast(({ start }) => start + requested.length <= serverNow);
    if (!newest || isInverted(answer) || !(newest.open > 0 && newest.close > 0)) return [];
    const { start, open, close } = newest;
    const at = (start + requested.length) * 1000;
    return [[stateName('closed', answer, spec, options), { start, open, close, at }]];
  });
  return Object.fromEntries(kept);
}

/** Compares a list of tokens with the one before: an empty one is wrong, and tokens that two looks miss have vanished. */
export async function compareTokens(
  { tokenLists, spec }: Pick<Evidence, 'tokenLists' | 'spec'>,
  { target, place, store, now, isLaw }: BeforeOptions,
): Promise<PastComparison> {
  const answer = tokenLists.findLast(({ isList }) => isList);
  if (!answer || !isLaw(filledRule)) return noPast;
  const name = `tokens ${place}`;
  const before = (await store.state(name)) as SeenTokens | null | undefined;
  const ids = [...new Set(listIds(answer, spec).map(String))].toSorted();
  if (answer.records.length === 0 && before && now - (before.empty ?? now) < doubtMs) {
    const doubt = `an empty list, which had ${before.ids.length} tokens before`;
    return {
      ...noPast,
      states: { [name]: { ...before, empty: before.empty ?? now } },
      doubt,
      rule: filledRule,
    };
  }
  const shown = new Set(ids);
  const missed = (before?.ids ?? []).filter((id) => !shown.has(id));
  const gone = missed.filter((id) => before?.missed?.includes(id));
  const events = gone.length > 0 ? [{ at: now, kind: 'tokens-vanished', target, detail: { ids: gone } }] : [];
  const later = missed.filter((id) => !gone.includes(id));
  const seen: SeenTokens = {
    ids: [...ids, ...later].toSorted(),
    ...(later.length > 0 && { missed: later }),
  };
  const isKnown = JSON.stringify(seen) === JSON.stringify(before);
  return { ...noPast, events, states: isKnown || ids.length === 0 ? {} : { [name]: seen } };
}

type Leap = Required<Pick<PastComparison, 'doubt' | 'rule'>> & Pick<PastComparison, 'cause'>;

/** Returns what of a candle contradicts an earlier one of its pool; undefined if nothing does. */
function findLeap(before: SeenCandle, candle: SeenCandleValues, now: number): Leap | undefined {
  const { doubted = now, at } = before;
  if (candle.start === before.start && factor(before.open, candle.open) >= leaps.open) {
    const earlier = `where ${describe(before.open)} was served for the same interval`;
    return { rule: growsRule, doubt: `open ${describe(candle.open)}, ${earlier}` };
  }
  if (doubted - at > 1000 * leaps.seconds || factor(before.close, candle.close) < leaps.close)
    return undefined;
  const times = Number((candle.close / before.close).toPrecision(2));
  const earlier = `the ${describe(before.close)} of ${Math.max(1, Math.round((now - at) / 60_000))} min before`;
  return {
    rule: leapName,
    doubt: `close ${describe(candle.close)}, ${times} times ${earlier}`,
    cause: `the latest price is ${times} times the one before`,
  };
}

type SeenCandleValues = Pick<SeenCandle, 'start' | 'open' | 'close'>;

function factor(one: number, other: number): number {
  return Math.max(one / other, other / one);
}

function stateName(
  kind: string,
  { requested }: CandleAnswer,
  spec: Evidence['spec'],
  { place }: Pick<BeforeOptions, 'place'>,
): string {
  const { space } = operationById(spec, requested.operation);
  return `${kind} ${place} ${space}/${requested.pool}`;
}

/** Returns the newer of two candles; one that is doubted against stays. */
async function readNewest(
  store: BeforeOptions['store'],
  ...[own, closed]: readonly [string, string]
): Promise<SeenCandle | undefined> {
  const [latest, row] = await Promise.all(
    [own, closed].map(async (name) => ((await store.state(name)) ?? undefined) as SeenCandle | undefined),
  );
  return latest && row && latest.doubted === undefined && row.at > latest.at ? row : (latest ?? row);
}
